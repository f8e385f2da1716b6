//! Contracts are believed only with a proof: what is inferred passes the check, and what was tampered with does not.

use std::path::Path;

use margay::base::limits::Limits;
use margay::c;
use margay::cfa::{LowerOptions, OpenProgram, lower_open};
use margay::open::{
    CellText, Contract, Expr, FunctionProofs, Linked, Options, Post, ProvedContract, RefusedContract, ValueText,
    analyse, check_contracts,
};
use margay::task::DataModel;

const TEXT: &str = "
void *malloc(unsigned long); void free(void *);
struct n { struct n *next; int *data; };
long get(long *p) { return *p; }
int length(struct n *x) { int k = 0; while (x) { k++; x = x->next; } return k; }
void destroy(struct n *x) { while (x) { struct n *t = x->next; free(x); x = t; } }
void fill(struct n *x) { for (; x; x = x->next) x->data = malloc(4); }
struct n *build(int k) { struct n *h = 0; while (k-- > 0) { struct n *e = malloc(sizeof *e); e->next = h; e->data = 0; h = e; }
    return h; }
int use(void) { struct n *h = build(3); int k = length(h); destroy(h); return k; }
int down(int k) { return k == 0 ? 1 : down(k - 1); }
void lose(void) { malloc(5); }
struct n *late(int k) { struct n *h = 0; while (k-- > 0) { struct n *e = malloc(sizeof *e); e->next = h; e->data = 0; h = e; }
    do { k++; } while (k < 5);
    return h; }
void forward(long *p) { get(p); }
";

fn lowered(source: &c::SourceText) -> OpenProgram {
    let unit = c::parse(source).expect("C");
    lower_open(&unit, &LowerOptions { overflow_checks: false, malloc_may_fail: false, ..LowerOptions::default() })
        .expect("an automaton")
}

fn inferred(open: &OpenProgram) -> Vec<FunctionProofs> {
    let reports = analyse(open, &Linked::default(), &Options::default(), &Limits::none(), None, &|_, _| {});
    reports.iter().map(FunctionProofs::of).collect()
}

fn checked(open: &OpenProgram, proofs: &[FunctionProofs]) -> Result<usize, RefusedContract> {
    check_contracts(open, &Linked::default(), proofs, &Limits::none())
}

/// The small program and what is inferred of it, to be changed.
fn with_proofs(test: impl FnOnce(&OpenProgram, Vec<FunctionProofs>) + Send + 'static) {
    c::with_big_stack(move || {
        let open = lowered(&c::SourceText::from_text("small.c", TEXT, DataModel::Lp64));
        let proofs = inferred(&open);
        assert!(checked(&open, &proofs).is_ok_and(|count| count >= 10), "{:?}", checked(&open, &proofs));
        test(&open, proofs);
    });
}

/// The contract of `function` with most lists, or else most cut points: the general one.
fn general<'p>(proofs: &'p mut [FunctionProofs], function: &str) -> &'p mut ProvedContract {
    let proofs = proofs.iter_mut().find(|proofs| *proofs.name == *function).expect(function);
    let size = |proved: &&mut ProvedContract| {
        (proved.contract.pre.segments.len(), proved.cuts.len(), proved.contract.pre.cells.len())
    };
    proofs.contracts.iter_mut().max_by_key(size).expect("a contract")
}

/// The check refuses a contract of `function` for this reason once it was tampered with.
fn refuses(function: &'static str, why: &'static str, tamper: impl FnOnce(&mut ProvedContract) + Send + 'static) {
    with_proofs(move |open, mut proofs| {
        tamper(general(&mut proofs, function));
        let refused = checked(open, &proofs).expect_err("a tampered contract");
        assert_eq!((&*refused.function, refused.why.to_string().contains(why)), (function, true), "{}", refused.why);
    });
}

fn constant(value: &str, width: u32) -> Expr {
    Expr::Const { value: value.to_owned(), width }
}

