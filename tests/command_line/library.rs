//! Margay as a library: what programs that link it are given.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use margay::open::{Kind, Status};
use margay::{
    Action, Cancellation, Contracts, DataModel, Error, Limits, Outcome, Program, Property, Reason, Runner,
    Specification, Validator, Validity, Value, Verdict, Verifier, Violation,
};

use super::texts::{ENDLESS, LEAK, MEMSAFETY};

const USE_AFTER_FREE: &str = "\
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int twice(int *p) {
    return *p * 2;
}
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    if (__VERIFIER_nondet_int() == -7)
        free(p);
    int result = twice(p);
    free(p);
    return result;
}
";

/// A loop whose end needs an invariant, and nothing wrong.
const SAFE: &str = "\
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    for (int i = 0; i < 100; i++)
        *p = i;
    free(p);
    return 0;
}
";

fn leak() -> Program {
    Program::from_text("leak.c", LEAK)
}

#[test]
fn a_violation_comes_with_its_run() {
    let answer = Verifier::new(Program::from_text("used.c", USE_AFTER_FREE)).verify().unwrap();
    assert_eq!(answer.verdict.to_string(), "FALSE(valid-deref)");
    let Verdict::False(run) = &answer.verdict else { panic!("{}", answer.verdict) };
    assert_eq!((run.violation, run.weakness.map(|kind| kind.cwe().0)), (Violation::ValidDeref, Some(416)));
    let [place, allocated, freed] = [&run.place, &run.allocated, &run.freed].map(|place| place.as_ref().unwrap());
    assert_eq!((&*place.function, &*place.position.file, place.position.line), ("twice", "used.c", 4));
    assert_eq!((allocated.position.line, freed.position.line), (7, 10));
    assert_eq!(run.inputs().collect::<Vec<_>>(), [Value::Signed(-7)]);
    let actions: Vec<&Action> = run.steps.iter().map(|step| &step.action).collect();
    let last = actions.last().unwrap();
    assert!(matches!(last, Action::Violation { function } if &**function == "twice"), "{actions:?}");
    assert!(actions.iter().any(|action| matches!(action, Action::Branch { holds: true, .. })), "{actions:?}");
    assert!(actions.iter().any(|action| matches!(action, Action::Call { function } if &**function == "twice")));
    // Texts are known by their names alone.
    let witnesses = answer.witnesses.unwrap();
    for text in [&witnesses.graphml, &witnesses.yaml] {
        assert!(text.contains("used.c") && !text.contains("/margay-") && !text.contains("/used.c"), "{text}");
    }
}

#[test]
fn a_proof_comes_with_a_certificate_that_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("safe.c");
    fs::write(&file, SAFE).unwrap();
    let answer = Verifier::new(Program::from_file(&file)).certificate(true).verify().unwrap();
    let Verdict::True { invariants } = &answer.verdict else { panic!("{}", answer.verdict) };
    assert_eq!(invariants.iter().map(|invariant| invariant.pos.line).collect::<Vec<_>>(), [4]);
    let proof = folder.path().join("proof.json");
    fs::write(&proof, answer.certificate.unwrap()).unwrap();
    let mut check = Command::new(env!("CARGO_BIN_EXE_margay"));
    let checked =
        check.args(["check-proof".as_ref(), proof.as_os_str(), file.as_os_str()]).stdin(Stdio::null()).output();
    let checked = checked.unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    // Only where it is asked for.
    let answer = Verifier::new(Program::from_file(&file)).verify().unwrap();
    assert!(matches!(answer.verdict, Verdict::True { .. }) && answer.certificate.is_none(), "{}", answer.verdict);
}

