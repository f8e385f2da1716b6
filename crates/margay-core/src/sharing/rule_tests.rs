//! The frame rule: wrong proposals are refused, and exits cannot say more than they may.

use super::probe_call::{Call, argument, left};
use crate::c::with_big_stack;
use crate::cfa::CallGraph;
use crate::frame::probe_tests::{CHECKS, CLEANUP, THREE, program};
use crate::frame::{Sharing, Summarised};
use crate::heap::{Cell, Content, State, SymbolKind, Target, values};
use crate::memory::{BlockId, BlockKind, Checks};
use crate::smt::Term;

fn heap_blocks(state: &State) -> usize {
    state.memory.objects.values().filter(|object| object.valid && object.kind == BlockKind::Heap).count()
}

/// `a` stays with the caller and holds `b`, which is handed over.
fn list() -> Call {
    let body = format!("{THREE} probe(a->next); free(a); free(b); free(c);");
    Call::new(&program("", "struct node *n", "n->next", &body))
}

#[test]
fn cut_points_have_to_be_shared() {
    with_big_stack(|| {
        let call = list();
        let proposed = call.proposed(&CHECKS);
        assert_eq!(proposed.len(), 2, "`b` and `c`");
        assert!(call.split(&CHECKS, &proposed).is_ok());
        let b = call.state.memory.object(argument(&call.state)).expect("`b`").address;
        let without: Vec<Term> = proposed.iter().copied().filter(|value| *value != b).collect();
        let refused = call.split(&CHECKS, &without).err();
        assert_eq!(refused, Some("an address that is not shared is held by the callers"));
        // Nothing but a register speaks of `c`: it may be anything afterwards.
        let (entry, rest) = call.split(&CHECKS, &[b]).unwrap_or_else(|why| panic!("{why}"));
        let back = call.combine(&rest, &left(&entry)).expect("the exit fits").expect("the exit is possible");
        let set = |state: &State| state.frames[state.frames.len() - 1].regs.iter().flatten().count();
        assert_eq!(set(&back) + 1, set(&left(&call.state)));
    });
}

#[test]
fn variables_of_callers_have_to_be_shared() {
    with_big_stack(|| {
        let body = format!("{THREE} struct node *h = a; probe(&h); free(a); free(b); free(c);");
        let call = Call::new(&program("", "struct node **n", "n", &body));
        let proposed = call.proposed(&CHECKS);
        assert!(call.split(&CHECKS, &proposed).is_ok());
        let h = call.state.memory.object(argument(&call.state)).expect("`h`").address;
        let without: Vec<Term> = proposed.into_iter().filter(|value| *value != h).collect();
        assert_eq!(call.split(&CHECKS, &without).err(), Some("a variable of a caller is handed over and not shared"));
    });
}

#[test]
fn what_is_shared_has_to_be_the_callers() {
    with_big_stack(|| {
        let call = list();
        let context = call.state.memory.context();
        let next = [
            SymbolKind::Forgotten(call.state.memory.next_forgotten),
            SymbolKind::Input(call.state.memory.next_input),
            SymbolKind::Address(BlockId(call.state.memory.next_block)),
            SymbolKind::Content { block: argument(&call.state), offset: 100 },
        ];
        for kind in next {
            let mut proposed = call.proposed(&CHECKS);
            proposed.push(context.symbol(kind, 64, 0));
            assert_eq!(
                call.split(&CHECKS, &proposed).err(),
                Some("what is shared is no value of the caller"),
                "{kind:?}"
            );
        }
    });
}

#[test]
fn a_name_does_not_hide_where_a_value_leads() {
    with_big_stack(|| {
        let body = format!("{THREE} probe(&b->prev); free(a); free(b); free(c);");
        let call = Call::new(&program("", "struct node **n", "n", &body));
        let value = call.state.top().regs[0].expect("an argument");
        let mut proposed = call.proposed(&CHECKS);
        assert!(!proposed.contains(&value), "the explorer shares the block's address");
        let whole = heap_blocks(&call.split(&CHECKS, &proposed).unwrap_or_else(|why| panic!("{why}")).0);
        proposed.push(value);
        let (entry, _) = call.split(&CHECKS, &proposed).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(heap_blocks(&entry), whole);
        assert_ne!(entry.top().regs[0], Some(value), "it got a name");
        // With nothing but the value shared, the caller's `a` holds what is not.
        assert!(call.split(&CHECKS, &[value]).is_err());
    });
}

