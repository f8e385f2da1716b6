//! What inputs are likely to matter to a program: numbers that it names, and texts that it reads or compares with.

use std::collections::BTreeSet;

use super::source::Random;
use crate::cfa::{Callee, Content, Expr, Function, Op, Program, for_exprs};

/// More numbers than this say little about any of them; more texts, too.
const MOST_NUMBERS: usize = 256;
const MOST_TEXTS: usize = 64;

/// Texts without an end are no longer: what is done with each byte takes time.
const LONGEST_LINE: usize = 600;

/// A character is repeated so often, at most.
const LONGEST_REPETITION: usize = 70;

/// Longer texts are rarely what is compared with.
const LONGEST_TEXT: usize = 16;

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Piece {
    /// This byte.
    Byte(u8),
    /// A number of a few digits.
    Number,
}

/// What the user's functions name.
#[derive(Clone, Debug, Default)]
pub struct Likely {
    /// Ascending. Small ones are left out, as they are tried anyway, and of very many the largest.
    pub numbers: Vec<u128>,
    /// String literals, and what formats of `scanf` read.
    pub texts: Vec<Vec<Piece>>,
    /// Characters of short literals, and those that the program compares with.
    pub characters: Vec<u8>,
}

impl Likely {
    /// Collected from the program.
    pub fn of(program: &Program) -> Self {
        let mut numbers = BTreeSet::new();
        let mut texts: BTreeSet<Vec<Piece>> = program
            .globals
            .iter()
            .filter(|global| global.read_only)
            .filter_map(|global| literal(&global.content))
            .collect();
        for function in program.functions.iter().filter(|function| !function.library) {
            for edge in function.locations.iter().flat_map(|location| &location.edges) {
                for_exprs(&edge.op, &mut |expr| collect(expr, &mut numbers));
            }
            texts.extend(formats(program, function));
        }
        let read_only = program.globals.iter().filter(|global| global.read_only);
        let written = read_only.filter_map(|global| bytes(&global.content)).filter(|text| text.len() <= LONGEST_TEXT);
        let characters: BTreeSet<u8> = written
            .flatten()
            .chain(numbers.iter().filter_map(|number| u8::try_from(*number).ok()))
            .filter(is_written)
            .collect();
        Self {
            numbers: numbers.into_iter().take(MOST_NUMBERS).collect(),
            texts: texts.into_iter().take(MOST_TEXTS).collect(),
            characters: characters.into_iter().collect(),
        }
    }

    /// A character of a text: mostly one that the program names, a letter, a digit, or the end of a word or a line.
    pub(super) fn character(&self, random: &mut Random) -> u8 {
        match random.below(8) {
            0..=3 if !self.characters.is_empty() => self.characters[random.below(self.characters.len())],
            0 => b'1',
            1 => b'\n',
            2..=4 => b'0' + random.below(10) as u8,
            5 => b' ',
            6 => b'a' + random.below(26) as u8,
            _ => b' ' + random.below(95) as u8,
        }
    }

    /// Something that a text may be made of.
    pub(super) fn word(&self, random: &mut Random) -> Vec<u8> {
        let mut word = Vec::new();
        match random.below(8) {
            0..=2 if !self.texts.is_empty() => spell(&self.texts[random.below(self.texts.len())], random, &mut word),
            3 => digits(random, &mut word),
            4 => {
                let letter = self.character(random);
                word.resize(1 + random.below(LONGEST_REPETITION), letter);
            }
            _ => word.push(self.character(random)),
        }
        word
    }
}

/// Whether a byte is part of what people write.
fn is_written(byte: &u8) -> bool {
    byte.is_ascii_graphic() || byte.is_ascii_whitespace()
}

/// The bytes of a string literal before its end.
fn bytes(content: &Content) -> Option<Vec<u8>> {
    let Content::Initialised(writes) = content else { return None };
    let byte = |(at, (offset, value)): (usize, &(u64, Expr))| match value {
        Expr::Const(bits) if bits.width == 8 && *offset == at as u64 => Some(bits.value as u8),
        _ => None,
    };
    let bytes: Option<Vec<u8>> = writes.iter().enumerate().map(byte).collect();
    bytes.map(|bytes| bytes.into_iter().take_while(|byte| *byte != 0).collect())
}

/// The numbers that `expr` names.
fn collect(expr: &Expr, found: &mut BTreeSet<u128>) {
    const SMALL: u128 = 8;
    expr.visit(&mut |part| {
        if let Expr::Const(bits) = part
            && bits.width > 1
            && bits.value >= SMALL
        {
            found.insert(bits.value);
        }
    });
}

