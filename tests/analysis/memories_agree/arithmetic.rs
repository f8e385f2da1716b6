//! Every operation on numbers, in all four memories: what `step` makes of an assignment must be the same in each.

use std::rc::Rc;
use std::sync::Arc;

use margay::base::limits::Limits;
use margay::base::span::{SourceMap, Span};
use margay::bmc::Flat;
use margay::cfa::{
    BinOp, Bits, Conversion, Edge, Expr, FloatBinOp, FloatCmp, FloatConversion, FloatFormat, FloatUnOp, Function,
    FunctionId, Loc, Location, Note, Op, Program, Reg, RegDecl, UnOp,
};
use margay::concrete::{Concrete, Source};
use margay::heap::{Context, Smg};
use margay::memory::{Checks, Config, FloatOp, Memory, Outcome, Reason, Trap, initial, step};
use margay::open::{Aliasing, SymbolicHeap, World};
use margay::smt::{SymId, Term, Terms, Z3Solver};
use margay::task::DataModel;
use margay::verdict::Inputs;
use proptest::prelude::*;

use BinOp::*;
use margay::cfa::Conversion::*;

/// What a run comes to by one assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Seen {
    Value(u128),
    /// C leaves it open.
    Any,
    Trapped(Trap),
    Otherwise,
}

/// A function that assigns `value`, an expression over registers 1 and 2, to register 0.
fn assignment(value: &Expr, operands: &[u32]) -> Program {
    let widths = [value.width()].into_iter().chain(operands.iter().copied());
    let regs = widths.map(|width| RegDecl { name: None, width, c_type: "int".into(), signed: true, scope: None });
    let op = Op::Assign { dst: Reg(0), value: value.clone() };
    let edge = Edge { op, target: Loc(1), span: Span::default(), note: Note::None };
    let function = Function {
        name: "f".into(),
        params: vec![],
        regs: regs.collect(),
        slots: vec![],
        locations: vec![Location { edges: [edge].into_iter().collect(), ..Location::default() }, Location::default()],
        entry: Loc(0),
        result_width: None,
        other_names: Default::default(),
        unprototyped: false,
        recast: false,
        hands_out: Vec::new(),
        library: false,
        span: Span::default(),
    };
    Program {
        addressed: Vec::new(),
        model: DataModel::Lp64,
        functions: vec![function],
        globals: vec![],
        start: FunctionId(0),
        source: Arc::new(SourceMap::default()),
        warnings: vec![],
        records: Arc::default(),
        assumed: Vec::new(),
        locks: Vec::new(),
        known: Vec::new(),
    }
}

/// All outcomes of the assignment.
fn assign<M: Memory>(program: &Program, memory: M, operands: &[M::Value]) -> Vec<Outcome<Config<M>, Reason>> {
    let mut config = initial(program, memory).expect("there are no globals");
    for (index, operand) in operands.iter().enumerate() {
        config.top_mut().regs[index + 1] = Some(operand.clone());
    }
    step(program, &Checks::default(), config, &program.functions[0].locations[0].edges[0]).into_vec()
}

fn seen<M: Memory>(outcome: &Outcome<Config<M>, Reason>, read: impl FnOnce(&M, &M::Value) -> Seen) -> Seen {
    match outcome {
        Outcome::Next(_, Reason::Trapped(trap)) => Seen::Trapped(*trap),
        Outcome::Next(config, Reason::Plain) => {
            read(&config.memory, config.top().regs[0].as_ref().expect("it was assigned"))
        }
        _ => Seen::Otherwise,
    }
}

fn concretely(program: &Program, operands: &[Bits]) -> Vec<Seen> {
    let mut memory = Concrete::new(DataModel::Lp64, Source::Given(Inputs::default()));
    let operands: Vec<_> = operands.iter().map(|bits| memory.constant(*bits)).collect();
    // What is open is not decided by inputs.
    let read = |memory: &Concrete, value: &margay::concrete::Value| match memory.indeterminate() {
        0 => Seen::Value(value.bits.value),
        _ => Seen::Any,
    };
    assign(program, memory, &operands).iter().map(|outcome| seen(outcome, read)).collect()
}