#[test]
fn properties_and_options_decide() {
    let verdict = |verifier: Verifier| verifier.verify().unwrap().verdict.to_string();
    assert_eq!(verdict(Verifier::new(leak())), "FALSE(valid-memtrack)");
    assert_eq!(verdict(Verifier::new(leak()).property(Property::ValidFree)), "TRUE");
    let all = Specification::from_text(MEMSAFETY).unwrap();
    assert_eq!(verdict(Verifier::new(leak()).property(all)), "FALSE(valid-memtrack)");
    // Null is written through where allocation may fail.
    let safe = || Verifier::new(Program::from_text("safe.c", SAFE));
    assert_eq!(verdict(safe()), "TRUE");
    assert_eq!(verdict(safe().malloc_may_fail(true)), "FALSE(valid-deref)");
    // 2^31 needs 64 bits.
    let text = "int main(void) { long n = 2147483647; n = n + 1; return 0; }";
    for (model, expected) in [(DataModel::Lp64, "TRUE"), (DataModel::Ilp32, "FALSE(no-overflow)")] {
        let program = Program::from_text("long.c", text).data_model(model);
        assert_eq!(verdict(Verifier::new(program).property(Property::NoOverflow)), expected);
    }
    let text = "int f(int x) { return x + 1; } int main(void) { return 0; }";
    let verifier = || Verifier::new(Program::from_text("f.c", text)).property(Property::NoOverflow);
    assert_eq!(verdict(verifier()), "TRUE");
    let answer = verifier().entry("f").verify().unwrap();
    assert_eq!((answer.verdict.to_string().as_str(), answer.witnesses), ("FALSE(no-overflow)", None));
}

/// Each property has the name that the command line takes.
#[test]
fn properties_have_names() {
    use margay::task::PropertyFile;
    let properties = [
        Property::UnreachCall,
        Property::UnreachLabel,
        Property::Assertions,
        Property::MemorySafety,
        Property::ValidDeref,
        Property::ValidFree,
        Property::ValidMemtrack,
        Property::ValidMemcleanup,
        Property::NoOverflow,
        Property::Termination,
    ];
    let names: Vec<&str> = PropertyFile::NAMES.iter().map(|(name, _)| *name).collect();
    assert_eq!(properties.map(Property::name).to_vec(), names);
}

#[test]
fn the_preprocessor_is_given_its_options() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("size.h"), "enum { BYTES = SIZE };\n").unwrap();
    fs::write(folder.path().join("first.h"), "int before;\n").unwrap();
    let text = "#ifdef WRONG\n#error\n#endif\n#include \"size.h\"\nint main(void) { return BYTES + before; }\n";
    let program = Program::from_text("options.c", text)
        .include_dir(folder.path())
        .include(folder.path().join("first.h"))
        .define("SIZE=7")
        .define("WRONG")
        .undefine("WRONG");
    assert_eq!(Runner::new(program).run().unwrap().outcome, Outcome::Exited(7));
}

#[test]
fn several_texts_are_one_program() {
    let one = "int seven(void);\nint main(void) { return seven(); }\n";
    let program = Program::from_text("one.c", one).text("two.c", "int seven(void) { return 7; }\n");
    assert_eq!(Runner::new(program.clone()).run().unwrap().outcome, Outcome::Exited(7));
    // A witness cannot say which program it is about.
    let answer = Verifier::new(program).verify().unwrap();
    assert_eq!((answer.verdict.to_string().as_str(), answer.witnesses), ("TRUE", None));
}

#[test]
fn a_run_has_output_and_a_status() {
    let text = r#"
        #include <stdio.h>
        extern int __VERIFIER_nondet_int(void);
        int main(int argc, char **argv) {
            int c;
            while ((c = getchar()) != EOF)
                putchar(c + 1);
            fprintf(stderr, "%s %s", argv[0], argv[argc - 1]);
            return __VERIFIER_nondet_int() + argc;
        }"#;
    let runner =
        Runner::new(Program::from_text("run.c", text)).argument("one").argument("two").stdin("HAL").inputs([-5]);
    let done = runner.run().unwrap();
    assert_eq!(done.outcome, Outcome::Exited(-2));
    assert_eq!((&*done.stdout, &*done.stderr), (&b"IBM"[..], &b"run two"[..]));
    let violated = Runner::new(leak()).run().unwrap().outcome;
    assert!(matches!(&violated, Outcome::Violated(run) if run.violation == Violation::ValidMemtrack), "{violated:?}");
    // What is not watched for does not end a run.
    assert_eq!(Runner::new(leak()).property(Property::NoOverflow).run().unwrap().outcome, Outcome::Exited(0));
    let aborted = Runner::new(Program::from_text("abort.c", "void abort(void);\nint main(void) { abort(); }\n"));
    assert_eq!(aborted.run().unwrap().outcome, Outcome::Aborted);
    let endless = Runner::new(Program::from_text("endless.c", "int main(void) { for (unsigned n = 0;; n++) ; }\n"));
    assert_eq!(endless.steps(1000).run().unwrap().outcome, Outcome::GivenUp);
}

