//! Pages (`verify --html`) and files that make a violation happen (`verify --harness`).

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::evidence::{DARK, LIGHT, browser, probed, shown};

const EXAMPLES: [&str; 5] =
    ["list_use_after_free", "strcpy_overflow", "early_return_leak", "off_by_one", "alias_double_free"];

const SORTED: &str = "#include <stdlib.h>
struct node { int key; struct node *next; };
extern int __VERIFIER_nondet_int(void);
int main(void) {
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->key = 7; n->next = head; head = n;
    }
    while (head) { struct node *n = head; head = n->next; free(n); }
    return 0;
}
";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn example(name: &str) -> PathBuf {
    root().join(format!("docs/examples/{name}.c"))
}

/// What `verify` writes with this option.
fn written(program: &Path, option: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("written");
    let status = Command::new(env!("CARGO_BIN_EXE_margay"))
        .args(["verify", "--no-witness", "-t", "60s", option])
        .args([&file, program])
        .output()
        .unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    std::fs::read_to_string(file).unwrap()
}

/// Why a proof failed at first: each round with the states before and after abstraction, and the doomed one.
#[test]
fn rounds_of_refinement_are_shown() {
    let page = written(&root().join("benchmarks/lists-unbounded/alias_two_cursors_safe.c"), "--html");
    let data = data(&page);
    let rounds = data["rounds"].as_array().unwrap();
    let texts: Vec<&str> = rounds.iter().map(|item| item["text"].as_str().unwrap()).collect();
    let beginnings = ["round 1: ", "before abstraction at main, ", "after abstraction at main, ", "a doomed state: "];
    assert!(
        rounds.len() >= 4 && texts.iter().zip(beginnings).all(|(text, begin)| text.starts_with(begin)),
        "{texts:?}"
    );
    assert!(rounds[0]["values"].as_str().unwrap().contains("with a doomed state"), "{}", rounds[0]);
    assert!(rounds[0]["line"].as_u64().unwrap() > 1, "{}", rounds[0]);
    let picture = |item: &Value| data["pictures"][item["picture"].as_u64().unwrap() as usize].clone();
    assert_ne!(picture(&rounds[1]), picture(&rounds[2]));
    // The doomed one has single blocks only.
    let doomed = picture(&rounds[3])["shapes"].to_string();
    assert!(doomed.contains("block allocated") && !doomed.contains("LL "), "{doomed}");
    if let Some(ran) = ran(&page) {
        check_drawings(&ran);
    }
}