/// A memory whose values are terms, with what says which runs it is about.
pub trait Symbolic: Memory<Value = Term> {
    fn fresh() -> Self;
    fn terms(&self) -> &Terms;
    fn about(&self) -> Vec<Term>;
}

impl Symbolic for Smg {
    fn fresh() -> Self {
        Smg::new(Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none())))
    }

    fn terms(&self) -> &Terms {
        &self.context().terms
    }

    fn about(&self) -> Vec<Term> {
        self.facts()
    }
}

impl Symbolic for Flat {
    fn fresh() -> Self {
        Flat::new(DataModel::Lp64)
    }

    fn terms(&self) -> &Terms {
        Flat::terms(self)
    }

    fn about(&self) -> Vec<Term> {
        vec![self.guard()]
    }
}

impl Symbolic for SymbolicHeap {
    fn fresh() -> Self {
        let world = World {
            context: Rc::new(Context::new(DataModel::Lp64, Box::new(Z3Solver::new()), Limits::none())),
            statics: Vec::new(),
            targets: Vec::new(),
            aliasing: Aliasing::None,
            assumed: Default::default(),
            narrowed: Default::default(),
        };
        SymbolicHeap::new(Rc::new(world), false)
    }

    fn terms(&self) -> &Terms {
        SymbolicHeap::terms(self)
    }

    fn about(&self) -> Vec<Term> {
        self.facts()
    }
}

/// What the runs with each row of `rows` come to, where the operands are unknowns or (`constant`) numbers.
fn symbolically<M: Symbolic>(program: &Program, rows: &[Vec<Bits>], constant: bool) -> Vec<Vec<Seen>> {
    let run = |memory: M, operands: &[Term], symbols: &[Option<SymId>], row: &[Bits]| {
        let mut all = Vec::new();
        for outcome in assign(program, memory, operands) {
            let (Outcome::Next(config, _)
            | Outcome::Fault(config, _)
            | Outcome::Stuck(config, _)
            | Outcome::Miss(config, _)) = &outcome;
            let terms = config.memory.terms();
            let with = |others: u128| {
                move |symbol| match symbols.iter().position(|own| *own == Some(symbol)) {
                    Some(index) => row[index].value,
                    None => others,
                }
            };
            if config.memory.about().iter().any(|fact| terms.evaluate(*fact, &with(0)) == 0) {
                continue;
            }
            all.push(seen(&outcome, |memory, value| {
                let terms = memory.terms();
                let value_with = |others| terms.evaluate(*value, &with(others));
                if value_with(0) == value_with(u128::MAX) { Seen::Value(value_with(0)) } else { Seen::Any }
            }));
        }
        all
    };
    let first = &rows[0];
    let mut memory = M::fresh();
    if constant {
        return rows
            .iter()
            .map(|row| {
                let operands: Vec<Term> = row.iter().map(|bits| memory.constant(*bits)).collect();
                run(memory.clone(), &operands, &[], row)
            })
            .collect();
    }
    let kind = margay::cfa::NondetKind::Uninitialised;
    let operands: Vec<Term> = first.iter().map(|bits| memory.nondet(&kind, bits.width)).collect();
    let symbols: Vec<_> = operands.iter().map(|term| memory.terms().as_symbol(*term)).collect();
    rows.iter().map(|row| run(memory.clone(), &operands, &symbols, row)).collect()
}

/// All memories agree on `value` for each row of operands.
fn agree(value: &Expr, rows: &[Vec<Bits>]) {
    let widths: Vec<u32> = rows[0].iter().map(|bits| bits.width).collect();
    let program = assignment(value, &widths);
    let expected: Vec<Vec<Seen>> = rows.iter().map(|row| concretely(&program, row)).collect();
    for constant in [true, false] {
        let memories = [
            ("heap", symbolically::<Smg>(&program, rows, constant)),
            ("bmc", symbolically::<Flat>(&program, rows, constant)),
            ("open", symbolically::<SymbolicHeap>(&program, rows, constant)),
        ];
        for (name, results) in memories {
            for ((row, expected), result) in rows.iter().zip(&expected).zip(&results) {
                assert_eq!(expected, result, "{name}, constant operands: {constant}, {value:?} for {row:x?}");
            }
        }
    }
}

