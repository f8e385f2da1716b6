//! Loop invariants of correctness witnesses: the expected ones are there, and no run ever violates one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use margay::base::limits::Limits;
use margay::c::{self, with_big_stack};
use margay::cfa::{LowerOptions, lower};
use margay::concrete;
use margay::memory::Checks;
use margay::portfolio::{Job, Options, verify};
use margay::task::{DataModel, PropertyFile};
use margay::validation::{Validity, validate};
use margay::verdict::{Assumptions, Event, Verdict};
use margay::witness::{Invariant, InvariantKind, Subject, WitnessSequence, instrument, witnesses};

/// The invariants of the witness (as its text says them) of a program that is proved; `None` where it is not.
fn reported(file: &Path, property: &PropertyFile, seconds: u64) -> Option<Vec<Invariant>> {
    let limits = Limits::new(Some(Duration::from_secs(seconds)), None);
    let options = Options::default();
    let job = Job { file, model: DataModel::Lp64, properties: &property.checks, limits: &limits, options: &options };
    let answer = verify(&job).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    if !matches!(answer.verdict, Verdict::True(_)) {
        return None;
    }
    let assumptions = Assumptions::default();
    let subject = Subject { file, model: DataModel::Lp64, property, assumptions: &assumptions };
    let witness = witnesses(&subject, &answer.verdict).unwrap().expect("a proof has a witness");
    let yaml = WitnessSequence::parse(&witness.yaml).unwrap().invariants;
    let graphml = WitnessSequence::parse(&witness.graphml).unwrap().invariants;
    let mut values = [&yaml, &graphml].map(|reported| reported.iter().map(|i| (i.line, &i.value)).collect::<Vec<_>>());
    values.iter_mut().for_each(|reported| reported.sort());
    assert_eq!(values[0], values[1], "{}: the two formats differ", file.display());
    Some(yaml)
}

fn reach() -> PropertyFile {
    PropertyFile::from_specification("CHECK( init(main()), LTL(G ! call(reach_error())) )").unwrap()
}

/// The invariants of `program` by line.
fn invariants(program: &str) -> BTreeMap<u32, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.c");
    std::fs::write(&file, program).unwrap();
    let reported = with_big_stack(|| reported(&file, &reach(), 20)).expect("the program is proved");
    reported.into_iter().map(|invariant| (invariant.line, invariant.value)).collect()
}

/// A random run that violates an invariant of `file`, as text.
fn violated(file: &Path, invariants: &[Invariant], seed: u64, time: Duration) -> Option<String> {
    let source = c::load(file, DataModel::Lp64).unwrap();
    let of_loops: Vec<_> = invariants.iter().map(|invariant| (invariant.clone(), InvariantKind::Loop)).collect();
    let instrumented = instrument(&source, &of_loops);
    assert!(instrumented.left_out.is_empty(), "{}: {:?}", file.display(), instrumented.left_out);
    let unit = c::parse(&instrumented.source).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let program =
        lower(&unit, &LowerOptions { overflow_checks: false, malloc_may_fail: false, ..LowerOptions::default() })
            .unwrap();
    let checks = Checks { reach_call: true, ..Checks::default() };
    let limits = Limits::new(Some(time), None);
    let run = concrete::RandomSearch::new(&program, &checks, seed).explore(&limits, &limits)?;
    let Some(Event::Violation { pos, .. }) = run.trace.last() else { return None };
    let check = instrumented.check_at(pos)?;
    Some(format!("{}:{}: `{}` on {:?}", file.display(), pos.line, invariants[check.invariant].value, run.inputs))
}

const HEADER: &str = "\
extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern void *malloc(unsigned long); extern void free(void *); struct node { struct node *next; };
";

