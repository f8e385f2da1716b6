//! Which registers are listed as dead where.

use super::super::{LowerOptions, Op, lower};
use crate::c::{self, SourceText};
use crate::task::DataModel;

/// A pointer that is read for the last time before a loop is dead at the loop's head, though nothing dies on the way in.
#[test]
fn variables_that_died_before_are_dead_where_runs_meet() {
    let text = "extern int nondet(void);
                int main(void) {
                    int x = 3, *old = &x, *used = &x, n;
                    n = *old;
                    n = n + 1;
                    while (nondet()) n = n + *used;
                    return n;
                }";
    c::with_big_stack(|| {
        let unit = c::parse(&SourceText::from_text("t.c", text, DataModel::Lp64)).expect("the text is C");
        let program = lower(&unit, &LowerOptions::default()).expect("a program");
        let main = program.function(program.function_named("main").expect("it is there"));
        let heads: Vec<_> = main.locations.iter().filter(|location| location.loop_head).collect();
        let [head] = heads.as_slice() else { panic!("{} loops", heads.len()) };
        let dead: Vec<&str> =
            head.dead_variables.iter().filter_map(|reg| main.regs[reg.index()].name.as_deref()).collect();
        assert!(dead.contains(&"old"), "{dead:?}");
        assert!(!dead.contains(&"used") && !dead.contains(&"n"), "{dead:?}");
    });
}

/// The assignments to variables with these names that are left of `main`.
fn assigned(text: &str, names: &[&str]) -> Vec<String> {
    let text = text.to_owned();
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    c::with_big_stack(move || {
        let unit = c::parse(&SourceText::from_text("t.c", &text, DataModel::Lp64)).expect("the text is C");
        let program = lower(&unit, &LowerOptions::default()).expect("a program");
        let main = program.function(program.function_named("main").expect("it is there"));
        let edges = main.locations.iter().flat_map(|location| &location.edges);
        let set = edges.filter_map(|edge| match edge.op {
            Op::Assign { dst, .. } => main.regs[dst.index()].name.as_deref(),
            _ => None,
        });
        let mut set: Vec<String> = set.map(ToString::to_string).filter(|name| names.contains(name)).collect();
        set.sort_unstable();
        set.dedup();
        set
    })
}

/// What is only counted is left out; what decides, is returned, divides or may be an address stays.
#[test]
fn numbers_from_which_nothing_follows_are_left_out() {
    let with =
        |body: &str| format!("extern int nondet(void); int printf(const char *, ...); int main(void) {{ {body} }}");
    let counted = with(
        "unsigned long lines = 0, total = 0; int odd = 0;
         while (nondet()) { lines++; total += lines; odd = 1 - odd; }
         printf(\"%lu %lu\", lines, total); return 0;",
    );
    let names = ["lines", "total", "odd"];
    assert_eq!(assigned(&counted, &names), [""; 0]);
    assert_eq!(assigned(&counted.replace("return 0", "return odd"), &names), ["odd"]);
    assert_eq!(
        assigned(&counted.replace("while (nondet())", "while (nondet() || total < 9)"), &names),
        ["lines", "total"]
    );
    assert_eq!(assigned(&counted.replace("total += lines", "total = 100 / lines"), &names), ["lines", "total"]);
    let pointers = with(
        "int x = 3; int *p = &x, *q = p; unsigned long at = (unsigned long)q, sum = 1;
         while (nondet()) { q = p + 1; sum += at; } return *p;",
    );
    assert_eq!(assigned(&pointers, &["p", "q", "at", "sum"]), ["at", "p", "q", "sum"]);
}
