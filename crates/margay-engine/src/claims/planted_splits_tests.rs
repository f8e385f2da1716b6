//! Wrong splits and combinations planted in the explorer: each hides a violation from it, and the checker, which splits and
//! combines itself, refuses what the exploration ends with.

use std::rc::Rc;
use std::time::Duration;

use super::claim::claim;
use super::{Checking, checked};
use crate::ats::{Arrival, ArrivalOf, CutPoint, Domain, Explorer, Finding, Moves};
use crate::base::limits::Limits;
use crate::c::{SourceText, parse, with_big_stack};
use crate::certificate::{Embedding, write};
use crate::cfa::{FunctionId, LowerOptions, Program, Step, lower};
use crate::check::{HintSource, Manner, check};
use crate::evidence::Obligation;
use crate::explore::Abstract;
use crate::fold::{Keep, Precision};
use crate::frame::probe_tests::REACH;
use crate::frame::{Rest, Sharing, Summarised};
use crate::heap::{Cell, Context, Smg, State};
use crate::hints::Search;
use crate::memory::{BlockId, Checks, initial};
use crate::sharing::Calls;
use crate::smt::{Term, Z3Solver};
use crate::task::DataModel;

/// What is wrong with a split, given the function's part and the rest.
type Plant = fn(&mut State, &mut Rest);

/// The abstract domain with a planted error.
struct Planted<'p> {
    honest: Abstract<'p>,
    plant: Plant,
}

impl<'p> Domain for Planted<'p> {
    type State = State;
    type Move = Rc<[Step]>;
    type Alarm = <Abstract<'p> as Domain>::Alarm;
    type Key = <Abstract<'p> as Domain>::Key;
    type Facts = <Abstract<'p> as Domain>::Facts;
    type Frame = Rest;
    type Place = <Abstract<'p> as Domain>::Place;
    type History = <Abstract<'p> as Domain>::History;

    fn obligation(&self) -> Obligation {
        self.honest.obligation()
    }

    fn advance(&self, state: &State) -> Moves<Self> {
        let mut moves = self.honest.advance(state);
        for (_, arrival) in &mut moves {
            if let Arrival::Call { entry, frame } = arrival {
                (self.plant)(entry, frame);
            }
        }
        moves
    }

    fn cut_point(&self, state: &State) -> Option<CutPoint<Self::Place>> {
        self.honest.cut_point(state)
    }

    fn boundary(&self, state: &State) -> CutPoint<Self::Place> {
        self.honest.boundary(state)
    }

    fn form(&self, state: &mut State) -> (Self::Key, Self::Facts) {
        self.honest.form(state)
    }

    fn widen(&self, history: &mut Self::History, state: &mut State) {
        self.honest.widen(history, state);
    }

    fn join(&self, history: &mut Self::History, state: &mut State) -> (Self::Key, Self::Facts) {
        self.honest.join(history, state)
    }

    fn entails(&self, new: &Self::Facts, old: &Self::Facts) -> bool {
        self.honest.entails(new, old)
    }

    fn resume(&self, frame: &Rest, exit: &State) -> Vec<ArrivalOf<Self>> {
        self.honest.resume(frame, exit)
    }
}

/// A hint_source that says of what is shared what the planted split says as well.
struct Accomplice {
    honest: Search,
    changes: fn(&State, &mut Vec<Term>),
}

impl HintSource for Accomplice {
    fn embed(&self, arrival: &crate::check::Arrival, accepts: &mut dyn FnMut(usize, &Embedding) -> bool) {
        self.honest.embed(arrival, accepts);
    }

    fn settle(&self, binding: &mut crate::check::Binding) -> bool {
        self.honest.settle(binding)
    }

    fn is_summarised(&self, function: FunctionId) -> bool {
        self.honest.is_summarised(function)
    }

    fn shared(&self, checks: &Checks, state: &State) -> Option<Vec<Sharing>> {
        let mut shared = self.honest.shared(checks, state)?.iter().map(|shared| shared.value).collect();
        (self.changes)(state, &mut shared);
        Some(shared.into_iter().map(|value| Sharing { value, is_opaque: false }).collect())
    }
}