/// The text of a string literal, if it is a short one of printable characters that is no format.
fn literal(content: &Content) -> Option<Vec<Piece>> {
    let text = bytes(content)?;
    let is_word = |byte: &u8| (byte.is_ascii_graphic() || *byte == b' ') && *byte != b'%';
    let text: Vec<Piece> =
        text.into_iter().map(|byte| is_word(&byte).then_some(Piece::Byte(byte))).collect::<Option<_>>()?;
    (1..=LONGEST_TEXT).contains(&text.len()).then_some(text)
}

/// What conversions of `scanf` in a row read.
fn formats(program: &Program, function: &Function) -> Vec<Vec<Piece>> {
    let mut texts = Vec::new();
    let mut text: Vec<Piece> = Vec::new();
    for edge in function.locations.iter().flat_map(|location| &location.edges) {
        let Op::Call { callee: Callee::Direct(callee), args, .. } = &edge.op else { continue };
        let callee = &program.functions[callee.index()];
        match (&*callee.name, args.get(1)) {
            ("text_literal", Some(Expr::Const(bits))) => text.push(Piece::Byte(bits.value as u8)),
            ("text_space", _) => text.push(Piece::Byte(b' ')),
            ("text_number" | "text_float", _) => text.push(Piece::Number),
            ("text_word", _) => text.push(Piece::Byte(b'w')),
            _ => texts.extend((!text.is_empty()).then(|| std::mem::take(&mut text))),
        }
    }
    texts.extend((!text.is_empty()).then_some(text));
    texts
}

/// The text that bytes one behind the other are taken from.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    /// The block and the offset of the next byte.
    next: (u32, u64),
    /// What is left, the next byte last.
    rest: Vec<u8>,
    /// Words that this run takes most of its texts from, once a byte was asked for; none in every second run.
    favoured: Option<Vec<Vec<Piece>>>,
    /// Texts of this run end where they must, and words are long; so in every fourth run.
    is_long: bool,
    /// Bytes so far that went on from the one before.
    length: usize,
}

/// Words that one run favours. The same command given twice, or one separator after the other, is rare where there are many words.
const MOST_FAVOURED: u64 = 3;

impl Text {
    /// A byte that goes on from the one before it, or begins something new.
    pub fn byte(&mut self, likely: &Likely, random: &mut Random, place: (u32, u64)) -> u8 {
        let is_first = self.favoured.is_none();
        self.length = if self.next == place { self.length + 1 } else { 0 };
        let byte = self.any_byte(likely, random, place);
        if is_first {
            self.is_long = random.below(4) == 0;
        }
        let is_long = self.is_long && self.length < LONGEST_LINE;
        if is_long && (byte == 0 || byte.is_ascii_whitespace() && random.below(16) > 0) { b'1' } else { byte }
    }

    fn any_byte(&mut self, likely: &Likely, random: &mut Random, place: (u32, u64)) -> u8 {
        if self.next != place {
            self.rest.clear();
        }
        self.next = (place.0, place.1 + 1);
        if let Some(byte) = self.rest.pop() {
            return byte;
        }
        let favoured = self.favoured.get_or_insert_with(|| favoured(likely, random));
        let count = likely.texts.len() as u64;
        match random.next() % 8 {
            0..=6 if !favoured.is_empty() => {
                let word = &favoured[(random.next() % favoured.len() as u64) as usize];
                spell(word, random, &mut self.rest);
                // Here the text, its line or a word may end.
                let end = [
                    None,
                    Some(0),
                    Some(b'\n'),
                    Some(b' '),
                    likely.characters.get(random.below(likely.characters.len())).copied(),
                ];
                self.rest.extend(end[random.below(end.len())]);
            }
            0..=2 if count > 0 => spell(&likely.texts[(random.next() % count) as usize], random, &mut self.rest),
            3 => digits(random, &mut self.rest),
            4..=6 => return likely.character(random),
            _ => return random.hint(&likely.numbers).map_or_else(|| random.byte(), |hint| hint as u8),
        }
        self.rest.reverse();
        self.rest.pop().unwrap_or_default()
    }
}