#[test]
fn witnesses_are_judged() {
    let witness = Verifier::new(leak()).verify().unwrap().witnesses.unwrap();
    for text in [witness.graphml, witness.yaml] {
        let judged = |program: Program| Validator::new(program, text.as_str()).validate().unwrap().validity;
        assert_eq!(judged(leak()), Validity::Confirmed);
        let other = judged(Program::from_text("leak.c", SAFE));
        assert!(matches!(&other, Validity::Malformed(why) if why.contains("`leak.c`")), "{other:?}");
        let error = Validator::new(leak().define("X"), text.as_str()).validate().unwrap_err();
        assert!(matches!(error, Error::Usage(_)), "{error:?}");
    }
    let none = Validator::new(leak(), "no witness").validate().unwrap().validity;
    assert!(matches!(none, Validity::Malformed(_)), "{none:?}");
}

#[test]
fn contracts_have_functions_and_errors() {
    let text = "#include <stdlib.h>\nstatic int lost;\nvoid leak(void) {\n  int *p = malloc(4);\n  *p = lost;\n}\nint get(int *p) { return *p; }\n";
    let program =
        Program::from_text("open.c", text).text("calls.c", "int get(int *p);\nint both(int *p) { return get(p); }\n");
    let reports = Contracts::new(program.clone()).infer().unwrap();
    let names: Vec<(&str, &str, u32)> =
        reports.iter().map(|report| (&*report.name, &*report.file, report.line)).collect();
    assert_eq!(names, [("leak", "open.c", 3), ("get", "open.c", 7), ("both", "calls.c", 2)]);
    let [leak, get, both] = &reports[..] else { panic!("{names:?}") };
    let [finding] = &leak.findings[..] else { panic!("{:?}", leak.findings) };
    assert_eq!((finding.kind, finding.manifest, &*finding.file), (Kind::MemoryLeak, true, "open.c"));
    assert_eq!((get.status, both.status), (Status::Complete, Status::Complete));
    // Objects that only one file can name are called by the name that it was given.
    let text = format!("{reports:?}");
    assert!(!text.contains("margay-"), "{text}");
    let only = Contracts::new(program.clone()).function("both").infer().unwrap();
    assert_eq!(only.iter().map(|report| &*report.name).collect::<Vec<_>>(), ["both"]);
    let error = Contracts::new(program).function("none").infer().unwrap_err();
    assert_eq!(error, Error::Usage("there is no function `none`".to_owned()));
}

#[test]
fn mistakes_have_positions() {
    let error = |text: &str| Verifier::new(Program::from_text("wrong.c", text)).verify().unwrap_err();
    let syntax = error("int main(void) {\n  return 0\n}\n");
    assert!(
        matches!(&syntax, Error::Syntax { position: Some(pos), .. } if (&*pos.file, pos.line) == ("wrong.c", 3)),
        "{syntax:?}"
    );
    assert!(syntax.to_string().starts_with("wrong.c:3:1: "), "{syntax}");
    let constraint = error("int main(void) {\n  return unknown;\n}\n");
    assert!(matches!(&constraint, Error::Constraint { position: Some(pos), .. } if pos.line == 2), "{constraint:?}");
    assert!(matches!(error("int f(void) { return 0; }\n"), Error::NoMain(_)));
    let missing = error("#include \"missing.h\"\nint main(void) { return 0; }\n");
    assert!(missing.message().contains("wrong.c:1") && !missing.message().contains("margay-"), "{missing}");
    assert_eq!(missing.position(), None);
}