const HEAD: &str = "extern void *malloc(unsigned long); extern void free(void *); extern void exit(int);
    extern int nondet(void); extern void reach_error(void);
    struct node { struct node *next; int data; };
    static int seen;";

fn lowered(text: &str) -> Program {
    let unit = parse(&SourceText::from_text("test.c", &format!("{HEAD}\n{text}"), DataModel::Lp64));
    lower(&unit.expect("test programs parse"), &LowerOptions::default()).expect("test programs are plain C")
}

/// Explores `text` so; `None` where that does not end with a proof, otherwise what the checker says with an honest hint_source, and
/// with one that proposes the same as the planted split.
fn judged(
    text: &str,
    checks: Checks,
    plant: Plant,
    changes: fn(&State, &mut Vec<Term>),
) -> Option<[Result<(), String>; 2]> {
    let program = lowered(text);
    let limits = Limits::new(Some(Duration::from_secs(20)), None);
    let calls = Calls::new(&program, Summarised::Recursive);
    let context = Rc::new(Context::new(program.model, Box::new(Z3Solver::new()), limits.clone()));
    let start = initial(calls.program(), Smg::new(context)).expect("a start");
    let honest = Abstract::new(&calls, checks, Precision::uniform(Keep::STARTS[0]));
    let mut explorer = Explorer::new(Planted { honest, plant }, start);
    let Finding::Complete(_) = explorer.run(&limits) else { return None };
    let written = write(&program, &claim(&explorer, Summarised::Recursive));
    let answer = checked(&mut explorer, Summarised::Recursive, &program, checks, &limits, Checking::default());
    let hint_source = || Accomplice { honest: Search::new(&program, Summarised::Recursive, false), changes };
    let helped = check(&program, checks, &written, &hint_source, &limits, Manner::WHOLE).expect("a proof by its form");
    let answer = answer.map(|_| ()).map_err(|refused| refused.to_string());
    Some([answer, helped.map(|_| ()).map_err(|refused| refused.to_string())])
}

/// The planted error hides the violation of `wrong`, and the checker does not believe it; of `right`, which is the same without
/// the violation, an honest exploration is believed.
fn is_refused(
    (wrong, right): (&str, &str),
    checks: Checks,
    plant: Plant,
    changes: fn(&State, &mut Vec<Term>),
    why: &str,
) {
    with_big_stack(|| {
        assert!(judged(wrong, checks, |_, _| {}, |_, _| {}).is_none(), "an honest exploration sees it: {wrong}");
        let answers = judged(wrong, checks, plant, changes).unwrap_or_else(|| panic!("nothing is hidden: {wrong}"));
        for answer in answers {
            let refused = answer.expect_err("a wrong split is believed");
            assert!(refused.contains(why), "{refused}");
        }
        let right = judged(right, checks, |_, _| {}, |_, _| {}).expect("an honest exploration proves it");
        assert_eq!(right, [Ok(()), Ok(())]);
    });
}

/// The block that register `index` of the running function holds.
fn argument(state: &State, index: usize) -> BlockId {
    let value = state.top().regs[index].expect("an argument");
    state.memory.provenance(value).expect("a pointer")
}

/// Where the address of the block stands among what is shared.
fn position_of(caller: &Rest, block: BlockId) -> Option<usize> {
    caller.shared.iter().position(|shared| caller.whole.provenance(shared.value) == Some(block))
}

/// Whether the function is called from within itself.
fn is_recursive(entry: &State, caller: &Rest) -> bool {
    caller.state.frames[0].function == entry.frames[0].function
}

fn put(memory: &mut Smg, block: BlockId, offset: u64, value: Term) {
    let context = memory.context().clone();
    let bytes = u64::from(context.terms.width(value).div_ceil(8));
    let object = memory.object_mut(block).expect("a block");
    object.content.write(&context.terms, offset, bytes, Cell::Value(value));
}

/// Two nodes; `set` overwrites the data of all it reaches.
fn set_all(end: &str) -> String {
    format!(
        "static void set(struct node *n) {{ if (!n) return; n->data = 8; set(n->next); }}
         int main(void) {{ struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
           a->next = b; b->next = 0; a->data = 7; b->data = 7; set(a); {end} return 0; }}"
    )
}

