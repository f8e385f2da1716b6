//! Every position that is reported points at the right token of the file the user gave: waypoints of witnesses, loops, carets of
//! messages. The programs are generated together with the places of what happens in them: macros, tabs, letters beyond ASCII and
//! line splices stand between their tokens.

use std::collections::BTreeSet;
use std::path::Path;

use margay::c::{load, parse, with_big_stack};
use margay::cfa::{LowerOptions, Program, lower};
use margay::concrete::{Outcome, RunLimits, Source, run};
use margay::memory::Checks;
use margay::report::error_text;
use margay::task::{DataModel, PropertyFile};
use margay::verdict::{Assumptions, Inputs, ViolatingRun};
use margay::witness::{Subject, violation};

const FILES: u64 = 200;

const HEADER: &str = "\
#include <stddef.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void); static int one(void) { return 1; }
#define PICK(c) ((c) ? one() : one() + 1)
#define ID(x) x
#define EMPTY
#define NOTHING(x) /* nothing */
#define IN(v) int v = __VERIFIER_nondet_int()
#define LOOP(i, n) for (int i = 0; i < n; i++)
#define CHECK(c) do { if (!(c)) reach_error(); } while (0)
#define IF if
#define OTHER PICK
#define FAIL() reach_error()
#define GET __VERIFIER_nondet_int
#define TWICE(x) x + x
#define CALL(f, ...) f(__VA_ARGS__)
int g;
int main(void) {
";

/// Line and column, from 1, in characters.
type Place = (u32, u32);

/// A step of the run: kind of waypoint, place, and what holds there.
type Step = (String, Place, String);

/// A program under construction.
struct Maker {
    text: String,
    seed: u64,
    steps: Vec<Step>,
    loops: BTreeSet<Place>,
    inputs: Vec<u128>,
    /// What the variable `g` holds.
    g: i64,
    names: u32,
}

impl Maker {
    fn new(seed: u64) -> Self {
        let (steps, inputs, loops) = (Vec::new(), Vec::new(), BTreeSet::new());
        Self { text: HEADER.to_owned(), seed, steps, loops, inputs, g: 0, names: 0 }
    }

    fn random(&mut self, below: usize) -> usize {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) as usize % below
    }

    /// Where the next character will stand.
    fn here(&self) -> Place {
        let start = self.text.rfind('\n').map_or(0, |at| at + 1);
        (self.text.matches('\n').count() as u32 + 1, self.text[start..].chars().count() as u32 + 1)
    }

    /// Writes words of C with gaps between them that mean nothing; where each word stands.
    fn write<const N: usize>(&mut self, words: [&str; N]) -> [Place; N] {
        const GAPS: [&str; 10] = [
            " ",
            "\t",
            " \\\n",
            "/* é */",
            " \\\n\t",
            " EMPTY ",
            " NOTHING(é) ",
            "/* don't\n*/ ",
            " // ü \"\n",
            "\n  ",
        ];
        words.map(|word| {
            let gap = GAPS[self.random(GAPS.len())];
            self.text += gap;
            let here = self.here();
            self.text += word;
            here
        })
    }

    fn fill(&mut self) {
        const FILLERS: [&str; 6] = [
            "\n\t",
            "  ",
            " char *s@ = NULL; ",
            " const char *t@ = \"é\\\"ü\\\n\"; (void) t@; ",
            "\n#if 0\n don't ( PICK(\n#endif\n",
            "\n#define LATER@ 1\n",
        ];
        self.names += 1;
        let filler = FILLERS[self.random(FILLERS.len())].replace('@', &self.names.to_string());
        self.text += &filler;
    }

    fn input(&mut self, place: Place) -> i64 {
        let value = self.random(9) as i64 - 2;
        self.inputs.push(u128::from(value as u32));
        self.steps.push(("function_return".into(), place, format!("\\result == {value}")));
        value
    }

    fn branch(&mut self, place: Place, taken: bool) -> bool {
        self.steps.push(("branching".into(), place, taken.to_string()));
        taken
    }

    fn pick(&mut self, place: Place, taken: bool) -> i64 {
        if self.branch(place, taken) { 1 } else { 2 }
    }

    /// One of the constructs, with the steps it makes.
    fn item(&mut self) {
        self.names += 1;
        let x = &*format!("{}{}", ["x", "é", "ü_"][self.random(3)], self.names);
        let g = self.g;
        match self.random(18) {
            0 => {
                let p = self.write(["int", x, "=", "__VERIFIER_nondet_int", "(", ")", ";"]);
                self.input(p[5]);
            }
            1 => {
                let p = self.write(["IN(", x, ")", ";"]);
                self.input(p[0]);
            }
            2 => {
                let p = self.write(["int", x, "=", "GET", "(", ")", ";"]);
                self.input(p[5]);
            }
            3 => {
                let p = self.write(["int", x, "=", "ID(", "GET", "(", ")", ")", ";"]);
                self.input(p[6]);
            }
            4 => {
                let p = self.write(["if", "(", "g", "<", "3", ")", "g", "++", ";"]);
                self.g += i64::from(self.branch(p[0], g < 3));
            }
            5 => {
                let p = self.write(["IF", "(", "g", "<", "3", ")", "g++;", "else", "{", "g -= 2;", "}"]);
                self.g += if self.branch(p[0], g < 3) { 1 } else { -2 };
            }
            6 => {
                let p = self.write(["ID(", "if", ")", "(", "g", ">", "1", ")", "g--;"]);
                self.g -= i64::from(self.branch(p[0], g > 1));
            }
            7 => {
                let p = self.write(["g", "+=", "PICK(", "g", ">", "2", ")", ";"]);
                self.g += self.pick(p[2], g > 2);
            }
            8 => {
                let p = self.write(["g", "=", "OTHER(", "g", ")", "- 1", ";"]);
                self.g = self.pick(p[2], g != 0) - 1;
            }
            9 => {
                let p = self.write(["while", "(", "g", "<", "4", ")", "{", "g++;", "}"]);
                self.loops.insert(p[0]);
                while self.branch(p[0], self.g < 4) {
                    self.g += 1;
                }
            }
            10 => {
                let p = self.write(["LOOP(", x, ",", "2", ")", "{", "g--;", "}"]);
                self.loops.insert(p[0]);
                for taken in [true, true, false] {
                    self.branch(p[0], taken);
                }
                self.g -= 2;
            }
            11 => {
                let p = self.write(["do", "{", "g++;", "}", "while", "(", "g", "<", "2", ")", ";"]);
                self.loops.insert(p[0]);
                self.g += 1;
                while self.branch(p[4], self.g < 2) {
                    self.g += 1;
                }
            }
            12 => {
                let p = self.write([
                    "switch",
                    "(",
                    "g",
                    ")",
                    "{",
                    "case",
                    "2",
                    ":",
                    "g = 7; break;",
                    "default:",
                    "g++;",
                    "}",
                ]);
                let chosen = if g == 2 { "2" } else { "default" };
                self.steps.push(("branching".into(), p[0], chosen.into()));
                self.g = if g == 2 { 7 } else { g + 1 };
            }
            13 => {
                let p = self.write(["CHECK(", "g", ">", "-1000", ")", ";"]);
                self.branch(p[0], false);
            }
            14 => {
                let p = self.write(["int", x, "=", "CALL(", "GET", ",", ")", ";"]);
                self.input(p[3]);
            }
            15 => {
                let p = self.write(["g", "=", "g", ">", "0", "?", "one", "(", ")", ":", "one", "(", ")", "+ 1", ";"]);
                self.g = self.pick(p[5], g > 0);
            }
            16 => {
                let p = self.write(["g", "-=", "TWICE(", "PICK(", "g", "< 1", ")", ")", ";"]);
                self.g -= self.pick(p[2], g < 1) + self.pick(p[2], g < 1);
            }
            _ => {
                let p = self.write(["g", "=", "TWICE(", "GET", "(", ")", ")", ";"]);
                self.g = self.input(p[5]) + self.input(p[5]);
            }
        }
    }

    /// The violation, and the end of the program.
    fn end(&mut self) {
        let place = match self.random(4) {
            0 => self.write(["FAIL()", ";"])[0],
            1 => self.write(["reach_error", "(", ")", ";"])[0],
            2 => self.write(["ID(", "reach_error", "(", ")", ")", ";"])[0],
            _ => {
                let p = self.write(["CHECK(", "g == 12345", ")", ";"]);
                self.branch(p[0], true);
                p[0]
            }
        };
        self.steps.push(("target".into(), place, String::new()));
        self.text += "\n}\n";
    }
}