fn reg(index: u32, width: u32) -> Box<Expr> {
    Box::new(Expr::Reg(Reg(index), width))
}

fn binary(op: BinOp, width: u32) -> Expr {
    Expr::Binary(op, reg(1, width), reg(2, width))
}

const OPS: [BinOp; 19] =
    [Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr, Eq, Ne, Ult, Ule, Slt, Sle];
/// Those of C's types and those between that occur.
const WIDTHS: [u32; 9] = [1, 2, 8, 16, 24, 32, 64, 80, 128];

#[test]
fn all_operations_at_small_widths() {
    for width in 1..=3 {
        let numbers = || (0..1u128 << width).map(move |value| Bits::new(value, width));
        let pairs: Vec<_> = numbers().flat_map(|a| numbers().map(move |b| vec![a, b])).collect();
        for op in OPS {
            agree(&binary(op, width), &pairs);
        }
        let single: Vec<_> = numbers().map(|a| vec![a]).collect();
        for op in [UnOp::Neg, UnOp::Not] {
            agree(&Expr::Unary(op, reg(1, width)), &single);
        }
        for to in 1..=5 {
            for conversion in conversions(width, to) {
                agree(&Expr::Convert(conversion, to, reg(1, width)), &single);
            }
        }
    }
}

/// Those that bring `from` bits to `to`.
fn conversions(from: u32, to: u32) -> Vec<Conversion> {
    match to.cmp(&from) {
        std::cmp::Ordering::Less => vec![Truncate],
        std::cmp::Ordering::Equal => vec![],
        std::cmp::Ordering::Greater => vec![ZeroExtend, SignExtend],
    }
}

