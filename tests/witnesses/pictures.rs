//! Pictures of heaps: what they must contain follows from the programs; how they are laid out is left to Graphviz.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const SINGLY: &str = "\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };
int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->data = 7;
    n->next = head;
    head = n;
  }
  while (head) {
    struct node *n = head->next;
    free(head);
    head = n;
  }
  return 0;
}
";
const DOUBLY: &str = "\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; struct node *prev; };
struct node *last;
int main(void) {
  struct node *head = malloc(sizeof *head);
  head->next = 0;
  head->prev = 0;
  last = head;
  while (__VERIFIER_nondet_int()) {
    struct node *n = malloc(sizeof *n);
    n->next = 0;
    n->prev = last;
    last->next = n;
    last = n;
  }
  while (head) {
    struct node *n = head->next;
    free(head);
    head = n;
  }
  return 0;
}
";
const NESTED: &str = "\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct inner { struct inner *next; };
struct outer { struct outer *next; struct inner *below; };
int main(void) {
  struct outer *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct outer *o = malloc(sizeof *o);
    o->below = 0;
    while (__VERIFIER_nondet_int()) {
      struct inner *i = malloc(sizeof *i);
      i->next = o->below;
      o->below = i;
    }
    o->next = head;
    head = o;
  }
  while (head) {
    struct outer *o = head->next;
    while (head->below) {
      struct inner *i = head->below->next;
      free(head->below);
      head->below = i;
    }
    free(head);
    head = o;
  }
  return 0;
}
";
const FREED: &str = "\
#include <stdlib.h>
int main(void) {
  int x = 5, *local = &x;
  int *p = malloc(8);
  int *q = p + 1;
  *q = 3;
  free(p);
  return *local;
}
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("sll.c", SINGLY), ("dll.c", DOUBLY), ("nested.c", NESTED), ("freed.c", FREED)] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn margay(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_margay")).args(arguments).current_dir(folder).output().unwrap()
}