/// The words of a run: texts that the program names, characters that it compares with, a letter, a digit.
fn favoured(likely: &Likely, random: &mut Random) -> Vec<Vec<Piece>> {
    if random.next().is_multiple_of(2) {
        return Vec::new();
    }
    let characters = &likely.characters;
    let words = 1 + random.next() % MOST_FAVOURED;
    let word = |_| match random.next() % 8 {
        0..=3 if !likely.texts.is_empty() => likely.texts[(random.next() % likely.texts.len() as u64) as usize].clone(),
        4 => vec![Piece::Byte(b'1')],
        5 => vec![Piece::Byte(b'a')],
        _ if characters.is_empty() => vec![Piece::Byte(b' ')],
        _ => vec![Piece::Byte(characters[(random.next() % characters.len() as u64) as usize])],
    };
    (0..words).map(word).collect()
}

/// The bytes of a word.
fn spell(word: &[Piece], random: &mut Random, to: &mut Vec<u8>) {
    for piece in word {
        match piece {
            Piece::Byte(byte) => to.push(*byte),
            Piece::Number => digits(random, to),
        }
    }
}

/// A number of one to three digits.
fn digits(random: &mut Random, to: &mut Vec<u8>) {
    for _ in 0..=random.next() % 3 {
        to.push(b'0' + (random.next() % 10) as u8);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::{SourceText, parse, with_big_stack};
    use crate::cfa::{LowerOptions, lower};
    use crate::task::DataModel;

    fn likely() -> Likely {
        let text = "int sscanf(const char *, const char *, ...); int strcmp(const char *, const char *); int puts(const char *);\n\
                    int main(void) { char line[20] = \"\"; int n; puts(\"a line that is too long for a word\");\n\
                    return strcmp(line, \"pop\") && sscanf(line, \"push %d\", &n) && n == 4711; }\n";
        let source = SourceText::from_text("t.c", text, DataModel::Lp64);
        let program = with_big_stack(|| lower(&parse(&source)?, &LowerOptions::default())).expect("a program");
        Likely::of(&program)
    }

    #[test]
    fn literals_and_formats_are_texts() {
        let bytes = |text: &str| text.bytes().map(Piece::Byte).collect::<Vec<Piece>>();
        let likely = likely();
        let push = [bytes("push "), vec![Piece::Number]].concat();
        assert!(likely.texts.contains(&bytes("pop")) && likely.texts.contains(&push), "{:?}", likely.texts);
        assert!(likely.texts.iter().all(|text| text.len() <= LONGEST_TEXT));
        assert!(likely.numbers.contains(&4711));
    }

    /// In some runs a command comes twice in a row, which is rare where each word is chosen anew; others have no favoured word.
    #[test]
    fn some_runs_repeat_their_words() {
        let likely = likely();
        let (mut twice, mut none) = (0, 0);
        for seed in 0..400 {
            let (mut text, mut random) = (Text::default(), Random::new(seed));
            let bytes: Vec<u8> = (0..6).map(|at| text.byte(&likely, &mut random, (0, at))).collect();
            twice += usize::from(bytes == b"poppop");
            none += usize::from(text.favoured.is_some_and(|words| words.is_empty()));
        }
        assert!(twice >= 4 && (150..250).contains(&none), "{twice} {none}");
    }

    /// Bytes one behind the other make up a text; those of another place begin anew.
    #[test]
    fn bytes_go_on_like_texts() {
        let likely = likely();
        let (mut words, mut torn) = (0, 0);
        for seed in 0..400 {
            let mut random = Random::new(seed);
            let read = |text: &mut Text, random: &mut Random, step: u64| -> Vec<u8> {
                (0..3).map(|at| text.byte(&likely, random, (0, at * step))).collect()
            };
            words += usize::from(read(&mut Text::default(), &mut random, 1) == b"pop");
            torn += usize::from(read(&mut Text::default(), &mut random, 2) == b"pop");
        }
        assert!(words >= 20 && torn <= 2, "{words} {torn}");
    }

    /// Some runs have long texts, but none without end.
    #[test]
    fn long_texts_end() {
        let likely = likely();
        let mut long = 0;
        for seed in 0..200 {
            let (mut text, mut random) = (Text::default(), Random::new(seed));
            let bytes: Vec<u8> =
                (0..4 * LONGEST_LINE as u64).map(|at| text.byte(&likely, &mut random, (0, at))).collect();
            let end = bytes.iter().position(|byte| *byte == 0);
            assert!(end.is_some(), "seed {seed}");
            long += usize::from(end.is_some_and(|end| end >= LONGEST_LINE));
        }
        assert!((20..80).contains(&long), "{long}");
    }
}