/// Numbers near which things change, for any width.
fn interesting() -> impl Strategy<Value = u128> {
    prop_oneof![
        any::<u128>(),
        0..140u128,
        (0..8u128).prop_map(u128::wrapping_neg),
        (0..128u32, -1..2i128).prop_map(|(bit, off)| (1u128 << bit).wrapping_add(off as u128)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_operations_at_large_widths(pairs in prop::collection::vec((interesting(), interesting()), 6)) {
        for width in WIDTHS {
            // The quotient that overflows is too rare to be met by chance.
            let ends = [(1 << (width - 1), u128::MAX), (1 << (width - 1), 0), (5, width.into()), (5, u128::from(width) - 1)];
            let rows: Vec<_> = pairs
                .iter()
                .chain(&ends)
                .map(|(a, b)| vec![Bits::new(*a, width), Bits::new(*b, width)])
                .collect();
            for op in OPS {
                agree(&binary(op, width), &rows);
            }
            let single: Vec<_> = rows.iter().map(|row| vec![row[0]]).collect();
            for op in [UnOp::Neg, UnOp::Not] {
                agree(&Expr::Unary(op, reg(1, width)), &single);
            }
            for to in WIDTHS {
                for conversion in conversions(width, to) {
                    agree(&Expr::Convert(conversion, to, reg(1, width)), &single);
                }
            }
        }
    }

    /// Only numbers: what a memory of terms says of floating arithmetic on unknowns is anything.
    #[test]
    fn floating_operations(a in interesting(), b in interesting(), near in -1e3..1e3f64) {
        let formats =
            [FloatFormat::Half, FloatFormat::Single, FloatFormat::Double, FloatFormat::X87, FloatFormat::Quad];
        let near = Bits::new(near.to_bits().into(), 64);
        for format in formats {
            let width = format.bits();
            let pairs = [[a, b], [b, a], [a, a]].map(|pair| pair.map(|value| Bits::new(value, width)));
            for [a, b] in pairs {
                numbers(FloatOp::Unary(FloatUnOp::Neg, format), &[a]);
                for op in [FloatBinOp::Add, FloatBinOp::Sub, FloatBinOp::Mul, FloatBinOp::Div] {
                    numbers(FloatOp::Binary(op, format), &[a, b]);
                }
                for op in [FloatCmp::Eq, FloatCmp::Ne, FloatCmp::Lt, FloatCmp::Le] {
                    numbers(FloatOp::Compare(op, format), &[a, b]);
                }
                for to in formats {
                    numbers(FloatOp::Convert(FloatConversion::Between { from: format, to }), &[a]);
                }
                for signed in [false, true] {
                    for width in [8, 16, 32, 64, 128] {
                        let integer = Bits::new(b.value, width);
                        numbers(FloatOp::Convert(FloatConversion::FromInt { to: format, signed }), &[integer]);
                        numbers(FloatOp::Convert(FloatConversion::ToInt { from: format, width, signed }), &[a]);
                        let to = FloatConversion::ToInt { from: FloatFormat::Double, width, signed };
                        numbers(FloatOp::Convert(to), &[near]);
                    }
                }
            }
        }
    }
}

/// All memories agree on a floating operation on numbers.
fn numbers(op: FloatOp, operands: &[Bits]) {
    let operand = |index: u32| reg(index + 1, operands[index as usize].width);
    let value = match op {
        FloatOp::Unary(op, format) => Expr::FloatUnary(op, format, operand(0)),
        FloatOp::Binary(op, format) => Expr::FloatBinary(op, format, operand(0), operand(1)),
        FloatOp::Compare(op, format) => Expr::FloatCompare(op, format, operand(0), operand(1)),
        FloatOp::Convert(conversion) => Expr::FloatConvert(conversion, operand(0)),
    };
    let widths: Vec<u32> = operands.iter().map(|bits| bits.width).collect();
    let program = assignment(&value, &widths);
    let expected = concretely(&program, operands);
    let rows = [operands.to_vec()];
    let (heap, bmc) = (symbolically::<Smg>(&program, &rows, true), symbolically::<Flat>(&program, &rows, true));
    for result in [heap, bmc, symbolically::<SymbolicHeap>(&program, &rows, true)] {
        assert_eq!(expected, result[0], "{value:?} for {operands:x?}");
    }
}

#[test]
fn the_rule_for_what_c_leaves_undefined() {
    let run = |value: &Expr, a: u128, b: u128| {
        let rows = [vec![Bits::new(a, 32), Bits::new(b, 32)]];
        agree(value, &rows);
        concretely(&assignment(value, &[32, 32]), &rows[0])
    };
    let (least, minus_one) = (1 << 31, u128::from(u32::MAX));
    for op in [UDiv, URem, SDiv, SRem] {
        assert_eq!(run(&binary(op, 32), 7, 0), [Seen::Trapped(Trap::DivisionByZero)]);
    }
    let overflows = Seen::Trapped(Trap::DivisionOverflow);
    assert_eq!(run(&binary(SDiv, 32), least, minus_one), [overflows.clone(), Seen::Value(least)]);
    assert_eq!(run(&binary(SRem, 32), least, minus_one), [overflows, Seen::Value(0)]);
    assert_eq!(run(&binary(UDiv, 32), least, minus_one), [Seen::Value(0)]);
    for op in [Shl, LShr, AShr] {
        assert_eq!(run(&binary(op, 32), 1, 32), [Seen::Any]);
        assert_eq!(run(&binary(op, 32), 1, minus_one), [Seen::Any]);
    }
    assert_eq!(run(&binary(Shl, 32), minus_one, 4), [Seen::Value(0xffff_fff0)]);
    assert_eq!(run(&binary(AShr, 32), minus_one - 15, 4), [Seen::Value(minus_one)]);
    // What is not evaluated does not trap, also where the memory cannot tell.
    let is_zero = Expr::Binary(Eq, reg(2, 32), Box::new(Expr::constant(0, 32)));
    let guarded = Expr::Ite(Box::new(is_zero), Box::new(Expr::constant(9, 32)), Box::new(binary(UDiv, 32)));
    assert_eq!(run(&guarded, 12, 0), [Seen::Value(9)]);
    assert_eq!(run(&guarded, 12, 5), [Seen::Value(2)]);
    // A division within what another one divides by.
    let nested = Expr::Binary(URem, reg(1, 32), Box::new(binary(UDiv, 32)));
    assert_eq!(run(&nested, 12, 0), [Seen::Trapped(Trap::DivisionByZero)]);
    assert_eq!(run(&nested, 12, 13), [Seen::Trapped(Trap::DivisionByZero)]);
    assert_eq!(run(&nested, 13, 2), [Seen::Value(1)]);
}
