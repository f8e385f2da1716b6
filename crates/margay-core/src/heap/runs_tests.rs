//! Runs against brute force: every small array, every place of an access, every value that is written.

use std::rc::Rc;

use super::access::Offsets;
use super::content::Cell;
use super::context::{Context, SymbolKind};
use super::graph::Smg;
use super::resolve::Target;
use super::run::{Layout, Run};
use crate::base::limits::Limits;
use crate::memory::{BlockId, BlockKind, BlockSpec, Memory, Origin, Outcome};
use crate::smt::{SymId, Term, Z3Solver};
use crate::task::DataModel;

/// Bytes, each a cell with a value below [`VALUES`].
pub(super) const CELLS: u64 = 3;
const VALUES: u64 = 4;

/// A block of bytes with a run whose ends are numbers that are not known.
pub(super) struct Setting {
    pub memory: Smg,
    pub block: BlockId,
    /// Ends of the run, the place of an access, and a value.
    pub names: [Term; 4],
    /// What cells that nothing speaks of hold.
    zeroed: bool,
}

pub(super) fn setting(zeroed: bool) -> Setting {
    let context = Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none()));
    let mut memory = Smg::new(context.clone());
    let origin = Origin::outside("array");
    let size = context.pointer_constant(CELLS);
    let block = memory.add_object(BlockSpec { kind: BlockKind::Heap, size, align: 1, zeroed, origin });
    let name = |n: u32, width: u32| context.symbol(SymbolKind::Input(n), width, 0);
    let names = [name(0, 64), name(1, 64), name(2, 64), name(3, 8)];
    for (index, most) in [CELLS, CELLS, CELLS - 1].into_iter().enumerate() {
        memory.store.assume(&context, context.terms.ule(names[index], context.pointer_constant(most)));
    }
    memory.store.assume(&context, context.terms.ult(names[3], context.terms.constant(VALUES.into(), 8)));
    memory.next_input = 4;
    Setting { memory, block, names, zeroed }
}

impl Setting {
    pub fn with_run(mut self, fact: impl Fn(&Context, Term, Term) -> Term) -> Self {
        let context = self.memory.context.clone();
        let layout = Layout::BYTES;
        let facts = [fact(&context, context.cell_value(8), context.cell_index())].into();
        let run =
            Run { layout, first: self.names[0], last: self.names[1], facts, read: false, table: None, text: false };
        self.memory.set_runs(self.block, vec![run]);
        self
    }

    /// Whether the array is one of the block's, where the names have these values.
    pub fn allows(&self, memory: &Smg, array: &[u64], values: &dyn Fn(SymId) -> u128) -> bool {
        let context = &memory.context;
        let terms = &context.terms;
        let content = &memory.object(self.block).expect("the block").content;
        let near = content.edges().iter().all(|edge| match edge.cell {
            Cell::Value(value) => {
                let own = (0..edge.bytes).map(|at| u128::from(array[(edge.offset + at) as usize]) << (8 * at)).sum();
                terms.evaluate(value, values) == own
            }
            Cell::Uniform(byte) => {
                (0..edge.bytes).all(|at| terms.evaluate(byte, values) == array[(edge.offset + at) as usize].into())
            }
            Cell::Forgotten => true,
        });
        let gaps = content.gaps(0, CELLS).into_iter().flat_map(|(from, to)| from..to);
        let open = !content.is_zeroed() || gaps.into_iter().all(|at| array[at as usize] == 0);
        let runs = content.runs().iter().all(|run| {
            (0..CELLS).all(|index| {
                let place = context.pointer_constant(index);
                let value = terms.constant(array[index as usize].into(), 8);
                let is_in = terms.evaluate(run.contains(terms, place), values) == 1;
                !is_in || run.facts_of(context, value, place).iter().all(|fact| terms.evaluate(*fact, values) == 1)
            })
        });
        near && open && runs
    }
}

/// Every array with a choice of values for the names by which it is one of the block's.
pub(super) fn each_case(setting: &Setting, mut visit: impl FnMut(&[u64], [u64; 4])) {
    let context = &setting.memory.context;
    let symbols: Vec<SymId> = setting.names.iter().filter_map(|name| context.terms.as_symbol(*name)).collect();
    for code in 0..VALUES.pow(CELLS as u32) {
        let array: Vec<u64> = (0..CELLS).map(|at| code / VALUES.pow(at as u32) % VALUES).collect();
        for choice in 0..(CELLS + 1) * (CELLS + 1) * CELLS * VALUES {
            let [first, rest] = [choice % (CELLS + 1), choice / (CELLS + 1)];
            let [last, rest] = [rest % (CELLS + 1), rest / (CELLS + 1)];
            let names = [first, last, rest % CELLS, rest / CELLS];
            let values = |symbol: SymId| names[symbols.iter().position(|own| *own == symbol).expect("a name")].into();
            if setting.allows(&setting.memory, &array, &values) {
                visit(&array, names);
            }
        }
    }
}

