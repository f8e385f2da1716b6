//! Where a run gets its arbitrary values from.

use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use super::corpus::Continued;
use super::input_bytes::InputBytes;
use super::likely::{Likely, Text};
use super::world::World;
use crate::cfa::{Bits, ByteSet, NondetKind, is_approximated};
use crate::memory::{Addresses, Inputs, RECEIVED, outside_address};

/// Random arguments have fewer bytes: long ones make long runs.
const RANDOM_ARGUMENT_BYTES: u128 = 40;

/// More arguments, or longer ones, are not searched for violations.
const MOST_ARGUMENTS: u128 = 128;
const LONGEST_ARGUMENT: u128 = 4096;

/// One in so many values ends what a run repeats of another one's.
const ONCE_IN: u64 = 128;

/// What decides the arbitrary values of a run.
#[derive(Clone, Debug)]
pub enum Source {
    /// These, and zeros beyond them.
    Given(Inputs),
    /// Pseudo-random ones, mostly small or otherwise likely to matter; the same seed gives the same values.
    Random {
        /// Of the generator.
        seed: u64,
    },
    /// As [`Source::Random`], with numbers that matter to the program mixed in.
    Guided {
        /// Of the generator.
        seed: u64,
        /// What the program compares with; nothing: as [`Source::Random`].
        likely: Arc<Likely>,
    },
    /// Pseudo-random ones, where each place that asks for an input gets values of one kind throughout the run: never zero, say, or
    /// another number each time. So runs go far in one direction (swarm testing: Groce et al., ISSTA'12).
    Swarm {
        /// Of the generator, and of the kind of each place.
        seed: u64,
        /// Texts that bytes are taken from.
        likely: Arc<Likely>,
    },
    /// What another run was given, as far as that goes; then as [`Source::Guided`].
    Continued {
        /// The other run's inputs.
        from: Box<Continued>,
        /// Of the generator.
        seed: u64,
        /// What the program compares with.
        likely: Arc<Likely>,
    },
    /// These for the input functions, in order; where one is `None` or missing, and for everything else: zero, or
    /// pseudo-random ones with a seed.
    Scripted {
        /// Cut to the width of the result that they are.
        inputs: Vec<Option<u128>>,
        /// Of the generator; `None`: zero.
        seed: Option<u64>,
    },
}

impl Source {
    /// Where objects are put.
    pub(super) fn addresses(&self) -> Addresses {
        match self {
            Source::Given(inputs) => inputs.addresses,
            _ => Addresses::default(),
        }
    }
}

/// A source in use, with a record of what it gave.
#[derive(Clone, Debug)]
pub(super) struct Feed {
    source: Source,
    random: Random,
    pub used: Inputs,
    /// Which place asks for the next value.
    pub place: u64,
    /// How many results of input functions are among the used ones.
    input_calls: usize,
    /// A library function with a result that is taken to be arbitrary although its arguments decide it.
    pub approximated: Option<Rc<str>>,
    /// How often the run got something that C leaves open: unwritten bytes, unset registers, undefined functions' results.
    pub indeterminate: u64,
    /// What stands in memory of the input.
    pub received: InputBytes,
    /// The text that bytes are taken from.
    text: Text,
    /// What another run was given is no longer followed.
    is_done: bool,
    /// How many values were given before each part.
    pub parts: Vec<usize>,
    /// The width of addresses, where values from outside may be some.
    pub addresses: Option<u32>,
    /// What surrounds a program that is run for its own sake.
    pub world: Option<Box<World>>,
}

impl Feed {
    pub fn new(source: Source) -> Self {
        let seed = match &source {
            Source::Given(_) => 0,
            Source::Random { seed }
            | Source::Guided { seed, .. }
            | Source::Continued { seed, .. }
            | Source::Swarm { seed, .. } => *seed,
            Source::Scripted { seed, .. } => seed.unwrap_or(0),
        };
        let addresses = source.addresses();
        Self {
            source,
            random: Random::new(seed),
            used: Inputs { addresses, ..Inputs::default() },
            place: 0,
            input_calls: 0,
            approximated: None,
            indeterminate: 0,
            received: InputBytes::default(),
            text: Text::default(),
            is_done: false,
            parts: Vec::new(),
            addresses: None,
            world: None,
        }
    }

    /// Bytes of a block are the next part of the input, the first `known.0` of them members of a set.
    pub fn receive(&mut self, block: u32, bytes: Range<u64>, known: Option<(u64, ByteSet)>) {
        self.parts.push(self.used.values.len());
        self.received.receive(block, bytes, known);
    }

    /// The run goes on with `values` as the next ones and zeros beyond them; what it was given before is handed over.
    pub fn go_on_with(&mut self, values: Vec<u128>) {
        self.used.values.clear();
        self.source = Source::Given(Inputs { values, ..Inputs::default() });
    }

    /// Of an earlier feed of the same run: nothing was given since but results of input functions.
    pub fn has_given_inputs_only_since(&self, earlier: &Feed) -> bool {
        let given = |feed: &Feed| (feed.used.bytes.len(), feed.indeterminate, feed.approximated.is_some());
        given(self) == given(earlier)
    }

