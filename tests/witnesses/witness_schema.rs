//! Witnesses against the formats' tables: every key, attribute and entry, written without a look at the writers.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use margay::base::limits::Limits;
use margay::base::span::Pos;
use margay::c::with_big_stack;
use margay::cfa::Bits;
use margay::portfolio::{Job, Options, verify};
use margay::report::{Look, counterexample_text};
use margay::task::{DataModel, Property, PropertyFile, Violation};
use margay::verdict::{Assumptions, Event, Inputs, LoopInvariant, Story, Verdict, ViolatingRun};
use margay::witness::{
    Comparison, Relation, Subject, What, WitnessKind, WitnessSequence, Witnesses, correctness, violation,
};

use crate::schema::{Graphml, check_graphml, check_yaml, sha256};

const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int get(void) {
    return __VERIFIER_nondet_int();
}
int main(void) {
    int a[4], n = get(), i = 0;
    while (i < n && i < 5) { /* \"one\" & <too far> */
        a[i] = 0;
        i++;
    }
    switch (__VERIFIER_nondet_uchar()) { case 7: a[0] = 1; }
    return n > 3 ? a[n] : 0;
}
";

/// A program in a folder of its own.
struct Fixture {
    folder: tempfile::TempDir,
    file: PathBuf,
    assumptions: Assumptions,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a&b.c");
        std::fs::write(&file, PROGRAM).unwrap();
        Self { folder, file, assumptions: Assumptions::default() }
    }

    /// The position of the `nth` occurrence of `text`, plus `shift` bytes.
    fn pos(&self, text: &str, nth: usize, shift: usize) -> Pos {
        let (offset, _) = PROGRAM.match_indices(text).nth(nth).unwrap();
        let offset = offset + shift;
        let before = &PROGRAM[..offset];
        let line = before.matches('\n').count() as u32 + 1;
        let column = (offset - before.rfind('\n').map_or(0, |i| i + 1)) as u32 + 1;
        Pos { file: self.file.display().to_string().into(), line, column, offset: offset as u32 }
    }

    /// A run with each kind of event; one of them is in a header.
    fn counterexample(&self, violation: Violation) -> ViolatingRun {
        let main: Arc<str> = "main".into();
        let get: Arc<str> = "get".into();
        let branch = |text, nth, taken| Event::Branch { pos: self.pos(text, nth, 0), function: main.clone(), taken };
        let header = Pos { file: "/usr/include/header.h".into(), line: 3, column: 1, offset: 9 };
        let trace = vec![
            Event::Enter { call: self.pos("int a[4]", 0, 0), function: get.clone() },
            Event::Input {
                close: self.pos("nondet_int()", 0, 11),
                function: get.clone(),
                callee: "__VERIFIER_nondet_int".into(),
                value: Bits::new(4, 32),
                signed: true,
            },
            Event::Return { pos: self.pos("return __", 0, 0), function: get },
            branch("while", 0, true),
            Event::Branch { pos: header, function: main.clone(), taken: true },
            branch("while", 0, false),
            Event::Input {
                close: self.pos("nondet_uchar()", 0, 13),
                function: main.clone(),
                callee: "__VERIFIER_nondet_uchar".into(),
                value: Bits::new(255, 8),
                signed: false,
            },
            Event::Case { pos: self.pos("switch", 0, 0), function: main.clone(), value: None },
            branch("?", 0, true),
            Event::Violation { pos: self.pos("return n", 0, 0), function: main.clone() },
        ];
        let inputs = Inputs { values: vec![4, 255], ..Inputs::default() };
        ViolatingRun {
            violation,
            detail: "beyond the end".into(),
            weakness: None,
            trace,
            inputs,
            story: Story::default(),
            outside: false,
            round: None,
        }
    }

    fn subject<'a>(&'a self, property: &'a PropertyFile) -> Subject<'a> {
        Subject { file: &self.file, model: DataModel::Ilp32, property, assumptions: &self.assumptions }
    }

    fn violation(&self, property: &PropertyFile, counterexample: &ViolatingRun) -> Witnesses {
        violation(&self.subject(property), counterexample).unwrap()
    }

    fn invariants(&self) -> Vec<LoopInvariant> {
        let pos = self.pos("while", 0, 0);
        let expression = "0 <= i && i <= 5".to_owned();
        vec![LoopInvariant { pos, function: "main".into(), expression, transition: None, is_tested: true }]
    }
}