pub(super) type Fact = fn(&Context, Term, Term) -> Term;

/// Facts that a run may have: a constant, none of them, a term over the number of the cell, a bound that a variable holds.
pub(super) const FACTS: [Fact; 4] = [
    |context, cell, _| context.terms.eq(cell, context.terms.constant(2, 8)),
    |context, cell, _| context.terms.ne(cell, context.terms.constant(0, 8)),
    |context, cell, index| context.terms.eq(cell, context.terms.truncate(index, 8)),
    |context, cell, _| context.terms.ule(cell, context.symbol(SymbolKind::Input(3), 8, 0)),
];

/// A fact may speak of a cell on both sides: then it says of no cell what it holds, and cells with it may differ.
#[test]
fn cells_of_which_a_fact_speaks_twice_may_differ() {
    let mut setting = setting(false);
    setting.memory.write_cell(setting.block, 0, CELLS, Cell::Forgotten);
    let setting = setting.with_run(|context, cell, _| context.terms.eq(cell, context.terms.mul(cell, cell)));
    let context = setting.memory.context.clone();
    let terms = &context.terms;
    let start = setting.memory.object(setting.block).expect("the block").address;
    let read = |memory: Smg, place: Term| match memory.load(&terms.add(start, place), 1).into_iter().next() {
        Some(Outcome::Next(memory, value)) => (memory, value),
        _ => panic!("a place in the block"),
    };
    let within = terms.bool_and(
        terms.eq(setting.names[0], context.pointer_constant(0)),
        terms.eq(setting.names[1], context.pointer_constant(CELLS)),
    );
    let memory = setting.memory.clone().restrict(within).expect("some run");
    let (memory, one) = read(memory, context.pointer_constant(0));
    let (memory, other) = read(memory, context.pointer_constant(1));
    let equal = terms.eq(one, other);
    assert!(memory.clone().restrict(terms.not(equal)).is_some(), "two cells may differ");
    let bit = |value: Term| terms.ule(value, terms.constant(1, 8));
    assert!(memory.entails(bit(one)) && memory.entails(bit(other)), "but each is 0 or 1");
}