#[test]
fn own_libraries_have_proofs_that_are_accepted() {
    for name in ["lru_cache", "queue_macros"] {
        c::with_big_stack(move || {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("benchmarks/open/{name}.c"));
            let open = lowered(&c::load(&path, DataModel::Lp64).expect("a file"));
            let proofs = inferred(&open);
            let contracts: usize = proofs.iter().map(|proofs| proofs.contracts.len()).sum();
            assert!(contracts > 5, "{name}: {contracts}");
            assert_eq!(checked(&open, &proofs).map_err(|refused| refused.why.to_string()), Ok(contracts), "{name}");
        });
    }
}

#[test]
fn bytes_that_are_used_must_be_asked_for() {
    refuses("get", "8 bytes that the precondition does not provide", |proved| proved.contract.pre.cells.clear());
}

#[test]
fn results_must_be_those_of_the_function() {
    refuses("get", "no postcondition has", |proved| proved.contract.posts[0].result = Some(constant("7", 64)));
}

#[test]
fn every_way_a_function_ends_must_be_told() {
    refuses("length", "no postcondition has", |proved| _ = proved.contract.posts.pop());
}

#[test]
fn bytes_that_are_left_must_be_told() {
    refuses("get", "no postcondition has", |proved| proved.contract.posts[0].formula.cells.clear());
}

#[test]
fn freed_lists_are_not_left() {
    refuses("destroy", "no postcondition has", |proved| {
        let segments = proved.contract.pre.segments.clone();
        assert!(!segments.is_empty());
        proved.contract.posts.iter_mut().for_each(|post| post.formula.segments.clone_from(&segments));
    });
}

#[test]
fn loops_need_their_cut_points() {
    refuses("length", "no cut point has", |proved| {
        assert!(!proved.cuts.is_empty());
        proved.cuts.clear();
    });
    refuses("length", "no cut point has", |proved| _ = proved.cuts.pop());
}

#[test]
fn a_cut_point_that_no_memory_has_covers_none() {
    refuses("length", "no cut point has", |proved| {
        proved.cuts.iter_mut().for_each(|cut| cut.pure.push(constant("0", 1)));
    });
}

#[test]
fn a_cut_point_of_numbers_that_are_not_so_is_refused() {
    // The counter is 0 whenever the loop comes round.
    refuses("length", "no cut point has", |proved| {
        for cut in &mut proved.cuts {
            cut.frames[0].regs.iter_mut().for_each(|reg| match reg {
                Some(Expr::Var(_)) | None => {}
                Some(other) => *other = constant("0", 32),
            });
        }
        proved.cuts.truncate(1);
    });
}

#[test]
fn what_the_function_made_is_not_its_callers() {
    // Whoever loses it would not be seen to lose it.
    refuses("build", "no cut point has", |proved| {
        let mut changed = 0;
        for cut in &mut proved.cuts {
            let lists = cut.segments.iter_mut().map(|list| &mut list.foreign);
            for foreign in lists.chain(cut.blocks.iter_mut().map(|block| &mut block.foreign)) {
                changed += usize::from(!std::mem::replace(foreign, true));
            }
        }
        assert!(changed > 0);
    });
}

#[test]
fn lists_that_the_function_made_are_not_its_callers() {
    // Only in the second loop: it is the list as a whole that would change hands.
    refuses("late", "no cut point has", |proved| {
        let last = proved.cuts.iter().filter_map(|cut| cut.frames.last().map(|frame| frame.at)).max();
        let cuts = proved.cuts.iter_mut().filter(|cut| cut.frames.last().map(|frame| frame.at) == last);
        let mut changed = 0;
        for list in cuts.flat_map(|cut| &mut cut.segments) {
            changed += usize::from(!std::mem::replace(&mut list.foreign, true));
        }
        assert!(changed > 0);
    });
}

#[test]
fn nothing_is_assumed_of_values_that_the_function_has_itself() {
    refuses("length", "no cut point has", |proved| {
        proved.cuts.iter_mut().flat_map(|cut| &mut cut.vars).for_each(|var| var.external = true);
    });
}