fn unreach_call() -> PropertyFile {
    PropertyFile::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/property-files/unreach-call.prp"))).unwrap()
}

#[test]
fn violations_keep_every_rule() {
    let fixture = Fixture::new();
    for (violated, property) in [
        (Violation::UnreachCall, unreach_call()),
        (Violation::ValidDeref, PropertyFile::memory_safety()),
        (Violation::ValidMemtrack, PropertyFile::memory_safety()),
    ] {
        let counterexample = fixture.counterexample(violated);
        let witnesses = fixture.violation(&property, &counterexample);
        let graphml = check_graphml(&witnesses.graphml, "violation_witness", &fixture.file);
        assert_eq!(graphml.nodes.iter().filter(|n| n.data.contains_key("violation")).count(), 1);
        check_calls_return(&graphml);
        let content = check_yaml(&witnesses.yaml, "violation_sequence", &fixture.file);
        let target = &content.last().unwrap()["segment"][0]["waypoint"]["location"];
        assert_eq!(target["line"], 13);
        assert_eq!(target["column"], 5);
    }
    drop(fixture.folder);
}

/// Every function that returns was entered, and the rest is the open stack.
fn check_calls_return(graphml: &Graphml) {
    let mut stack = Vec::new();
    for edge in &graphml.edges {
        if let Some(function) = edge.data.get("enterFunction") {
            stack.push(function.clone());
        }
        if let Some(function) = edge.data.get("returnFromFunction") {
            assert_eq!(stack.pop().as_ref(), Some(function));
        }
    }
    assert_eq!(stack, ["main"]);
}

#[test]
fn edges_tell_the_run() {
    let fixture = Fixture::new();
    let counterexample = fixture.counterexample(Violation::ValidDeref);
    let text = fixture.violation(&PropertyFile::memory_safety(), &counterexample).graphml;
    let graphml = check_graphml(&text, "violation_witness", &fixture.file);
    let reported =
        |key: &str| -> Vec<&str> { graphml.edges.iter().filter_map(|e| e.data.get(key)).map(String::as_str).collect() };
    assert_eq!(reported("assumption"), ["\\result == 4", "\\result == 255"]);
    assert_eq!(reported("assumption.scope"), ["get", "main"]);
    assert_eq!(reported("assumption.resultfunction"), ["__VERIFIER_nondet_int", "__VERIFIER_nondet_uchar"]);
    // The branch in the header is not in this file.
    assert_eq!(reported("control"), ["condition-true", "condition-false", "condition-true"]);
    assert_eq!(reported("enterLoopHead").len(), 2);
    assert_eq!(reported("enterFunction"), ["main", "get"]);
    let loop_edge = graphml.edges.iter().find(|e| e.data.contains_key("control")).unwrap();
    let offset = |key: &str| loop_edge.data[key].parse::<usize>().unwrap();
    assert_eq!(&PROGRAM[offset("startoffset")..=offset("endoffset")], "i < n && i < 5");
}

#[test]
fn correctness_keeps_every_rule() {
    let fixture = Fixture::new();
    let property = PropertyFile::memory_safety();
    for invariants in [Vec::new(), fixture.invariants()] {
        let witnesses = correctness(&fixture.subject(&property), &invariants).unwrap();
        let graphml = check_graphml(&witnesses.graphml, "correctness_witness", &fixture.file);
        let reported = graphml.nodes.iter().filter(|n| n.data.contains_key("invariant")).count();
        assert_eq!(reported, invariants.len());
        let content = check_yaml(&witnesses.yaml, "invariant_set", &fixture.file);
        assert_eq!(content.len(), invariants.len());
        for text in [&witnesses.graphml, &witnesses.yaml] {
            let sequence = WitnessSequence::parse(text).unwrap();
            assert_eq!(sequence.kind, WitnessKind::Correctness);
            assert_eq!(sequence.model, Some(DataModel::Ilp32));
            assert_eq!(sequence.program_hash, Some(sha256(PROGRAM.as_bytes())));
            let read: Vec<_> = sequence.invariants.iter().map(|i| (i.line, i.value.as_str())).collect();
            assert_eq!(read, if reported == 0 { vec![] } else { vec![(8, "0 <= i && i <= 5")] });
        }
    }
}