#[test]
fn a_reachable_block_that_stays_with_the_caller() {
    let (wrong, right) = (set_all("if (b->data != 7) reach_error();"), set_all("if (b->data != 8) reach_error();"));
    // The list ends at its first node, and the second one is where it was.
    let plant: Plant = |entry, caller| {
        if is_recursive(entry, caller) {
            return;
        }
        let first = argument(entry, 0);
        let Some(next) = entry.memory.field(first, 0) else { return };
        let Some(second) = entry.memory.provenance(next) else { return };
        let object = entry.memory.object(second).expect("a block").clone();
        let null = entry.memory.context().pointer_constant(0);
        entry.memory.remove_object(second);
        put(&mut entry.memory, first, 0, null);
        let position = position_of(caller, second).expect("it is shared");
        caller.shared.remove(position);
        Rc::make_mut(&mut entry.frames[0]).regs.remove(1 + position);
        keep(caller, second, object);
    };
    let changes = |state: &State, shared: &mut Vec<Term>| {
        let first = state.memory.provenance(state.top().regs[0].expect("an argument"));
        let second = first.and_then(|first| state.memory.field(first, 0));
        shared.retain(|value| Some(*value) != second);
    };
    is_refused((&wrong, &right), REACH, plant, changes, "");
}

/// The block stays with the caller after all.
fn keep(caller: &mut Rest, block: BlockId, object: Rc<crate::heap::Object>) {
    let memory = &mut caller.state.memory;
    let symbol = memory.context().terms.as_symbol(object.address).expect("a symbol");
    memory.points_to.insert(symbol, block);
    memory.objects.insert(block, object);
}

fn set_one(end: &str) -> String {
    format!(
        "static void set(struct node *n) {{ n->data = 8; if (nondet()) set(n); }}
         int main(void) {{ struct node *a = malloc(sizeof *a); a->data = 7; set(a); {end} return 0; }}"
    )
}

#[test]
fn a_cut_point_that_is_not_shared() {
    let (wrong, right) = (set_one("if (a->data != 7) reach_error();"), set_one("if (a->data != 8) reach_error();"));
    // The caller goes on with its own copy of the block.
    let plant: Plant = |entry, caller| {
        let block = argument(entry, 0);
        if let Some(position) = position_of(caller, block) {
            caller.shared.remove(position);
            Rc::make_mut(&mut entry.frames[0]).regs.remove(1 + position);
            let object = entry.memory.object(block).expect("a block").clone();
            keep(caller, block, object);
        }
    };
    is_refused((&wrong, &right), REACH, plant, |_, shared| shared.clear(), "");
}

fn set_global(end: &str) -> String {
    format!(
        "static void set(struct node *n) {{ seen = 8; if (nondet()) set(n); }}
         int main(void) {{ struct node *a = malloc(sizeof *a); seen = 7; set(a); {end} return 0; }}"
    )
}

#[test]
fn a_global_that_is_left_out() {
    let (wrong, right) = (set_global("if (seen != 7) reach_error();"), set_global("if (seen != 8) reach_error();"));
    // The caller goes on with what its globals were.
    let plant: Plant = |entry, caller| {
        for block in entry.globals.clone().iter() {
            let object = entry.memory.object(*block).expect("a global").clone();
            keep(caller, *block, object);
        }
    };
    is_refused((&wrong, &right), REACH, plant, |_, _| {}, "");
}

fn count(limit: u32) -> String {
    format!(
        "static void count(int k) {{ if (k > {limit}) reach_error(); if (nondet()) count(k); }}
         int main(void) {{ int k = nondet(); if (k > 100) return 0; count(k); return 0; }}"
    )
}

#[test]
fn a_constraint_that_is_invented() {
    let plant: Plant = |entry, _| {
        let context = entry.memory.context().clone();
        let argument = entry.top().regs[0].expect("an argument");
        let bound = context.terms.sle(argument, context.terms.constant(50, 32));
        entry.memory = entry.memory.clone().restrict(bound).expect("a number may be small");
    };
    is_refused((&count(50), &count(100)), REACH, plant, |_, _| {}, "an arrival lies within no state");
}

