//! Small programs over arrays whose indices are inputs: the answer of the merged paths is what trying all inputs tells.
//!
//! `MARGAY_ARRAY_PROGRAMS=FIRST..END` chooses which of them.

use margay::base::limits::Limits;
use margay::c::{SourceText, parse, with_big_stack};
use margay::cfa::{LowerOptions, lower};
use margay::concrete::replay;
use margay::memory::Checks;
use margay::portfolio::{Options, decide};
use margay::task::DataModel;
use margay::verdict::Inputs;

use crate::random::Random;

const INPUTS: usize = 3;

/// Values that each input has.
const VALUES: u64 = 6;

/// A program in the making.
struct Writer {
    random: Random,
    /// Type and length of the arrays `a0`, `a1`, …
    arrays: Vec<(&'static str, u64)>,
}

impl Writer {
    fn input(&mut self) -> String {
        format!("in{}", self.random.below(INPUTS as u64))
    }

    fn variable(&mut self) -> &'static str {
        self.random.pick(&["x", "y", "z"])
    }

    /// An element of some array.
    fn element(&mut self, depth: u32) -> String {
        let array = self.random.below(self.arrays.len() as u64);
        let length = self.arrays[array as usize].1;
        let index = match self.random.below(10) {
            0..4 => format!("{} % {length}u", self.input()),
            4 => self.random.below(length).to_string(),
            5..7 => format!("({} + {}) % {length}u", self.input(), self.input()),
            7 => format!("(unsigned){} % {length}u", self.variable()),
            _ if depth == 0 => format!("(unsigned){} % {length}u", self.element(1)),
            _ => "0".to_owned(),
        };
        format!("a{array}[{index}]")
    }

    fn number(&mut self, depth: u32) -> String {
        match self.random.below(10) {
            0 | 1 => (self.random.below(13) as i64 - 3).to_string(),
            2 | 3 => self.variable().to_owned(),
            4 => format!("(int){}", self.input()),
            5..8 => self.element(0),
            _ if depth < 2 => {
                let (left, right) = (self.number(depth + 1), self.number(depth + 1));
                format!("({left} {} {right})", self.random.pick(&["+", "-", "^", "&"]))
            }
            _ => "1".to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        format!("{} {} {}", self.number(0), self.random.pick(&["<", "==", "!=", ">="]), self.number(0))
    }

    fn statements(&mut self, depth: u32, least: u64, more: u64) -> String {
        let count = least + self.random.below(more + 1);
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: u32) -> String {
        match self.random.below(20) {
            0..7 => format!("{} = {};", self.element(0), self.number(0)),
            7..10 => format!("{} = {};", self.variable(), self.number(0)),
            10 | 11 => format!("{} += {};", self.element(0), self.number(0)),
            12 if depth < 2 => {
                let (rounds, body) = (1 + self.random.below(3), self.statements(depth + 1, 1, 1));
                format!("for (int k{depth} = 0; k{depth} < {rounds}; k{depth}++) {{ {body} }}")
            }
            13 => match self.arrays.iter().position(|(ty, _)| *ty == "int") {
                Some(array) => {
                    let (length, input) = (self.arrays[array].1, self.input());
                    format!("move(a{array}, {length}u, {input});")
                }
                None => String::new(),
            },
            _ if depth < 2 => {
                let (then, other) = (self.statements(depth + 1, 1, 2), self.statements(depth + 1, 0, 2));
                format!("if ({}) {{ {then} }} else {{ {other} }}", self.condition())
            }
            _ => format!("y = {};", self.number(0)),
        }
    }
}

fn program(seed: u64) -> String {
    let mut random = Random(seed);
    random.below(1);
    let types = ["unsigned char", "short", "int", "signed char", "unsigned", "int"];
    let lengths = [4, 6, 17, 20, 33];
    let arrays = 1 + random.below(3);
    let arrays = (0..arrays).map(|_| (random.pick(&types), lengths[random.below(5) as usize])).collect();
    let mut writer = Writer { random, arrays };
    let (mut globals, mut locals) = (String::new(), String::new());
    for (n, (ty, length)) in writer.arrays.clone().into_iter().enumerate() {
        match writer.random.below(5) {
            0..3 => globals += &format!("{ty} a{n}[{length}];\n"),
            _ => locals += &format!("{ty} a{n}[{length}] = {{ {}, 3 }};\n", writer.random.below(6)),
        }
    }
    let inputs: String = (0..INPUTS)
        .map(|n| format!("unsigned in{n} = __VERIFIER_nondet_uint(); if (in{n} >= {VALUES}) return 0;\n"))
        .collect();
    let body = writer.statements(0, 4, 6);
    let (one, other) = (writer.condition(), writer.condition());
    format!(
        "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);
        static void move(int *p, unsigned n, unsigned i) {{ p[i % n] = p[(i + 1) % n] + 1; }}
        {globals}
        int main(void) {{ {locals} int x = 0, y = 1, z = 2; {inputs} {body} if ({one} && {other}) reach_error(); return 0; }}"
    )
}

fn chosen() -> std::ops::Range<u64> {
    let chosen = std::env::var("MARGAY_ARRAY_PROGRAMS").ok();
    let bounds = chosen.as_deref().and_then(|text| text.split_once(".."));
    bounds.map_or(0..60, |(first, end)| first.parse().expect("a number")..end.parse().expect("a number"))
}

#[test]
fn merged_paths_say_what_all_inputs_do() {
    let mut stated = [0, 0];
    for seed in chosen() {
        let text = program(seed);
        let (reached, answer) = with_big_stack(|| {
            let unit = parse(&SourceText::from_text("t.c", &text, DataModel::Lp64)).expect("C");
            let program = lower(&unit, &LowerOptions::default()).expect("plain C");
            let checks = Checks { reach_call: true, ..Checks::default() };
            let reached = (0..VALUES.pow(INPUTS as u32)).any(|number| {
                let digit = |n: usize| u128::from(number / VALUES.pow(n as u32) % VALUES);
                let inputs = Inputs { values: (0..INPUTS).map(digit).collect(), ..Inputs::default() };
                replay(&program, &checks, &inputs).is_ok()
            });
            let options = Options { engines: Some("merged".into()), ..Options::default() };
            (reached, decide(&program, &checks, &Limits::none(), &options).verdict.to_string())
        });
        let expected = if reached { "FALSE(unreach-call)" } else { "TRUE" };
        assert_eq!(answer, expected, "program {seed}:\n{text}");
        stated[usize::from(reached)] += 1;
    }
    // Both kinds are among them.
    assert!(stated.iter().all(|count| 5 * count >= stated.iter().sum::<usize>()), "{stated:?}");
}
