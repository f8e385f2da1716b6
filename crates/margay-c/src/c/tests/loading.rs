//! Files: what is preprocessed, which positions errors carry.

use std::path::PathBuf;

use super::super::{load, parse, with_big_stack};
use crate::task::DataModel;

/// Writes the files into a fresh folder and parses the first one; the error's text, with the folder's name taken out.
fn outcome(files: &[(&str, &[u8])]) -> Result<usize, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let path: PathBuf = folder.path().join(files[0].0);
    let outcome = with_big_stack(|| {
        let unit = load(&path, DataModel::Lp64).and_then(|source| parse(&source));
        unit.map(|u| u.functions.len()).map_err(|e| e.to_string())
    });
    outcome.map_err(|e| e.replace(&format!("{}/", folder.path().display()), ""))
}

#[test]
fn preprocessed_files_keep_physical_positions() {
    let text = b"# 1 \"other.c\"\nint x;\n# 77 \"far.h\" 2\n  int f(void) { return nope; }\n";
    assert_eq!(outcome(&[("a.i", text)]), Err("a.i:4:24: `nope` is not declared".into()));
    assert_eq!(outcome(&[("a.c", text)]), Err("a.c:4:24: `nope` is not declared".into()));
    assert_eq!(outcome(&[("a.c", b"int f(void) { return 1; }")]), Ok(1));
}

#[test]
fn other_files_are_preprocessed() {
    let text = b"#include \"b.h\"\n#define ONE 1\n/* a\n comment */\nint f(void) { return g() + ONE; }\n\nint h(void) {\n  return nope; }\n";
    assert_eq!(outcome(&[("a.c", text), ("b.h", b"int g(void);\n")]), Err("a.c:8:10: `nope` is not declared".into()));
    assert_eq!(
        outcome(&[("a.c", text), ("b.h", b"int k;\nint g(void) { return nope; }\n")]),
        Err("b.h:2:22: `nope` is not declared".into())
    );
    let missing = outcome(&[("a.c", b"#include \"none.h\"\n")]).unwrap_err();
    assert!(missing.starts_with("preprocessing failed") && missing.contains("none.h"), "{missing}");
}

#[test]
fn strange_files_are_refused() {
    assert_eq!(outcome(&[("a.c", b"")]), Err("a.c: the file is empty".into()));
    assert_eq!(outcome(&[("a.c", b" \n\n")]), Err("a.c: the file is empty".into()));
    assert_eq!(outcome(&[("a.i", b"int\0x;")]), Err("a.i: not a text file (it contains a NUL byte)".into()));
    let absent =
        with_big_stack(|| load(&PathBuf::from("/nowhere/x.i"), DataModel::Lp64).map_err(|e| e.to_string()).err());
    assert!(absent.is_some_and(|e| e.starts_with("/nowhere/x.i: ")));
}

#[test]
fn any_encoding_may_stand_in_comments_and_strings() {
    assert_eq!(
        outcome(&[("a.i", b"/* caf\xe9 */ char *s = \"\xe9\xff\"; // \xfc\nint f(void) { return 0; }\r\n")]),
        Ok(1)
    );
}
