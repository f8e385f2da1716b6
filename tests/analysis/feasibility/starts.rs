//! Slices that begin in a given heap: small programs entered behind their call of `here`, with heaps made by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

use margay::base::limits::Limits;
use margay::base::span::Span;
use margay::bmc::{
    Answer, Encoding, Placement, Quantified, Question, Start, StartBlock, StartCell, StartValue, Unrolled,
    rest_of_program,
};
use margay::c;
use margay::cfa::{Callee, Edge, Function, FunctionId, Op, Program};
use margay::memory::{BlockId, BlockKind, Checks, Frame};
use margay::smt::{SymId, Term, Terms};
use margay::task::Violation::{self, UnreachCall, ValidDeref, ValidFree, ValidMemcleanup};

use super::PLENTY;

/// A heap in the making.
struct Heap<'a> {
    program: &'a Program,
    terms: &'a Terms,
    start: Start<'a>,
}

const POINTER: u32 = 64;

impl<'a> Heap<'a> {
    /// The program's globals, zero, and one frame for each of `functions`: each but the last has called the next one, the last
    /// one has called `here`.
    fn new(program: &'a Program, terms: &'a Terms, functions: &[&str]) -> Self {
        let start = Start {
            terms,
            blocks: Vec::new(),
            frames: Vec::new(),
            facts: Vec::new(),
            functions: BTreeMap::new(),
            external: BTreeSet::new(),
        };
        let mut heap = Self { program, terms, start };
        for global in &program.globals {
            let kind = if global.read_only { BlockKind::Literal } else { BlockKind::Static };
            heap.block(kind, global.size.into());
            heap.last().zeroed = true;
        }
        let (mut result, mut call) = (None, Span::default());
        for (depth, name) in functions.iter().enumerate() {
            let function = program.function_named(name).expect("the function");
            let mut frame = Frame::new(program, function, result, call);
            let callee = functions.get(depth + 1).unwrap_or(&"here");
            let edge = call_of(program, program.function(function), callee);
            let Op::Call { dst, .. } = &edge.op else { panic!("{name} does not call {callee}") };
            (frame.at, result, call) = (edge.target, *dst, edge.span);
            heap.start.frames.push(Rc::new(frame));
        }
        heap
    }

    fn number(&self, value: u64) -> Term {
        self.terms.constant(value.into(), POINTER)
    }

    fn symbol(&self, width: u32) -> Term {
        self.terms.fresh_symbol(width, "s")
    }

    fn last(&mut self) -> &mut StartBlock {
        self.start.blocks.last_mut().expect("a block")
    }

    /// A live block of arbitrary bytes; its address.
    fn block(&mut self, kind: BlockKind, bytes: u128) -> Term {
        let size = self.terms.constant(bytes, POINTER);
        let address = self.terms.fresh_aligned_symbol(POINTER, 4, "address");
        let block = StartBlock { kind, size, address, align: 16, live: true, zeroed: false, cells: Vec::new() };
        self.start.blocks.push(block);
        address
    }

    /// A heap block of eight-byte values; its address.
    fn node(&mut self, values: &[Term]) -> Term {
        let address = self.block(BlockKind::Heap, 8 * values.len() as u128);
        for (index, value) in values.iter().enumerate() {
            self.cell(8 * index as u64, 8, StartValue::Value(*value));
        }
        address
    }

    /// In the last block.
    fn cell(&mut self, offset: u64, bytes: u64, value: StartValue) {
        self.last().cells.push(StartCell { offset, bytes, value });
    }

    /// A variable of the top frame.
    fn set(&mut self, name: &str, value: Term) {
        let frame = Rc::make_mut(self.start.frames.last_mut().expect("a frame"));
        let regs = &self.program.function(frame.function).regs;
        let reg = regs.iter().position(|reg| reg.name.as_deref() == Some(name)).expect(name);
        frame.regs[reg] = Some(value);
    }

    /// The last block is a variable of the frame at `depth`.
    fn last_is(&mut self, depth: usize, name: &str) {
        let block = BlockId::from_index(self.start.blocks.len() - 1);
        let frame = Rc::make_mut(&mut self.start.frames[depth]);
        let slots = &self.program.function(frame.function).slots;
        let slot = slots.iter().position(|slot| slot.name.as_deref() == Some(name)).expect(name);
        frame.slots[slot] = Some(block);
    }

    fn fact(&mut self, fact: Term) {
        self.start.facts.push(fact);
    }
}

