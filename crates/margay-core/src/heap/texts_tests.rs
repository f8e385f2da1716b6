//! Texts in cells against brute force: every small array of bytes, every run of texts in it, every place of an access.

use std::rc::Rc;

use super::access::Offsets;
use super::content::Cell;
use super::context::{Context, SymbolKind};
use super::graph::Smg;
use super::run::{Layout, Run};
use crate::base::limits::Limits;
use crate::memory::{BlockId, BlockKind, BlockSpec, Memory, Origin, Outcome};
use crate::smt::{SymId, Term, Z3Solver};
use crate::task::DataModel;

/// Bytes of the array, each 0 or 1; two elements of three bytes, or three of two.
const BYTES: u64 = 6;

/// Cells of elements in which texts end.
const LAYOUTS: [Layout; 4] = [
    Layout { offset: 0, stride: 3, bits: 16 },
    Layout { offset: 1, stride: 3, bits: 16 },
    Layout { offset: 0, stride: 2, bits: 16 },
    Layout { offset: 1, stride: 3, bits: 8 },
];

struct Setting {
    memory: Smg,
    block: BlockId,
    /// Ends of the run, the number of an element, and a place in it, each of which is not known.
    names: [Term; 4],
}

fn setting(layout: Layout) -> Setting {
    let context = Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()));
    let mut memory = Smg::new(context.clone());
    let (size, origin) = (context.pointer_constant(BYTES), Origin::outside("array"));
    let block = memory.add_object(BlockSpec { kind: BlockKind::Heap, size, align: 1, zeroed: false, origin });
    let names = [0, 1, 2, 3].map(|n| context.symbol(SymbolKind::Input(n), 64, 0));
    memory.next_input = 4;
    memory.write_cell(block, 0, BYTES, Cell::Forgotten);
    for (name, most) in names.into_iter().zip([3, 3, BYTES / layout.stride - 1, layout.stride - 1]) {
        memory.store.assume(&context, context.terms.ule(name, context.pointer_constant(most)));
    }
    memory.set_runs(block, vec![Run::texts(layout, names[0], names[1])]);
    Setting { memory, block, names }
}

impl Setting {
    fn offset(&self, layout: Layout) -> Term {
        let terms = &self.memory.context.terms;
        terms.add(terms.scale(self.names[2], layout.stride.into()), self.names[3])
    }

    /// Whether what `memory` says of cells is true of these bytes, where the names have these values.
    fn allows(&self, memory: &Smg, bytes: u64, values: &dyn Fn(SymId) -> u128) -> bool {
        let context = &memory.context;
        let terms = &context.terms;
        let holds = |condition: Term| terms.evaluate(condition, values) == 1;
        let is_zero = |place: u64| bytes >> place & 1 == 0;
        memory.store.constraints().iter().all(|part| holds(*part))
            && memory.runs(self.block).iter().all(|run| {
                (0..BYTES).all(|index| {
                    let (place, end) =
                        (run.layout.offset + run.layout.stride * index, run.layout.stride * index + run.layout.bytes());
                    let number = context.pointer_constant(index);
                    if end + run.layout.offset > BYTES || !holds(run.contains(terms, number)) {
                        return true;
                    }
                    let value = terms.constant(u128::from(bytes >> place & 1), 8);
                    match run.text {
                        true => (place..place + run.layout.bytes()).any(is_zero),
                        false => run.facts_of(context, value, number).iter().all(|fact| holds(*fact)),
                    }
                })
            })
    }
}

/// Every array that the run is true of, with a choice of values for the names.
fn each_case(setting: &Setting, layout: Layout, mut visit: impl FnMut(u64, [u64; 4])) {
    let names: Vec<SymId> = symbols(setting);
    let elements = BYTES / layout.stride;
    for bytes in 0..1u64 << BYTES {
        for choice in 0..16 * elements * layout.stride {
            let (ends, rest) = (choice % 16, choice / 16);
            let values = [ends % 4, ends / 4, rest % elements, rest / elements];
            let value = |symbol: SymId| values[names.iter().position(|own| *own == symbol).expect("a name")].into();
            if setting.allows(&setting.memory, bytes, &value) {
                visit(bytes, values);
            }
        }
    }
}

fn symbols(setting: &Setting) -> Vec<SymId> {
    setting.names.iter().filter_map(|name| setting.memory.context.terms.as_symbol(*name)).collect()
}

fn named(setting: &Setting, values: [u64; 4]) -> impl Fn(SymId) -> Option<u128> {
    let names = symbols(setting);
    move |symbol| names.iter().position(|own| *own == symbol).map(|at| values[at].into())
}