#[test]
fn counters_have_bounds() {
    let text = "int main(void) {\n  int s = 0;\n  for (int i = 0; i < 10; i++) s++;\n  unsigned k = 7;\n  while (k > 2) k--;\n  return s + k;\n}\n";
    let reported = invariants(&[HEADER, text].concat());
    // In scope although the `for` declares it; the sum goes along with it.
    assert!(reported[&5].contains("0 <= i && i <= 10"), "{reported:?}");
    assert!(reported[&7].contains("2U <= k && k <= 7U"), "{reported:?}");
    // Nobody reads `i` there, and its name means nothing.
    assert!(!reported[&7].contains('i'), "{reported:?}");
}

#[test]
fn loops_after_and_within_macros_are_told() {
    let text = "#define NIL ((void *)0)\n#define UNTIL(c) while (!(c))\n#define EACH(i, n) for (int i = 0; i < (n); i++)\n\
                int main(void) {\n  int s = 0; struct node *p = NIL; while (s < 3) s++;\n  UNTIL(s == 9) s++;\n  \
                EACH(k, 4) s += p == NIL;\n  return s;\n}\n";
    let reported = invariants(&[HEADER, text].concat());
    for (line, fact) in [(7, "s <= 3"), (8, "s <= 9"), (9, "k <= 4")] {
        assert!(reported.get(&line).is_some_and(|text| text.contains(fact)), "{line}: {fact}: {reported:?}");
    }
}

#[test]
fn relations_to_unknown_bounds() {
    let text = "int main(void) {\n  int n = __VERIFIER_nondet_int();\n  if (n < 0) return 0;\n  int i = 0;\n  while (i < n) i++;\n  return i;\n}\n";
    let reported = invariants(&[HEADER, text].concat());
    for fact in ["0 <= i", "i <= n", "0 <= n"] {
        assert!(reported[&7].split(" && ").any(|part| part == fact), "{fact}: {reported:?}");
    }
}

#[test]
fn pointers_tell_states_apart() {
    let text = "int main(void) {\n  struct node *p = 0;\n  int any = 0;\n  while (__VERIFIER_nondet_int()) {\n    struct node *q = malloc(sizeof *q);\n    q->next = p;\n    p = q;\n    any = 1;\n  }\n  if (any) return p == 0;\n  return 0;\n}\n";
    let reported = invariants(&[HEADER, text].concat());
    let classes = ["(p != 0 && any == 1) || (p == 0 && any == 0)", "(p == 0 && any == 0) || (p != 0 && any == 1)"];
    assert!(classes.iter().any(|classes| reported[&6].contains(classes)), "{reported:?}");
    assert!(reported[&6].contains("0 <= any && any <= 1"), "{reported:?}");
}

/// Only names that mean the variable at the loop's keyword may be used.
#[test]
fn hidden_and_stale_variables_are_not_named() {
    let text = "enum { Z };\nint main(void) {\n  int x = 1, y = 2, r = 0, e = 5;\n  {\n    static int e;\n    long x = 3;\n    for (int j = 0; j < 3; j++) { r += (int)x; e = 0; }\n  }\n  for (int i = 0; i < 2; i++) {\n    int stale;\n    for (int k = 0; k < 2; k++) { stale = 3; r += stale; }\n  }\n  return x + y + r + e;\n}\n";
    let reported = invariants(&[HEADER, text].concat());
    // Inside, `x` is the long one; there is an `e` that is no variable of the function, so that no `e` is spoken of.
    assert!(reported[&9].split(" && ").any(|part| part == "x == 3LL"), "{reported:?}");
    assert!(
        !reported[&9].split(" && ").any(|part| part == "x == 1") && reported[&9].contains("y == 2"),
        "{reported:?}"
    );
    assert!(reported.values().all(|text| !text.contains("e ==") && !text.contains("stale")), "{reported:?}");
    assert!(reported[&11].split(" && ").any(|part| part == "x == 1"), "{reported:?}");
}

