//! What is refused, and what is only where it can be reached.

use super::super::{LowerOptions, dot, lower};
use crate::base::error::ErrorKind;
use crate::c::{self, SourceText};
use crate::task::DataModel;

/// `Ok` with the number of functions lowered, or the refusal.
fn outcome(text: &str) -> Result<usize, (ErrorKind, String)> {
    c::with_big_stack(|| {
        let unit = c::parse(&SourceText::from_text("t.c", text, DataModel::Lp64)).expect("the text is C");
        let program = lower(&unit, &LowerOptions::default()).map_err(|e| (e.kind, e.to_string()))?;
        assert!(dot(&program).starts_with("digraph"));
        // Ends are the only locations without edges.
        for function in &program.functions {
            for edge in function.locations.iter().flat_map(|l| &l.edges) {
                let ends = edge.op.is_end();
                assert_eq!(function.location(edge.target).edges.is_empty(), ends, "{:?}", edge.op);
            }
        }
        Ok(program.functions.len())
    })
}

#[test]
fn a_program_without_main_is_refused() {
    for text in ["int f(void) { return 1; }", "int main(void);"] {
        assert_eq!(outcome(text).unwrap_err().0, ErrorKind::NoMain, "{text}");
    }
}

#[test]
fn only_what_main_reaches_is_lowered() {
    let text = "static int unused(void) { return 2; } int used(void) { return 3; } int (*p)(void) = used; \
                int main(void) { return p(); }";
    // The start, `main` and `used`.
    assert_eq!(outcome(text), Ok(3));
}

#[test]
fn unsupported_constructs_matter_only_where_they_can_be_reached() {
    let assembler = "__asm__ volatile (\"cpuid\" ::: \"memory\");";
    let (kind, message) = outcome(&format!("int main(void) {{\n  {assembler}\n return 0; }}")).unwrap_err();
    assert_eq!(kind, ErrorKind::Unsupported);
    assert!(message.starts_with("t.c:2:3: inline assembler"), "{message}");
    assert!(outcome(&format!("void f(void) {{ {assembler} }} int main(void) {{ return 0; }}")).is_ok());
    assert!(outcome(&format!("int main(void) {{ return 0; {assembler} }}")).is_ok());
    assert!(outcome(&format!("int main(void) {{ if (0) {{ {assembler} }} return 0; }}")).is_ok());
}

#[test]
fn other_names_lead_to_one_definition() {
    let text = "int g(void) { return 1; } int f(void) __attribute__((alias(\"g\"))); \
                int x; extern int y __attribute__((__alias__(\"x\"))); int main(void) ";
    for used in ["{ return g() + f(); }", "{ return x + y; }", "{ return &f != 0; }"] {
        assert!(outcome(&format!("{text} {used}")).is_ok());
    }
    let (kind, message) =
        outcome("int f(void) __attribute__((alias(\"g\"))); int main(void) { return f(); }").unwrap_err();
    assert_eq!(kind, ErrorKind::Unsupported);
    assert!(message.contains("another name of `g`"), "{message}");
}

#[test]
fn initialisers_of_globals_must_be_constant() {
    assert!(outcome("int f(void); int x = 3 + 4 * 5, *p = &x + 1; int main(void) { return *p; }").is_ok());
    assert!(outcome("int x = 3; int y = 1 + (int)(long)&x % 5; int main(void) { return y; }").is_ok());
    let (kind, _) = outcome("int f(void); int x = f(); int main(void) { return x; }").unwrap_err();
    assert_eq!(kind, ErrorKind::Unsupported);
}

#[test]
fn loops_without_end_and_code_after_them() {
    assert!(outcome("int main(void) { for (;;); return 1; }").is_ok());
    assert!(outcome("int main(void) { while (1) { } }").is_ok());
    assert!(outcome("int main(void) { l: goto l; }").is_ok());
    assert!(outcome("int main(void) { do { continue; } while (0); switch (3) { } return 0; }").is_ok());
}

#[test]
fn the_page_on_what_is_refused_is_true() {
    let page = include_str!("../../../../../docs/unsupported.md");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).skip(2).collect();
    assert!(rows.len() >= 12, "{rows:?}");
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').splitn(3, " | ").collect();
        let [_, example, refusal] = cells[..] else { panic!("{row}") };
        let (text, refusal) = (example.trim_matches('`'), refusal.trim());
        let refused = c::with_big_stack(|| {
            let unit = c::parse(&SourceText::from_text("t.c", text, DataModel::Lp64))?;
            lower(&unit, &LowerOptions::default()).map(|_| ())
        });
        let error = refused.expect_err(text);
        assert_eq!(error.kind, ErrorKind::Unsupported, "{text}");
        assert!(error.to_string().contains(refusal), "{text}: {error}");
    }
}