#[test]
fn both_formats_read_back() {
    let fixture = Fixture::new();
    let counterexample = fixture.counterexample(Violation::UnreachCall);
    let witnesses = fixture.violation(&unreach_call(), &counterexample);
    let yaml = WitnessSequence::parse(&witnesses.yaml).unwrap();
    assert_eq!(yaml.kind, WitnessKind::Violation);
    assert_eq!(yaml.specification, "G ! call(reach_error())");
    let returns = |callee: Option<&str>, constant: &str| {
        let relation = Relation { operator: Comparison::Equal, constant: constant.into() };
        What::Return(callee.map(str::to_owned), Some(relation))
    };
    let steps: Vec<(u32, Option<u32>, What)> = yaml.followed().map(|s| (s.line, s.column, s.what.clone())).collect();
    assert_eq!(
        steps,
        [
            (4, Some(34), returns(None, "4")),
            (8, Some(5), What::Branch(true)),
            (8, Some(5), What::Branch(false)),
            (12, Some(37), returns(None, "255")),
            (12, Some(5), What::Case(None)),
            (13, Some(18), What::Branch(true)),
            (13, Some(5), What::Target),
        ]
    );
    let graphml = WitnessSequence::parse(&witnesses.graphml).unwrap();
    assert_eq!(graphml.specification, "CHECK( init(main()), LTL(G ! call(reach_error())) )");
    let of = |sequence: &WitnessSequence| -> Vec<(u32, What)> {
        // GraphML has no word for a case of a switch.
        let steps = sequence.followed().filter(|s| !matches!(s.what, What::Case(_) | What::Enter(_)));
        let named = |what: &What| match what {
            What::Return(_, relation) => What::Return(None, relation.clone()),
            other => other.clone(),
        };
        steps.map(|s| (s.line, named(&s.what))).collect()
    };
    assert_eq!(of(&graphml), of(&yaml));
    assert_eq!((graphml.inputs, yaml.inputs), (None, None));
}

#[test]
fn inputs_that_steps_cannot_tell_are_kept() {
    let fixture = Fixture::new();
    let mut counterexample = fixture.counterexample(Violation::UnreachCall);
    counterexample.inputs.values.insert(1, 77);
    counterexample.inputs.bytes.insert((3, 5), 9);
    let witnesses = fixture.violation(&unreach_call(), &counterexample);
    for text in [&witnesses.graphml, &witnesses.yaml] {
        assert_eq!(WitnessSequence::parse(text).unwrap().inputs.as_ref(), Some(&counterexample.inputs));
    }
}

#[test]
fn assumptions_are_told_and_disturb_nobody() {
    let assumptions = Assumptions { harmless: vec!["kfree".into(), "printk_once".into()], ..Assumptions::default() };
    let fixture = Fixture { assumptions, ..Fixture::new() };
    let reported = "assuming that kfree, printk_once change no memory";
    let mut counterexample = fixture.counterexample(Violation::UnreachCall);
    // Inputs that the steps do not show stand under a key of our own, which the field's table does not have.
    let plain = fixture.violation(&unreach_call(), &counterexample);
    check_graphml(&plain.graphml, "violation_witness", &fixture.file);
    counterexample.inputs.values.insert(1, 77);
    let violation = fixture.violation(&unreach_call(), &counterexample);
    let correctness = correctness(&fixture.subject(&unreach_call()), &fixture.invariants()).unwrap();
    check_graphml(&correctness.graphml, "correctness_witness", &fixture.file);
    for graphml in [&violation.graphml, &correctness.graphml] {
        assert!(graphml.contains(&format!("<!-- {reported} -->")), "{graphml}");
    }
    check_yaml(&violation.yaml, "violation_sequence", &fixture.file);
    check_yaml(&correctness.yaml, "invariant_set", &fixture.file);
    assert!(violation.yaml.contains(&format!("description: \"{reported}; inputs of the run: ")), "{}", violation.yaml);
    assert!(correctness.yaml.contains(&format!("description: \"{reported}\"")), "{}", correctness.yaml);
    for text in [&violation.graphml, &violation.yaml] {
        assert_eq!(WitnessSequence::parse(text).unwrap().inputs.as_ref(), Some(&counterexample.inputs));
    }
}