/// What the page's script does, if there is something to run it.
fn ran(page: &str) -> Option<Value> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    std::fs::write(&file, page).unwrap();
    let Ok(output) = Command::new("node").arg(root().join("tests/witnesses/page/run.js")).arg(&file).output() else {
        println!("left out: there is no `node` to run the page's script");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// The data in a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// Every drawing is well-formed XML, without numbers that are none.
fn check_drawings(ran: &Value) {
    for drawn in ran["drawn"].as_array().unwrap() {
        let drawn = drawn.as_str().unwrap();
        assert!(!drawn.contains("NaN") && !drawn.contains("undefined"), "{drawn}");
        let mut reader = quick_xml::Reader::from_str(drawn);
        loop {
            match reader.read_event().unwrap_or_else(|error| panic!("{error}: {drawn}")) {
                quick_xml::events::Event::Eof => break,
                _ => continue,
            }
        }
    }
}

/// A page needs nothing but itself: it loads nothing, and its one reference is an anchor's.
fn is_self_contained(page: &str) {
    let (head, rest) = page.split_once("id=\"data\">").unwrap();
    let script = rest.split_once("</script>").unwrap().1;
    for part in [head, script] {
        for word in ["src=", "<link", "@import", "url(", "fetch(", "XMLHttpRequest"] {
            assert!(!part.contains(word), "{word}");
        }
    }
    assert!(!page.contains("{{") && page.contains("prefers-color-scheme: dark"));
}

#[test]
fn the_run_of_a_violation_can_be_walked_through() {
    let page = written(&example("list_use_after_free"), "--html");
    is_self_contained(&page);
    assert!(page.len() < 100_000, "{}", page.len());
    let data = data(&page);
    let steps = data["steps"].as_array().unwrap();
    assert_eq!(steps.last().unwrap()["kind"], "violation");
    assert!(steps.iter().all(|step| step["picture"].is_u64()), "{steps:?}");
    // `push` is called from `main`: what happens in it is further in.
    assert!(steps.iter().any(|step| step["depth"] == 1) && steps[0]["depth"] == 0, "{steps:?}");
    let facts = data["facts"].to_string();
    assert!(facts.contains("[\"Allocated\",\"line 12 in push\",12]") && facts.contains("CWE-416"), "{facts}");
    let last = &data["pictures"][steps.last().unwrap()["picture"].as_u64().unwrap() as usize];
    let shapes = last["shapes"].as_array().unwrap();
    let freed = shapes.iter().find(|shape| shape["d"] == true).unwrap();
    assert!(freed["n"].as_str().unwrap().contains("FREED"), "{freed}");
    let alive = shapes.iter().find(|shape| shape["s"] == "heap" && shape["d"] == false).unwrap();
    let labels: Vec<&str> = alive["r"].as_array().unwrap().iter().map(|row| row[0].as_str().unwrap()).collect();
    assert_eq!(labels, ["key", "next"], "{alive}");

    let Some(ran) = ran(&page) else { return };
    check_drawings(&ran);
    let rounds = data["rounds"].as_array().unwrap();
    assert_eq!(ran["steps"].as_u64().unwrap() as usize, steps.len() + rounds.len());
    let moves = ran["moves"].as_array().unwrap();
    let line =
        |at: usize| moves[at]["here"][0].as_str().unwrap().split_whitespace().next().unwrap().parse::<u64>().unwrap();
    // It begins at the violation; the keys lead to the first step, stay there, go on, and come back to the end.
    assert_eq!(line(0), steps.last().unwrap()["line"].as_u64().unwrap());
    assert_eq!((line(1), line(2)), (steps[0]["line"].as_u64().unwrap(), steps[0]["line"].as_u64().unwrap()));
    assert_eq!(line(3), steps[1]["line"].as_u64().unwrap());
    assert_eq!(
        moves[4],
        serde_json::json!({ "key": "End", "current": moves[0]["current"], "here": moves[0]["here"], "html": moves[0]["html"] })
    );
    assert!(moves[0]["current"][0].as_str().unwrap().contains("the violation"), "{moves:?}");
    // What changed since the step before stands out.
    assert!(ran["drawn"].as_array().unwrap().iter().any(|drawn| drawn.as_str().unwrap().contains("class=\"changed\"")));
}

#[test]
fn the_loops_of_a_proof_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("</script><b>.c");
    let file = if std::fs::write(&file, SORTED).is_ok() { file } else { folder.path().join("t.c") };
    std::fs::write(&file, SORTED).unwrap();
    let page = written(&file, "--html");
    is_self_contained(&page);
    let data = data(&page);
    let loops = data["loops"].as_array().unwrap();
    let heads: Vec<u64> =
        loops.iter().filter(|item| item["depth"].is_null()).map(|item| item["line"].as_u64().unwrap()).collect();
    assert_eq!(heads, [6, 10], "{loops:?}");
    assert!(loops.iter().any(|item| item["picture"].is_u64()), "{loops:?}");
    assert!(data["pictures"].to_string().contains("SLL 0+"), "{data}");
    if let Some(ran) = ran(&page) {
        check_drawings(&ran);
    }
}

#[test]
fn no_answer_has_a_page_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.c");
    std::fs::write(&file, "int main(void) { __asm__ volatile (\"cpuid\" ::: \"memory\"); return 0; }\n").unwrap();
    let page = written(&file, "--html");
    is_self_contained(&page);
    assert!(page.contains("UNKNOWN") && data(&page)["facts"].to_string().contains("unsupported"), "{page}");
}