#[test]
fn shared_blocks_are_held_by_the_callers() {
    with_big_stack(|| {
        let call = Call::new(&program("", "struct node *n", "n", "probe(malloc(sizeof(struct node)));"));
        let mut proposed = call.proposed(&CHECKS);
        assert!(call.split(&CHECKS, &proposed).is_ok());
        proposed.push(call.state.memory.object(argument(&call.state)).expect("a block").address);
        assert_eq!(call.split(&CHECKS, &proposed).err(), Some("a shared block is not held by the callers"));
        let careless = Checks { memtrack: false, ..CHECKS };
        assert!(call.split(&careless, &proposed).is_ok(), "leaks are not asked for");
    });
}

#[test]
fn exits_that_do_not_fit_are_refused() {
    with_big_stack(|| {
        let call = list();
        let (entry, rest) = call.split(&CLEANUP, &call.proposed(&CLEANUP)).unwrap_or_else(|why| panic!("{why}"));
        let exit = left(&entry);
        assert!(call.combine(&rest, &exit).expect("the exit fits").is_some());
        let refused = |change: &dyn Fn(&mut State)| {
            let mut exit = exit.clone();
            change(&mut exit);
            call.combine(&rest, &exit).err().expect("the exit does not fit")
        };
        // The result, `b`, `c`, and what stands in for `a`.
        assert_eq!(exit.top().regs.len(), 4);
        assert_eq!(refused(&|exit| exit.frames.push(exit.frames[0].clone())), "an exit does not fit the call");
        assert_eq!(refused(&|exit| exit.top_mut().regs.truncate(3)), "an exit does not fit the call");
        assert_eq!(refused(&|exit| exit.top_mut().regs[1] = None), "a shared value is lost");
        assert_eq!(refused(&|exit| exit.top_mut().regs[1] = exit.top().regs[2]), "two blocks are one");
        assert_eq!(refused(&|exit| exit.top_mut().regs[3] = exit.top().regs[1]), "two blocks are one");
        assert_eq!(refused(&|exit| exit.top_mut().regs[3] = None), "the callers' heap is lost");
        let number = |width| exit.memory.context().terms.constant(0, width);
        assert_eq!(refused(&|exit| exit.top_mut().regs[1] = Some(number(64))), "a shared address lost its block");
        assert_eq!(refused(&|exit| exit.top_mut().regs[1] = Some(number(32))), "a shared value has another width");
    });
}

#[test]
fn names_of_the_exit_are_its_own() {
    with_big_stack(|| {
        let body = "unsigned x = __VERIFIER_nondet_uint(); struct node *a = malloc(sizeof *a); probe(a);
            if (x == 5) a->data = 1; free(a);";
        let call = Call::new(&program("", "struct node *n", "n", body));
        let context = call.state.memory.context().clone();
        let (terms, memory) = (&context.terms, &call.state.memory);
        let own = call.state.frames[call.state.frames.len() - 2].regs.iter().flatten();
        let x = own.copied().find(|value| terms.width(*value) == 32 && terms.as_symbol(*value).is_some()).expect("`x`");
        let proposed = call.proposed(&CHECKS);
        assert!(!proposed.contains(&x), "`probe` is not given `x`");
        let (entry, rest) = call.split(&CHECKS, &proposed).unwrap_or_else(|why| panic!("{why}"));
        // An exit with a number of its own that happens to have the same name, and is 5.
        let five = terms.eq(x, terms.constant(5, 32));
        assert_eq!(memory.decide(five), None);
        let mut exit = left(&entry);
        exit.memory = exit.memory.restrict(five).expect("it may be 5");
        let block = argument(&entry);
        exit.memory.object_mut(block).expect("`a`").content.write(terms, 16, 4, Cell::Value(x));
        let mut back = call.combine(&rest, &exit).expect("the exit fits").expect("the exit is possible");
        assert_eq!(back.memory.decide(five), None, "the caller's number is none of the exit's");
        let data = back.memory.read_exactly(argument(&call.state), 16, 4);
        assert_eq!(back.memory.decide(terms.eq(data, terms.constant(5, 32))), Some(true));
        assert_eq!(back.memory.decide(terms.eq(data, x)), None);
    });
}

