//! What the command line does with input that is not as it should be: a clear message, the right exit code, no panic, no
//! half-written file.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A folder to run in, and the tool.
struct Shell {
    folder: tempfile::TempDir,
}

impl Shell {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        fs::write(self.path().join(name), content).unwrap();
        self
    }

    fn margay(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
        command.args(arguments).current_dir(self.path()).output().unwrap()
    }

    /// Runs and expects the input to be refused with a message that contains `expected`.
    fn refuses(&self, arguments: &[&str], expected: &str) {
        let output = self.margay(arguments);
        let (out, err) = texts(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}\n{out}{err}");
        assert!(err.contains(expected), "{arguments:?}: {err}");
        assert!(!out.contains("Verification result"), "{out}");
        assert!(!err.contains("panicked"), "{err}");
        self.has_no_leftovers();
    }

    /// Runs and expects `expected` as the last line.
    fn answers(&self, arguments: &[&str], expected: &str) {
        let output = self.margay(arguments);
        let (out, err) = texts(&output);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}\n{out}{err}");
        let last = out.lines().last().unwrap_or_default();
        assert!(last.starts_with("Verification result: ") && last.contains(expected), "{arguments:?}: {out}{err}");
        self.has_no_leftovers();
    }

    fn has_no_leftovers(&self) {
        for entry in fs::read_dir(self.path()).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(!name.ends_with(".tmp"), "{name} is left");
        }
    }
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

const EMPTY_MAIN: &str = "int main(void) { return 0; }\n";
const MEMSAFETY: &str = "CHECK( init(main()), LTL(G valid-deref) )\n";

#[test]
fn files_that_cannot_be_read() {
    let shell = Shell::new();
    shell.refuses(&["verify", "missing.c"], "cannot read missing.c");
    shell.refuses(&["verify", "."], "it is a folder");
    for command in ["run", "show cfa", "validate missing.yml"] {
        let mut arguments: Vec<&str> = command.split(' ').collect();
        arguments.push("missing.c");
        let output = shell.margay(&arguments);
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(texts(&output).1.contains("missing."), "{command}");
    }
}

#[test]
fn text_that_is_no_program() {
    let shell = Shell::new();
    shell.write("empty.c", "").refuses(&["verify", "empty.c"], "empty");
    shell.write("binary.c", [0x7f, b'E', b'L', b'F', 0, 1, 2, 0xff, 0xfe]).refuses(&["verify", "binary.c"], "binary.c");
    shell.write("no_main.c", "int f(void) { return 0; }\n").refuses(&["verify", "no_main.c"], "main");
    shell.write("bytes.c", [b"int main(void) { return ", &[0xff, 0xfe][..], b"; }\n"].concat());
    shell.refuses(&["verify", "bytes.c"], "bytes.c");
}

#[test]
fn errors_show_the_line() {
    let shell = Shell::new();
    shell.write("syntax.c", "int main(void) {\n  int x = ;\n  return 0;\n}\n");
    shell.refuses(&["verify", "syntax.c"], "syntax.c:2:");
    shell.refuses(&["verify", "syntax.c"], "int x = ;");
    shell.write("names.c", "int main(void) {\n  return nothing;\n}\n");
    shell.refuses(&["verify", "names.c"], "return nothing;");
}

#[test]
fn absurd_nesting() {
    let shell = Shell::new();
    let depth = 100_000;
    let main = |open: &str, inner: &str, close: &str| {
        format!("int main(void) {{ {}{inner}{}; return 0; }}\n", open.repeat(depth), close.repeat(depth))
    };
    for (name, text) in [
        ("braces.c", "{".repeat(10_000_000)),
        ("blocks.c", main("{", ";", "}")),
        ("parentheses.c", main("(", "0", ")")),
        ("ifs.c", main("if (1) ", ";", "")),
        ("minuses.c", main("- ", "1", "")),
    ] {
        let output = shell.write(name, text).margay(&["verify", "--timeout", "60s", name]);
        let (out, err) = texts(&output);
        assert!(matches!(output.status.code(), Some(0 | 2)), "{name}: {:?} {out}{err}", output.status);
        assert_eq!(output.status.code() == Some(0), out.contains("Verification result: "), "{name}: {out}{err}");
        assert!(err.contains(name) && !err.contains("panicked"), "{name}: {err}");
    }
}