fn lowered(file: &Path) -> Program {
    let unit = load(file, DataModel::Lp64).and_then(|source| parse(&source));
    let unit = unit.unwrap_or_else(|error| panic!("{error}\n{}", std::fs::read_to_string(file).unwrap()));
    lower(&unit, &LowerOptions { overflow_checks: false, malloc_may_fail: false, ..LowerOptions::default() }).unwrap()
}

/// The steps of the witness of the run on `inputs`.
fn steps(file: &Path, program: &Program, inputs: Vec<u128>) -> Vec<Step> {
    let checks = Checks { reach_call: true, ..Checks::default() };
    let inputs = Inputs { values: inputs, ..Inputs::default() };
    let limits = RunLimits { trace: true, ..RunLimits::steps(1 << 16) };
    let run = run(program, &checks, Source::Given(inputs.clone()), &limits);
    let Outcome::Violated(fault) = &run.outcome else { panic!("{}: {:?}", file.display(), run.outcome) };
    let shown = ViolatingRun {
        violation: fault.violation,
        detail: fault.detail.to_string().into(),
        weakness: fault.weakness,
        trace: run.trace,
        inputs,
        story: run.story,
        outside: false,
        round: None,
    };
    let property = PropertyFile::from_specification("CHECK( init(main()), LTL(G ! call(reach_error())) )").unwrap();
    let assumptions = Assumptions::default();
    let subject = Subject { file, model: DataModel::Lp64, property: &property, assumptions: &assumptions };
    let yaml: serde_json::Value = serde_saphyr::from_str(&violation(&subject, &shown).unwrap().yaml).unwrap();
    let waypoints = yaml[0]["content"].as_array().unwrap().iter().map(|item| &item["segment"][0]["waypoint"]);
    let step = |waypoint: &serde_json::Value| {
        let number = |key: &str| waypoint["location"][key].as_u64().unwrap() as u32;
        let value = waypoint["constraint"]["value"].as_str().unwrap_or_default().to_owned();
        (waypoint["type"].as_str().unwrap().to_owned(), (number("line"), number("column")), value)
    };
    waypoints.map(step).collect()
}