fn call_of<'p>(program: &'p Program, function: &'p Function, callee: &str) -> &'p Edge {
    let calls = |edge: &&Edge| matches!(&edge.op, Op::Call { callee: Callee::Direct(f), .. } if *program.function(*f).name == *callee);
    function.locations.iter().flat_map(|location| &location.edges).find(calls).expect("a call")
}

type Build = fn(&mut Heap);

/// A program, a heap to enter it with, and what goes wrong from there.
struct Case {
    name: &'static str,
    text: &'static str,
    /// The call stack.
    functions: &'static [&'static str],
    build: Build,
    shows: Option<Violation>,
}

const fn case(
    name: &'static str,
    shows: Option<Violation>,
    text: &'static str,
    functions: &'static [&'static str],
    build: Build,
) -> Case {
    Case { name, text, functions, build, shows }
}

const BOUND: u32 = 12;

/// Every entry's data is read.
const READS_ALL: &str = "struct entry { int *data; struct entry *next; };
    int main(void) { struct entry *e; here(); while (e) { int x = *e->data; e = e->next; } return 0; }";
/// One pointer is freed.
const FREES: &str = "int main(void) { int *p; here(); free(p); return 0; }";
const TWO_POINTERS: &str = "int main(void) { char *p, *q; here(); check(p < q); return 0; }";
const NUMBER: &str = "int main(void) { int n; here(); if (n > 10) reach_error(); return 0; }";
const IN_CALLEE: &str = "static int get(int *p) { here(); return *p; }
    int main(void) { int a; int x = get(&a); check(x != 5); return 0; }";
const ALLOCATES: &str = "int main(void) { int *p; here(); int *q = malloc(4); check(p != q); free(q); return 0; }";
const INDEX: &str = "int main(void) { char *p; unsigned long i; here(); p[i] = 1; return 0; }";
const BYTES: &str = "int main(void) { char *p; here(); check(p[3] == p[5] && p[12] == 0); return 0; }";
const POINTER_CALL: &str = "static int one(int x) { return x + 1; } static int two(int x) { return x + 2; }
    int main(void) { int (*f)(int) = input() ? one : two; here(); check(f(5) != 7); return 0; }";

/// A list of two entries whose second has the data that `second` makes; the first one's is fine.
fn two_entries(heap: &mut Heap, second: impl FnOnce(&mut Heap, Term) -> Term) {
    let data = heap.block(BlockKind::Heap, 4);
    let other = second(heap, data);
    let null = heap.number(0);
    let last = heap.node(&[other, null]);
    let first = heap.node(&[data, last]);
    heap.set("e", first);
}

fn pointer_to(heap: &mut Heap, live: bool) {
    let p = heap.block(BlockKind::Heap, 4);
    heap.last().live = live;
    heap.set("p", p);
}

/// A block whose size is a symbol below nine, and an index into it.
fn sized(heap: &mut Heap, is_index: fn(&Terms, Term, Term) -> Term) {
    let [size, index] = [heap.symbol(POINTER), heap.symbol(POINTER)];
    let p = heap.block(BlockKind::Heap, 0);
    heap.last().size = size;
    heap.set("p", p);
    heap.set("i", index);
    let small = heap.terms.ult(size, heap.number(9));
    let fact = is_index(heap.terms, index, size);
    heap.fact(small);
    heap.fact(fact);
}

/// Sixteen bytes: eight times one byte, then zeros.
fn bytes(heap: &mut Heap) {
    let byte = heap.symbol(8);
    let p = heap.block(BlockKind::Heap, 16);
    heap.last().zeroed = true;
    heap.cell(0, 8, StartValue::Uniform(byte));
    heap.set("p", p);
}

fn function_pointer(heap: &mut Heap, name: &str) {
    let pointer = heap.symbol(POINTER);
    let function: FunctionId = heap.program.function_named(name).expect(name);
    heap.start.functions.insert(heap.terms.as_symbol(pointer).expect("a symbol"), function);
    heap.set("f", pointer);
}

/// `main` has called `get` with the address of `a`; the value of `a`.
fn in_callee(heap: &mut Heap) -> Term {
    let value = heap.symbol(32);
    let a = heap.block(BlockKind::Stack, 4);
    heap.cell(0, 4, StartValue::Value(value));
    heap.last_is(0, "a");
    heap.set("p", a);
    value
}

fn number(heap: &mut Heap, most: u128) {
    let n = heap.symbol(32);
    let fact = heap.terms.sle(n, heap.terms.constant(most, 32));
    heap.set("n", n);
    heap.fact(fact);
}