    /// Of an earlier feed of the same run: nothing was given since, so that both go on alike.
    pub fn has_given_as_much_as(&self, earlier: &Feed) -> bool {
        self.has_given_inputs_only_since(earlier) && self.used.values.len() == earlier.used.values.len()
    }

    pub fn value(&mut self, kind: &NondetKind, width: u32) -> Bits {
        let is_input = matches!(kind, NondetKind::Input(_));
        // Not where an address is asked for: whether there is one more line, how long it is.
        let is_external = matches!(kind, NondetKind::External(_)) && self.addresses != Some(width);
        if let NondetKind::External(name) | NondetKind::Number(name) = kind
            && is_approximated(name)
        {
            self.approximated.get_or_insert_with(|| Rc::from(&**name));
        }
        let chosen = match (kind, &mut self.world) {
            (NondetKind::External(name) | NondetKind::Number(name), Some(world)) => world.result(name),
            _ => None,
        };
        let index = self.used.values.len();
        let again = match &self.source {
            Source::Continued { from, .. } if !self.is_done => from.value(index),
            _ => None,
        };
        let value = match &self.source {
            _ if kind.is_order() => 0,
            _ if chosen.is_some() => chosen.unwrap_or_default(),
            Source::Given(inputs) => inputs.values.get(index).copied().unwrap_or(0),
            Source::Random { .. } => self.random_value(kind, width),
            Source::Swarm { seed, .. } => match Manner::of(*seed, self.place).filter(|_| is_input || is_external) {
                Some(manner) => manner.value(&mut self.random, self.input_calls),
                None => self.random_value(kind, width),
            },
            Source::Continued { .. } if again.is_some() => {
                // A part that comes again ends some time.
                self.is_done = self.random.next().is_multiple_of(ONCE_IN);
                again.unwrap_or_default()
            }
            // It may be a character, or a length.
            Source::Guided { likely, .. } | Source::Continued { likely, .. }
                if is_external && self.random.chance(4) =>
            {
                likely.character(&mut self.random).into()
            }
            Source::Guided { likely, .. } | Source::Continued { likely, .. } => match self.random.hint(&likely.numbers)
            {
                Some(hint) => hint,
                None => self.random_value(kind, width),
            },
            Source::Scripted { inputs, seed } => {
                let scripted = inputs.get(self.input_calls).copied().flatten().filter(|_| is_input);
                match (scripted, seed) {
                    (Some(value), _) => value,
                    (None, Some(_)) => self.random_value(kind, width),
                    (None, None) => 0,
                }
            }
        };
        let value = match (kind, &self.source) {
            // What is searched through is not the number of arguments.
            (_, Source::Given(_)) => value,
            (NondetKind::Number(name), _) if &**name == "argc" && value > MOST_ARGUMENTS => value % 4 + 1,
            (NondetKind::Number(name), _) if &**name == "argument" && value > LONGEST_ARGUMENT => {
                value % RANDOM_ARGUMENT_BYTES
            }
            _ => value,
        };
        if is_input {
            self.input_calls += 1;
        } else {
            self.indeterminate += 1;
        }
        let bits = Bits::new(value, width);
        self.used.values.push(bits.value);
        bits
    }

    fn random_value(&mut self, kind: &NondetKind, width: u32) -> u128 {
        match kind {
            NondetKind::Input(name) if name.ends_with("float") || name.ends_with("double") => self.random.float(width),
            // Zero arguments are no arguments at all: the program's name is one.
            NondetKind::Number(name) if &**name == "argc" => self.random.integer(width) % 4 + 1,
            NondetKind::Number(name) if &**name == "argument" => self.random.integer(width) % RANDOM_ARGUMENT_BYTES,
            NondetKind::External(_) | NondetKind::Uninitialised
                if self.addresses == Some(width) && self.random.chance(if width == 64 { 10 } else { 5 }) =>
            {
                outside_address(self.used.values.len() as u64 + 1, width).into()
            }
            _ => self.random.integer(width),
        }
    }

    /// The byte of memory that was never written is this one, whatever the source has.
    pub fn choose(&mut self, block: u32, offset: u64, byte: u8) {
        self.indeterminate += 1;
        if byte != 0 {
            let (source, _) = self.origin(block, offset);
            self.used.bytes.entry((source, offset)).or_insert(byte);
        }
    }

    /// No input has this byte there, such as a newline within a line.
    fn doubt_byte(&mut self) {
        self.approximated.get_or_insert_with(|| "a byte that the input cannot have there".into());
    }

    /// What numbers the bytes that a byte belongs to, and what it is one of: those of its block, or of a part of the input.
    fn origin(&self, block: u32, offset: u64) -> (u32, Option<ByteSet>) {
        let received = self.received.at(block, offset);
        received.map_or((block, None), |(part, set)| (RECEIVED | part, Some(set)))
    }

