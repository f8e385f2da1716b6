//! The front end on small texts: what the typed syntax looks like, what is refused and where.

use super::{SourceText, dump, parse, with_big_stack};
use crate::base::error::Error;
use crate::task::DataModel;

mod language;
mod loading;
mod positions;
mod refusals;
mod spellings;

fn dumped(text: &str, model: DataModel) -> Result<String, Error> {
    with_big_stack(|| parse(&SourceText::from_text("t.c", text, model)).map(|unit| dump(&unit)))
}

/// The whole unit's dump equals `expect`, lines trimmed at the margin of `expect`.
fn check(text: &str, expect: &str) {
    let got = dumped(text, DataModel::Lp64).unwrap_or_else(|e| panic!("{text}\n{e}"));
    let margin = expect.lines().filter(|l| !l.trim().is_empty()).map(|l| l.len() - l.trim_start().len()).min();
    let expect: Vec<&str> = expect
        .lines()
        .map(|l| l.get(margin.unwrap_or(0)..).unwrap_or("").trim_end())
        .filter(|l| !l.is_empty())
        .collect();
    let lines: Vec<&str> = got.lines().collect();
    assert_eq!(lines.join("\n"), expect.join("\n"), "for {text}");
}

/// The statements of `void f(void) { … }` with `before` in front.
fn body(before: &str, statements: &str, expect: &str) {
    let text = format!("{before}\nvoid f(void) {{ {statements} }}");
    let got = dumped(&text, DataModel::Lp64).unwrap_or_else(|e| panic!("{text}\n{e}"));
    let start = got.find("f: void(void)\n").map_or(0, |n| n + "f: void(void)\n".len());
    let lines: Vec<&str> = got[start..].lines().map(str::trim).collect();
    let expect: Vec<&str> = expect.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(lines.join("\n"), expect.join("\n"), "for {text}");
}

/// The error's text contains `expect` (which may begin with the position).
fn refused(text: &str, expect: &str) {
    match dumped(text, DataModel::Lp64) {
        Ok(got) => panic!("accepted: {text}\n{got}"),
        Err(error) => assert!(error.to_string().contains(expect), "`{error}` does not contain `{expect}`"),
    }
}