const MAIN: &[&str] = &["main"];

const CASES: &[Case] = &[
    case("data_anywhere", Some(ValidDeref), READS_ALL, MAIN, |heap| two_entries(heap, |heap, _| heap.symbol(POINTER))),
    case("data_shared", None, READS_ALL, MAIN, |heap| two_entries(heap, |_, data| data)),
    case("data_of_its_own", None, READS_ALL, MAIN, |heap| {
        two_entries(heap, |heap, _| heap.block(BlockKind::Heap, 4));
    }),
    case("data_freed", Some(ValidDeref), READS_ALL, MAIN, |heap| {
        two_entries(heap, |heap, _| {
            let gone = heap.block(BlockKind::Heap, 4);
            heap.last().live = false;
            gone
        });
    }),
    case("data_equal_by_a_fact", None, READS_ALL, MAIN, |heap| {
        two_entries(heap, |heap, data| {
            let other = heap.symbol(POINTER);
            let fact = heap.terms.eq(other, data);
            heap.fact(fact);
            other
        });
    }),
    case("data_too_far_inside", Some(ValidDeref), READS_ALL, MAIN, |heap| {
        two_entries(heap, |heap, data| heap.terms.add_constant(data, 1));
    }),
    case("freed_twice", Some(ValidFree), FREES, MAIN, |heap| pointer_to(heap, false)),
    case("freed_once", None, FREES, MAIN, |heap| pointer_to(heap, true)),
    case("freed_inside", Some(ValidFree), FREES, MAIN, |heap| {
        let p = heap.block(BlockKind::Heap, 4);
        heap.set("p", heap.terms.add_constant(p, 4));
    }),
    case("freed_local", Some(ValidFree), FREES, MAIN, |heap| {
        let p = heap.block(BlockKind::Stack, 4);
        heap.set("p", p);
    }),
    case("another_not_freed", Some(ValidMemcleanup), FREES, MAIN, |heap| {
        pointer_to(heap, true);
        heap.block(BlockKind::Heap, 1);
    }),
    case("all_others_freed", None, FREES, MAIN, |heap| {
        pointer_to(heap, true);
        heap.block(BlockKind::Heap, 1);
        heap.last().live = false;
    }),
    case("fact_excludes", None, NUMBER, MAIN, |heap| number(heap, 10)),
    case("fact_allows", Some(UnreachCall), NUMBER, MAIN, |heap| number(heap, 11)),
    case("never_set", Some(UnreachCall), NUMBER, MAIN, |_| {}),
    case("value_of_the_callers_variable", Some(UnreachCall), IN_CALLEE, &["main", "get"], |heap| {
        in_callee(heap);
    }),
    case("another_value_of_the_callers_variable", None, IN_CALLEE, &["main", "get"], |heap| {
        let value = in_callee(heap);
        let fact = heap.terms.ne(value, heap.terms.constant(5, 32));
        heap.fact(fact);
    }),
    case("new_block_apart_from_a_live_one", None, ALLOCATES, MAIN, |heap| pointer_to(heap, true)),
    case("second_block_may_lie_first", Some(UnreachCall), TWO_POINTERS, MAIN, |heap| {
        for name in ["p", "q"] {
            let block = heap.block(BlockKind::Stack, 4);
            heap.set(name, block);
        }
    }),
    case("first_block_may_lie_first", Some(UnreachCall), TWO_POINTERS, MAIN, |heap| {
        for name in ["q", "p"] {
            let block = heap.block(BlockKind::Stack, 4);
            heap.set(name, block);
        }
    }),
    case("an_order_by_a_fact", None, TWO_POINTERS, MAIN, |heap| {
        let [p, q] = [heap.block(BlockKind::Stack, 4), heap.block(BlockKind::Stack, 4)];
        heap.set("p", p);
        heap.set("q", q);
        let fact = heap.terms.ult(p, heap.terms.add_constant(q, 4));
        heap.fact(fact);
    }),
    case("index_at_the_end", Some(ValidDeref), INDEX, MAIN, |heap| sized(heap, |terms, i, size| terms.ule(i, size))),
    case("index_before_the_end", None, INDEX, MAIN, |heap| sized(heap, |terms, i, size| terms.ult(i, size))),
    case("write_to_a_literal", Some(ValidDeref), INDEX, MAIN, |heap| {
        let p = heap.block(BlockKind::Literal, 4);
        let zero = heap.number(0);
        heap.set("p", p);
        heap.set("i", zero);
    }),
    case("bytes_alike", None, BYTES, MAIN, bytes),
    case("bytes_unknown", Some(UnreachCall), BYTES, MAIN, |heap| {
        bytes(heap);
        heap.cell(12, 2, StartValue::Unknown);
    }),
    case("bytes_never_written", Some(UnreachCall), BYTES, MAIN, |heap| {
        bytes(heap);
        heap.last().zeroed = false;
    }),
    case("the_wrong_function", Some(UnreachCall), POINTER_CALL, MAIN, |heap| function_pointer(heap, "two")),
    case("the_right_function", None, POINTER_CALL, MAIN, |heap| function_pointer(heap, "one")),
    case(
        "global_of_another_value",
        Some(UnreachCall),
        "int g = 4; int main(void) { here(); check(g == 4); return 0; }",
        MAIN,
        |_| {},
    ),
    case("global_of_this_value", None, "int g; int main(void) { here(); check(g == 4); return 0; }", MAIN, |heap| {
        let four = heap.terms.constant(4, 32);
        heap.start.blocks[0].cells.push(StartCell { offset: 0, bytes: 4, value: StartValue::Value(four) });
    }),
];

