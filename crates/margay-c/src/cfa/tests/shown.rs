//! Small programs and their automata as text, side by side in `cases/`: each `.cfa` was read and found right.
//!
//! Running with `MARGAY_UPDATE=1` writes them anew; look at the difference.

use std::path::Path;

use super::super::{LowerOptions, lower, show};
use crate::c::{self, SourceText};
use crate::task::DataModel;

fn check(name: &str, options: LowerOptions) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cfa/tests/cases").join(name);
    let text = std::fs::read_to_string(path.with_extension("c")).expect("the case's program");
    let shown = c::with_big_stack(|| {
        let unit = c::parse(&SourceText::from_text("t.c", &text, DataModel::Lp64)).expect("the text is C");
        let program = lower(&unit, &options).expect("the program is supported");
        let user = program.functions.iter().filter(|f| !f.library || text.contains("/* with library */"));
        let functions: Vec<String> = user.map(|f| super::super::show_function(&program, f)).collect();
        let all = show(&program);
        let globals: String =
            all.lines().take_while(|line| !line.starts_with("start(")).map(|line| format!("{line}\n")).collect();
        globals + &functions.concat()
    });
    let expected_path = path.with_extension("cfa");
    if std::env::var_os("MARGAY_UPDATE").is_some() {
        std::fs::write(&expected_path, &shown).expect("the case's folder can be written");
    }
    let expected = std::fs::read_to_string(&expected_path).unwrap_or_default();
    assert_eq!(shown, expected, "{name}: run with MARGAY_UPDATE=1 and look at the difference");
}

const PLAIN: LowerOptions =
    LowerOptions { overflow_checks: false, malloc_may_fail: false, open_world: false, assertions: false, world: false };

#[test]
fn conditions_branch_with_notes_on_the_last_edges() {
    check("conditions", PLAIN);
}

#[test]
fn long_conditions_on_variables_are_one_value() {
    check("rows", PLAIN);
}

#[test]
fn every_exit_of_a_block_ends_its_objects() {
    check("scopes", PLAIN);
}

#[test]
fn records_travel_as_addresses() {
    check("records", PLAIN);
}

#[test]
fn bit_fields_are_cut_out_of_bytes() {
    check("bit_fields", PLAIN);
}

#[test]
fn variable_arguments_stand_in_an_area() {
    check("variadic", PLAIN);
}

#[test]
fn signed_operations_are_checked_in_their_computed_type() {
    check("overflow", LowerOptions { overflow_checks: true, ..PLAIN });
}

#[test]
fn known_functions_become_ops() {
    check("calls", LowerOptions { malloc_may_fail: true, ..PLAIN });
}

#[test]
fn floating_point_keeps_its_formats() {
    check("floats", PLAIN);
}

#[test]
fn labels_statics_initialisers_and_builtins() {
    check("misc", PLAIN);
}