    /// The value of a byte of memory that was never written; the same place always gives the same.
    pub fn byte(&mut self, block: u32, offset: u64) -> u8 {
        self.indeterminate += 1;
        let (block, set) = self.origin(block, offset);
        let fits = |byte: u8| set.is_none_or(|set| set.contains(byte));
        if let Some(byte) = self.used.bytes.get(&(block, offset)).copied() {
            if !fits(byte) {
                self.doubt_byte();
            }
            return byte;
        }
        let given = match &self.source {
            Source::Given(inputs) => inputs.bytes.get(&(block, offset)).copied(),
            _ => None,
        };
        let again = match &self.source {
            Source::Continued { from, .. } => from.byte(block, offset),
            _ => None,
        };
        let mut byte = match &self.source {
            Source::Given(_) => given.unwrap_or(0),
            Source::Continued { .. } if again.is_some() => again.unwrap_or_default(),
            Source::Guided { likely, .. } | Source::Swarm { likely, .. } | Source::Continued { likely, .. } => {
                self.text.byte(likely, &mut self.random, (block, offset))
            }
            Source::Random { .. } | Source::Scripted { seed: Some(_), .. } => self.random.byte(),
            Source::Scripted { seed: None, .. } => 0,
        };
        if !fits(byte) {
            match set.and_then(|set| set.member_from(byte)).filter(|_| given.is_none()) {
                Some(member) => byte = member,
                None => self.doubt_byte(),
            }
        }
        if byte != 0 {
            self.used.bytes.insert((block, offset), byte);
        }
        byte
    }
}

/// What values a place gets throughout a run.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// Zero, but for one in 256.
    Zero,
    /// One, but for one in 256.
    One,
    /// Another one each time, and never zero.
    Different,
    /// Any bits.
    Any,
}

impl Manner {
    /// That of a place in a run; half of the places have none.
    fn of(seed: u64, place: u64) -> Option<Self> {
        let mut random = Random { state: seed ^ place.wrapping_mul(0x2545_f491_4f6c_dd1d), zeros: 0, ones: 0 };
        match random.next() % 8 {
            0 => Some(Manner::Zero),
            1 => Some(Manner::One),
            2 => Some(Manner::Different),
            3 => Some(Manner::Any),
            _ => None,
        }
    }

    fn value(self, random: &mut Random, inputs: usize) -> u128 {
        match self {
            Manner::Zero => u128::from(random.next().is_multiple_of(256)),
            Manner::One => u128::from(!random.next().is_multiple_of(256)),
            Manner::Different => inputs as u128 + 1,
            Manner::Any => random.bits(),
        }
    }
}

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014), and how often it picks what.
#[derive(Clone, Debug)]
pub(super) struct Random {
    state: u64,
    /// In sixteenths: how often a value is just 0. Loops of the form `while (input())` end after few or many rounds.
    zeros: u64,
    /// In sixteenths: how often one of the rest is just 1.
    ones: u64,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self { state: seed, zeros: 0, ones: 0 };
        random.zeros = [2, 5, 8, 12][(random.next() % 4) as usize];
        random.ones = [2, 6, 12][(random.next() % 3) as usize];
        random
    }

    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `count`; zero where that is zero.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    /// Any 128 bits.
    fn bits(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    fn chance(&mut self, sixteenths: u64) -> bool {
        self.next() % 16 < sixteenths
    }

    /// Now and then one of `hints` or a neighbour of it.
    pub fn hint(&mut self, hints: &[u128]) -> Option<u128> {
        if hints.is_empty() || !self.chance(3) {
            return None;
        }
        let hint = hints[(self.next() % hints.len() as u64) as usize];
        Some(match self.next() % 4 {
            0 => hint.wrapping_sub(1),
            1 => hint.wrapping_add(1),
            _ => hint,
        })
    }

    fn integer(&mut self, width: u32) -> u128 {
        if self.chance(self.zeros) {
            return 0;
        }
        if self.chance(self.ones) {
            return 1;
        }
        match self.next() % 16 {
            0..=4 => u128::from(self.next() % 8),
            5..=6 => u128::from(self.next() % 8).wrapping_neg(),
            7..=9 => u128::from(self.next() % 128),
            10..=11 => [u128::MAX, 1 << (width - 1), (1 << (width - 1)) - 1][(self.next() % 3) as usize],
            12 => 1 << (self.next() % u64::from(width)),
            _ => self.bits(),
        }
    }

    /// A bit pattern of `width` bits that is often a small number.
    fn float(&mut self, width: u32) -> u128 {
        let small = (self.next() % 17) as f64 / 2.0 - 4.0;
        match (self.next() % 8, width) {
            (0..=1, _) => 0,
            (2..=6, 32) => (small as f32).to_bits().into(),
            (2..=6, 64) => small.to_bits().into(),
            _ => self.bits(),
        }
    }

    pub fn byte(&mut self) -> u8 {
        match self.next() % 16 {
            0..=8 => 0,
            9..=12 => (self.next() % 16) as u8,
            _ => self.next() as u8,
        }
    }
}