/// The encoding's answer as in [`super::ask`]; what a model says of the start is checked against it.
fn ask(case: &Case, encoding: &dyn Encoding, placement: Placement, time: Duration) -> Option<Option<Violation>> {
    let program = program(case.text);
    let terms = Terms::new();
    let mut heap = Heap::new(&program, &terms, case.functions);
    (case.build)(&mut heap);
    let start = heap.start;
    let checks = Checks {
        reach_call: case.shows != Some(ValidMemcleanup),
        deref: true,
        free: true,
        memcleanup: case.name.contains("others_freed") || case.shows == Some(ValidMemcleanup),
        ..Checks::default()
    };
    match feasible(&program, &checks, &start, encoding, placement, time) {
        Answer::Infeasible { .. } => Some(None),
        Answer::Unclear(_) => None,
        Answer::Feasible(trace) => {
            let values: BTreeMap<SymId, u128> = trace.start.iter().copied().collect();
            let value = |t: Term| terms.evaluate(t, &|symbol| values[&symbol]);
            assert!(start.facts.iter().all(|fact| value(*fact) == 1), "{}: a fact does not hold", case.name);
            for (index, block) in start.blocks.iter().enumerate() {
                let placed = &trace.blocks[index];
                let described = (value(block.address), value(block.size));
                assert_eq!(described, (placed.address.into(), placed.size.into()), "{}", case.name);
                let apart = |other: &margay::bmc::Placed| {
                    placed.address + placed.size < other.address || other.address + other.size < placed.address
                };
                assert!(trace.blocks[..index].iter().all(apart), "{}: {:?}", case.name, trace.blocks);
            }
            Some(Some(trace.fault.violation))
        }
    }
}

fn feasible(
    program: &Program,
    checks: &Checks,
    start: &Start,
    encoding: &dyn Encoding,
    placement: Placement,
    time: Duration,
) -> Answer {
    let stack: Vec<_> = start.frames.iter().map(|frame| (frame.function, frame.at)).collect();
    let slice = rest_of_program(program, &stack, BOUND).expect("a small program");
    let limits = Limits::none().within(time);
    let question =
        Question { program, checks, slice: &slice, start: Some(start), bound: BOUND, placement, limits: &limits };
    encoding.feasible(&question)
}

fn program(text: &str) -> Program {
    super::program(&format!("static void here(void) {{}} {text}"), false)
}

#[test]
fn unrolled_answers_are_right_from_a_heap() {
    c::with_big_stack(|| {
        for case in CASES {
            let answer = ask(case, &Unrolled, Placement::Fresh, PLENTY);
            assert_eq!(answer, Some(case.shows), "{}", case.name);
        }
    });
}

/// Of lists, where nothing tells one block from another but numbers, it takes too long.
#[test]
fn new_blocks_may_lie_anywhere_between() {
    c::with_big_stack(|| {
        for case in CASES.iter().filter(|case| !case.name.starts_with("data_")) {
            let answer = ask(case, &Unrolled, Placement::Anywhere, PLENTY);
            assert_eq!(answer, Some(case.shows), "{}", case.name);
        }
    });
}

