//! `docs/library.md` says of every function of the usual C library what becomes of a call; it must be true.

use std::collections::BTreeMap;

use super::effects_tests;
use super::names::listed;
use super::{Known, known};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/library.md");

/// What becomes of a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fate {
    Computed,
    Free,
    Refused,
}

pub(super) fn fate(name: &str) -> Fate {
    match known(name) {
        None | Some(Known::Unsupported) => Fate::Refused,
        Some(
            Known::Input
            | Known::Arbitrary
            | Known::ReadsStrings(_)
            | Known::Approximate { .. }
            | Known::Fills { .. }
            | Known::Havoc { .. }
            | Known::HavocAmong
            | Known::GiveUp
            | Known::Inexact
            | Known::Report { .. }
            | Known::Print { .. }
            | Known::PrintTo { .. }
            | Known::PrintNew { .. }
            | Known::Scan { .. },
        ) => Fate::Free,
        Some(_) => Fate::Computed,
    }
}

/// The page's table.
fn table() -> String {
    let mut headers: BTreeMap<&str, BTreeMap<Fate, Vec<&str>>> = BTreeMap::new();
    for (header, name) in listed() {
        headers.entry(header).or_default().entry(fate(name)).or_default().push(name);
    }
    let mut text = String::from("| header | computed | result free | refused |\n| --- | --- | --- | --- |\n");
    for (header, mut fates) in headers {
        let mut cell = |fate: Fate| {
            let mut names = fates.remove(&fate).unwrap_or_default();
            names.sort_unstable();
            names.dedup();
            names.join(" ")
        };
        let (computed, free, refused) = (cell(Fate::Computed), cell(Fate::Free), cell(Fate::Refused));
        text.push_str(&format!("| `{header}` | {computed} | {free} | {refused} |\n"));
    }
    text
}

#[test]
fn the_page_on_the_library_is_true() {
    let page = std::fs::read_to_string(PAGE).expect("the page is there");
    let at = page.find("| header |").expect("the page has a table");
    let expected = format!("{}\n{}", table(), effects_tests::page());
    if std::env::var_os("MARGAY_REWRITE").is_some() {
        std::fs::write(PAGE, format!("{}{expected}", &page[..at])).expect("the page can be written");
        return;
    }
    for (found, expected) in page[at..].lines().zip(expected.lines()) {
        assert_eq!(found, expected, "MARGAY_REWRITE=1 writes the tables anew");
    }
    assert_eq!(page[at..].lines().count(), expected.lines().count());
}