#[test]
fn the_identifier_depends_on_the_content_only() {
    let fixture = Fixture::new();
    let id = |counterexample: &ViolatingRun| {
        let text = fixture.violation(&unreach_call(), counterexample).yaml;
        text.lines().find(|l| l.contains("uuid")).unwrap().to_owned()
    };
    let counterexample = fixture.counterexample(Violation::UnreachCall);
    assert_eq!(id(&counterexample), id(&counterexample));
    let mut other = counterexample.clone();
    other.trace.remove(3);
    assert_ne!(id(&counterexample), id(&other));
}

#[test]
fn what_is_no_witness_is_refused() {
    for text in ["", "x", "<a/>", "<graphml", "- entry_type: other\n", "[]", "{", "<graphml><graph></graph></graphml>"]
    {
        assert!(WitnessSequence::parse(text).is_err(), "{text}");
    }
}

#[test]
fn witnesses_of_other_writers_are_understood() {
    let hash = "0a".repeat(32);
    let yaml = format!(
        "\
- entry_type: violation_sequence
  metadata:
    format_version: '2.0'
    uuid: 91023a0f-9f45-4385-88c4-1152ade45537
    creation_time: 2024-01-01T00:00:00Z
    producer: {{name: Other, version: 1.0, configuration: z}}
    task:
      input_files: [./t.c]
      input_file_hashes: {{./t.c: {hash}}}
      specification: 'CHECK( init(main()), LTL(G valid-free) )'
      data_model: LP64
      language: C
  content:
  - segment:
    - waypoint: {{type: assumption, action: follow, location: {{file_name: t.c, line: 3}}, constraint: {{value: x == 1, format: c_expression}}}}
  - segment:
    - waypoint: {{type: branching, action: avoid, location: {{file_name: t.c, line: 4}}, constraint: {{value: true}}}}
    - waypoint: {{type: branching, action: follow, location: {{file_name: t.c, line: 4, column: 3}}, constraint: {{value: false}}}}
  - segment:
    - waypoint: {{type: branching, action: follow, location: {{file_name: t.c, line: 5}}, constraint: {{value: 3}}}}
  - segment:
    - waypoint: {{type: target, action: follow, location: {{file_name: t.c, line: 9}}}}
"
    );
    let sequence = WitnessSequence::parse(&yaml).unwrap();
    let what: Vec<&What> = sequence.followed().map(|s| &s.what).collect();
    assert_eq!(what, [&What::Holds("x == 1".into()), &What::Branch(false), &What::Case(Some(3)), &What::Target]);
    let avoided: Vec<&What> = sequence.segments.iter().flat_map(|s| &s.avoid).map(|w| &w.what).collect();
    assert_eq!(avoided, [&What::Branch(true)]);
    let graphml = format!(
        "<?xml version='1.0'?><graphml><graph><data key='witness-type'>violation_witness</data>\
        <data key='sourcecodelang'>C</data><data key='producer'>x</data><data key='architecture'>32bit</data>\
        <data key='specification'>G valid-free</data><data key='specification'>G valid-deref</data>\
        <data key='programfile'>t.c</data><data key='programhash'>{hash}</data>\
        <node id='a'><data key='entry'>true</data></node><node id='s'><data key='sink'>true</data></node>\
        <node id='b'/><node id='v'><data key='violation'>true</data></node>\
        <edge source='a' target='s'><data key='startline'>2</data><data key='control'>condition-true</data></edge>\
        <edge source='a' target='b'><data key='startline'>3</data><data key='assumption'>\\result == (-4);</data></edge>\
        <edge source='b' target='v'><data key='startline'>5</data><data key='control'>condition-false</data>\
        <data key='assumption'>n == 3;</data></edge>\
        </graph></graphml>"
    );
    let sequence = WitnessSequence::parse(&graphml).unwrap();
    let relation = Relation { operator: Comparison::Equal, constant: "-4".into() };
    let what: Vec<(u32, &What)> = sequence.followed().map(|s| (s.line, &s.what)).collect();
    let returned = What::Return(None, Some(relation));
    assert_eq!(what, [(3, &returned), (5, &What::Branch(false)), (5, &What::Target)]);
    assert_eq!(sequence.segments[0].avoid[0].what, What::Branch(true));
    assert_eq!(sequence.specification, "G valid-free\nG valid-deref");
    assert!(sequence.open[0].contains("`n == 3`"), "{:?}", sequence.open);
}