#[test]
fn a_list_of_no_shape_is_no_precondition() {
    // It must not count as one that no memory satisfies, from which everything would follow.
    refuses("length", "a precondition that makes no sense", |proved| {
        proved.contract.pre.segments[0].args.push(constant("0", 64))
    });
}

#[test]
fn what_does_not_fit_its_bytes_is_no_precondition() {
    fn cell(size: &str, width: u32) -> CellText {
        let value = ValueText::Is(constant("0", width));
        CellText { at: Expr::Var(0), size: constant(size, 64), value }
    }
    for (size, width) in [("8", 32), ("4", 64), ("99999999999999999999", 64)] {
        refuses("length", "a precondition that makes no sense", move |proved| {
            proved.contract.pre.cells.push(cell(size, width))
        });
    }
    refuses("length", "a precondition that makes no sense", |proved| proved.contract.pre.pure.push(constant("1", 64)));
}

#[test]
fn lost_blocks_are_seen() {
    with_proofs(|open, mut proofs| {
        let post = Post { vars: Vec::new(), formula: Default::default(), result: None, ends: false };
        let contract = Contract { vars: Vec::new(), pre: Default::default(), posts: vec![post] };
        let lose = proofs.iter_mut().find(|proofs| &*proofs.name == "lose").expect("a report");
        assert!(lose.contracts.is_empty(), "what loses a block has no contract");
        lose.contracts.push(ProvedContract { contract, cuts: Vec::new() });
        let refused = checked(open, &proofs).expect_err("a false contract");
        assert!(&*refused.function == "lose" && refused.why.to_string().ends_with("is lost"), "{}", refused.why);
    });
}

#[test]
fn a_caller_does_not_help_a_callee_that_lies() {
    // The caller's own proof holds if its callee's contract does.
    with_proofs(|open, mut proofs| {
        let lie = constant("7", 64);
        general(&mut proofs, "get").contract.posts[0].result = Some(lie);
        let refused = checked(open, &proofs).expect_err("a false contract");
        assert_eq!(&*refused.function, "get");
        // Without any contract the callee is followed within its caller.
        proofs.retain(|proofs| &*proofs.name == "forward");
        assert_eq!(checked(open, &proofs).map_err(|refused| refused.why.to_string()), Ok(1));
    });
}

#[test]
fn recursion_is_checked_by_induction() {
    // `int down(int k)`: whatever `k` is, its result is 1. Nothing of it was inferred here.
    let claim = |result: &str| {
        let result = Some(constant(result, 32));
        let post = Post { vars: Vec::new(), formula: Default::default(), result, ends: false };
        Contract { vars: vec![32], pre: Default::default(), posts: vec![post] }
    };
    let (truth, lie) = (claim("1"), claim("0"));
    with_proofs(move |open, mut proofs| {
        let index = proofs.iter().position(|proofs| &*proofs.name == "down").expect("a report");
        proofs[index].contracts = vec![ProvedContract { contract: truth, cuts: Vec::new() }];
        assert_eq!(checked(open, &proofs[index..=index]).map_err(|refused| refused.why.to_string()), Ok(1));
        proofs[index].contracts[0].contract = lie;
        let refused = checked(open, &proofs[index..=index]).expect_err("a false contract");
        assert_eq!(refused.why.to_string(), "a path ends in a state that no postcondition has");
    });
}

#[test]
fn contracts_of_other_functions_are_refused() {
    with_proofs(|open, mut proofs| {
        let other = general(&mut proofs, "get").clone();
        let down = proofs.iter_mut().find(|proofs| &*proofs.name == "down").expect("a report");
        down.contracts.push(other);
        let refused = checked(open, &proofs).expect_err("parameters of other widths");
        assert_eq!(&*refused.function, "down");
        down_is_not_there(open, proofs);
    });
}

fn down_is_not_there(open: &OpenProgram, mut proofs: Vec<FunctionProofs>) {
    proofs.iter_mut().for_each(|proofs| proofs.name = "nobody".into());
    assert_eq!(checked(open, &proofs).expect_err("no such function").why.to_string(), "there is no such function");
}
