//! Programs of several files, options of the preprocessor, `compile_commands.json` and other entries than `main`: files that are
//! linked wrongly, names that reach beyond their file, options that do not arrive.

use std::fs;
use std::path::Path;
use std::process::Command;

struct Project {
    folder: tempfile::TempDir,
}

const REACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
const MEMORY: &str = "CHECK( init(main()), LTL(G valid-deref) )\n";

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        project.write("reach.prp", REACH).write("memory.prp", MEMORY);
        for (name, text) in files {
            project.write(name, text);
        }
        project
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn write(&self, name: &str, text: &str) -> &Self {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// Exit code, standard output and standard error.
    fn margay(&self, arguments: &str) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
        let output = command.args(arguments.split(' ')).current_dir(self.path()).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
    }

    fn answers(&self, arguments: &str, expected: &str) {
        let (code, out, err) = self.margay(arguments);
        assert_eq!(out.lines().last(), Some(&*format!("Verification result: {expected}")), "{arguments}: {out}{err}");
        assert_eq!(code, 0, "{arguments}");
    }

    fn refuses(&self, arguments: &str, expected: &str) {
        let (code, out, err) = self.margay(arguments);
        assert!(code == 2 && err.contains(expected), "{arguments}: {code} {out}{err}");
    }
}

/// A counter behind an interface; each file has a type, a function, a variable and a macro that mean something else in the other.
const COUNTER: &[(&str, &str)] = &[
    (
        "inc/counter.h",
        "#ifndef STEP\n#define STEP 1\n#endif\nstruct counter { int value; };\nextern struct counter shared;\n\
         extern int log[];\nvoid reach_error(void);\nvoid count(struct counter *c);\n\
         inline int twice(int x) { return 2 * x; }\n",
    ),
    (
        "counter.c",
        "#include \"counter.h\"\n#pragma pack(1)\ntypedef char word;\nstruct pair { char c; word w[3]; };\n\
         static int helper(void) { return STEP + (int)sizeof(struct pair) - 4; }\n\
         static int state = 40;\nint log[3];\nstruct counter shared = {2};\n#define LIMIT 1\n\
         void count(struct counter *c) { c->value += helper(); state++; log[1] = twice(state); }\n",
    ),
    (
        "main.c",
        "#include \"counter.h\"\ntypedef long long word;\nstruct pair { char c; word w; };\n\
         static int state;\nstatic int helper(void) { return (int)sizeof(struct pair); }\n#ifndef LIMIT\n#define LIMIT 3\n#endif\n\
         int main(void)\n{\n    count(&shared);\n    if (shared.value != LIMIT || state != 0 || log[1] != 82 || helper() != 16)\n\
         \x20       reach_error();\n    return twice(0);\n}\n",
    ),
];

#[test]
fn files_share_what_has_linkage_and_nothing_else() {
    let project = Project::new(COUNTER);
    project.answers("verify -I inc -p reach.prp counter.c main.c", "TRUE");
    project.answers("verify -I inc -p reach.prp main.c counter.c", "TRUE");
    project.answers("verify -I inc -D LIMIT=4 -p reach.prp main.c counter.c", "FALSE(unreach-call)");
    // Where the run of a violation leads through several files, each step stands in its own.
    let (_, out, _) = project.margay("verify -I inc -D STEP=7 -p reach.prp counter.c main.c");
    assert!(out.contains("  counter.c:10    helper is called") && out.contains("! main.c:13 "), "{out}");
    let (code, _, err) = project.margay("run -I inc counter.c main.c");
    assert!(code == 0 && err.ends_with("the program ends with status 0\n"), "{err}");
}

