//! The refinement loop from outside: diagnoses, traces, precisions as files.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::texts::UNREACH;

/// A list of any length, and one of three nodes that are counted.
const THREE: &str = "\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { struct node *next; };
static struct node *push(struct node *list) {
  struct node *n = malloc(sizeof *n);
  n->next = list;
  return n;
}
int main(void) {
  struct node *any = NULL, *three = NULL;
  int count = 0;
  while (__VERIFIER_nondet_int())
    any = push(any);
  three = push(push(push(three)));
  for (struct node *n = three; n; n = n->next)
    if (++count > 3) reach_error();
  return 0;
}
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("three.c", THREE), ("unreach.prp", UNREACH)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn margay(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_margay")).args(arguments).current_dir(folder).output().unwrap()
}

fn text(folder: &Path, arguments: &[&str]) -> String {
    let output = margay(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const VERIFY: [&str; 5] = ["verify", "three.c", "--no-witness", "-p", "unreach.prp"];

#[test]
fn a_diagnosis_tells_the_place_and_draws_the_heaps() {
    let folder = folder();
    let reported = text(folder.path(), &["diagnose", "three.c", "-p", "unreach.prp"]);
    assert!(reported.contains("round 1"), "{reported}");
    assert!(reported.contains("the path has no run"), "{reported}");
    // The loop over the three nodes is where they become "two or more".
    assert!(reported.contains("abstraction lets it in at main, three.c:16, with a doomed state"), "{reported}");
    assert!(reported.contains("nodes of lists counted"), "{reported}");
    for title in ["before abstraction", "after abstraction", "a doomed state"] {
        assert!(reported.contains(title), "{reported}");
    }
    assert!(reported.ends_with("the program was proved\n"), "{reported}");
    let dot = text(folder.path(), &["diagnose", "three.c", "-p", "unreach.prp", "--dot"]);
    assert!(dot.starts_with("digraph") && dot.contains("doomed"), "{dot}");
}

#[test]
fn rounds_are_written_as_data_and_precisions_begin_the_next_run() {
    let folder = folder();
    let at = folder.path();
    let traced = [VERIFY.as_slice(), &["--trace-cegar", "rounds.json", "--save-precision", "kept.json"]].concat();
    let traced = [traced.as_slice(), &["--refiners", "candidates"]].concat();
    assert!(text(at, &traced).ends_with("Verification result: TRUE\n"));
    let rounds: serde_json::Value = serde_json::from_str(&fs::read_to_string(at.join("rounds.json")).unwrap()).unwrap();
    let first = &rounds[0];
    assert_eq!(first["refinement"]["threshold"], 4);
    assert_eq!(first["refinement"]["refiner"], "candidates");
    assert_eq!(first["confirmed"], false);
    assert_eq!(first["discontinuity"]["doomed_state"], true);
    assert!(first["slice"]["encoding"] == "unrolled" && first["slice"]["time"].as_f64().is_some(), "{first}");

    let kept = fs::read_to_string(at.join("kept.json")).unwrap();
    assert!(kept.contains("\"equal_nodes\": 4") && kept.contains("\"function\": \"main\""), "{kept}");
    let again = [VERIFY.as_slice(), &["--precision", "kept.json", "--stats"]].concat();
    let reported = text(at, &again);
    assert!(
        reported.contains("line 1: no objection, 0 rounds\n") && reported.ends_with("Verification result: TRUE\n"),
        "{reported}"
    );
    // The file outlives new lines before the loop.
    fs::write(at.join("three.c"), format!("/* new */\n\n{THREE}")).unwrap();
    assert!(text(at, &again).contains("line 1: no objection, 0 rounds\n"));
}

#[test]
fn refiners_can_be_switched_off() {
    let folder = folder();
    let none = [VERIFY.as_slice(), &["--refiners", "none", "--stats", "--timeout", "5s"]].concat();
    assert!(!text(folder.path(), &none).contains("refined by"));
}

#[test]
fn wrong_options_are_refused_with_the_reason() {
    let folder = folder();
    let at = folder.path();
    fs::write(at.join("bad.json"), "{\"format\": \"margay precision 1\"}").unwrap();
    for (options, why) in [
        (["--refiners", "luck"], "there is no refiner `luck`"),
        (["--feasibility", "maybe"], "expected auto, unrolled or quantified, or off"),
        (["--precision", "missing.json"], "cannot read missing.json"),
        (["--precision", "bad.json"], "bad.json: this is no precision: missing field"),
    ] {
        let output = margay(at, &[VERIFY.as_slice(), &options].concat());
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        let reported = String::from_utf8_lossy(&output.stderr);
        assert!(reported.contains(why), "{options:?}: {reported}");
    }
}

/// Nothing is said of a property that is not looked for.
#[test]
fn a_diagnosis_of_an_unsupported_property_is_refused() {
    let folder = folder();
    fs::write(folder.path().join("races.prp"), "CHECK( init(main()), LTL(G ! data-race) )\n").unwrap();
    for command in [vec!["diagnose", "three.c"], vec!["show", "ats", "three.c"]] {
        let output = margay(folder.path(), &[command.as_slice(), &["-p", "races.prp"]].concat());
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let reported = String::from_utf8_lossy(&output.stderr);
        assert!(reported.contains("property no-data-race is not supported"), "{command:?}: {reported}");
    }
}

/// A doubly linked list, a search tree, and a list of lists whose nodes have one size.
const SHAPES: &str = "\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct ring { struct ring *next, *previous; long tag[2]; };
struct tree { struct tree *left, *right; int key; };
int main(void) {
  struct ring *list = NULL;
  struct tree *root = NULL;
  while (__VERIFIER_nondet_int()) {
    struct ring *n = malloc(sizeof *n);
    n->next = list;
    n->previous = NULL;
    if (list) list->previous = n;
    list = n;
  }
  while (__VERIFIER_nondet_int()) {
    struct tree *n = malloc(sizeof *n);
    n->left = n->right = NULL;
    struct tree **at = &root;
    while (*at) at = __VERIFIER_nondet_int() ? &(*at)->left : &(*at)->right;
    *at = n;
  }
  return 0;
}
";

#[test]
fn classes_of_shapes_are_told_and_drawn() {
    let folder = folder();
    fs::write(folder.path().join("shapes.c"), SHAPES).unwrap();
    let reported = text(folder.path(), &["show", "classes", "shapes.c", "-p", "unreach.prp"]);
    for line in [
        "struct ring, 32 bytes, linked by next, previous",
        "  class: doubly linked list 3/3 (next = next, previous = previous)",
        "  holds in all samples: acyclic next; inverse next previous; inverse previous next",
        "struct tree, 24 bytes, linked by left, right",
        "  class: binary tree 2/2 (left = left, right = right)",
        "the program was proved",
    ] {
        assert!(reported.lines().any(|other| other == line), "{line}\n{reported}");
    }
    let drawn = text(folder.path(), &["show", "classes", "shapes.c", "--dot"]);
    assert!(drawn.starts_with("digraph smg {") && drawn.contains("binary tree at main:"), "{drawn}");
    // Other nodes, other classes.
    let list = text(folder.path(), &["show", "classes", "three.c", "-p", "unreach.prp"]);
    assert!(list.contains("class: singly linked list 2/2 (next = next)"), "{list}");
}
