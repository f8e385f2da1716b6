//! `margay contracts` from outside: what it prints and writes, and several files at once.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const LIST: &str = "\
#include <stdlib.h>
struct node { struct node *next; int value; };
void push(struct node **h, int v) { struct node *e = malloc(sizeof *e); e->value = v; e->next = *h; *h = e; }
int length(struct node *h) { int k = 0; while (h) { k++; h = h->next; } return k; }
void destroy(struct node *h) { while (h) { struct node *t = h->next; free(h); h = t; } }
int bad(void) { int *p = 0; return *p; }
int late(struct node *h) { free(h); return h->value; }
void lose(void) { malloc(5); }
";

pub fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
    folder
}

pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
    command.arg("contracts").args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

/// Standard output of a run that must succeed.
pub fn text(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// What is reported of one function, its headline first.
fn part<'a>(text: &'a str, function: &str) -> Vec<&'a str> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(&format!("{function}(")));
    let head = lines.next().unwrap_or_else(|| panic!("nothing of {function} in {text}"));
    std::iter::once(head).chain(lines.take_while(|line| line.starts_with(' '))).collect()
}

/// The first way in which `value` breaks `schema`: the part of JSON Schema that the project's schemas use, and no other.
fn violation(root: &Value, schema: &Value, value: &Value, path: &str) -> Option<String> {
    for (key, rule) in schema.as_object().unwrap() {
        let count = value.as_array().map(Vec::len).or(value.as_object().map(|o| o.len()));
        let bound = rule.as_u64();
        let holds = match key.as_str() {
            "$ref" => {
                let target = rule.as_str().unwrap().strip_prefix('#').unwrap();
                let found = violation(root, root.pointer(target).unwrap(), value, path);
                if found.is_some() {
                    return found;
                }
                true
            }
            "type" => match rule.as_str().unwrap() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "integer" => value.is_i64() || value.is_u64(),
                "boolean" => value.is_boolean(),
                "null" => value.is_null(),
                other => panic!("no such type: {other}"),
            },
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => value.as_i64().is_none_or(|number| number >= rule.as_i64().unwrap()),
            "minItems" | "minProperties" => count.is_none_or(|count| count as u64 >= bound.unwrap()),
            "maxItems" | "maxProperties" => count.is_none_or(|count| count as u64 <= bound.unwrap()),
            "required" => rule.as_array().unwrap().iter().all(|name| value.get(name.as_str().unwrap()).is_some()),
            "oneOf" => {
                let fits = |way: &&Value| violation(root, way, value, path).is_none();
                rule.as_array().unwrap().iter().filter(fits).count() == 1
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    if let Some(part) = value.get(name)
                        && let Some(found) = violation(root, rule, part, &format!("{path}/{name}"))
                    {
                        return Some(found);
                    }
                }
                true
            }
            "additionalProperties" => {
                assert_eq!(rule, false);
                let known = schema["properties"].as_object().unwrap();
                value.as_object().is_none_or(|object| object.keys().all(|name| known.contains_key(name)))
            }
            "items" | "prefixItems" => {
                for (n, part) in value.as_array().into_iter().flatten().enumerate() {
                    let rule = if key == "items" { Some(rule) } else { rule.get(n) };
                    if let Some(found) = rule.and_then(|rule| violation(root, rule, part, &format!("{path}/{n}"))) {
                        return Some(found);
                    }
                }
                true
            }
            "$schema" | "title" | "$defs" => true,
            other => panic!("the check of schemas does not know `{other}`"),
        };
        if !holds {
            return Some(format!("{path}: {key} {rule}: {value}"));
        }
    }
    None
}

fn schema() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/contracts.schema.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let file = folder.join("out.json");
    text(folder, &[arguments, &["--json", "out.json"]].concat());
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn contracts_and_findings_are_told_in_order_of_the_text() {
    let folder = folder(&[("list.c", LIST)]);
    let text = text(folder.path(), &["list.c"]);
    let heads: Vec<&str> =
        text.lines().filter(|line| !line.starts_with(' ')).map(|line| line.split('(').next().unwrap()).collect();
    assert_eq!(heads, ["push", "length", "destroy", "bad", "late", "lose"]);
    let push = part(&text, "push");
    assert_eq!(push[..2], ["push(h, v)  list.c:3  [complete]", "  { h ↦ v2 }"]);
    assert_eq!(part(&text, "length")[1], "  { sls⟨x↦next⟩(h, 0) }");
    assert!(part(&text, "bad")[1].starts_with("  manifest error: null dereference at list.c:6:"), "{text}");
    assert!(part(&text, "late").iter().any(|line| line.contains("use after free at list.c:7:")), "{text}");
    assert!(part(&text, "lose")[1].starts_with("  manifest error: memory leak at list.c:8:"), "{text}");
}