#[test]
fn bytes_that_come_back_are_not_those_that_were_read_before() {
    with_big_stack(|| {
        let body = "struct node *a = malloc(sizeof *a); unsigned before = a->data; probe(a);
            if (before == a->data) a->data = 1; free(a);";
        let call = Call::new(&program("", "struct node *n", "n", body));
        let context = call.state.memory.context().clone();
        let terms = &context.terms;
        let block = argument(&call.state);
        let before = call.state.memory.clone().read_exactly(block, 16, 4);
        let symbol = terms.as_symbol(before).expect("unwritten bytes are a symbol");
        assert!(matches!(context.kind(symbol), Some(SymbolKind::Content { .. })));
        let (entry, rest) = call.split(&CHECKS, &call.proposed(&CHECKS)).unwrap_or_else(|why| panic!("{why}"));
        // The function may have written anything, says the exit, as if that had never happened.
        let mut exit = left(&entry);
        exit.memory.object_mut(block).expect("`a`").content = Content::new(false);
        let mut back = call.combine(&rest, &exit).expect("the exit fits").expect("the exit is possible");
        let after = back.memory.read_exactly(block, 16, 4);
        let known = values(&back).into_iter().filter(|value| terms.width(*value) == 32);
        let equal: Vec<Option<bool>> = known.map(|value| back.memory.decide(terms.eq(value, after))).collect();
        assert!(!equal.is_empty(), "the caller knows `before`");
        assert!(equal.iter().all(Option::is_none), "{equal:?}");
    });
}

#[test]
fn globals_that_nothing_names_keep_their_values() {
    with_big_stack(|| {
        let body = format!("{THREE} other = c; probe(b); free(a); free(b); free(c);");
        let call = Call::new(&program("static struct node *other; static int seen;", "struct node *n", "n", &body));
        let (entry, rest) = call.split(&CHECKS, &call.proposed(&CHECKS)).unwrap_or_else(|why| panic!("{why}"));
        let other = entry.globals[0];
        let content = &entry.memory.object(other).expect("globals have objects").content;
        assert!(content.edges().is_empty() && content.is_blurred(), "its content cannot be seen from inside");
        let mut exit = left(&entry);
        let (terms, null) = (&exit.memory.context().clone().terms, exit.memory.context().pointer_constant(0));
        exit.memory.object_mut(other).expect("`other`").content.write(terms, 0, 8, Cell::Value(null));
        let back = call.combine(&rest, &exit).expect("the exit fits").expect("the exit is possible");
        assert_eq!(back.memory.field(other, 0), call.state.memory.field(other, 0));
    });
}

#[test]
fn what_is_named_counts_calls_through_pointers() {
    let declarations = "static int seen; static int other; static void set(void) { other = 1; }
        static void look(void) { seen = 1; } static void (*taken)(void) = set;
        static void through(void) { taken(); }";
    with_big_stack(|| {
        let program = program(declarations, "struct node *n", "n", "probe(0); through(); look();");
        let graph = CallGraph::new(&program);
        let names = |name: &str| -> Vec<String> {
            let function = program.functions.iter().position(|function| &*function.name == name).expect("a function");
            let by = graph.reach(crate::cfa::FunctionId::from_index(function)).globals;
            let globals = program.globals.iter().zip(by.iter()).filter(|(_, named)| **named);
            let mut names: Vec<String> = globals.map(|(global, _)| global.name.to_string()).collect();
            names.sort();
            names
        };
        assert_eq!(names("through"), ["other", "taken"]);
        assert_eq!(names("set"), ["other"]);
        assert_eq!(names("main"), ["other", "seen", "taken"]);
        assert!(names("probe").is_empty());
    });
}

/// `b` is handed over, and its link back to `a`, which `probe` never reads.
fn with_link_back(rest: &str) -> Call {
    let body = format!("{THREE} b->prev = a; {rest}");
    Call::with(&program("", "struct node *n", "n->next", &body), Summarised::Opaque)
}