/// In a wide window and in one as narrow as a telephone, light and dark: no box is narrower than what it holds, the violating
/// expression is in sight at once, and everything has a name for those who do not see it.
#[test]
fn pages_fit_their_window() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let programs = [
        ("docs/examples/list_use_after_free.c", Some("n->next")),
        ("docs/examples/strcpy_overflow.c", None),
        ("benchmarks/lists-unbounded/alias_two_cursors_safe.c", None),
        ("tests/witnesses/page/long.c", Some("return (int)list->data[9]")),
        ("tests/witnesses/page/unknown.c", None),
    ];
    for (name, expected) in programs {
        let page = probed(&written(&root().join(name), "--html"));
        for (width, scheme) in [(1300, LIGHT), (420, DARK)] {
            let (seen, complaints) = shown(browser, folder.path(), &page, scheme, width);
            assert_eq!(complaints, Vec::<String>::new(), "{name}");
            let seen = seen.unwrap_or_else(|| panic!("{name}: the page was not shown"));
            assert_eq!(
                (&seen["over"], &seen["wide"]),
                (&serde_json::json!([]), &false.into()),
                "{name}, {width}: {seen}"
            );
            assert_eq!(seen["labels"], 0, "{name}: {seen}");
            if let Some(expected) = expected {
                let mark = serde_json::json!({ "text": expected, "visible": true });
                assert_eq!(seen["mark"], mark, "{name}, {width}");
            }
        }
    }
}

/// The tables of the library are no part of the program's memory; objects that it names are.
#[test]
fn only_objects_of_the_program_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.c");
    let text = "#include <ctype.h>\n#include <stdio.h>\n#include <stdlib.h>\nint seen[4];\nint main(void) {\n  int c = getchar();\n  \
                if (isdigit(c)) seen[0] = c;\n  puts(\"x\");\n  return seen[c == '7' ? 4 : 1];\n}\n";
    std::fs::write(&file, text).unwrap();
    let page = written(&file, "--html");
    let data = data(&page);
    let titles: Vec<&str> = data["pictures"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|picture| picture["shapes"].as_array().unwrap())
        .map(|shape| shape["t"].as_str().unwrap())
        .collect();
    assert!(titles.contains(&"seen") && titles.iter().all(|title| *title == "seen"), "{titles:?}");
    let mark = &data["mark"];
    let line = text.lines().nth(mark["line"].as_u64().unwrap() as usize - 1).unwrap();
    let letters = |key: &str| mark[key].as_u64().unwrap() as usize;
    assert!(line[letters("from")..letters("to")].starts_with("return seen["), "{mark}");
    // The property by its name, its formula beside it.
    let formula = "CHECK( init(main()), LTL(G valid-free) )";
    let property = data["facts"].as_array().unwrap().iter().find(|fact| fact[0] == "Property").unwrap();
    assert!(property[1] == "valid-memsafety" && property[3].as_str().unwrap().starts_with(formula), "{property}");
}

/// An empty list is a state of each loop, too, and shows nothing.
#[test]
fn proofs_open_at_the_fullest_state() {
    let page = written(&root().join("benchmarks/lists-unbounded/alias_two_cursors_safe.c"), "--html");
    let data = data(&page);
    let loops = data["loops"].as_array().unwrap();
    let lists = |item: &Value| {
        let picture = &data["pictures"][item["picture"].as_u64().unwrap() as usize];
        picture["shapes"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|shape| shape["n"].as_str().unwrap().contains("LL "))
            .count()
    };
    let first = &loops[data["open"].as_u64().unwrap() as usize];
    assert!(first["values"].as_str().unwrap().starts_with("invariant: ") && first["depth"].is_null(), "{first}");
    let most = loops.iter().map(lists).max().unwrap();
    assert!(most > 0 && lists(first) == most && loops.iter().any(|item| lists(item) < most), "{loops:?}");
    let model = data["facts"].as_array().unwrap().iter().find(|fact| fact[0] == "Data model").unwrap();
    assert_eq!(model[1], "LP64 (long and pointers: 64 bits); allocations do not fail");
    if let Some(ran) = ran(&page) {
        let legend = ran["legend"].as_array().unwrap();
        assert!(legend.contains(&"SLL 2+".into()) && legend.contains(&"u0, u1".into()), "{legend:?}");
    }
    assert!(page.contains("element(left, \"details\")"), "refinement is folded");
}