/// What is left by writes of one byte, and of any bytes from there to the end of the element, is true of the array after it.
#[test]
fn writes_leave_what_is_true() {
    let mut kept = 0;
    for layout in LAYOUTS {
        let setting = setting(layout);
        let context = setting.memory.context.clone();
        let terms = &context.terms;
        let offset = setting.offset(layout);
        let at = Offsets { low: 0, high: BYTES - 1, offset };
        let start = setting.memory.object(setting.block).expect("the block").address;
        let written = [0, 1].map(|byte| {
            let mut memory = setting.memory.clone();
            memory.write_within(setting.block, at, terms.constant(byte, 8));
            memory
        });
        let rest = terms.sub(context.pointer_constant(layout.stride), setting.names[3]);
        let lost = setting.memory.clone().havoc(&terms.add(start, offset), &rest);
        let lost: Vec<Smg> = lost
            .into_iter()
            .filter_map(|outcome| if let Outcome::Next(memory, ()) = outcome { Some(memory) } else { None })
            .collect();
        kept += written.iter().chain(&lost).map(|memory| memory.runs(setting.block).len()).sum::<usize>();
        each_case(&setting, layout, |bytes, values| {
            let value = named(&setting, values);
            let any = |symbol: SymId| value(symbol).unwrap_or(0);
            let place = values[2] * layout.stride + values[3];
            for (byte, memory) in [0, 1].into_iter().zip(&written) {
                let after = bytes & !(1 << place) | byte << place;
                assert!(
                    setting.allows(memory, after, &any),
                    "{byte} at {place} of {bytes:06b}, {layout:?}, {values:?}"
                );
            }
            let end = (values[2] + 1) * layout.stride;
            let after = (place..end).fold(bytes, |bytes, place| bytes | 1 << place);
            let is_allowed = |memory: &Smg| setting.allows(memory, after, &any);
            assert!(lost.iter().any(is_allowed), "lost from {place} of {bytes:06b}, {layout:?}, {values:?}");
        });
    }
    assert!(kept > 12, "writes leave parts of runs: {kept}");
}

/// The arrays with as few zeros as a run of texts allows: one in each of its cells.
fn fewest_zeros(layout: Layout, ends: (u64, u64)) -> Vec<u64> {
    let mut arrays = vec![(1 << BYTES) - 1];
    for index in ends.0..ends.1 {
        let places = || (0..layout.bytes()).map(|byte| layout.offset + layout.stride * index + byte);
        arrays = arrays.iter().flat_map(|bytes: &u64| places().map(move |place| bytes & !(1 << place))).collect();
    }
    arrays
}