#[test]
fn the_encodings_never_disagree_from_a_heap() {
    c::with_big_stack(|| {
        let mut decided = 0;
        for case in CASES {
            let answer = ask(case, &Quantified, Placement::Fresh, Duration::from_millis(300));
            assert!(answer.is_none_or(|answer| answer == case.shows), "{}: {answer:?}", case.name);
            println!("{:40} {}", case.name, if answer.is_some() { "decided" } else { "-" });
            decided += usize::from(answer.is_some());
        }
        println!("the quantified encoding decided {decided} of {}", CASES.len());
    });
}

/// However slow the machine, these are decided.
#[test]
fn quantified_answers_are_right_from_a_heap() {
    let names = ["freed_twice", "freed_once", "another_not_freed", "all_others_freed", "fact_excludes", "fact_allows"];
    c::with_big_stack(|| {
        for case in CASES.iter().filter(|case| names.contains(&case.name)) {
            let answer = ask(case, &Quantified, Placement::Fresh, PLENTY);
            assert_eq!(answer, Some(case.shows), "{}", case.name);
        }
    });
}

/// A new block may get the place of a freed one only where places are used again.
#[test]
fn the_place_of_a_freed_block() {
    let mut case = case("reused", None, ALLOCATES, MAIN, |heap| pointer_to(heap, false));
    c::with_big_stack(move || {
        assert_eq!(ask(&case, &Unrolled, Placement::Fresh, PLENTY), Some(None));
        case.shows = Some(UnreachCall);
        assert_eq!(ask(&case, &Unrolled, Placement::Anywhere, PLENTY), Some(case.shows));
    });
}

/// The value that violates is reported.
#[test]
fn models_tell_the_starts_values() {
    c::with_big_stack(|| {
        let program = program(NUMBER);
        let terms = Terms::new();
        let mut heap = Heap::new(&program, &terms, MAIN);
        number(&mut heap, 11);
        let checks = Checks { reach_call: true, ..Checks::default() };
        let Answer::Feasible(trace) = feasible(&program, &checks, &heap.start, &Unrolled, Placement::Fresh, PLENTY)
        else {
            panic!("no run")
        };
        assert_eq!(trace.start, [(SymId(0), 11)], "above ten, and at most eleven");
    });
}

/// What does not fit is refused, and pointers from elsewhere make runs stuck.
#[test]
fn nothing_is_said_from_what_is_no_heap() {
    let builds: [(&str, Build); 8] = [
        ("external", |heap| {
            let p = heap.symbol(POINTER);
            heap.start.external.insert(heap.terms.as_symbol(p).expect("a symbol"));
            heap.set("p", p);
        }),
        ("stuck", |heap| heap.start.frames.clear()),
        ("place", |heap| Rc::make_mut(&mut heap.start.frames[0]).at = heap.program.functions[0].entry),
        ("register", |heap| Rc::make_mut(&mut heap.start.frames[0]).regs.clear()),
        ("width", |heap| heap.set("p", heap.terms.constant(0, 32))),
        ("size", |heap| {
            heap.block(BlockKind::Heap, 4);
            let later = heap.symbol(POINTER);
            heap.last().size = later;
            heap.block(BlockKind::Heap, 4);
            heap.last().address = later;
        }),
        ("one address", |heap| {
            let address = heap.block(BlockKind::Heap, 4);
            heap.block(BlockKind::Heap, 4);
            heap.last().address = address;
        }),
        ("cell", |heap| {
            heap.block(BlockKind::Heap, 4);
            let four = heap.number(4);
            heap.cell(0, 4, StartValue::Value(four));
        }),
    ];
    c::with_big_stack(move || {
        let program = program(FREES);
        let slice = {
            let terms = Terms::new();
            let frames = Heap::new(&program, &terms, MAIN).start.frames;
            rest_of_program(&program, &[(frames[0].function, frames[0].at)], BOUND).expect("a small program")
        };
        for (name, build) in builds {
            let terms = Terms::new();
            let mut heap = Heap::new(&program, &terms, MAIN);
            build(&mut heap);
            let checks = Checks { free: true, ..Checks::default() };
            let question = Question {
                program: &program,
                checks: &checks,
                slice: &slice,
                start: Some(&heap.start),
                bound: BOUND,
                placement: Placement::Fresh,
                limits: &Limits::none().within(PLENTY),
            };
            for encoding in [&Unrolled as &dyn Encoding, &Quantified] {
                let answer = encoding.feasible(&question);
                assert!(matches!(answer, Answer::Unclear(_)), "{name}: {answer:?}");
            }
        }
    });
}