/// In the second round of the outer loop `stale` is a new variable, although the old value may still be kept somewhere.
#[test]
fn variables_nobody_reads_are_not_named() {
    let text = "struct node cell;\nint main(void) {\n  struct node *p = 0;\n  int r = 0;\n  for (int i = 0; i < 2; i++) {\n    \
                struct node *stale;\n    for (int k = 0; k < 2; k++) { stale = &cell; r += stale != p; }\n    p = &cell;\n  \
                }\n  return r + (p == 0);\n}\n";
    let reported = invariants(&[HEADER, text].concat());
    assert!(reported[&9].contains("p != 0") && reported[&9].contains("0 <= k && k <= 2"), "{reported:?}");
    assert!(reported.values().all(|text| !text.contains("stale")), "{reported:?}");
}

/// Pointers to freed blocks must not be looked at.
#[test]
fn freed_pointers_are_left_out() {
    let text = "int main(void) {\n  struct node *p = malloc(8), *q = p;\n  free(p);\n  struct node *r = malloc(8);\n  for (int i = 0; i < 3; i++) { if (q == r) i++; if (p == r) i++; }\n  free(r);\n  return 0;\n}\n";
    let reported = invariants(&[HEADER, text].concat());
    let text = &reported[&7];
    assert!(text.contains("r != 0") && !text.contains("p ") && !text.contains("q "), "{text}");
}

#[test]
fn globals_and_addressed_variables() {
    let text = "int g = 4;\nvoid count(int *p) { ++*p; }\nint main(void) {\n  int local = 0;\n  while (local < 5) { count(&local); g = 4; }\n  return 0;\n}\n";
    let reported = invariants(&[HEADER, text].concat());
    assert!(reported[&7].contains("g == 4") && reported[&7].contains("0 <= local && local <= 5"), "{reported:?}");
}

/// What a list at `p` is like that may be empty, and where a pointer does not lead.
#[test]
fn heaps_are_told_as_far_as_c_can() {
    let text = "int main(void) {\n  struct node *p = 0, *q;\n  while (__VERIFIER_nondet_int()) {\n    q = malloc(sizeof *q);\n    \
                q->next = p;\n    p = q;\n  }\n  while (p) {\n    q = p->next;\n    free(p);\n    p = q;\n  }\n  return 0;\n}\n";
    let reported = invariants(&[HEADER, text].concat());
    for line in [5, 10] {
        assert!(reported[&line].contains("(p == 0 || p->next != p)"), "{line}: {reported:?}");
    }
}

#[test]
fn members_of_structures_are_told() {
    let text = "struct two { int low; struct node *at; int step[2]; } g = { 3, 0, { 4, 5 } };\nint main(void) {\n  \
                struct two *p = malloc(sizeof *p);\n  p->low = 7; p->at = 0; p->step[1] = 0;\n  \
                while (p->step[1] < 3) p->step[1]++;\n  free(p);\n  return g.low;\n}\n";
    let reported = invariants(&[HEADER, text].concat());
    for fact in ["g.low == 3", "g.at == 0", "g.step[1] == 5", "p->low == 7", "p->at == 0", "p->step[1] <= 3"] {
        assert!(reported[&7].split(" && ").any(|part| part == fact), "{fact}: {reported:?}");
    }
    // Nobody wrote it.
    assert!(!reported[&7].contains("p->step[0]"), "{reported:?}");
}

#[test]
fn few_values_are_told_one_by_one() {
    let text = "int main(void) {\n  int x = 1, n = 0;\n  while (__VERIFIER_nondet_int()) { x = x == 1 ? 40 : 1; }\n  \
                return x;\n}\n";
    let reported = invariants(&[HEADER, text].concat());
    assert!(reported[&5].contains("(x == 1 || x == 40)"), "{reported:?}");
}

/// The outer loop begins with the inner one, and has no place of its own in the automaton.
#[test]
fn loops_that_begin_together_are_both_told() {
    let text = "int main(void) {\n  int i = 0;\n  while (1) {\n    while (i % 3) i++;\n    if (i > 6) break;\n    i++;\n  }\n  \
                return i;\n}\n";
    let reported = invariants(&[HEADER, text].concat());
    assert!(reported.contains_key(&5) && reported[&5] == reported[&6], "{reported:?}");
}