#[test]
fn json_keeps_the_schema() {
    let folder = folder(&[("list.c", LIST)]);
    let schema = schema();
    let own = json(folder.path(), &["list.c"]);
    assert_eq!(violation(&schema, &schema, &own, ""), None);
    assert_eq!(own["files"][0]["functions"].as_array().unwrap().len(), 6);
    let all = json(folder.path(), &["list.c", "--headers"]);
    assert_eq!(violation(&schema, &schema, &all, ""), None);
    let tasks = concat!(env!("CARGO_MANIFEST_DIR"), "/benchmarks/open/");
    for name in ["intrusive_list.c", "lru_cache_bug.c"] {
        let written = json(folder.path(), &[&format!("{tasks}{name}"), "--patience", "2s"]);
        assert_eq!(violation(&schema, &schema, &written, ""), None, "{name}");
    }
    // The check notices what is missing, too much, or something else.
    for (pointer, new) in [
        ("/format", Value::from("other")),
        ("/files/0/functions/0/line", Value::from("3")),
        ("/files/0/functions/0/contracts/0/vars", Value::from(vec![0])),
        ("/files/0/functions/0/contracts/0/pre/cells/0/at", serde_json::json!({"variable": 0})),
        ("/files/0/functions/0/status", Value::Null),
        ("/files/0", serde_json::json!({"file": "list.c"})),
    ] {
        let mut broken = own.clone();
        *broken.pointer_mut(pointer).unwrap() = new;
        let found = violation(&schema, &schema, &broken, "").unwrap_or_else(|| panic!("{pointer} is taken"));
        assert!(found.starts_with(pointer) || pointer.starts_with(found.split(':').next().unwrap()), "{found}");
    }
}

#[test]
fn functions_of_headers_are_told_where_asked() {
    let folder = folder(&[
        ("one.h", "static int inc(int x) { return x + 1; }\n"),
        ("one.c", "#include \"one.h\"\nint twice(int x) { return inc(inc(x)); }\n"),
    ]);
    let without = text(folder.path(), &["one.c"]);
    assert!(!without.contains("inc(") && without.contains("{ result = x+2;"), "{without}");
    let with = text(folder.path(), &["one.c", "--headers"]);
    assert!(
        with.starts_with("inc(x)  ./one.h:1  [complete]") || with.starts_with("inc(x)  one.h:1  [complete]"),
        "{with}"
    );
}

#[test]
fn files_know_each_other_by_what_they_export() {
    let folder = folder(&[
        (
            "a.c",
            "static int count; int shown;\nvoid set(void) { count = 1; shown = 2; }\n\
             static int hidden(void) { return 1; }\nint open(void) { return hidden(); }\n",
        ),
        (
            "b.c",
            "void set(void);\nint hidden(void);\nint open(void);\nstatic int count; extern int shown;\n\
             int sum(void) { count = 0; shown = 0; set(); return 10 * count + shown; }\n\
             int other(void) { return hidden(); }\nint known(void) { return open(); }\n",
        ),
    ]);
    for order in [["a.c", "b.c"], ["b.c", "a.c"]] {
        let text = text(folder.path(), &order);
        // Another file's `count` is another object, and `shown` is the same.
        let sum = part(&text, "sum").join("\n");
        assert!(sum.contains("result = 2;") && sum.contains("&count ↦ 0") && sum.contains("&count@a.c ↦ 1"), "{sum}");
        assert!(part(&text, "other").join("\n").contains("assuming that hidden"), "{text}");
        assert!(part(&text, "known").join("\n").contains("{ result = 1;"), "{text}");
    }
}

