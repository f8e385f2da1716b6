//! Objects whose bytes do not matter where a state stands: on each way the program fills them anew, or leaves their scope, before it
//! reads them. A line that `fgets` is about to read into says nothing any more.
//!
//! ```text
//!   while (fgets(line, sizeof line, stdin)) { … }        here `line` holds anything
//! ```
//!
//! A guess: a text that is read behind the bytes that were filled is not known then. To forget is always sound.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cfa::{
    Callee, Edge, Expr, Function, FunctionId, Loc, Object, Op, Program, Reg, SlotId, for_exprs, predecessors,
};
use crate::heap::{Cell, Content, State, values};
use crate::memory::BlockId;
use crate::smt::Term;

/// By function, made when it is first asked for: the slots at each location.
#[derive(Default)]
pub(super) struct Overwritten {
    slots: RefCell<FxHashMap<FunctionId, Rc<[Vec<SlotId>]>>>,
}

/// What an object is known by within a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Name {
    Slot(SlotId),
    /// The address that a parameter holds.
    Parameter(Reg),
}

/// What an op, or a function, does with an object first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Nothing,
    Fills,
    Reads,
}

impl Overwritten {
    /// Forgets what the objects hold that are overwritten from here on, where nothing in the state leads to them.
    pub fn forget(&self, program: &Program, state: &mut State) {
        let mut open: FxHashSet<BlockId> = FxHashSet::default();
        for frame in &state.frames {
            let slots = self.of(program, frame.function);
            open.extend(slots[frame.at.index()].iter().filter_map(|slot| frame.slots[slot.index()]));
        }
        open.retain(|block| is_known(state, *block));
        if open.is_empty() {
            return;
        }
        let leads = |term: Term, open: &mut FxHashSet<BlockId>| {
            for symbol in state.memory.context().terms.symbols_of(term).iter() {
                if let Some(block) = state.memory.points_to.get(symbol) {
                    open.remove(block);
                }
            }
        };
        values(state).into_iter().for_each(|value| leads(value, &mut open));
        for object in state.memory.objects.values() {
            object.content.edges().iter().for_each(|edge| match edge.cell {
                Cell::Value(value) => leads(value, &mut open),
                Cell::Uniform(_) | Cell::Forgotten => {}
            });
            object.content.runs().iter().flat_map(|run| &*run.facts).for_each(|fact| leads(*fact, &mut open));
        }
        for block in open {
            if let Some(object) = state.memory.object_mut(block) {
                object.content = Content::new(false);
            }
        }
    }

    fn of(&self, program: &Program, function: FunctionId) -> Rc<[Vec<SlotId>]> {
        let mut slots = self.slots.borrow_mut();
        slots.entry(function).or_insert_with(|| overwritten(program, program.function(function)).into()).clone()
    }
}

/// Whether something is known of the bytes, none of which is part of a pointer: what these lead to would be lost.
fn is_known(state: &State, block: BlockId) -> bool {
    let Some(object) = state.memory.object(block).filter(|object| object.valid && object.is_region()) else {
        return false;
    };
    let terms = &state.memory.context().terms;
    let is_pointer =
        |term: Term| terms.symbols_of(term).iter().any(|symbol| state.memory.points_to.contains_key(symbol));
    let content = &object.content;
    let holds_pointer = content.edges().iter().any(|edge| matches!(edge.cell, Cell::Value(value) if is_pointer(value)))
        || content.runs().iter().any(|run| run.table.is_some() || run.facts.iter().any(|fact| is_pointer(*fact)));
    !holds_pointer && *content != Content::new(false)
}

/// The slots at each location of the function.
fn overwritten(program: &Program, function: &Function) -> Vec<Vec<SlotId>> {
    let mut slots = vec![Vec::new(); function.locations.len()];
    let predecessors = predecessors(function);
    for slot in (0..function.slots.len()).map(|slot| SlotId(slot as u32)) {
        let of = |edge: &Edge| use_of(program, function, Name::Slot(slot), &edge.op, &mut Vec::new());
        let uses: Vec<Vec<Use>> =
            function.locations.iter().map(|location| location.edges.iter().map(of).collect()).collect();
        // Where the bytes may be read first: backwards from what reads them.
        let mut reads: Vec<bool> = uses.iter().map(|uses| uses.contains(&Use::Reads)).collect();
        let mut open: Vec<usize> = (0..reads.len()).filter(|at| reads[*at]).collect();
        while let Some(at) = open.pop() {
            for before in &predecessors[at] {
                let leads_here = |(edge, used): (&Edge, &Use)| edge.target.index() == at && *used == Use::Nothing;
                let edges = function.locations[*before].edges.iter().zip(&uses[*before]);
                if !reads[*before] && edges.into_iter().any(leads_here) {
                    reads[*before] = true;
                    open.push(*before);
                }
            }
        }
        (0..reads.len()).filter(|at| !reads[*at]).for_each(|at| slots[at].push(slot));
    }
    slots
}