/// Nothing is known, and nothing else is said.
#[test]
fn a_loop_of_which_nothing_is_known_is_told_all_the_same() {
    let reported =
        invariants(&[HEADER, "int main(void) {\n  while (__VERIFIER_nondet_int()) {}\n  return 0;\n}\n"].concat());
    assert_eq!(reported[&4], "1");
}

/// What the head of a `do` is, readers do not agree: its invariant is told where its body begins, if it begins with a statement.
#[test]
fn do_loops_are_told_where_their_bodies_begin() {
    let text = "int main(void) {\n  int i = 0;\n  do /* here */ {\n    // and\n\t\u{e4}: i++;\n  } while (i < 3);\n  \
                do { /* \u{e4} */ i++; } while (i < 6);\n  do i++; while (i < 9);\n  do {\n    int k = i; i = k + 1;\n  } \
                while (i < 12);\n  return i;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.c");
    std::fs::write(&file, text).unwrap();
    with_big_stack(|| {
        let property = reach();
        let limits = Limits::new(Some(Duration::from_secs(60)), None);
        let options = Options::default();
        let job = Job {
            file: &file,
            model: DataModel::Lp64,
            properties: &property.checks,
            limits: &limits,
            options: &options,
        };
        let answer = verify(&job).unwrap();
        let assumptions = Assumptions::default();
        let subject = Subject { file: &file, model: DataModel::Lp64, property: &property, assumptions: &assumptions };
        let mut witness = WitnessSequence::parse(&witnesses(&subject, &answer.verdict).unwrap().unwrap().yaml).unwrap();
        let reported: Vec<(u32, Option<u32>, &str)> =
            witness.locations.iter().map(|i| (i.line, i.column, i.value.as_str())).collect();
        let line =
            |line: u32, column| reported.iter().find(|reported| (reported.0, reported.1) == (line, Some(column)));
        assert!(line(7, 16).is_some_and(|(.., value)| value.contains("i <= 5")), "{reported:?}");
        assert!(line(8, 6).is_some_and(|(.., value)| value.contains("i <= 8")), "{reported:?}");
        assert!(line(10, 5).is_some_and(|(.., value)| value.contains("i <= 11")), "{reported:?}");
        // A label is a place that others may come to.
        assert_eq!((reported.len(), witness.invariants.len()), (3, 0), "{reported:?}");
        let judged = |witness: &WitnessSequence| validate(&job, witness).unwrap().validity;
        assert_eq!(judged(&witness), Validity::Confirmed);
        witness.locations[0].value = "i <= 4".into();
        assert!(matches!(judged(&witness), Validity::Rejected(_)));
    });
}

/// Programs of the project that are said to be right, with their memory-safety or reachability property.
fn own_tasks() -> Vec<(PathBuf, PropertyFile)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks");
    let memory = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )";
    let mut tasks = Vec::new();
    for folder in ["language", "library", "lists", "lists-unbounded", "memory"] {
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files.into_iter().filter(|f| f.extension().is_some_and(|e| e == "c" || e == "i")) {
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(&file).unwrap();
            if name.contains("unsafe") || !(text.contains("while") || text.contains("for (")) {
                continue;
            }
            let property =
                if text.contains("reach_error") { reach() } else { PropertyFile::from_specification(memory).unwrap() };
            tasks.push((file, property));
        }
    }
    tasks
}

/// No run of the project's own programs violates an invariant of its witness.
#[test]
fn no_run_violates_an_invariant() {
    let (mut programs, mut all, mut wrong) = (0, 0, Vec::new());
    for (seed, (file, property)) in own_tasks().into_iter().enumerate() {
        with_big_stack(|| {
            let Some(invariants) = reported(&file, &property, 2) else { return };
            if invariants.is_empty() {
                return;
            }
            programs += 1;
            all += invariants.len();
            wrong.extend(violated(&file, &invariants, seed as u64, Duration::from_millis(100)));
        });
    }
    println!("{all} invariants of {programs} programs");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(programs >= 50 && all >= 100, "{all} invariants of {programs} programs are too few to say much");
}