/// What is known of an array after a copy into it is true, be it a copy of parts of elements, of elements, or of several of them, to a place
/// that is a number, or one in an element that is not known. More zeros make no run of texts wrong.
#[test]
fn copies_say_what_is_true() {
    let (mut replaced, mut moved) = (0, 0);
    for layout in LAYOUTS {
        let elements = BYTES / layout.stride;
        let runs = [(0, 1), (1, elements), (0, elements)];
        for (own, other) in runs.into_iter().flat_map(|own| runs.map(|other| (own, other))) {
            let mut setting = setting(layout);
            let context = setting.memory.context.clone();
            let terms = &context.terms;
            let number = |value: u64| context.pointer_constant(value);
            let (size, origin) = (number(BYTES), Origin::outside("source"));
            let spec = BlockSpec { kind: BlockKind::Heap, size, align: 1, zeroed: false, origin };
            let source = setting.memory.add_object(spec);
            setting.memory.write_cell(source, 0, BYTES, Cell::Forgotten);
            for (block, ends) in [(setting.block, own), (source, other)] {
                setting.memory.set_runs(block, vec![Run::texts(layout, number(ends.0), number(ends.1))]);
            }
            let address =
                |block: BlockId, place: Term| terms.add(setting.memory.object(block).expect("a block").address, place);
            let element = terms.scale(setting.names[2], layout.stride.into());
            for (from, length) in (0..BYTES).flat_map(|from| (1..=BYTES - from).map(move |length| (from, length))) {
                let named = (0..layout.stride).map(|within| terms.add_constant(element, within.into()));
                for to in (0..=BYTES - length).map(number).chain(named) {
                    let (target, begin) = (address(setting.block, to), address(source, number(from)));
                    let copied = setting.memory.clone().copy(&target, &begin, &number(length));
                    let next = |outcome| if let Outcome::Next(memory, ()) = outcome { Some(memory) } else { None };
                    let after: Vec<Smg> = copied.into_iter().filter_map(next).collect();
                    let is_text = |memory: &Smg| memory.runs(setting.block).iter().any(|run| run.text);
                    if !after.iter().any(is_text) {
                        continue;
                    }
                    let is_named = terms.as_const(to).is_none();
                    let is_as_before = |memory: &Smg| memory.runs(setting.block) == setting.memory.runs(setting.block);
                    let is_one = from % layout.stride == 0 && length == layout.stride;
                    replaced +=
                        usize::from(is_named && is_one && own == (0, elements) && after.iter().all(is_as_before));
                    moved +=
                        usize::from(!is_named && own == (0, 1) && after.iter().any(|memory| !is_as_before(memory)));
                    for value in 0..if is_named { elements } else { 1 } {
                        let any =
                            |symbol| if terms.as_symbol(setting.names[2]) == Some(symbol) { value.into() } else { 0 };
                        let place = terms.evaluate(to, &any) as u64;
                        if place + length > BYTES {
                            continue;
                        }
                        for target in fewest_zeros(layout, own) {
                            for source in fewest_zeros(layout, other) {
                                let written = (0..length).fold(target, |bytes, byte| {
                                    bytes & !(1 << (place + byte)) | (source >> (from + byte) & 1) << (place + byte)
                                });
                                assert!(
                                    after.iter().any(|memory| setting.allows(memory, written, &any)),
                                    "{length} from {from} of {source:06b} to {place} of {target:06b}, {layout:?}, {own:?}, {other:?}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(replaced > 3 && moved > 3, "texts stay, and go with copies: {replaced}, {moved}");
}

/// In a table of words each element has an end, wherever the place is.
#[test]
fn words_of_a_table_end() {
    for missing in [None, Some(1)] {
        let layout = Layout { offset: 0, stride: 3, bits: 24 };
        let mut setting = setting(layout);
        let context = setting.memory.context.clone();
        let terms = &context.terms;
        setting.memory.set_runs(setting.block, Vec::new());
        for element in (0..BYTES / layout.stride).filter(|element| Some(*element) != missing) {
            let end = element * layout.stride + 1 + element % 2;
            setting.memory.write_cell(setting.block, end, 1, Cell::Value(terms.constant(0, 8)));
        }
        let place = terms.scale(setting.names[2], layout.stride.into());
        setting.memory.open_text(setting.block, place);
        let ends = setting.memory.runs(setting.block).iter().filter(|run| run.is_end_of_text(&context)).count();
        assert_eq!(ends, usize::from(missing.is_none()));
        // The zeros of the elements are at 1 and at 5.
        let says = |element: u64, distance: u64| {
            let value =
                |symbol: SymId| if terms.as_symbol(setting.names[2]) == Some(symbol) { element } else { distance };
            let zeros = 0b011101;
            setting.allows(&setting.memory, zeros, &|symbol| value(symbol).into())
        };
        assert!(says(0, 1) && says(1, 2), "where the words end is allowed");
    }
}

/// Where a cell is opened, one of its zeros can be the one that gets a name; nothing else is said.
#[test]
fn an_opened_text_ends_at_one_of_its_zeros() {
    let mut opened = 0;
    for layout in LAYOUTS {
        let mut setting = setting(layout);
        let context = setting.memory.context.clone();
        let terms = &context.terms;
        let contains = Run::texts(layout, setting.names[0], setting.names[1]).contains(terms, setting.names[2]);
        setting.memory.store.assume(&context, contains);
        let mut memory = setting.memory.clone();
        memory.open_text(setting.block, terms.scale(setting.names[2], layout.stride.into()));
        let ends = memory.runs(setting.block).iter().filter(|run| run.is_end_of_text(&context)).count();
        opened += ends;
        each_case(&setting, layout, |bytes, values| {
            let value = named(&setting, values);
            let is_allowed =
                |distance: u128| setting.allows(&memory, bytes, &|symbol| value(symbol).unwrap_or(distance));
            assert!(
                (0..layout.stride).any(|distance| is_allowed(distance.into())),
                "{bytes:06b}, {layout:?}, {values:?}"
            );
        });
        // Once is enough.
        let again = memory.next_forgotten;
        memory.open_text(setting.block, terms.scale(setting.names[2], layout.stride.into()));
        assert_eq!(memory.next_forgotten, again, "{layout:?}");
    }
    assert_eq!(opened, LAYOUTS.len(), "each text is opened");
}

/// A cell has a zero where that is said of it, be it asked for another layout, too.
#[test]
fn cells_have_the_zeros_that_are_known() {
    let mut found = 0;
    for layout in LAYOUTS {
        let mut setting = setting(layout);
        let context = setting.memory.context.clone();
        let terms = &context.terms;
        // A zero at a place that is not known, and one at a place that is.
        let zero = Run::cell(&context, Layout::BYTES, setting.offset(layout), terms.constant(0, 8), false);
        let runs = setting.memory.runs(setting.block).iter().cloned().chain([zero]).collect();
        setting.memory.write_cell(setting.block, 5, 1, Cell::Value(terms.constant(0, 8)));
        setting.memory.set_runs(setting.block, runs);
        for asked in LAYOUTS {
            for index in 0..BYTES / asked.stride {
                let condition = setting.memory.has_zero(setting.block, asked, context.pointer_constant(index));
                let place = asked.offset + asked.stride * index;
                each_case(&setting, layout, |bytes, values| {
                    let value = named(&setting, values);
                    let is_said =
                        bytes >> 5 & 1 == 0 && terms.evaluate(condition, &|symbol| value(symbol).expect("a name")) == 1;
                    found += usize::from(is_said);
                    let has_zero = (place..place + asked.bytes()).any(|place| bytes >> place & 1 == 0);
                    assert!(!is_said || has_zero, "{bytes:06b}, {layout:?}, {values:?}: {asked:?} {index}");
                });
            }
        }
    }
    assert!(found > 1000, "zeros are found: {found}");
}