/// A write at a place that is not known, or at a known one, leaves only what is true of the array after it; what is read is what
/// stands there; what is known of a cell by its number is true.
#[test]
fn operations_on_runs_agree_with_arrays() {
    let mut kept = 0;
    let kinds = FACTS.into_iter().flat_map(|fact| [(fact, false, None), (fact, true, None), (fact, true, Some(0))]);
    for (fact, zeroed, known) in kinds {
        let mut setting = setting(zeroed);
        if let Some(place) = known {
            let three = setting.memory.context.terms.constant(3, 8);
            setting.memory.write_cell(setting.block, place, 1, Cell::Value(three));
        }
        let setting = setting.with_run(fact);
        let anywhere = Offsets { low: 0, high: CELLS - 1, offset: setting.names[2] };
        let context = setting.memory.context.clone();
        let terms = &context.terms;
        let symbols: Vec<SymId> = setting.names.iter().filter_map(|name| terms.as_symbol(*name)).collect();
        let address = terms.add(setting.memory.object(setting.block).expect("the block").address, setting.names[2]);
        let known_place = setting.memory.object(setting.block).expect("the block").address;
        let stores = [address, terms.add_constant(known_place, 1)].map(|address| {
            let outcomes = setting.memory.clone().store(&address, &setting.names[3]);
            outcomes
                .into_iter()
                .filter_map(|outcome| if let Outcome::Next(memory, ()) = outcome { Some(memory) } else { None })
                .collect::<Vec<Smg>>()
        });
        // The place is one of several that are distinguished, or of too many: one state.
        let mut written = setting.memory.clone();
        written.write_within(setting.block, anywhere, setting.names[3]);
        kept += written.runs(setting.block).len();
        kept += stores.iter().flatten().map(|memory| memory.runs(setting.block).len()).sum::<usize>();
        let loads = setting.memory.clone().load(&address, 1);
        let loads: Vec<(Smg, Term)> = loads
            .into_iter()
            .filter_map(|outcome| if let Outcome::Next(memory, value) = outcome { Some((memory, value)) } else { None })
            .collect();
        let mut after = setting.memory.clone();
        let anything = after.read_within(setting.block, anywhere, 1);
        let in_one_state = (after, anything);
        let mut asked = setting.memory.clone();
        let (index, value, facts) = asked.any_cell(setting.block, Layout::BYTES);
        let mut cases = 0;
        each_case(&setting, |array, names| {
            cases += 1;
            let named = |symbol: SymId| symbols.iter().position(|own| *own == symbol).map(|at| u128::from(names[at]));
            for (stores, place) in stores.iter().zip([names[2], 1]) {
                let mut after = array.to_vec();
                after[place as usize] = names[3];
                let any = |symbol: SymId| named(symbol).unwrap_or(0);
                let is_allowed = |memory: &Smg| {
                    let holds = memory.store.constraints().iter().all(|part| terms.evaluate(*part, &any) == 1);
                    holds && setting.allows(memory, &after, &any)
                };
                assert!(stores.iter().any(is_allowed), "{names:?} stored in {array:?}, zeroed: {}", setting.zeroed);
                assert!(place != names[2] || is_allowed(&written), "{names:?} stored somewhere in {array:?}");
            }
            let read = u128::from(array[names[2] as usize]);
            let is_read = |(memory, value): &(Smg, Term)| {
                // What is made up on the way may be what was read.
                let any = |symbol: SymId| named(symbol).unwrap_or(read);
                let holds = memory.store.constraints().iter().all(|part| terms.evaluate(*part, &any) == 1);
                holds && terms.evaluate(*value, &any) == read
            };
            assert!(is_read(&in_one_state), "{names:?} read somewhere in {array:?}, zeroed: {}", setting.zeroed);
            assert!(loads.iter().any(is_read), "{names:?} read from {array:?}, zeroed: {}", setting.zeroed);
            for at in 0..CELLS {
                let cell = |symbol: SymId| match symbol {
                    own if Some(own) == terms.as_symbol(index) => at.into(),
                    own if Some(own) == terms.as_symbol(value) => array[at as usize].into(),
                    own => named(own).unwrap_or(0),
                };
                assert!(
                    facts.iter().all(|fact| terms.evaluate(*fact, &cell) == 1),
                    "cell {at} of {array:?}, {names:?}"
                );
            }
        });
        assert!(cases > 100, "there are arrays of each kind");
    }
    assert!(kept > 16, "writes leave parts of runs: {kept}");
}

/// Cells that lead into one object: what is read from one is a place there, before the limit, and what is written beside them stays.
#[test]
fn what_cells_lead_to_is_a_place_in_the_object() {
    let mut setting = setting(false);
    let context = setting.memory.context.clone();
    let terms = &context.terms;
    let mut block = |bytes: u64, kind: BlockKind| {
        let (size, origin) = (context.pointer_constant(bytes), Origin::outside("block"));
        setting.memory.add_object(BlockSpec { kind, size, align: 8, zeroed: false, origin })
    };
    let (line, fields) = (block(100, BlockKind::Static), block(80, BlockKind::Static));
    let address = |memory: &Smg, block: BlockId| memory.object(block).expect("it was made").address;
    let limit = context.pointer_constant(40);
    let fact = terms.ule(terms.sub(context.cell_value(64), address(&setting.memory, line)), limit);
    let layout = Layout { offset: 0, stride: 8, bits: 64 };
    let (first, last) = (context.pointer_constant(0), context.pointer_constant(5));
    let run = Run { layout, first, last, facts: [fact].into(), read: false, table: None, text: false };
    assert_eq!(run.origin(&context), Some(address(&setting.memory, line)));
    setting.memory.write_cell(fields, 0, 80, Cell::Forgotten);
    setting.memory.set_runs(fields, vec![run]);
    for (index, leads) in [(0, true), (4, true), (5, false)] {
        let at = terms.add(address(&setting.memory, fields), context.pointer_constant(8 * index));
        let outcomes = setting.memory.clone().load(&at, 8);
        let [Outcome::Next(memory, value)] = &outcomes[..] else { panic!("one state") };
        match memory.target(*value) {
            Target::Object { block, offset } => {
                assert!(leads && block == line, "cell {index}");
                assert!(memory.entails(terms.ule(offset, limit)));
                assert!(!memory.entails(terms.ult(offset, limit)), "as far as the limit");
                let again = memory.clone().load(&at, 8);
                assert!(matches!(&again[..], [Outcome::Next(_, other)] if other == value), "each time the same");
            }
            _ => assert!(!leads, "cell {index} leads nowhere"),
        }
    }
}