fn set_first(end: &str) -> String {
    format!(
        "static void set(struct node *n, struct node *m) {{ n->data = 8; m->data = 9; if (nondet()) set(n, m); }}
         int main(void) {{ struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
           a->data = 7; b->data = 7; set(a, b); {end} return b->data; }}"
    )
}

#[test]
fn shared_blocks_that_are_taken_for_each_other() {
    let (wrong, right) = (set_first("if (a->data != 9) reach_error();"), set_first("if (a->data != 8) reach_error();"));
    let plant: Plant = |entry, caller| {
        if !is_recursive(entry, caller) {
            caller.shared.swap(0, 1);
        }
    };
    let changes = |state: &State, shared: &mut Vec<Term>| {
        let callers = &state.frames[..state.frames.len() - 1];
        if callers.iter().all(|frame| frame.function != state.top().function) {
            shared.swap(0, 1);
        }
    };
    is_refused((&wrong, &right), REACH, plant, changes, "");
}

fn two_numbers(end: &str) -> String {
    format!(
        "static int other(void) {{ int y = nondet(); if (nondet()) return other(); return y; }}
         int main(void) {{ int x = nondet(); int y = other(); {end} return x; }}"
    )
}

#[test]
fn a_number_of_the_function_that_is_taken_for_one_of_the_caller() {
    let (wrong, right) = (two_numbers("if (x != y) reach_error();"), two_numbers("if (x - x) reach_error();"));
    let plant: Plant = |_, caller| {
        if let Some(result) = caller.result {
            let top = caller.state.top_mut();
            if let Some(number) = top.regs.iter().flatten().next().copied() {
                (top.regs[result.index()], caller.result) = (Some(number), None);
            }
        }
    };
    is_refused((&wrong, &right), REACH, plant, |_, _| {}, "");
}

fn lose(what: &str) -> String {
    format!(
        "static void lose(struct node *n) {{ {what} n = 0; if (nondet()) lose(0); exit(0); }}
         int main(void) {{ lose(malloc(sizeof(struct node))); return 0; }}"
    )
}

#[test]
fn a_lost_block_that_the_callers_are_said_to_hold() {
    let checks = Checks { memtrack: true, free: true, ..REACH };
    // A register of the outside frame keeps the block tracked.
    let plant: Plant = |entry, caller| {
        let Some(value) = entry.top().regs[0] else { return };
        if entry.memory.provenance(value).is_some() {
            Rc::make_mut(&mut entry.frames[0]).regs.push(Some(value));
            caller.shared.push(Sharing { value, is_opaque: false });
        }
    };
    let changes = |state: &State, shared: &mut Vec<Term>| {
        let value = state.top().regs[0].expect("an argument");
        if state.memory.provenance(value).is_some() {
            shared.push(value);
        }
    };
    is_refused((&lose(""), &lose("free(n);")), checks, plant, changes, "");
}

fn end(frees: &str) -> String {
    format!(
        "static void end(int n) {{ if (nondet()) exit(0); if (nondet()) end(n); }}
         int main(void) {{ struct node *a = malloc(sizeof *a); {frees} end(0); return 0; }}"
    )
}

#[test]
fn a_block_of_the_caller_that_does_not_count_at_the_end() {
    let checks = Checks { memcleanup: true, free: true, ..REACH };
    let text = |frees: &str, after: &str| end(frees).replace("end(0);", &format!("end(0); {after}"));
    let (wrong, right) = (text("", "free(a);"), text("free(a);", ""));
    let plant: Plant = |entry, caller| {
        if std::mem::take(&mut caller.has_stand_in) {
            let stand_in = Rc::make_mut(&mut entry.frames[0]).regs.pop().flatten().expect("a block");
            let block = entry.memory.provenance(stand_in).expect("a block");
            entry.memory.remove_object(block);
        }
    };
    is_refused((&wrong, &right), checks, plant, |_, _| {}, "an arrival lies within no state");
}