#[test]
fn wrong_questions_are_refused() {
    let refused = |program: Program| Runner::new(program).run().unwrap_err();
    assert!(matches!(refused(Program::from_file("no such file.c")), Error::Io(_)));
    for name in ["", "../x.c", "a/b.c", ".."] {
        assert!(matches!(refused(Program::from_text(name, LEAK)), Error::Usage(why) if why.contains("name")), "{name}");
    }
    assert!(matches!(refused(leak().text("leak.c", SAFE)), Error::Usage(why) if why.contains("two texts")));
    assert!(
        matches!(refused(Program::from_text("empty.c", " ")), Error::Syntax { message, .. } if message == "empty.c: the file is empty")
    );
    let several = leak().text("safe.c", SAFE);
    assert!(matches!(Verifier::new(several).certificate(true).verify(), Err(Error::Usage(_))));
    let text = "CHECK( init(main()), LTL(G valid-free) )\nCHEKC";
    assert!(
        matches!(Specification::from_text(text), Err(Error::Syntax { position: Some(pos), .. }) if (&*pos.file, pos.line) == ("specification", 2))
    );
    let text = "CHECK( init(main()), LTL(G ! data-race) )";
    assert!(matches!(Specification::from_text(text), Err(Error::Unsupported { .. })));
}

#[test]
fn what_is_not_supported_is_an_answer() {
    let text = "int main(void) {\n  __asm__ goto(\"jmp %l0\" : : : : out);\nout:\n  return 0;\n}\n";
    let verdict = Verifier::new(Program::from_text("asm.c", text)).verify().unwrap().verdict;
    let Verdict::Unknown(Reason::Unsupported { message, position: Some(pos) }) = verdict else { panic!("{verdict}") };
    assert_eq!((message.as_str(), &*pos.file, pos.line), ("asm goto", "asm.c", 2));
}

#[test]
fn limits_and_cancellations_end_the_work() {
    let endless = || Verifier::new(Program::from_text("endless.c", ENDLESS)).property(Property::UnreachCall);
    let timed = endless().limits(Limits::none().time(Duration::from_millis(300))).verify().unwrap();
    assert_eq!(timed.verdict, Verdict::Unknown(Reason::Timeout));
    let small = endless().limits(Limits::none().memory(1)).verify().unwrap();
    assert_eq!(small.verdict, Verdict::Unknown(Reason::OutOfMemory));
    let cancellation = Cancellation::new();
    let verifier = endless().limits(Limits::none().cancelled_by(&cancellation));
    let ended = std::thread::scope(|scope| {
        let work = scope.spawn(|| verifier.verify().unwrap().verdict);
        std::thread::sleep(Duration::from_millis(300));
        cancellation.clone().cancel();
        work.join().unwrap()
    });
    assert_eq!(ended, Verdict::Unknown(Reason::Cancelled));
    assert!(cancellation.is_cancelled());
    // What begins later ends at once, also a run.
    let limits = Limits::none().cancelled_by(&cancellation);
    let text = "int main(void) { for (unsigned long n = 0; n != 1ul << 60; n++) ; return 0; }\n";
    let run = Runner::new(Program::from_text("long.c", text)).limits(limits.clone()).run().unwrap();
    assert_eq!(run.outcome, Outcome::GivenUp);
}

/// Several questions may be asked at a time.
#[test]
fn questions_do_not_disturb_each_other() {
    let verdicts = std::thread::scope(|scope| {
        let ask = |program: Program| scope.spawn(|| Verifier::new(program).verify().unwrap().verdict.to_string());
        let asked = [LEAK, SAFE, USE_AFTER_FREE].map(|text| ask(Program::from_text("one.c", text)));
        asked.map(|work| work.join().unwrap())
    });
    assert_eq!(verdicts, ["FALSE(valid-memtrack)", "TRUE", "FALSE(valid-deref)"]);
}