/// The examples, by name without extension.
fn examples() -> Vec<PathBuf> {
    let files = std::fs::read_dir("witnesses/examples").unwrap().map(|e| e.unwrap().path());
    let mut names: Vec<PathBuf> =
        files.filter(|f| f.extension().unwrap() == "yml").map(|f| f.with_extension("")).collect();
    names.sort();
    names
}

/// The program an example is about, in one of the folders of tasks.
fn program_of(example: &Path) -> PathBuf {
    let name = example.file_name().unwrap().to_str().unwrap();
    let mut folders = std::fs::read_dir("benchmarks").unwrap().map(|e| e.unwrap().path().join(format!("{name}.c")));
    folders.find(|file| file.exists()).unwrap_or_else(|| panic!("there is no {name}.c"))
}

#[test]
fn the_examples_keep_every_rule() {
    let examples = examples();
    assert!(examples.len() >= 5);
    for example in examples {
        let is_violation = example.to_str().unwrap().contains("unsafe");
        let program = program_of(&example);
        let text = |extension: &str| std::fs::read_to_string(example.with_extension(extension)).unwrap();
        if is_violation {
            check_calls_return(&check_graphml(&text("graphml"), "violation_witness", &program));
            check_yaml(&text("yml"), "violation_sequence", &program);
        } else {
            check_graphml(&text("graphml"), "correctness_witness", &program);
            check_yaml(&text("yml"), "invariant_set", &program);
        }
    }
}

#[test]
fn the_examples_can_be_followed() {
    for example in examples().into_iter().filter(|e| e.to_str().unwrap().contains("unsafe")) {
        for extension in ["graphml", "yml"] {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_margay"));
            command.arg("validate").arg(example.with_extension(extension)).arg(program_of(&example));
            let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
            assert_eq!(output.lines().last(), Some("Witness result: CONFIRMED"), "{} {extension}", example.display());
        }
    }
}

/// Verifies `program` and finds a violation of the named property: the run, its witnesses and what people are told.
fn found(program: &str, file_name: &str, property: &str) -> (ViolatingRun, Witnesses, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(file_name);
    std::fs::write(&file, program).unwrap();
    let property = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/property-files")).join(property);
    let property = PropertyFile::read(&property).unwrap();
    let limits = Limits::new(Some(Duration::from_secs(30)), None);
    let options = Options::default();
    let model = DataModel::Lp64;
    let job = Job { file: &file, model, properties: &property.checks, limits: &limits, options: &options };
    let Verdict::False(found) = with_big_stack(|| verify(&job)).unwrap().verdict else { panic!("{program}") };
    let subject = Subject { file: &file, model, property: &property, assumptions: &Assumptions::default() };
    let witnesses = violation(&subject, &found).unwrap();
    check_yaml(&witnesses.yaml, "violation_sequence", &file);
    let text = counterexample_text(&found, Look { whole: true, colour: false });
    ((*found).clone(), witnesses, text)
}