#[test]
fn files_that_call_each_other_settle() {
    let folder = folder(&[
        ("a.c", "int low(int);\nint high(int x) { return low(x) + 1; }\nint deep(int x) { return x + 5; }\n"),
        (
            "b.c",
            "int deep(int);\nint high(int);\nint low(int x) { return deep(x); }\nint top(int x) { return high(x); }\n",
        ),
    ]);
    let text = text(folder.path(), &["a.c", "b.c"]);
    assert!(part(&text, "high").join("\n").contains("result = x+6;"), "{text}");
    assert!(part(&text, "top").join("\n").contains("result = x+6;"), "{text}");
    assert!(!text.contains("assuming"), "{text}");
}

#[test]
fn a_name_that_two_files_define_means_neither() {
    let folder = folder(&[
        ("a.c", "int f(void) { return 1; }\n"),
        ("b.c", "int f(void) { return 2; }\n"),
        ("c.c", "int f(void);\nint g(void) { return f(); }\n"),
    ]);
    let text = text(folder.path(), &["a.c", "b.c", "c.c"]);
    assert!(part(&text, "g").join("\n").contains("assuming that f "), "{text}");
}

#[test]
fn statics_of_one_name_are_several() {
    let folder = folder(&[(
        "a.c",
        "int up(void) { static int n; return ++n; }\nint five(void) { static int n; n = 5; up(); return n; }\n",
    )]);
    let text = text(folder.path(), &["a.c"]);
    assert!(part(&text, "five").join("\n").contains("result = 5;"), "{text}");
}

