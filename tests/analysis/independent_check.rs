//! Nothing but the written form of a proof passes from whoever made it to the checker: planted errors in what makes proofs, and
//! proofs of programs that look the same, are refused.

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use margay::ats::{Explorer, Finding};
use margay::base::limits::Limits;
use margay::c::{SourceText, load, parse, with_big_stack};
use margay::certificate::Certificate;
use margay::cfa::{LowerOptions, Program, lower};
use margay::check::Manner;
use margay::check::check_alone;
use margay::claims::{Checking, checked};
use margay::explore::Abstract;
use margay::fold::{Keep, Precision};
use margay::frame::Summarised;
use margay::heap::{Context, Smg};
use margay::memory::{Checks, initial};
use margay::portfolio::{Job, Options, verify};
use margay::sharing::Calls;
use margay::smt::{Effort, Model, Node, Op, Sat, Solver, Term, Terms, Z3Solver};
use margay::task::{DataModel, Property, PropertyFile};
use margay::verdict::Verdict;

fn limits() -> Limits {
    Limits::new(Some(Duration::from_secs(20)), None)
}

fn lowered(text: &str) -> Program {
    let unit = parse(&SourceText::from_text("test.c", text, DataModel::Lp64)).expect("a C program");
    lower(&unit, &LowerOptions::default()).expect("a C program")
}

const ALL: Checks = Checks {
    reach_call: true,
    reach_label: false,
    assertions: false,
    deref: true,
    free: true,
    memtrack: true,
    memcleanup: false,
    overflow: false,
    termination: false,
};

/// What a solver that is wrong says instead of the truth.
#[derive(Clone, Copy, Debug)]
enum Lie {
    None,
    /// No product is ever equal to anything.
    Unsat,
    /// Everything is possible, with all symbols zero.
    Sat,
}

struct Liar {
    lie: Lie,
    honest: Z3Solver,
}

impl Solver for Liar {
    fn check(&mut self, terms: &Terms, assertions: &[Term], effort: Effort) -> Sat {
        match self.lie {
            Lie::None => self.honest.check(terms, assertions, effort),
            Lie::Unsat => {
                let goal = assertions.last().copied();
                let is_product = |term: &Term| matches!(terms.node(*term), Node::Bin(Op::Mul, ..));
                let denied = goal.is_some_and(|goal| {
                    matches!(terms.node(goal), Node::Bin(Op::Eq, ..)) && terms.reachable(&[goal]).iter().any(is_product)
                });
                if denied { Sat::Unsat } else { self.honest.check(terms, assertions, effort) }
            }
            Lie::Sat => Sat::Sat(Model::default()),
        }
    }
}

/// Explores `text` with such a solver. `None`: the exploration found something to complain of; otherwise whether the check
/// accepts what it ended with, or why not.
fn explored(text: &str, lie: Lie) -> Option<Result<(), String>> {
    let program = lowered(text);
    let calls = Calls::new(&program, Summarised::Nothing);
    let solver = Box::new(Liar { lie, honest: Z3Solver::new() });
    let context = Rc::new(Context::new(program.model, solver, limits()));
    let start = initial(calls.program(), Smg::new(context)).expect("a start");
    let mut explorer = Explorer::new(Abstract::new(&calls, ALL, Precision::uniform(Keep::STARTS[0])), start);
    let Finding::Complete(_) = explorer.run(&limits()) else { return None };
    let answer = checked(&mut explorer, Summarised::Nothing, &program, ALL, &limits(), Checking::default());
    Some(answer.map(|_| ()).map_err(|refused| refused.to_string()))
}

/// Programs with a violation that a solver hides when it calls its condition impossible; the condition must be one that the
/// cheap bounds do not decide.
const HIDDEN: [&str; 3] = [
    "extern int nondet(void); void reach_error(void);
     int main(void) { int x = nondet(), y = nondet(); if (x * y == 77) reach_error(); return 0; }",
    "extern int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void free(void *);
     int main(void) { int x = nondet(), y = nondet(); char *p = malloc(4);
       if (x * y == 77) free(p);
       free(p); return 0; }",
    "extern int __VERIFIER_nondet_int(void);
     int main(void) { int a[4]; int x = nondet(), y = nondet(), i = 0;
       while (__VERIFIER_nondet_int()) { if (x * y == 77) i = 4; }
       a[i] = 1; return 0; }",
];

/// The same without the violation.
const HARMLESS: &str = "extern int __VERIFIER_nondet_int(void);
     int main(void) { int a[4]; int x = nondet(), y = nondet(), i = 0;
       while (__VERIFIER_nondet_int()) { if (x * y == 77) i = 3; }
       a[i] = 1; return 0; }";