/// The waypoints of a witness: type, the text from the place on, and what holds there.
fn waypoints(program: &str, yaml: &str) -> Vec<(String, String, String)> {
    let yaml: serde_json::Value = serde_saphyr::from_str(yaml).unwrap();
    let lines: Vec<&str> = program.lines().collect();
    let reported = yaml[0]["content"].as_array().unwrap().iter().map(|item| {
        let waypoint = &item["segment"][0]["waypoint"];
        let number = |key: &str| waypoint["location"][key].as_u64().unwrap() as usize - 1;
        let here: String = lines[number("line")].chars().skip(number("column")).collect();
        let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        (text(&waypoint["type"]), here, text(&waypoint["constraint"]["value"]))
    });
    reported.collect()
}

/// Targets are the first characters of statements or full expressions.
#[test]
fn targets_of_memory_safety_are_statements() {
    let head = "#include <stdlib.h>\n#define PUT(x) (x)->v = 1\n\
                struct n { struct n *next; int v; };\nint g(struct n *x) { return x->v; }\n\
                int main(void) {\n  struct n *p = NULL; ";
    for (body, target) in [
        ("int x = 1; p->v = x;", "p->v = x"),
        ("int x = p->v + 1; return x;", "p->v + 1"),
        ("int y = 1, x = p->v + y; return x;", "p->v + y"),
        ("if (p == NULL && p->v) return 1;", "p == NULL && p->v"),
        ("while (p->v) ;", "p->v) ;"),
        ("for (p = NULL; ; p = p->next) ;", "p = p->next"),
        ("PUT(p);", "PUT(p)"),
        ("if (!p) PUT(p);", "PUT(p)"),
        ("return g(p);", ""),
        ("switch (p->v) { case 1: ; }", "p->v) {"),
        ("free(p + 1);", "free(p + 1)"),
        ("p = malloc(sizeof *p); p = NULL; return 0;", "p = NULL; return"),
        ("p = malloc(sizeof *p); free(p); free(p);", "free(p);"),
    ] {
        let program = format!("{head}{body}\n  return 0;\n}}\n");
        let (_, witnesses, _) = found(&program, "t.c", "valid-memsafety.prp");
        let reported = waypoints(&program, &witnesses.yaml);
        let (kind, here, _) = reported.last().unwrap();
        let expected = if target.is_empty() { "return x->v" } else { target };
        assert!(kind == "target" && here.starts_with(expected), "{body}: {here}");
    }
}

#[test]
fn results_of_library_functions_are_told() {
    let program = "#include <stdlib.h>\n#include <stdio.h>\nextern void reach_error(void);\nint main(void) {\n  \
                   int c = getchar(); int *p = NULL;\n  if (rand() == 7 && c == 'x' && p == NULL) reach_error();\n  \
                   return 0;\n}\n";
    let (_, witnesses, text) = found(program, "t.c", "unreach-call.prp");
    let reported = waypoints(program, &witnesses.yaml);
    for (from, value) in [("); int *p", "\\result == 120"), (") == 7", "\\result == 7")] {
        let is_reported = |step: &(String, String, String)| {
            step.0 == "function_return" && step.1.starts_with(from) && step.2 == value
        };
        assert!(reported.iter().any(is_reported), "{from}: {reported:?}");
    }
    assert!(text.contains("getchar() returns 120"), "{text}");
}

/// Recursion, `switch` and `?:` in one run.
#[test]
fn branches_of_recursive_functions_are_told() {
    let program = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
                   int f(int n) { return n > 0 ? f(n - 1) : __VERIFIER_nondet_int(); }\n\
                   int main(void) {\n  switch (f(2)) { case 5: reach_error(); default: return 0; }\n}\n";
    let (_, witnesses, _) = found(program, "t.i", "unreach-call.prp");
    let reported = waypoints(program, &witnesses.yaml);
    let reported: Vec<(&str, &str, &str)> =
        reported.iter().map(|(kind, at, value)| (&**kind, &at[..1], &**value)).collect();
    let ternary = |value| ("branching", "?", value);
    let input = ("function_return", ")", "\\result == 5");
    let expected =
        [ternary("true"), ternary("true"), ternary("false"), input, ("branching", "s", "5"), ("target", "r", "")];
    assert_eq!(reported, expected);
}