#[test]
fn properties() {
    let shell = Shell::new();
    shell.write("a.c", EMPTY_MAIN);
    shell.refuses(&["verify", "--property", "missing.prp", "a.c"], "cannot read missing.prp");
    shell.write("bad.prp", "CHECK( init(main()), LTL(G valid-deref) )\nnonsense\n");
    shell.refuses(&["verify", "--property", "bad.prp", "a.c"], "bad.prp:2:1");
    shell.write("empty.prp", "\n").refuses(&["verify", "--property", "empty.prp", "a.c"], "no CHECK");
    shell.write("races.prp", "CHECK( init(main()), LTL(G ! data-race) )\n");
    shell.answers(&["verify", "--property", "races.prp", "a.c"], "UNKNOWN (unsupported: property no-data-race)");
    shell.write("ends.prp", "CHECK( init(main()), LTL(F end) )\n");
    shell.answers(&["verify", "--property", "ends.prp", "a.c"], "TRUE");
}

#[test]
fn task_definitions() {
    let shell = Shell::new();
    shell.write("a.c", EMPTY_MAIN).write("p.prp", MEMSAFETY);
    let task = |inputs: &str, property: &str| {
        format!("format_version: '2.0'\ninput_files: {inputs}\nproperties:\n  - property_file: {property}\n")
    };
    shell.write("t.yml", task("missing.c", "p.prp")).refuses(&["verify", "t.yml"], "cannot read missing.c");
    shell.write("t.yml", task("a.c", "missing.prp")).refuses(&["verify", "t.yml"], "cannot read missing.prp");
    shell.write("t.yml", "format_version: [\n").refuses(&["verify", "t.yml"], "t.yml:");
    shell.write("t.yml", "a: b\n").refuses(&["verify", "t.yml"], "not a task definition");
    shell.write("t.yml", [0xff, 0]).refuses(&["verify", "t.yml"], "t.yml:1:1");
    shell.write("t.yml", task("[a.c, a.c]", "p.prp"));
    shell.refuses(&["verify", "t.yml"], "`main` is defined twice");
    shell.refuses(&["verify", "t.yml", "a.c"], "give it alone");
    shell.write("b.c", "int f(void) { return 0; }\n").write("t.yml", task("[a.c, b.c]", "p.prp"));
    shell.answers(&["verify", "t.yml"], "TRUE");
    shell.write("t.yml", task("a.c", "p.prp")).answers(&["verify", "t.yml"], "TRUE");
}

#[test]
fn typical_mistakes_are_named() {
    let shell = Shell::new();
    shell.write("a.c", EMPTY_MAIN);
    let cpp = "this looks like C++: only C is understood";
    shell.write("a.cpp", EMPTY_MAIN).refuses(&["verify", "a.cpp"], cpp);
    shell.write("class.c", "class A { int x; };\nint main() { return 0; }\n").refuses(&["verify", "class.c"], cpp);
    shell.write("io.c", "#include <iostream>\nint main() { return 0; }\n").refuses(&["verify", "io.c"], cpp);
    shell.write("own.c", "#include \"own.h\"\nint main(void) { return 0; }\n");
    shell.refuses(&["verify", "own.c"], "own.c:1:10: fatal error: own.h: No such file or directory\nhint: `-I FOLDER`");
    shell.refuses(
        &["verify", "-p", "reachability", "a.c"],
        "`reachability` is no property; properties are unreach-call,",
    );
    shell.write("own.prp", "CHECK( init(main()), LTL(G  valid-own) )\n");
    shell.answers(&["verify", "-p", "own.prp", "a.c"], "UNKNOWN (unsupported: property G valid-own)");
    shell.write("mark.prp", format!("\u{feff}{MEMSAFETY}")).answers(&["verify", "-p", "mark.prp", "a.c"], "TRUE");
    let task = "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: mark.prp\n    \
                expected_verdict: maybe\n";
    shell
        .write("t.yml", task)
        .refuses(&["verify", "t.yml"], "expected_verdict is `maybe`, which is neither true nor false");
    shell.refuses(&["verify", "t.yml"], "t.yml:5:23");
    shell.write(
        "last.c",
        "struct s { struct { int a } t; int b };\nint main(void) { struct s x = {{1}, 2}; return x.b; }\n",
    );
    shell.answers(&["verify", "last.c"], "TRUE");
}

#[test]
fn headers_of_32_bit_programs_are_in_a_package() {
    let shell = Shell::new();
    // As where the package is missing: the system's headers are not found.
    shell.write("a.c", "#include <bits/of-32-bit-programs.h>\nint main(void) { return 0; }\n");
    shell.refuses(&["verify", "--data-model", "ILP32", "a.c"], "gcc-multilib");
}