/// Where the loops of `main` stand.
fn loops(program: &Program) -> BTreeSet<Place> {
    let main = program.functions.iter().find(|function| &*function.name == "main").unwrap();
    let spans = main.locations.iter().filter(|location| location.loop_head).filter_map(|location| location.loop_span);
    let places = spans.map(|span| program.source.pos(span.start));
    places.map(|pos| (pos.line, pos.column)).collect()
}

#[test]
fn waypoints_and_loops_stand_at_their_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let mut walked = 0;
    for seed in 0..FILES {
        let mut maker = Maker::new(seed);
        for _ in 0..6 + seed % 8 {
            maker.fill();
            maker.item();
        }
        maker.end();
        let file = folder.path().join(format!("t{seed}.c"));
        std::fs::write(&file, &maker.text).unwrap();
        let (reported, heads) = with_big_stack(|| {
            let program = lowered(&file);
            (steps(&file, &program, maker.inputs.clone()), loops(&program))
        });
        assert_eq!(reported, maker.steps, "{}", maker.text);
        // A `do` that only serves a macro is no loop.
        assert_eq!(heads, maker.loops, "{}", maker.text);
        walked += reported.len();
    }
    assert!(walked > 2000, "{walked}");
}

/// The text under the caret of a message.
fn under_caret(message: &str) -> &str {
    let lines: Vec<&str> = message.lines().collect();
    let caret = lines.iter().position(|line| line.contains('^')).unwrap_or_else(|| panic!("{message}"));
    let at = lines[caret].chars().take_while(|c| *c != '^').count();
    let (start, _) = lines[caret - 1].char_indices().nth(at).unwrap_or_else(|| panic!("{message}"));
    &lines[caret - 1][start..]
}

#[test]
fn carets_stand_under_their_tokens() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..FILES {
        let mut maker = Maker::new(seed + FILES);
        maker.fill();
        maker.item();
        maker.fill();
        // What is not declared may be an argument, or come from a macro.
        let (place, token) = match maker.random(5) {
            0 => (maker.write(["g", "=", "nope", ";"])[2], "nope"),
            1 => (maker.write(["g", "=", "PICK(", "g", "+", "nope", ")", ";"])[5], "nope"),
            2 => (maker.write(["g", "=", "ID(", "ID(", "g", "+", "nope", ")", ")", ";"])[6], "nope"),
            3 => (maker.write(["LOOP(", "é", ",", "nope", ")", ";"])[3], "nope"),
            _ => {
                maker.text += "\n#define BAD(x) ((x) + nope)\n";
                (maker.write(["g", "=", "BAD(", "g", ")", ";"])[2], "BAD(")
            }
        };
        maker.text += "\n}\n";
        let file = folder.path().join(format!("t{seed}.c"));
        std::fs::write(&file, &maker.text).unwrap();
        let error = with_big_stack(|| load(&file, DataModel::Lp64).and_then(|source| parse(&source)).unwrap_err());
        let pos = error.pos.clone().unwrap_or_else(|| panic!("{error}"));
        assert_eq!((pos.line, pos.column), place, "{error}\n{}", maker.text);
        let message = error_text(&error);
        assert!(under_caret(&message).starts_with(token), "{message}\n{}", maker.text);
    }
}