#[test]
fn the_preprocessor_gets_its_options() {
    let text = "#ifndef NDEBUG\n#define CHECK_VALUE 1\n#endif\n#if defined(WRONG) || !defined(HEADER)\n#undef CHECK_VALUE\n\
                #define CHECK_VALUE 0\n#endif\nvoid reach_error(void);\nint main(void) { if (!CHECK_VALUE) reach_error(); return 0; }\n";
    let project = Project::new(&[("a.c", text), ("first.h", "#define HEADER\n")]);
    project.answers("verify -p reach.prp a.c", "FALSE(unreach-call)");
    project.answers("verify -p reach.prp --include first.h a.c", "TRUE");
    project.answers("verify -p reach.prp --include first.h -DWRONG a.c", "FALSE(unreach-call)");
    project.answers("verify -p reach.prp --include first.h -D WRONG -U WRONG a.c", "TRUE");
    project.answers("verify -p reach.prp -DHEADER a.c", "TRUE");
    project.refuses("verify -p reach.prp --include missing.h a.c", "missing.h");
}

#[test]
fn projects_tell_how_they_are_compiled() {
    let project = Project::new(COUNTER);
    let commands = "[{\"directory\": \"..\", \"file\": \"main.c\", \"command\": \"gcc -O2 -Iinc -DLIMIT=3 -c main.c\"},\n\
                    {\"directory\": \"..\", \"file\": \"counter.c\", \"arguments\": [\"cc\", \"-I\", \"inc\", \"-c\", \"counter.c\"]},\n\
                    {\"directory\": \"..\", \"file\": \"part.cpp\", \"arguments\": [\"c++\", \"part.cpp\"]}]";
    project.write("build/compile_commands.json", commands).write("other.c", "int x;\n");
    let file = "--compile-commands build/compile_commands.json";
    project.answers(&format!("verify -p reach.prp {file}"), "TRUE");
    project.answers(&format!("verify -p reach.prp {file} counter.c main.c"), "TRUE");
    project.answers(&format!("verify -p reach.prp {file} -DLIMIT=9"), "FALSE(unreach-call)");
    project.refuses(&format!("verify {file} other.c"), "has no command for other.c");
    project.refuses("verify --compile-commands reach.prp", "no compile commands");
    project.refuses("verify --compile-commands missing.json", "cannot read missing.json");
    project.write("empty.json", "[]").refuses("verify --compile-commands empty.json", "it has no command for a C file");
    project.refuses("verify", "no C file is given");
}

#[test]
fn other_entries_get_any_arguments() {
    let text = "void reach_error(void);\nstruct point { int x, y; };\nstruct point mirrored(struct point p, _Bool both)\n{\n\
                \x20   if (both + 0 > 1 || p.x > 5 && p.x < 5)\n        reach_error();\n    p.x = -p.x;\n    return p;\n}\n\
                int indexed(unsigned i)\n{\n    int a[4] = {0};\n    return i <= 4 ? a[i] : 0;\n}\n\
                void flagged(int x, double d) { if (x == 77 && d > 1.5) reach_error(); }\n\
                int first(int *p) { return *p; }\n\
                struct hidden; void *of(struct hidden *);\nint opaque(struct hidden *p) { return *(int *)of(p); }\nint main(void) { return 0; }\n\
                void *malloc(unsigned long);\nvoid *made(void) { return malloc(4); }\n\
                int lost(void) { return malloc(4) != 0; }\n";
    let project = Project::new(&[("a.c", text)]);
    // Whoever calls it has what it returns.
    project.answers("verify -p valid-memsafety --entry made a.c", "TRUE");
    project.answers("verify -p valid-memsafety --entry lost a.c", "FALSE(valid-memtrack)");
    project.answers("verify -p reach.prp a.c", "TRUE");
    project.answers("verify -p reach.prp --entry mirrored a.c", "TRUE");
    project.answers("verify -p memory.prp --entry mirrored a.c", "TRUE");
    project.answers("verify -p reach.prp --entry flagged a.c", "FALSE(unreach-call)");
    project.answers("verify -p memory.prp --entry indexed a.c", "FALSE(valid-deref)");
    // An object of its type is made; for `opaque`, nothing says of which type.
    let (_, out, err) = project.margay("verify -p memory.prp --entry first a.c");
    assert!(out.starts_with("assuming that `p` leads to one object of type int"), "{out}{err}");
    project.answers("verify -p memory.prp --entry first a.c", "TRUE");
    let (_, out, err) = project.margay("verify -p memory.prp --entry opaque a.c");
    assert!(out.lines().last().unwrap().starts_with("Verification result: UNKNOWN"), "{out}{err}");
    project.refuses("verify -p reach.prp --entry nothing a.c", "there is no function `nothing` to start at");
    project.refuses(
        "verify -p reach.prp --entry flagged --witness w.graphml a.c",
        "witnesses are about programs of one file",
    );
}

