//! Generated programs with functions, loops and conditional operators, and witnesses of them that are right or wrong: whether one
//! is, a small interpreter of its own says, which tries all inputs and reads the format's rules off the events of a run.

use super::{Case, name};

/// Line and column.
type At = (u32, u32);
/// `a`, `b`, `c` of `main`, or `x` of `f` as the first.
type Values = [i64; 3];

/// A variable, or a constant.
#[derive(Clone, Copy)]
enum Term {
    Variable(usize),
    Number(i64),
}

/// What is assigned to `c`.
enum Right {
    Sum(Term, Term),
    Call { close: At, argument: Term },
    Choice { mark: At, variable: usize, bound: i64, inner: Option<(At, usize, i64)> },
}

enum Statement {
    Assign(At, Right),
    If { at: At, variable: usize, bound: i64, body: Box<Statement> },
    For { at: At, bound: Term, body: Box<Statement> },
}

/// What a run does that a waypoint may speak of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Branch(At, bool),
    Enter(At),
    Return(At, i64),
    /// A statement begins, with what the variables are; in `f`?
    Before(At, Values, bool),
    Error(At),
}

const NAMES: [&str; 3] = ["a", "b", "c"];

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn is(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

struct Program {
    lines: Vec<String>,
    statements: Vec<Statement>,
    /// `f` tells its argument from this.
    bound: i64,
    wanted: i64,
}

impl Program {
    fn new(random: &mut Random) -> Self {
        let bound = random.below(4) as i64;
        let lines = [
            "extern int __VERIFIER_nondet_int(void);",
            "extern void reach_error(void);",
            "int f(int x) {",
            &format!("    return x > {bound} ? x + 1 : x - 1;"),
            "}",
            "int main(void) {",
            "    int a = __VERIFIER_nondet_int();",
            "    if (a < 0 || a > 3) return 0;",
            "    int b = __VERIFIER_nondet_int();",
            "    if (b < 0 || b > 3) return 0;",
            "    int c = 0;",
        ];
        let lines = lines.map(str::to_owned).to_vec();
        let mut program = Self { lines, statements: Vec::new(), bound, wanted: -9 };
        for _ in 0..2 + random.below(3) {
            let statement = program.statement(random, 4);
            program.statements.push(statement);
        }
        // Mostly a number that some run comes to; the line of the condition is not there yet.
        program.lines.extend([String::new(), String::new(), String::new()]);
        let run = program.run(random.below(4) as i64, random.below(4) as i64);
        program.lines.truncate(program.lines.len() - 3);
        let end = run.iter().rev().find_map(|event| match event {
            Event::Before(_, values, false) => Some(values[2]),
            _ => None,
        });
        program.wanted = end.filter(|_| random.is(85)).unwrap_or(program.wanted);
        program.lines.push(format!("    if (c == {}) reach_error();", program.wanted));
        program.lines.extend(["    return 0;".to_owned(), "}".to_owned()]);
        program
    }

    /// The position that the next line has at a column.
    fn here(&self, column: usize) -> At {
        (self.lines.len() as u32 + 1, column as u32)
    }

    fn statement(&mut self, random: &mut Random, indent: usize) -> Statement {
        let (space, at) = (" ".repeat(indent), self.here(indent + 1));
        let variable = random.below(3) as usize;
        let number = random.below(4) as i64;
        match random.below(if indent < 12 { 5 } else { 3 }) {
            0 => {
                let (left, text) = term(random);
                let (right, more) = term(random);
                self.lines.push(format!("{space}c = {text} + {more};"));
                Statement::Assign(at, Right::Sum(left, right))
            }
            1 => {
                let (argument, text) = term(random);
                let line = format!("{space}c = f({text});");
                let close = self.here(line.find(')').unwrap() + 1);
                self.lines.push(line);
                Statement::Assign(at, Right::Call { close, argument })
            }
            2 => {
                let start = format!("{space}c = {} > {number} ? ", NAMES[variable]);
                let mark = self.here(start.find('?').unwrap() + 1);
                let (inner, yes) = match random.is(50) {
                    true => {
                        let (variable, bound) = (random.below(3) as usize, random.below(4) as i64);
                        let more = format!("{} > {bound} ? ", NAMES[variable]);
                        let at = self.here(start.len() + more.find('?').unwrap() + 1);
                        (Some((at, variable, bound)), more + "3 : 2")
                    }
                    false => (None, "1".to_owned()),
                };
                self.lines.push(format!("{start}{yes} : 0;"));
                Statement::Assign(at, Right::Choice { mark, variable, bound: number, inner })
            }
            3 => {
                self.lines.push(format!("{space}if ({} > {number})", NAMES[variable]));
                Statement::If { at, variable, bound: number, body: Box::new(self.statement(random, indent + 4)) }
            }
            _ => {
                let bound = if random.is(50) { Term::Number(number) } else { Term::Variable(variable % 2) };
                let text = if let Term::Variable(index) = bound { NAMES[index].to_owned() } else { number.to_string() };
                self.lines.push(format!("{space}for (int i{indent} = 0; i{indent} < {text}; i{indent}++)"));
                Statement::For { at, bound, body: Box::new(self.statement(random, indent + 4)) }
            }
        }
    }

    fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// The run on two inputs, where it begins: they are small, others end it at once.
    fn run(&self, a: i64, b: i64) -> Vec<Event> {
        let mut events = Vec::new();
        let mut values = [a, b, 0];
        for (line, value) in [(7, a), (9, b)] {
            let known = if line == 7 { [0, 0, 0] } else { [a, 0, 0] };
            events.push(Event::Before((line, 5), known, false));
            events.push(Event::Return((line, 35), value));
            events.push(Event::Before((line + 1, 5), if line == 7 { [a, 0, 0] } else { [a, b, 0] }, false));
            events.push(Event::Branch((line + 1, 5), false));
        }
        events.push(Event::Before((11, 5), values, false));
        for statement in &self.statements {
            self.step(statement, &mut values, &mut events);
        }
        let (line, _) = (self.lines.len() as u32 - 2, 0);
        events.push(Event::Before((line, 5), values, false));
        events.push(Event::Branch((line, 5), values[2] == self.wanted));
        if values[2] == self.wanted {
            let column = self.lines[line as usize - 1].find("reach").unwrap() as u32 + 1;
            events.push(Event::Before((line, column), values, false));
            events.push(Event::Error((line, column)));
        }
        events
    }

    fn step(&self, statement: &Statement, values: &mut Values, events: &mut Vec<Event>) {
        let of = |term: &Term, values: &Values| match term {
            Term::Variable(index) => values[*index],
            Term::Number(number) => *number,
        };
        let (Statement::Assign(at, _) | Statement::If { at, .. } | Statement::For { at, .. }) = statement;
        events.push(Event::Before(*at, *values, false));
        match statement {
            Statement::Assign(_, Right::Sum(left, right)) => values[2] = of(left, values) + of(right, values),
            Statement::Assign(_, Right::Call { close, argument }) => {
                let x = of(argument, values);
                events.push(Event::Enter(*close));
                events.push(Event::Before((4, 5), [x, 0, 0], true));
                let mark = self.lines[3].find('?').unwrap() as u32 + 1;
                events.push(Event::Branch((4, mark), x > self.bound));
                values[2] = if x > self.bound { x + 1 } else { x - 1 };
                events.push(Event::Return(*close, values[2]));
            }
            Statement::Assign(_, Right::Choice { mark, variable, bound, inner }) => {
                let taken = values[*variable] > *bound;
                events.push(Event::Branch(*mark, taken));
                values[2] = match (taken, inner) {
                    (false, _) => 0,
                    (true, None) => 1,
                    (true, Some((mark, variable, bound))) => {
                        let taken = values[*variable] > *bound;
                        events.push(Event::Branch(*mark, taken));
                        if taken { 3 } else { 2 }
                    }
                };
            }
            Statement::If { at, variable, bound, body } => {
                let taken = values[*variable] > *bound;
                events.push(Event::Branch(*at, taken));
                if taken {
                    self.step(body, values, events);
                }
            }
            Statement::For { at, bound, body } => {
                let mut count = 0;
                loop {
                    let taken = count < of(bound, values);
                    events.push(Event::Branch(*at, taken));
                    if !taken {
                        break;
                    }
                    self.step(body, values, events);
                    count += 1;
                }
            }
        }
    }
}

fn term(random: &mut Random) -> (Term, String) {
    match random.below(4) {
        0 => {
            let number = random.below(3) as i64;
            (Term::Number(number), number.to_string())
        }
        index => (Term::Variable(index as usize - 1), NAMES[index as usize - 1].to_owned()),
    }
}

/// A waypoint: what has to happen where; the column may be left out.
#[derive(Clone, Debug)]
struct Waypoint {
    at: At,
    has_column: bool,
    what: What,
}

#[derive(Clone, Debug)]
enum What {
    Branch(bool),
    Enter,
    /// With the operator.
    Return(&'static str, i64),
    Holds(usize, &'static str, i64),
    Target,
}

fn compare(left: i64, operator: &str, right: i64) -> bool {
    match operator {
        "==" => left == right,
        "!=" => left != right,
        "<" => left < right,
        _ => left >= right,
    }
}

impl Waypoint {
    /// Whether `event` evaluates it, and passes it then.
    fn passes(&self, event: &Event) -> Option<bool> {
        match (event, &self.what) {
            (Event::Branch(at, taken), What::Branch(wanted)) if *at == self.at => Some(taken == wanted),
            (Event::Enter(at), What::Enter) if *at == self.at => Some(true),
            (Event::Return(at, value), What::Return(operator, number)) if *at == self.at => {
                Some(compare(*value, operator, *number))
            }
            (Event::Before(at, values, _), What::Holds(index, operator, number)) if *at == self.at => {
                Some(compare(values[*index], operator, *number))
            }
            (Event::Error(at), What::Target) if *at == self.at => Some(true),
            _ => None,
        }
    }

    /// In the notation of [`super::content`].
    fn text(&self) -> String {
        let column = if self.has_column { format!(":{}", self.at.1) } else { String::new() };
        let place = format!("{}{column}", self.at.0);
        match &self.what {
            What::Branch(taken) => format!("b {place} {taken}"),
            What::Enter => format!("e {place}"),
            What::Return(operator, number) => format!("r {place} \\result {operator} {number}"),
            What::Holds(index, operator, number) => {
                let name = if self.at.0 == 4 { "x" } else { NAMES[*index] };
                format!("a {place} {name} {operator} {number}")
            }
            What::Target => format!("t {place}"),
        }
    }
}

/// A segment: what is to be avoided, and what ends it.
type Segment = (Vec<Waypoint>, Waypoint);

/// Whether a run with these events is one of the witness's.
fn is_reported(events: &[Event], segments: &[Segment]) -> bool {
    let mut current = 0;
    for event in events {
        let Some((avoid, follow)) = segments.get(current) else { return false };
        if avoid.iter().any(|waypoint| waypoint.passes(event) == Some(true)) {
            return false;
        }
        match follow.passes(event) {
            Some(true) if matches!(follow.what, What::Target) => return current + 1 == segments.len(),
            Some(true) => current += 1,
            Some(false) => return false,
            None => {}
        }
    }
    false
}

/// A waypoint that `event` passes, or nearly; `None` where none speaks of it.
fn waypoint(random: &mut Random, event: &Event, all: &[Event]) -> Option<Waypoint> {
    let wrong = random.is(15);
    let operator = ["==", "==", "!=", "<", ">="][random.below(5) as usize];
    let near = |random: &mut Random, value: i64| value + if wrong { random.below(3) as i64 - 1 } else { 0 };
    let (at, what) = match event {
        Event::Branch(at, taken) => (*at, What::Branch(*taken != wrong)),
        Event::Enter(at) => (*at, What::Enter),
        Event::Return(at, value) => (*at, What::Return(operator, near(random, *value))),
        Event::Before(at, values, in_f) => {
            // What is not yet declared has no name there.
            let known = match at.0 {
                4 => 1,
                ..=7 => 0,
                8 | 9 => 1,
                10 | 11 => 2,
                _ => 3,
            };
            if known == 0 {
                return None;
            }
            let index = if *in_f { 0 } else { random.below(known) as usize };
            (*at, What::Holds(index, operator, near(random, values[index])))
        }
        Event::Error(at) => (*at, What::Target),
    };
    // Without a column it is the leftmost one of the line.
    let others = all.iter().filter_map(|event| match (event, &what) {
        (Event::Branch(at, _), What::Branch(_)) | (Event::Before(at, ..), What::Holds(..)) => Some(*at),
        (Event::Enter(at), What::Enter) | (Event::Return(at, _), What::Return(..)) => Some(*at),
        _ => None,
    });
    let is_leftmost = others.filter(|other| other.0 == at.0).all(|other| other.1 >= at.1);
    Some(Waypoint { at, has_column: !is_leftmost || random.is(50), what })
}

fn witness(random: &mut Random, run: &[Event], all: &[Event], target: At) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut avoid = Vec::new();
    for event in run {
        if random.is(8)
            && let other = all[random.below(all.len() as u64) as usize]
            && let Some(waypoint) = waypoint(random, &other, all).filter(|found| !matches!(found.what, What::Target))
        {
            avoid.push(waypoint);
        }
        if random.is(30)
            && !matches!(event, Event::Error(_))
            && let Some(waypoint) = waypoint(random, event, all)
        {
            segments.push((std::mem::take(&mut avoid), waypoint));
        }
    }
    let target = Waypoint { at: target, has_column: random.is(50), what: What::Target };
    segments.push((avoid, target));
    if random.is(10) && segments.len() > 2 {
        let last = segments.len() - 1;
        segments.swap(0, last - 1);
    }
    segments
}

/// Programs and witnesses of each, or so many as `MARGAY_WITNESSES` says.
#[test]
fn witnesses_are_judged_as_all_runs_say() {
    let programs: u64 = std::env::var("MARGAY_WITNESSES").ok().and_then(|n| n.parse().ok()).unwrap_or(25);
    let (mut good, mut bad) = (0, 0);
    for seed in 0..programs {
        let mut random = Random(seed * 7919 + 1);
        (0..5).for_each(|_| _ = random.below(2));
        let program = Program::new(&mut random);
        let runs: Vec<Vec<Event>> = (0..16).map(|input| program.run(input / 4, input % 4)).collect();
        let all: Vec<Event> = runs.iter().flatten().copied().collect();
        let violating: Vec<&Vec<Event>> =
            runs.iter().filter(|run| matches!(run.last(), Some(Event::Error(_)))).collect();
        let line = program.lines.len() as u32 - 2;
        let target = (line, program.lines[line as usize - 1].find("reach").unwrap() as u32 + 1);
        let case = Case::new("generated.c", &program.text());
        for _ in 0..10 {
            let run = match violating.len() as u64 {
                count @ 1.. if random.is(85) => violating[random.below(count) as usize],
                _ => &runs[random.below(16) as usize],
            };
            let judge = |segments: &[Segment]| runs.iter().any(|run| is_reported(run, segments));
            let mut segments = witness(&mut random, run, &all, target);
            // Few are right by chance.
            let tries = if random.is(50) { 60 } else { 0 };
            for _ in 0..tries {
                if !judge(&segments) {
                    segments = witness(&mut random, run, &all, target);
                }
            }
            let is_good = judge(&segments);
            if is_good {
                good += 1
            } else {
                bad += 1
            }
            let texts: Vec<String> = segments
                .iter()
                .map(|(avoid, follow)| {
                    let avoid: String = avoid.iter().map(|waypoint| format!("!{}; ", waypoint.text())).collect();
                    avoid + &follow.text()
                })
                .collect();
            let text = texts.join(" | ");
            let judged = case.judged(&case.witness(&text));
            let expected = if is_good { "CONFIRMED" } else { "REJECTED" };
            assert_eq!(name(&judged.validity), expected, "{seed}: {text}: {judged:?}\n{}", program.text());
        }
    }
    println!("{good} right, {bad} wrong witnesses");
    assert!(good * 4 > bad && bad * 4 > good, "{good} right, {bad} wrong");
}