#[test]
fn threads_are_refused_where_the_first_begins() {
    let shell = Shell::new();
    let text = "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);\n\
                static void *work(void *p) { return p; }\n\
                int main(void) {\n  unsigned long t;\n  return pthread_create(&t, 0, work, 0);\n}\n";
    shell.write("threads.c", text);
    let expected = "UNKNOWN (unsupported: threads: the library function `pthread_create` at threads.c:5)";
    shell.answers(&["verify", "threads.c"], expected);
    shell.answers(&["verify", "-p", "unreach-call", "threads.c"], expected);
}

#[test]
fn assertions_are_a_property_of_their_own() {
    let shell = Shell::new();
    shell.write("a.c", "#include <assert.h>\nint main(void) { int x = 3; assert(x == 4); return 0; }\n");
    let reported = |property: &str| texts(&shell.margay(&["verify", "-p", property, "--no-witness", "a.c"]));
    let (out, err) = reported("unreach-call");
    assert!(out.contains("TRUE") && err.contains("`--property assertions` asks whether they hold"), "{out}{err}");
    let (out, err) = reported("assertions");
    assert!(out.contains("FALSE(unreach-call)") && !err.contains("hint"), "{out}{err}");
}

#[test]
fn unsupported_constructs_are_no_error() {
    let shell = Shell::new();
    shell.write("jump.c", "#include <ucontext.h>\nucontext_t b;\nint main(void) {\n  return getcontext(&b);\n}\n");
    shell.answers(&["verify", "jump.c"], "UNKNOWN (");
}

#[test]
fn wrong_options() {
    let shell = Shell::new();
    shell.write("a.c", EMPTY_MAIN).write("p.prp", MEMSAFETY).write("q.prp", MEMSAFETY);
    for (arguments, expected) in [
        (&["verify"][..], "no C file is given"),
        (&["frobnicate"], "unrecognized"),
        (&["verify", "--frob", "a.c"], "--frob"),
        (&["verify", "--timeout", "soon", "a.c"], "soon"),
        (&["verify", "--memory", "3 apples", "a.c"], "apples"),
        (&["verify", "--data-model", "LLP64", "a.c"], "ILP32 or LP64"),
        (&["verify", "--witness", "w.graphml", "--no-witness", "a.c"], "--no-witness"),
        (&["verify", "--property", "p.prp", "--property", "q.prp", "--witness", "w", "a.c"], "single property"),
        (&["run", "--inputs", "1,x", "a.c"], "`x` is no number"),
        (&["show", "cfa", "--function", "f", "a.c"], "there is no function `f`"),
        (&["bench", "missing.yml"], "does not exist"),
        (&["bench", "a.c"], "neither a task definition"),
        (&["bench", "--csv", "no/such/folder/x.csv", "a.c"], "cannot write"),
        (&["bench", "--compare", "missing.csv", "a.c"], "cannot read missing.csv"),
    ] {
        shell.refuses(arguments, expected);
    }
}

#[test]
fn witnesses_that_cannot_be_written_are_refused_first() {
    let shell = Shell::new();
    shell.write("a.c", EMPTY_MAIN).write("file", "");
    for option in ["--witness", "--witness-yaml"] {
        shell.refuses(&["verify", option, "no/such/folder/w.yml", "a.c"], "cannot write no/such/folder/w.yml");
        shell.refuses(&["verify", option, "file/w.yml", "a.c"], "cannot write file/w.yml");
        shell.refuses(&["verify", option, ".", "a.c"], "cannot write");
    }
    assert!(!shell.path().join("witnesses").exists());
}

#[test]
fn default_witnesses_do_not_decide_the_answer() {
    let shell = Shell::new();
    // The default folder's name is taken by a file.
    shell.write("a.c", EMPTY_MAIN).write("witnesses", "in the way");
    let output = shell.margay(&["verify", "a.c"]);
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(0));
    assert!(out.ends_with("Verification result: TRUE\n"), "{out}");
    assert!(err.contains("warning: no witness is written"), "{err}");
}