/// What the op does with the object; `calls` are those that are looked into.
fn use_of(program: &Program, function: &Function, name: Name, op: &Op, calls: &mut Vec<(FunctionId, Reg)>) -> Use {
    let is_it = |expr: &Expr| match (expr, name) {
        (Expr::Address(Object::Slot(slot), _), Name::Slot(own)) => *slot == own,
        (Expr::Reg(reg, _), Name::Parameter(own)) => *reg == own,
        _ => false,
    };
    let mentions = |expr: &Expr| {
        let mut found = false;
        expr.visit(&mut |part| found |= is_it(part));
        found
    };
    let is_whole = |bits: u32| match name {
        Name::Slot(slot) => function.slots[slot.index()].size == u64::from(bits / 8),
        Name::Parameter(_) => false,
    };
    match op {
        Op::Enter { slot, .. } | Op::Leave { slot } if name == Name::Slot(*slot) => Use::Fills,
        Op::Overlaps { .. } | Op::Assume(_) | Op::Check { .. } | Op::Return { .. } => Use::Nothing,
        Op::Store { addr, value } if is_it(addr) && !mentions(value) && is_whole(value.width()) => Use::Fills,
        // Models write one byte after the other, and read only what the function reads.
        Op::Store { value, .. } if function.library && !mentions(value) => Use::Nothing,
        Op::Havoc { dst, size, .. } | Op::Set { dst, size, .. } | Op::Copy { dst, size, .. }
            if (is_it(dst) || function.library && mentions(dst)) && !mentions(size) && !copies(op, &mentions) =>
        {
            Use::Fills
        }
        Op::Call { callee: Callee::Direct(callee), args, .. } => {
            let mut all = Use::Nothing;
            for (index, arg) in args.iter().enumerate().filter(|(_, arg)| mentions(arg)) {
                let parameter = program.function(*callee).params.get(index).filter(|_| is_it(arg));
                match parameter.map_or(Use::Reads, |parameter| use_in(program, *callee, *parameter, calls)) {
                    Use::Reads => return Use::Reads,
                    Use::Fills => all = Use::Fills,
                    Use::Nothing => {}
                }
            }
            all
        }
        _ => {
            let mut found = false;
            for_exprs(op, &mut |expr| found |= mentions(expr));
            if found { Use::Reads } else { Use::Nothing }
        }
    }
}

/// Whether the op copies from the object.
fn copies(op: &Op, mentions: &dyn Fn(&Expr) -> bool) -> bool {
    matches!(op, Op::Copy { src, .. } if mentions(src))
}

/// What the function does first with the object whose address the parameter holds: on some way, or on all.
fn use_in(program: &Program, id: FunctionId, parameter: Reg, calls: &mut Vec<(FunctionId, Reg)>) -> Use {
    if calls.contains(&(id, parameter)) {
        return Use::Reads;
    }
    calls.push((id, parameter));
    let function = program.function(id);
    let mut all = Use::Nothing;
    let mut seen: FxHashSet<Loc> = FxHashSet::from_iter([function.entry]);
    let mut open = vec![function.entry];
    'ways: while let Some(at) = open.pop() {
        for edge in &function.location(at).edges {
            match use_of(program, function, Name::Parameter(parameter), &edge.op, calls) {
                Use::Reads => {
                    all = Use::Reads;
                    break 'ways;
                }
                Use::Fills => all = Use::Fills,
                Use::Nothing if edge.op.is_end() => {}
                Use::Nothing => open.extend(seen.insert(edge.target).then_some(edge.target)),
            }
        }
    }
    calls.pop();
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::with_big_stack;
    use crate::frame::probe_tests::program;

    /// The variables of `f` that are overwritten from its only loop on, by their names.
    fn at_loop(function: &'static str) -> Vec<String> {
        with_big_stack(move || {
            let program = program(function, "int n", "n", "f(__VERIFIER_nondet_uint());");
            let f = program.functions.iter().find(|function| &*function.name == "f").expect("it is called");
            let head = f.locations.iter().position(|location| location.loop_head).expect("it has a loop");
            let slots = &overwritten(&program, f)[head];
            slots.iter().filter_map(|slot| f.slots[slot.index()].name.as_ref().map(ToString::to_string)).collect()
        })
    }

    const FILL: &str = "void *memset(void *, int, unsigned long); unsigned long strlen(const char *);
        void fill(char *text) { memset(text, 1, 9); text[8] = 0; }";

    fn with(text: &str) -> Vec<String> {
        at_loop(Box::leak(format!("{FILL} {text}").into_boxed_str()))
    }

    #[test]
    fn what_is_filled_before_it_is_read_does_not_matter() {
        let line = ["line"].map(String::from);
        assert_eq!(with("void f(int n) { char line[9]; while (n--) { fill(line); n -= strlen(line); } }"), line);
        assert_eq!(with("void f(int n) { char line[9]; while (n--) { memset(line, 2, 9); n -= line[3]; } }"), line);
        // It is left, and not read any more.
        assert_eq!(with("void f(int n) { char line[9]; line[0] = 3; while (n--) n -= 2; }"), line);
    }

    #[test]
    fn what_may_be_read_first_matters() {
        let none: [String; 0] = [];
        assert_eq!(with("void f(int n) { char line[9]; fill(line); while (n--) { n -= line[1]; fill(line); } }"), none);
        // After the loop, or on one of two ways.
        assert_eq!(with("int f(int n) { char line[9]; fill(line); while (n--) n -= 2; return strlen(line); }"), none);
        assert_eq!(
            with("void f(int n) { char line[9]; fill(line); while (n--) { if (n > 5) fill(line); n -= line[1]; } }"),
            none
        );
        // One byte is not all of it.
        assert_eq!(
            with("void f(int n) { char line[9]; fill(line); while (n--) { line[0] = 2; n -= line[1]; } }"),
            none
        );
    }
}