#[test]
fn what_a_lying_solver_hides_from_an_exploration_the_check_finds() {
    with_big_stack(|| {
        for text in HIDDEN {
            assert!(explored(text, Lie::None).is_none(), "the honest exploration raises an alarm: {text}");
            let answer = explored(text, Lie::Unsat).unwrap_or_else(|| panic!("the lie hides nothing: {text}"));
            assert!(answer.is_err(), "accepted: {text}");
        }
        assert_eq!(explored(HARMLESS, Lie::None), Some(Ok(())));
        assert_eq!(explored(HARMLESS, Lie::Sat), Some(Ok(())), "runs that are not there do no harm");
    });
}

fn benchmark(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks").join(format!("{name}.c"))
}

/// The proof that the program in `file` has these properties.
fn proof(file: &Path, properties: &[Property]) -> Certificate {
    let options = Options { write_proof: true, ..Options::default() };
    let job = Job { file, model: DataModel::Lp64, properties, limits: &limits(), options: &options };
    let answer = verify(&job).expect("a C program");
    let Verdict::True(_) = answer.verdict else { panic!("{}: no proof", file.display()) };
    answer.proof.expect("a TRUE has a proof")
}

fn accepts(file: &Path, properties: &[Property], proof: &Certificate) -> bool {
    let program = lower(&parse(&load(file, DataModel::Lp64).expect("a file")).expect("C"), &LowerOptions::default());
    let checks = margay::question::checks(properties);
    check_alone(&program.expect("C"), checks, proof, &limits(), Manner { shares: 2, cores: 1, ..Manner::WHOLE })
        .is_ok_and(|answer| answer.is_ok())
}

fn properties(name: &str) -> Vec<Property> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("property-files").join(format!("{name}.prp"));
    PropertyFile::read(&file).expect("a property file").checks
}

/// Pairs of programs that differ in a detail, the first safe and the other not.
const PAIRS: [(&str, &str, &str); 8] = [
    ("lists-unbounded/csll_create_free_safe", "lists-unbounded/csll_create_free_unsafe", "valid-memsafety"),
    ("lists-unbounded/csll_insert_safe", "lists-unbounded/csll_insert_unsafe", "valid-memsafety"),
    ("lists-unbounded/csll_insert_safe", "lists-unbounded/csll_insert_unsafe_leak", "valid-memsafety"),
    ("lists-unbounded/csll_reverse_safe", "lists-unbounded/csll_reverse_unsafe", "valid-memsafety"),
    ("lists-unbounded/csll_splice_safe", "lists-unbounded/csll_splice_unsafe", "valid-memsafety"),
    ("lists-unbounded/alias_two_cursors_safe", "lists-unbounded/alias_two_cursors_unsafe_deref", "valid-memsafety"),
    ("lists-unbounded/buckets_of_lists_safe", "lists-unbounded/buckets_of_lists_unsafe", "valid-memsafety"),
    ("lists-unbounded/csll_at_least_three_safe", "lists-unbounded/csll_at_least_three_unsafe_reach", "unreach-call"),
];

#[test]
fn proofs_of_programs_that_look_the_same_are_refused() {
    with_big_stack(|| {
        for (safe, unsafe_one, asked) in PAIRS {
            let properties = properties(asked);
            let proof = proof(&benchmark(safe), &properties);
            assert!(accepts(&benchmark(safe), &properties, &proof), "{safe}: refused");
            assert!(!accepts(&benchmark(unsafe_one), &properties, &proof), "{unsafe_one}: accepted");
        }
    });
}

/// The graphs, the names and all numbers but one are the same.
#[test]
fn proofs_of_programs_of_equal_shapes_are_refused() {
    let text = |size: u32, bound: u32, frees: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void free(void *);
             int main(void) {{ char *p = malloc({size}); int i = 0;
               while (__VERIFIER_nondet_int()) {{ if (i < {bound}) i++; p[i] = 1; }}
               {frees} return 0; }}"
        )
    };
    let folder = tempfile::tempdir().expect("a folder");
    let written = |name: &str, text: String| {
        let file = folder.path().join(name);
        std::fs::write(&file, text).expect("a file");
        file
    };
    let safe = written("safe.c", text(11, 10, "free(p);"));
    let others = [
        written("smaller.c", text(10, 10, "free(p);")),
        written("further.c", text(11, 11, "free(p);")),
        written("leak.c", text(11, 10, "")),
        written("twice.c", text(11, 10, "free(p); free(p);")),
    ];
    with_big_stack(|| {
        let asked = properties("valid-memsafety");
        let proof = proof(&safe, &asked);
        assert!(accepts(&safe, &asked, &proof));
        for other in &others {
            assert!(!accepts(other, &asked, &proof), "{}: accepted", other.display());
        }
        // What one property does not ask, another one does.
        let reach = properties("unreach-call");
        let weak = self::proof(&others[2], &reach);
        assert!(accepts(&others[2], &reach, &weak));
        assert!(!accepts(&others[2], &asked, &weak), "a proof of unreach-call shows memory safety");
    });
}