/// A run of many steps keeps its last ones.
#[test]
fn long_runs_make_no_large_pages() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.c");
    let text = "#include <stdlib.h>\nstruct n { struct n *next; long data[8]; };\nint main(void) {\n  struct n *p = 0;\n  \
                for (int i = 0; i < 2000; i++) { struct n *q = malloc(sizeof *q); q->next = p; q->data[i % 8] = i; p = q; }\n  \
                return p->data[9];\n}\n";
    std::fs::write(&file, text).unwrap();
    let page = written(&file, "--html");
    let data = data(&page);
    assert!(page.len() < 2_000_000, "{}", page.len());
    assert_eq!(data["steps"].as_array().unwrap().len(), 500);
    assert_eq!(data["left_out"], 1502);
    assert!(data["steps"][499]["picture"].is_u64());
}

/// Compiled together with the program, the file makes AddressSanitizer find what the answer says.
#[test]
fn mistakes_happen_with_the_inputs_that_are_written() {
    let expected = [
        ("list_use_after_free", "heap-use-after-free"),
        ("strcpy_overflow", "stack-buffer-overflow"),
        ("early_return_leak", "detected memory leaks"),
        ("off_by_one", "heap-buffer-overflow"),
        ("alias_double_free", "double-free"),
    ];
    assert_eq!(expected.map(|(name, _)| name), EXAMPLES);
    for (name, report) in expected {
        reproduces(&example(name), report);
    }
}

fn reproduces(file: &Path, report: &str) {
    let folder = tempfile::tempdir().unwrap();
    let harness = folder.path().join("harness.c");
    std::fs::write(&harness, written(file, "--harness")).unwrap();
    let program = folder.path().join("program");
    let compiled = Command::new("gcc")
        .args(["-g", "-w", "-fsanitize=address", "-fno-builtin", "-o"])
        .args([&program, &harness, file])
        .output()
        .unwrap();
    let name = file.display();
    assert!(compiled.status.success(), "{name}: {}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&program).stdin(std::process::Stdio::null()).output().unwrap();
    let reported = String::from_utf8_lossy(&ran.stderr);
    assert!(!ran.status.success() && reported.contains(report), "{name}: {reported}");
}

/// The same where the program's inputs are its arguments, its environment and what it reads.
#[test]
fn mistakes_happen_with_what_is_given_from_outside() {
    let programs = [
        (
            "number",
            "int n; if (scanf(\"%d\", &n) != 1) return 1; int *a = calloc(10, 4); if (a) a[n] = 1; free(a);",
            "heap-buffer",
        ),
        (
            "two",
            "int n, k; char a[10]; if (scanf(\"%d %d\", &n, &k) != 2 || n < 5 || n + k != 12) return 1; a[n + k] = 1;",
            "stack-buffer",
        ),
        (
            "line",
            "char line[32], word[8]; if (!fgets(line, sizeof line, stdin)) return 1; strcpy(word, line); puts(word);",
            "stack-buffer",
        ),
        ("letter", "char *a = malloc(3); if (getchar() == 'x') a += 3; *a = 1; free(a);", "heap-buffer"),
        (
            "home",
            "char word[8]; char *home = getenv(\"HOME\"); if (!home) return 1; strcpy(word, home); puts(word);",
            "stack-buffer",
        ),
        ("none", "char *home = getenv(\"HOME\"); char *a = malloc(4); if (!home) free(a); free(a);", "double-free"),
        ("argument", "char word[8]; if (argc < 2) return 1; strcpy(word, argv[1]); puts(word);", "stack-buffer"),
        ("second", "if (argc != 3 || argv[2][0] != 'q') return 1; free(argv[1]);", "bad-free"),
    ];
    for (name, body, report) in programs {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(format!("{name}.c"));
        let headers = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";
        std::fs::write(&file, format!("{headers}int main(int argc, char **argv) {{\n    {body}\n    return 0;\n}}\n"))
            .unwrap();
        reproduces(&file, report);
    }
}