#[test]
fn output_that_cannot_be_written_is_no_success() {
    let folder = folder(&[("list.c", LIST)]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
    command.args(["contracts", "list.c"]).current_dir(folder.path());
    let output = command.stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output"));
    let output = run(folder.path(), &["list.c", "--json", "missing/out.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stdout, b"", "nothing is analysed for nothing");
    let output = run(folder.path(), &["list.c", "--function", "missing"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no function `missing`"));
}

#[test]
fn loops_that_were_unrolled_are_not_complete() {
    let program = "unsigned long length(const char *s) { unsigned long n = 0; while (*s++) n++; return n; }\n\
                   void clear(int *a, int n) { for (int i = 0; i < n; i++) a[i] = 0; }\n\
                   void two(int *a) { clear(a, 2); }\nvoid any(int *a, int n) { clear(a, n); }\n\
                   int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i & 1; return s; }\n\
                   struct l { struct l *n; };\nvoid last(struct l *l) { while (l) l = l->n; }\n";
    let folder = folder(&[("loops.c", program)]);
    let text = text(folder.path(), &["loops.c"]);
    let is_bounded = |name: &str| part(&text, name)[0].ends_with("[complete for up to 3 rounds of each loop]");
    // An array or text of any length has no contract.
    assert!(["length", "clear", "any"].iter().all(|name| is_bounded(name)), "{text}");
    // Two rounds, rounds that need no memory, and lists have one.
    assert!(["two", "sum", "last"].iter().all(|name| part(&text, name)[0].ends_with("[complete]")), "{text}");
}

/// Where each length of a text has a contract of its own, the first few stand for them.
#[test]
fn many_contracts_are_counted() {
    let program = "#include <string.h>\nunsigned long twice(const char *s) { return 2 * strlen(s); }\n\
                   void call(void (*f)(void)) { f(); }\nint one(int n) { return n; }\n";
    let folder = folder(&[("a.c", program)]);
    let (few, all) = (text(folder.path(), &["a.c"]), text(folder.path(), &["a.c", "--all"]));
    let lines = |text: &str, start: &str| part(text, "twice").iter().filter(|line| line.starts_with(start)).count();
    let more = part(&few, "twice").into_iter().find(|line| line.starts_with("  … and ")).unwrap();
    let left_out: usize = more.split_whitespace().nth(2).unwrap().parse().unwrap();
    assert!(more.ends_with(" more contracts (--all shows them)") && lines(&all, "  …") == 0, "{few}");
    assert_eq!(lines(&few, "  { ") + left_out, lines(&all, "  { "), "{few}");
    assert!(lines(&few, "  { ") == 5 && left_out > 30, "{few}");
    let stuck = "  stuck at a.c:2: a search, such as that of strlen, through more than 48 unknown bytes";
    assert!(part(&few, "twice").contains(&stuck), "{few}");
    assert!(part(&few, "call")[0].ends_with("[no contract: no path could be followed to its end]"), "{few}");
    assert_eq!(part(&few, "one"), part(&all, "one"));
}

#[test]
fn a_block_that_two_arguments_share_is_freed_once() {
    let program = "#include <stdlib.h>\nvoid both(char *a, char *b) { free(a); free(b); }\n\
                   void same(char *q) { both(q, q); }\nvoid own(void) { char *q = malloc(4); both(q, q); }\n\
                   void drop(char *p) { free(p); }\nvoid again(char *p) { drop(p); drop(p); }\n\
                   void cleared(char *p) { drop(p); p = 0; drop(p); }\nvoid apart(char *p, char *q) { both(p, q); }\n\
                   struct s { int k; };\nint use(struct s *a, struct s *b) { free(a); return b->k; }\n\
                   int late(struct s *s) { return use(s, s); }\n";
    let folder = folder(&[("a.c", program)]);
    let all = text(folder.path(), &["a.c", "--sarif", "a.sarif", "--json", "a.json"]);
    let errors =
        |name: &str| part(&all, name).iter().filter(|line| line.contains("error: ")).copied().collect::<Vec<_>>();
    for (name, kind) in
        [("same", "double free at a.c:2:"), ("own", "double free at a.c:2:"), ("again", "double free at a.c:5:")]
    {
        assert!(matches!(errors(name)[..], [error] if error.contains(kind)), "{name}: {all}");
    }
    assert!(part(&all, "again").contains(&"    in the call of drop at a.c:6"), "{all}");
    assert!(matches!(errors("late")[..], [error] if error.contains("use after free at a.c:10:")), "{all}");
    for name in ["both", "drop", "cleared", "apart", "use"] {
        assert_eq!(errors(name), [""; 0], "{all}");
    }
    let read =
        |file: &str| -> Value { serde_json::from_str(&fs::read_to_string(folder.path().join(file)).unwrap()).unwrap() };
    let schema = schema();
    assert_eq!(violation(&schema, &schema, &read("a.json"), ""), None);
    let fingerprints = || -> Vec<String> {
        let log = read("a.sarif");
        let results = log["runs"][0]["results"].as_array().unwrap().iter().filter(|result| result["level"] == "error");
        results.map(|result| result["partialFingerprints"]["margayViolation/v1"].as_str().unwrap().to_owned()).collect()
    };
    let before = fingerprints();
    assert_eq!(before.iter().collect::<std::collections::BTreeSet<_>>().len(), 4, "{before:?}");
    fs::write(folder.path().join("a.c"), format!("\n\n{program}")).unwrap();
    text(folder.path(), &["a.c", "--sarif", "a.sarif"]);
    assert_eq!(fingerprints(), before);
}

#[test]
fn what_is_known_at_a_limit_is_reported() {
    let folder = folder(&[("list.c", LIST)]);
    // No time at all: each function is named with the reason.
    let none = text(folder.path(), &["list.c", "--patience", "0s", "--stats"]);
    assert!(part(&none, "push")[0].ends_with("[not analysed]"), "{none}");
    assert!(part(&none, "push")[1].contains("time for the function ran out"), "{none}");
    assert!(none.contains("\nnot analysed: 6\n"), "{none}");
}

/// Errors of every kind; `main` is there, and is wrong too.
const WRONG: &str = "\
#include <stdlib.h>
#include <string.h>
struct pair { long a; struct pair *other; };
int *shared;
int null(void) { int *p = 0; return *p; }
long late(struct pair *p) { free(p->other); return p->other->a; }
void twice(char *p) { free(p); free(p); }
void inside(struct pair *p) { free(p); free((char *)p + 1); }
static int beyond(int n) { int *p = malloc(4 * sizeof(int)); p[4] = n; n = p[0]; free(p); return n; }
void lose(void) { char *p = malloc(5); p = 0; }
void forget(int **p) { *p = malloc(8); *p = 0; }
int global(void) { free(shared); return *shared; }
int right(int *p) { return *p; }
int main(void) { int *p = malloc(4); free(p); return *p; }
";

#[test]
fn harnesses_show_the_errors() {
    let is_there =
        |tool: &str| Command::new(tool).arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_there("gcc") {
        eprintln!("there is no gcc: skipped");
        return;
    }
    let folder = folder(&[("wrong.c", WRONG)]);
    let reported = text(folder.path(), &["wrong.c", "--harness", "out/of"]);
    let mut seen = Vec::new();
    let made: Vec<_> = fs::read_dir(folder.path().join("out/of")).into_iter().flatten().collect();
    let mut files: Vec<_> = made.into_iter().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let program = file.with_extension("out");
        let mut gcc = Command::new("gcc");
        gcc.args(["-g", "-w", "-fsanitize=address", "-fno-builtin", "-o"]).arg(&program).arg(&file);
        let output = gcc.output().unwrap();
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{name}: {messages}");
        let output = Command::new(&program).env("ASAN_OPTIONS", "detect_leaks=1").output().unwrap();
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        let sort = [
            ("heap-use-after-free", "use_after_free"),
            ("attempting double-free", "double_free"),
            ("attempting free on address which was not malloc()-ed", "invalid_free"),
            ("heap-buffer-overflow", "out_of_bounds"),
            ("SEGV on unknown address 0x000000000000", "null_dereference"),
            ("detected memory leaks", "memory_leak"),
        ];
        let shown = sort.iter().find(|(message, _)| messages.contains(message)).map(|(_, kind)| *kind);
        let function = name.split('_').nth(1).unwrap().to_owned();
        assert!(shown.is_some_and(|kind| name.contains(kind)), "{name}: {shown:?} {messages}\n{reported}");
        seen.push(function);
    }
    for function in ["null", "late", "twice", "beyond", "lose", "forget", "global", "main"] {
        assert!(seen.iter().any(|name| name == function), "no harness of {function}: {seen:?}\n{reported}");
    }
    assert!(!seen.iter().any(|name| name == "right"));
}

#[test]
fn heaps_are_drawn() {
    let folder = folder(&[("list.c", LIST)]);
    text(folder.path(), &["list.c", "--dot", "out.dot"]);
    let dot = fs::read_to_string(folder.path().join("out.dot")).unwrap();
    let clusters: Vec<&str> = dot.lines().filter(|line| line.contains("label=\"push(h, v), contract")).collect();
    assert_eq!(clusters, ["    label=\"push(h, v), contract 1\";"]);
    // The new node is where `h` points afterwards.
    let push = dot.split("push(h, v)").nth(1).unwrap().split("length(h)").next().unwrap();
    let after = push.split("label=\"after\"").nth(1).unwrap();
    assert!(after.contains("block(v3, 16)") && after.contains("v3 ↦ v2"), "{after}");
    let node = |name: &str| {
        let line = after.lines().find(|line| line.contains(&format!("\"lightblue\">{name}</td>"))).unwrap();
        line.trim().split(' ').next().unwrap().to_owned()
    };
    assert!(after.contains(&format!("{} -> {} [label=\"h\"];", node("h"), node("v3"))), "{after}");
    let list = dot.split("length(h)").nth(1).unwrap().split("destroy(h)").next().unwrap();
    assert!(list.lines().any(|line| line.contains("sls⟨") && line.contains("style=\"dashed,bold\"")), "{list}");
    assert_eq!(dot.matches('{').count(), dot.matches('}').count());
    let drawn = Command::new("dot").args(["-Tsvg", "-o", "out.svg", "out.dot"]).current_dir(folder.path()).output();
    if let Ok(output) = drawn {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// `margay check-proof` on files: exit code and standard output.
fn check_proof(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
    let output = command.arg("check-proof").args(arguments).current_dir(folder).stdin(Stdio::null()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn contracts_are_checked_from_a_file() {
    let used = "struct node; int length(struct node *h); int count(struct node *h) { return length(h); }";
    let folder = folder(&[("list.c", LIST), ("use.c", used)]);
    let folder = folder.path();
    text(folder, &["--proof", "all.proof", "list.c", "use.c"]);
    let (code, reported) = check_proof(folder, &["all.proof", "list.c", "use.c"]);
    assert_eq!(code, Some(0), "{reported}");
    assert!(
        reported.contains("use.c: 1 contracts of 1 functions") && reported.contains("Proof accepted: "),
        "{reported}"
    );

    // Another text, files in another order, one too few.
    let (code, reported) = check_proof(folder, &["all.proof", "use.c", "list.c"]);
    assert_eq!((code, reported.contains("it was made for another text")), (Some(1), true), "{reported}");
    assert_eq!(check_proof(folder, &["all.proof", "list.c"]).0, Some(2));

    // A way that the function ends is not told.
    let proof = fs::read_to_string(folder.join("all.proof")).unwrap();
    let mut data: Value = serde_json::from_str(&proof).unwrap();
    let functions = data["files"][0]["functions"].as_array_mut().unwrap();
    let length = functions.iter_mut().find(|function| function["name"] == "length").unwrap();
    let post = length["contracts"][0]["contract"]["posts"].as_array_mut().unwrap();
    post.truncate(1);
    fs::write(folder.join("all.proof"), data.to_string()).unwrap();
    let (code, reported) = check_proof(folder, &["all.proof", "list.c", "use.c"]);
    assert_eq!(code, Some(1), "{reported}");
    assert!(
        reported.contains("Proof refused: contract 1 of `length`: a path ends in a state that no post"),
        "{reported}"
    );
    fs::write(folder.join("all.proof"), proof.replacen("\"files\"", "\"fils\"", 1)).unwrap();
    assert_eq!(check_proof(folder, &["all.proof", "list.c", "use.c"]).0, Some(2));
}

#[test]
fn errors_are_told_once_where_they_are_with_their_object_and_a_way_around() {
    let folder = folder(&[
        ("peek.h", "static inline int peek(int *p) { int *q = 0; if (p) q = p; return *q; }\n"),
        (
            "a.c",
            "#include \"peek.h\"\n#include <stdlib.h>\nstruct s { int k; struct s *in; char *text; };\nchar *table;\n\
             int one(int *p) { return peek(p); }\nint two(void) { return peek(0); }\n\
             void twice(struct s *s) { free(s->in->text); free(s->in->text); }\n\
             void far(void) { char *b = malloc(4); b[4] = 0; free(b); }\nint late(void) { free(table); return *table; }\n\
             int when(int n) { char *p = n > 3 ? 0 : \"a\"; return *p; }\n",
        ),
    ]);
    let manifest = text(folder.path(), &["a.c"]);
    assert!(manifest.contains("manifest error") && !manifest.contains("latent error: "), "{manifest}");
    // Why there is no contract is said in any case.
    assert!(part(&manifest, "late")[0].ends_with("[no contract: each path has an error]"), "{manifest}");
    assert!(part(&manifest, "late").contains(&"  1 latent error (--latent shows it)"), "{manifest}");
    let all = text(folder.path(), &["a.c", "--latent"]);
    let has = |function: &str, expected: &str| {
        let part = part(&all, function);
        assert!(part.iter().any(|line| line.trim() == expected), "{expected} in {part:#?}");
    };
    // The header's line in the header's file.
    assert!(part(&all, "two")[1].starts_with("  manifest error: null dereference at peek.h:1:"), "{all}");
    has("twice", "object  what [[s+8]+16] leads to");
    has("far", "object  heap block allocated at a.c:8");
    has("late", "object  what [&table] leads to");
    has("when", "when  3 < n");
    has("when", "not when  n ≤ 3");
    // Where the header's function is told of, its error is told of there; `two` always runs into it.
    let with = text(folder.path(), &["a.c", "--headers", "--latent"]);
    assert!(part(&with, "peek").iter().any(|line| line.trim() == "not when  p ≠ 0"), "{with}");
    assert!(part(&with, "two").iter().any(|line| line.contains("manifest error")), "{with}");
    assert!(!part(&with, "one").iter().any(|line| line.contains("error")), "{with}");
    let schema = schema();
    let written = json(folder.path(), &["a.c"]);
    assert_eq!(violation(&schema, &schema, &written, ""), None);
    let functions = written["files"][0]["functions"].as_array().unwrap();
    let findings = |name: &str| &functions.iter().find(|function| function["name"] == name).unwrap()["findings"];
    assert_eq!(findings("two")[0]["file"], "peek.h");
    assert_eq!(findings("far")[0]["object"]["made"]["line"], 8);
    let given = serde_json::json!({"given": {"root": {"global": "table"}, "offsets": [0]}});
    assert!(findings("late").as_array().unwrap().iter().any(|finding| finding["object"] == given), "{written}");
}