#[test]
fn clashes_of_names_are_told() {
    let shared = ("shared.c", "int value = 1;\nint same(void) { return value; }\n");
    let project = Project::new(&[shared, ("again.c", "int value = 2;\n"), ("m.c", "int main(void) { return 0; }\n")]);
    project
        .write("twice.c", "int same(void) { return 2; }\n")
        .write("wrong.c", "extern int value;\nint main(void) { return nope; }\n");
    project.refuses("verify m.c shared.c again.c", "again.c:1:");
    project.refuses("verify m.c shared.c twice.c", "`same` is defined twice");
    // Positions are those of the file at hand.
    project.refuses("verify shared.c wrong.c", "wrong.c:2:25");
    project.write("late.c", "typedef int number;\nint use(number n) { return n; }\n");
    project.answers("verify late.c m.c shared.c", "TRUE");
    project.write("needs.c", "number lost;\n");
    project.refuses("verify late.c m.c needs.c", "needs.c:1:1");
}

/// What tells the preprocessor about a text is understood by each command that reads C.
#[test]
fn every_command_takes_options_of_the_preprocessor() {
    let header = "struct node { struct node *next; };\n";
    let text = "#include <stdlib.h>\n#include \"node.h\"\n\
                struct node *push(struct node *list) { struct node *n = malloc(SIZE); if (!n) abort(); n->next = list; return n; }\n\
                int main(void) { free(push(0)); return 0; }\n";
    let commands = r#"[{"directory": ".", "file": "a.c", "command": "cc -Ih -DSIZE=8 -c a.c"}]"#;
    let project = Project::new(&[("h/node.h", header), ("a.c", text), ("compile_commands.json", commands)]);
    for command in ["contracts", "show cfa", "show horn", "diagnose", "run"] {
        for options in ["-I h -D SIZE=8", "--compile-commands compile_commands.json"] {
            let (code, out, err) = project.margay(&format!("{command} {options} a.c"));
            assert_eq!(code, 0, "{command} {options}: {out}{err}");
        }
        let (code, _, err) = project.margay(&format!("{command} -I h a.c"));
        assert!(code == 2 && err.contains("SIZE"), "{command}: {err}");
    }
    // Their effect, not only that they are taken: a block of 4 bytes is too small.
    let (_, out, _) = project.margay("contracts -I h -D SIZE=4 --function main a.c");
    assert!(out.contains("error"), "{out}");
    let (_, out, _) = project.margay("show cfa --function push -I h -D SIZE=4 a.c");
    assert!(out.contains("malloc") || out.contains("alloc") && out.contains('4'), "{out}");
    project.answers("verify -p memory.prp -I h -D SIZE=8 --witness w.graphml a.c", "TRUE");
    for options in ["-I h -D SIZE=8", "--compile-commands compile_commands.json"] {
        let (code, out, err) = project.margay(&format!("validate {options} w.graphml a.c"));
        assert!(code == 0 && out.ends_with("Witness result: CONFIRMED\n"), "{options}: {out}{err}");
    }
    project.refuses("validate -I h w.graphml a.c", "SIZE");
    project.answers("verify -p memory.prp -I h -D SIZE=8 --no-witness --proof p.json a.c", "TRUE");
    project.margay("contracts -I h -D SIZE=8 --proof c.json a.c");
    for (proof, size, code) in [("p.json", 8, 0), ("c.json", 8, 0), ("p.json", 4, 1), ("c.json", 4, 1)] {
        let (status, out, err) = project.margay(&format!("check-proof -I h -D SIZE={size} {proof} a.c"));
        assert_eq!(status, code, "{proof} {size}: {out}{err}");
    }
    project.refuses("contracts", "no C file is given");
}