fn shown(folder: &Path, arguments: &[&str]) -> String {
    let output = margay(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A graph as far as these tests ask: nodes with their labels, edges, all by the cluster of the state they stand in.
#[derive(Debug, Default)]
struct Graph {
    /// Name and attributes.
    nodes: Vec<(String, String)>,
    /// From (with its port), to, attributes.
    edges: Vec<(String, String, String)>,
    clusters: usize,
}

impl Graph {
    fn label(&self, node: &str) -> &str {
        self.nodes.iter().find(|(name, _)| name == node).map_or("", |(_, attributes)| attributes)
    }

    /// The node an edge leads to from the row of `node` that is called `row`.
    fn target(&self, node: &str, row: &str) -> Option<&str> {
        let label = self.label(node);
        let at = label.find(&format!("<tr><td>{row}</td><td port=\""))?;
        let port = label[at..].split("port=\"").nth(1)?.split('"').next()?;
        let from = format!("{node}:{port}");
        self.edges.iter().find(|(start, ..)| *start == from).map(|(_, to, _)| to.as_str())
    }
}

/// Statements of the DOT language, one or more a line; panics where strings, tags or braces do not match.
fn parse(text: &str) -> Graph {
    let mut graph = Graph::default();
    let mut statement = String::new();
    let (mut depth, mut tags, mut brackets, mut quoted) = (0i32, 0i32, 0i32, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if quoted => {
                statement.push(c);
                statement.extend(chars.next());
                continue;
            }
            '"' => quoted = !quoted,
            _ if quoted => {}
            '<' => tags += 1,
            // An arrow outside of tags.
            '>' if statement.ends_with('-') && tags == 0 => {}
            '>' => tags -= 1,
            '[' if tags == 0 => brackets += 1,
            ']' if tags == 0 => brackets -= 1,
            _ => {}
        }
        assert!(tags >= 0 && brackets >= 0, "unbalanced before {statement}");
        match c {
            '{' if !quoted && tags == 0 => {
                depth += 1;
                graph.clusters += usize::from(statement.trim().starts_with("subgraph cluster_s"));
                statement.clear();
            }
            '}' if !quoted && tags == 0 => {
                depth -= 1;
                assert!(depth >= 0 && statement.trim().is_empty(), "a brace closes too early: {statement}");
            }
            ';' if !quoted && tags == 0 && brackets == 0 => {
                let whole = std::mem::take(&mut statement);
                let (head, attributes) = whole.trim().split_once(" [").unwrap_or((whole.trim(), ""));
                match head.split_once(" -> ") {
                    Some((from, to)) => graph.edges.push((from.into(), to.into(), attributes.into())),
                    None => graph.nodes.push((head.into(), attributes.into())),
                }
            }
            c => statement.push(c),
        }
    }
    assert!(depth == 0 && tags == 0 && brackets == 0 && !quoted, "unbalanced at the end");
    let exists = |name: &str| graph.nodes.iter().any(|(node, _)| node == name);
    for (from, to, _) in &graph.edges {
        let (node, port) = from.split_once(':').unwrap_or((from, ""));
        assert!(exists(node) && exists(to), "an edge without its nodes: {from} -> {to}");
        assert!(port.is_empty() || graph.label(node).contains(&format!("port=\"{port}\"")), "no port {from}");
    }
    graph
}

/// At the second loop the list has any number of nodes, which one state says.
#[test]
fn a_singly_linked_list_is_a_doubled_box() {
    let folder = folder();
    let graph = parse(&shown(folder.path(), &["show", "smg", "sll.c", "--at", "12", "--dot"]));
    assert_eq!(graph.clusters, 1);
    let lists: Vec<&(String, String)> = graph.nodes.iter().filter(|(_, label)| label.contains("SLL 0+")).collect();
    let [(list, label)] = &lists[..] else { panic!("one state has a list: {lists:?}") };
    assert!(label.contains("peripheries=2") && label.contains("heap block allocated at line 7"), "{label}");
    assert!(label.contains("<tr><td>data</td><td port=\"r0\">7</td></tr>"), "{label}");
    assert!(label.contains("<td>after last</td>") && label.contains(">null<"), "{label}");
    assert!(graph.edges.iter().any(|(from, to, label)| from == list && to == list && label.contains("next +8")));
    let frame = list.replace("_o0", "_f0");
    assert_eq!(graph.target(&frame, "head"), Some(list.as_str()), "{graph:?}");
    // The same as text; states that this one covers are left out.
    let text = shown(folder.path(), &["show", "smg", "sll.c", "--at", "12"]);
    assert_eq!(text.matches("    head → SLL 0+ → null\n").count(), 1, "{text}");
    assert!(!text.contains("head = null") && !text.contains("head → [16]"), "{text}");
    assert!(text.ends_with("abstract exploration, complete\n"));
}

#[test]
fn a_doubly_linked_list_has_both_links_and_ends() {
    let folder = folder();
    let graph = parse(&shown(folder.path(), &["show", "smg", "dll.c", "--at", "10", "--dot"]));
    let (list, label) = graph.nodes.iter().find(|(_, label)| label.contains("DLL 0+")).expect("a list");
    assert!(label.contains("peripheries=2"), "{label}");
    for link in ["next +0", "prev +8"] {
        assert!(graph.edges.iter().any(|(from, to, l)| from == list && to == list && l.contains(link)), "{link}");
    }
    // The ends of the whole list hold null and so are no nodes of the segment: `head` leads to the one, `last` to the other.
    let state = list.split('_').next().unwrap();
    let first = graph.target(&format!("{state}_f0"), "head").expect("head points somewhere");
    assert!(first != list && graph.target(first, "next") == Some(list.as_str()), "{first}");
    let is_global = |name: &str, label: &str| name.starts_with(state) && label.contains("8 bytes, last<");
    let (global, _) = graph.nodes.iter().find(|(name, label)| is_global(name, label)).expect("the global");
    let end = graph.target(global, "+0:8").expect("last points somewhere");
    assert!(end != list && end != first);
    let back = graph.edges.iter().find(|(from, ..)| from.starts_with(&format!("{end}:"))).expect("its prev");
    assert!(back.1 == *list && back.2.contains("label=\"last\""), "{back:?}");
    let text = shown(folder.path(), &["show", "smg", "dll.c", "--at", "10"]);
    assert!(text.contains("    last → [16] → DLL 0+ (last) → [16] → null\n"), "{text}");
}

#[test]
fn nested_lists_are_clusters() {
    let folder = folder();
    let text = shown(folder.path(), &["show", "smg", "nested.c", "--at", "18", "--dot"]);
    let graph = parse(&text);
    // Some state has a list each of whose nodes has a list of its own, drawn in the cluster of the node.
    let clusters = text.split("subgraph cluster_").skip(1).filter(|part| part.contains("label=\"each node\""));
    let (cluster, inside) = clusters
        .map(|part| (part, part.split("\n    }").next().unwrap()))
        .find(|(_, inside)| inside.matches("peripheries=2").count() == 2)
        .expect("a list of lists");
    let node = cluster.split_whitespace().next().unwrap();
    let below = graph.target(node, "below").expect("the node leads to what hangs below it");
    assert!(inside.contains(below) && graph.label(below).contains("SLL"), "{below}");
}

#[test]
fn offsets_freed_objects_and_variables_in_memory() {
    let folder = folder();
    let text = shown(folder.path(), &["show", "smg", "freed.c", "--at", "7", "--exploration", "precise"]);
    assert!(text.contains("precise exploration"), "{text}");
    let heap = text.lines().find(|l| l.contains("heap block allocated at line 4")).expect("the block");
    assert!(heap.contains("[+4:4 = 3]"), "{heap}");
    let name = heap.trim().split(':').next().unwrap();
    assert!(text.contains(&format!("q     → {name}+4")), "{text}");
    let local = text.lines().find(|l| l.contains("main::x")).expect("x lives in memory");
    assert!(local.contains("[+0:4 = 5]"), "{local}");
    // After `free` nothing of it is left but pointers to it.
    let after = shown(folder.path(), &["show", "smg", "freed.c", "--at", "8", "--exploration", "precise", "--dot"]);
    let graph = parse(&after);
    let freed: Vec<_> = graph.nodes.iter().filter(|(_, label)| label.contains("FREED")).collect();
    for (_, label) in &freed {
        assert!(label.contains("style=dashed") && !label.contains("+4:4"), "{label}");
    }
    assert_eq!(freed.len(), 1, "{after}");
}

#[test]
fn transition_systems_say_what_they_found() {
    let folder = folder();
    let text = shown(folder.path(), &["show", "ats", "sll.c"]);
    assert!(text.contains("head → SLL 0+ → null"), "{text}");
    assert!(text.contains("(covered by n"), "{text}");
    assert!(text.ends_with("abstract exploration, complete\n"), "{text}");
    let graph = parse(&shown(folder.path(), &["show", "ats", "sll.c", "--dot"]));
    let covering = graph.edges.iter().filter(|(_, _, label)| label.contains("style=dashed")).count();
    assert_eq!(covering, text.matches("(covered by n").count());
    let precise = shown(folder.path(), &["show", "ats", "freed.c", "--exploration", "precise"]);
    assert!(precise.contains("precise exploration, complete"), "{precise}");
}

#[test]
fn lines_without_states_are_refused() {
    let folder = folder();
    for (arguments, message) in [
        (&["show", "smg", "sll.c", "--at", "0"][..], "there is no line 0: sll.c has 18 lines"),
        (&["show", "smg", "sll.c", "--at", "19"], "there is no line 19"),
        (&["show", "smg", "sll.c", "--at", "2"], "no state was found at line 2 of sll.c: no run gets there"),
        (&["show", "smg", "missing.c", "--at", "2"], "missing.c"),
        (&["show", "smg", "sll.c", "--at", "one"], "invalid value 'one'"),
        (&["show", "smg", "sll.c"], "--at <LINE>"),
        (&["show", "smg", "sll.c", "--at", "12", "--dot", "--svg"], "cannot be used with"),
        (&["show", "smg", "sll.c", "--at", "12", "-o", "no/such/folder/x.dot"], "cannot write"),
    ] {
        let output = margay(folder.path(), arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(error.contains(message), "{arguments:?}: {error}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

/// Where Graphviz is missing the error names its package; where it is there, it makes a drawing of the graph.
#[test]
fn drawings_need_graphviz() {
    let folder = folder();
    let arguments = ["show", "smg", "sll.c", "--at", "12", "--svg", "-o", "list.svg"];
    let program = env!("CARGO_BIN_EXE_margay");
    // A search path without `dot` (the program has no directives but `#include`, which `cpp` is needed for).
    std::fs::write(
        folder.path().join("sll.c"),
        SINGLY.replace("#include <stdlib.h>", "void *malloc(unsigned long); void free(void *);"),
    )
    .unwrap();
    let bare =
        Command::new(program).args(arguments).current_dir(folder.path()).env("PATH", folder.path()).output().unwrap();
    assert_eq!(bare.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&bare.stderr).contains("package `graphviz`"));
    assert!(!folder.path().join("list.svg").exists());
    // Something in its place that takes the graph and answers.
    let dot = folder.path().join("dot");
    std::fs::write(&dot, "#!/bin/sh\necho \"<svg>$1\"\nwhile read -r line; do echo \"$line\"; done\n").unwrap();
    std::fs::set_permissions(&dot, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let drawn =
        Command::new(program).args(arguments).current_dir(folder.path()).env("PATH", folder.path()).output().unwrap();
    assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
    let svg = std::fs::read_to_string(folder.path().join("list.svg")).unwrap();
    assert!(svg.starts_with("<svg>-Tsvg\ndigraph smg {") && svg.contains("SLL 0+"), "{svg}");
}

/// The state at a violation is that of the run: its inputs are numbers, what was freed is drawn so.
#[test]
fn violations_are_drawn() {
    let folder = folder();
    let text = "extern int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void free(void *);\n\
                int main(void) {\n  int x = __VERIFIER_nondet_int();\n  int *p = malloc(8), *q = malloc(4);\n  *q = x;\n  \
                if (x > 6 && x < 8) free(p);\n  p[1] = x;\n  free(p);\n  free(q);\n  return 0;\n}\n";
    std::fs::write(folder.path().join("bad.c"), text).unwrap();
    let output = margay(folder.path(), &["verify", "bad.c", "--no-witness", "--picture", "bad.txt"]);
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("Verification result: FALSE(valid-deref)\n"));
    let picture = std::fs::read_to_string(folder.path().join("bad.txt")).unwrap();
    assert!(picture.starts_with("valid-deref: "), "{picture}");
    let objects: Vec<&str> = picture.lines().filter(|line| line.trim_start().starts_with('o')).collect();
    assert!(objects.iter().any(|line| line.contains("8 bytes") && line.contains("FREED")), "{picture}");
    assert!(objects.iter().any(|line| line.contains("[+0:4 = 7]")), "{picture}");
    assert!(picture.lines().any(|line| line.trim() == "x = 7"), "{picture}");
    margay(folder.path(), &["verify", "bad.c", "--no-witness", "--picture", "bad.dot"]);
    let graph = parse(&std::fs::read_to_string(folder.path().join("bad.dot")).unwrap());
    assert!(graph.nodes.iter().any(|(_, label)| label.contains("FREED") && label.contains("style=dashed")));
}

/// What `verify` folds is shown folded, although following the program without a proof comes to no end: a tree at the second loop,
/// and of an array what its first cells are known to be.
#[test]
fn states_of_a_proof_are_shown() {
    let program = |name: &str| format!("{}/benchmarks/{name}.c", env!("CARGO_MANIFEST_DIR"));
    let folder = folder();
    let forest = shown(folder.path(), &["show", "smg", &program("trees/forest_safe"), "--at", "37"]);
    assert!(forest.contains("TREE 0+ of 16 bytes") && forest.contains("SLL 0+ of 16 bytes"), "{forest}");
    assert!(forest.ends_with("abstract exploration, complete: the states of a proof\n"), "{forest}");
    let text = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n  \
                if (n < 1 || n > 1000) return 0;\n  int *a = malloc(n * sizeof *a);\n  for (int i = 0; i < n; i++)\n    a[i] = 42;\n  \
                for (int i = 0; i < n; i++)\n    if (a[i] != 42) *(int *)0 = 1;\n  free(a);\n  return 0;\n}\n";
    fs::write(folder.path().join("fill.c"), text).unwrap();
    let filled = shown(folder.path(), &["show", "smg", "fill.c", "--at", "9"]);
    let is_run = |line: &str| line.contains("heap block allocated at line 6 [[0..") && line.contains(") = cell == 42]");
    assert!(filled.lines().any(is_run), "{filled}");
}

/// Cells of arrays are called as C does.
#[test]
fn elements_have_their_indices() {
    let folder = folder();
    let text = "struct pair { int x; long y; };\nint main(void) {\n  int a[3];\n  struct pair pairs[2];\n  a[1] = 5;\n  \
                pairs[1].y = 7;\n  return a[1];\n}\n";
    fs::write(folder.path().join("elements.c"), text).unwrap();
    let drawn = shown(folder.path(), &["show", "smg", "elements.c", "--at", "7"]);
    assert!(drawn.contains("main::a [[1] = 5]") && drawn.contains("main::pairs [[1].y = 7]"), "{drawn}");
}