#[test]
fn files_that_are_no_witness() {
    let shell = Shell::new();
    shell.write("a.c", EMPTY_MAIN).write("p.prp", MEMSAFETY);
    for text in ["", "<graphml>", "- entry_type: other\n", "{{{{"] {
        let output = shell.write("w", text).margay(&["validate", "w", "--property", "p.prp", "a.c"]);
        let (out, _) = texts(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(out.starts_with("Witness result: MALFORMED (") && out.lines().count() == 1, "{text}: {out}");
    }
}

/// What the user wrote is never replaced by what is written, nor one output by another.
#[test]
fn nothing_of_the_users_is_overwritten() {
    let shell = Shell::new();
    let text = "int main(void) { return 0; }\n";
    shell.write("x.c", text).write("y.c", text);
    let input = "it is read as input, and would be overwritten";
    for option in
        ["--json", "--html", "--sarif", "--summary", "--witness", "--witness-yaml", "--harness", "--proof", "--picture"]
    {
        shell.refuses(&["verify", option, "x.c", "x.c"], input);
    }
    shell.refuses(&["verify", "--json", "./x.c", "x.c"], input);
    shell
        .refuses(&["verify", "--json", "a.out", "--html", "./a.out", "x.c"], "two outputs would be written to ./a.out");
    for arguments in [
        &["contracts", "--acsl", "x.c", "x.c"][..],
        &["contracts", "--acsl", ".", "x.c", "y.c"],
        &["contracts", "--json", "y.c", "x.c", "y.c"],
        &["show", "cfa", "-o", "x.c", "x.c"],
        &["diagnose", "-o", "x.c", "x.c"],
    ] {
        shell.refuses(arguments, input);
    }
    // Witnesses that were not asked for by name go to a folder, where a task may stand.
    let task = "format_version: '2.0'\ninput_files: '../x.c'\nproperties:\n  - property_file: p.prp\n    expected_verdict: true\n";
    fs::create_dir(shell.path().join("witnesses")).unwrap();
    shell.write("witnesses/x.yml", task).write("witnesses/p.prp", "CHECK( init(main()), LTL(G valid-free) )\n");
    let output = shell.margay(&["verify", "witnesses/x.yml"]);
    assert!(texts(&output).1.contains(input), "{:?}", texts(&output));
    assert_eq!(fs::read_to_string(shell.path().join("witnesses/x.yml")).unwrap(), task);
    for name in ["x.c", "y.c"] {
        assert_eq!(fs::read_to_string(shell.path().join(name)).unwrap(), text, "{name}");
    }
}

#[test]
fn the_exit_code_tells_the_answer_where_it_is_asked_to() {
    let shell = Shell::new();
    shell.write("right.c", "int main(void) { return 0; }\n");
    shell.write("wrong.c", "int main(void) { int *p = 0; return *p; }\n");
    shell.write("open.c", "#include <fenv.h>\nint main(void) { fesetround(FE_UPWARD); return 0; }\n");
    for (file, code) in [("right.c", 0), ("wrong.c", 10), ("open.c", 20)] {
        let asked = shell.margay(&["verify", "--no-witness", "--exit-code", file]);
        assert_eq!(asked.status.code(), Some(code), "{file}: {:?}", texts(&asked));
        assert_eq!(shell.margay(&["verify", "--no-witness", file]).status.code(), Some(0), "{file}");
    }
    assert_eq!(shell.margay(&["verify", "--exit-code", "none.c"]).status.code(), Some(2));
}

#[test]
fn what_is_missing_is_named() {
    let shell = Shell::new();
    for (text, missing) in [
        ("int main(void) { int x = 3 return x; }", "`;` is missing before `return`"),
        ("struct s { int x; }\nint main(void) { return 0; }", "`;` is missing before `int`"),
        ("int f(int, int);\nint main(void) { return f(1 2); }", "`,` is missing before `2`"),
        ("int main(void) { return + ; }", "syntax error at `;`"),
        ("int main(void) { if (1) { return 0; }", "unbalanced bracket"),
    ] {
        shell.write("x.c", format!("{text}\n"));
        shell.refuses(&["verify", "x.c"], missing);
    }
}

#[test]
fn options_given_twice_and_standard_output() {
    let shell = Shell::new();
    shell.write("x.c", "int main(void) { return 0; }\n");
    shell.answers(&["verify", "-t", "1s", "-t", "20s", "--no-witness", "x.c"], "TRUE");
    let output = shell.margay(&["verify", "--json", "-", "--no-witness", "x.c"]);
    let (out, err) = texts(&output);
    assert!(
        out.contains("\"format\": \"margay answer 1\"") && out.ends_with("Verification result: TRUE\n"),
        "{out}{err}"
    );
    assert!(!shell.path().join("-").exists());
    shell.refuses(&["verify", "--json", "-", "--sarif", "-", "x.c"], "two outputs would be written to -");
    shell.refuses(&["verify", "-m", "10", "x.c"], "`10` has no unit; write 10GB or 10MB");
}