/// What the function's first argument holds as its link back.
fn link_back(state: &State) -> Term {
    let prev = 8;
    let argument = state.memory.object(argument(state)).expect("`b`");
    let cell = argument.content.edges().iter().find(|edge| edge.offset == prev).expect("a link").cell;
    let Cell::Value(value) = cell else { panic!("{cell:?}") };
    value
}

#[test]
fn what_is_carried_stays_with_the_caller() {
    with_big_stack(|| {
        let call = with_link_back("probe(a->next); free(a); free(b); free(c);");
        let a = link_back(&call.state);
        let shared = call.sharing(&CHECKS);
        assert_eq!(shared.iter().filter(|shared| shared.is_opaque).map(|shared| shared.value).collect::<Vec<_>>(), [a]);
        let (entry, rest) = call.split_so(&CHECKS, &shared).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(heap_blocks(&entry), 2, "`b` and `c`");
        let name = link_back(&entry);
        let terms = &entry.memory.context().terms;
        let says = |name: Term, value: Term| entry.memory.store.decide(entry.memory.context(), terms.eq(name, value));
        assert_eq!(says(name, terms.constant(0, 64)), Some(false));
        assert_eq!(says(name, a), None, "it is not known where it leads");
        assert!(matches!(entry.memory.target(name), Target::Nowhere(_)), "{:?}", entry.memory.target(name));
        // Its name at the exit is that of the caller's block again.
        let exit = left(&entry);
        let back = call.combine(&rest, &exit).expect("the exit fits").expect("the exit is possible");
        assert_eq!(values(&back), values(&left(&call.state)));
        let mut lost = exit.clone();
        let at = 1 + shared.iter().position(|shared| shared.is_opaque).expect("`a`");
        lost.top_mut().regs[at] = None;
        assert_eq!(call.combine(&rest, &lost).err(), Some("a shared value is lost"));
        let mut local = exit;
        local.top_mut().regs[at] = local.memory.objects.values().next_back().map(|object| object.address);
        assert_eq!(call.combine(&rest, &local).err(), Some("a shared address lost its block"));
    });
}

#[test]
fn only_addresses_of_blocks_that_stay_behind_are_carried() {
    with_big_stack(|| {
        let body = format!("{THREE} b->prev = a; kept = c; probe(a->next); free(a); free(b); free(c);");
        let call = Call::with(&program("struct node *kept;", "struct node *n", "n->next", &body), Summarised::Opaque);
        let honest = call.sharing(&CHECKS);
        let refused = |value: Term| {
            let with: Vec<Sharing> = honest.iter().copied().chain([Sharing { value, is_opaque: true }]).collect();
            call.split_so(&CHECKS, &with).err().expect("it is no such address")
        };
        let terms = &call.state.memory.context().terms;
        let not_one = "what is carried is no address of a block of the callers'";
        assert_eq!(refused(terms.constant(16, 64)), not_one);
        assert_eq!(refused(link_back(&call.state)), "what is carried is shared twice");
        assert_eq!(refused(terms.add_constant(link_back(&call.state), 8)), not_one);
        let kept = call.state.globals.iter().next().and_then(|block| call.state.memory.object(*block));
        assert_eq!(refused(kept.expect("a global").address), not_one);
    });
}

#[test]
fn what_is_carried_is_held_by_the_callers() {
    with_big_stack(|| {
        // Only `b` still holds `a`: the function could lose it.
        let call = with_link_back("struct node *n = b; a = 0; b = 0; probe(n);");
        let a = link_back(&call.state);
        assert!(call.sharing(&CHECKS).iter().all(|shared| !shared.is_opaque));
        let b = call.state.memory.object(argument(&call.state)).expect("`b`").address;
        let proposed = [Sharing { value: a, is_opaque: true }, Sharing { value: b, is_opaque: false }];
        assert_eq!(call.split_so(&CHECKS, &proposed).err(), Some("a shared block is not held by the callers"));
        let careless = Checks { memtrack: false, ..CHECKS };
        assert!(call.split_so(&careless, &proposed).is_ok(), "leaks are not asked for");
    });
}