/// Verifies `program` for memory cleanup: where the violation is reported, and all that is reported about it.
fn end_of(program: &str) -> (u32, String, String) {
    let (found, witnesses, text) = found(program, "t.i", "valid-memcleanup.prp");
    let Some(Event::Violation { pos, function }) = found.trace.last() else { panic!("{program}: no end") };
    let (line, column) = (pos.line, pos.column);
    let place = format!("line: {line}, column: {column}, function: \"{function}\"");
    assert!(witnesses.yaml.contains(&place), "{}", witnesses.yaml);
    let reported = witnesses.graphml + &witnesses.yaml + &text;
    (line, function.to_string(), reported)
}

#[test]
fn a_program_ends_in_a_function_of_its_own() {
    let head = "void *malloc(unsigned long n);\nvoid exit(int s);\nvoid abort(void);\nvoid free(void *q);\nint atexit(void (*f)(void));\n\
                int __VERIFIER_nondet_int(void);\nvoid *p;\n";
    for (text, line, function) in [
        ("int main(void) {\n  p = malloc(1);\n  return 0;\n}", 10, "main"),
        ("int main(void) {\n  p = malloc(1);\n}\n", 9, "main"),
        (
            "int main(void)\n{\n  p = malloc(1);\n  if (!__VERIFIER_nondet_int())\n    return 1;\n  free(p);\n  return 0;\n}",
            12,
            "main",
        ),
        ("int main(void) {\n  p = malloc(1);\n  exit(1);\n  return 0;\n}", 10, "main"),
        ("int main(void) {\n  p = malloc(1);\n  abort();\n}", 10, "main"),
        ("static void stop(void)\n{\n  exit(1);\n}\nint main(void) {\n  p = malloc(1);\n  stop();\n}", 10, "stop"),
        (
            "static void last(void) { p = 0; }\nint main(void) {\n  p = malloc(1);\n  atexit(last);\n  return 0;\n}",
            12,
            "main",
        ),
    ] {
        let (at, name, reported) = end_of(&format!("{head}{text}"));
        assert_eq!((at, &*name), (line, function), "{text}");
        assert!(
            !reported.contains("start<") && !reported.contains("\"start\"") && !reported.contains("in start"),
            "{reported}"
        );
        assert!(reported.contains(&format!("in {function}")), "{reported}");
    }
}

#[test]
fn properties_have_formulas() {
    assert_eq!(unreach_call().checks[0].formula(), "G ! call(reach_error())");
    assert_eq!(Property::NoOverflow.formula(), "G ! overflow");
}

#[test]
fn entries_of_witnesses_tell_contracts() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.c");
    let text = "struct n { struct n *next; };\nint zero(void) { return 0; }\nstatic int\nget(int *p) { return p ? *p : 1; }\n\
                int length(struct n *x) { int k = 0; while (x) { k++; x = x->next; } return k; }\n\
                int user(void) { int i = 4; return get(&i); }\n";
    std::fs::write(&file, text).unwrap();
    let entries = folder.path().join("a.yml");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_margay"));
    let output = command.arg("contracts").arg(&file).arg("--witness-yaml").arg(&entries).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("get(p)"), "contracts are still printed");
    let content = check_yaml(&std::fs::read_to_string(&entries).unwrap(), "invariant_set", &file);
    let reported: Vec<(&str, u64, &str, &str)> = content
        .iter()
        .map(|item| {
            let contract = &item["contract"];
            let text = |name: &str| contract[name].as_str().unwrap();
            let location = &contract["location"];
            (
                location["function"].as_str().unwrap(),
                location["line"].as_u64().unwrap(),
                text("requires"),
                text("ensures"),
            )
        })
        .collect();
    // A list cannot be spoken of without the definition of a predicate: there is no entry for `length`.
    let expected = [
        ("zero", 2, "\\true", "\\result == 0"),
        (
            "get",
            3,
            "(p == \\null) || (\\valid_read(p))",
            "(\\old(p == \\null) ==> (\\result == 1)) \
             && (\\old(\\valid_read(p)) ==> (\\result == \\old(*p)))",
        ),
        ("user", 6, "\\true", "\\result == 4"),
    ];
    assert_eq!(reported, expected);
}
