//! The results of many tasks as text: wrong answers first, then figures.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::results::{Outcome, Status};
use super::table::{Align, table};

/// Reasons for `UNKNOWN` that are shown.
const MAX_REASONS: usize = 25;

/// Wrong answers and errors one by one, the reasons of unknown ones by frequency, a table by suite, and the score.
pub fn results_text(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for status in [Status::Wrong, Status::Error] {
        let those: Vec<&Outcome> = outcomes.iter().filter(|o| o.status == status).collect();
        if those.is_empty() {
            continue;
        }
        let title = if status == Status::Wrong { "Wrong answers" } else { "Errors" };
        let _ = writeln!(text, "{title} ({}):", those.len());
        for outcome in those {
            let expected = if outcome.expected.is_empty() { "?" } else { &outcome.expected };
            let _ = writeln!(
                text,
                "  {} [{}]: expected {expected}, answer {}",
                outcome.task, outcome.property, outcome.answer
            );
        }
        text.push('\n');
    }
    text += &reasons_text(outcomes);
    text += &suites_text(outcomes);
    let score: i64 = outcomes.iter().map(Outcome::score).sum();
    let count = |status: Status| outcomes.iter().filter(|o| o.status == status).count();
    let _ = writeln!(
        text,
        "\nScore {score}; {} correct, {} wrong, {} unknown, {} errors of {} answers.",
        count(Status::Correct),
        count(Status::Wrong),
        count(Status::Unknown),
        count(Status::Error),
        outcomes.len()
    );
    let mut cpu: Vec<f64> = outcomes.iter().filter(|o| o.status == Status::Correct).map(|o| o.cpu).collect();
    cpu.sort_by(f64::total_cmp);
    if let Some(median) = cpu.get(cpu.len() / 2) {
        let _ = writeln!(
            text,
            "CPU time of correct answers: {:.1} s in all, {median:.2} s median, {:.1} s at most.",
            cpu.iter().sum::<f64>(),
            cpu.last().unwrap_or(median)
        );
    }
    text
}

/// Why there was no definite answer, most frequent reasons first; file names and numbers do not tell reasons apart.
fn reasons_text(outcomes: &[Outcome]) -> String {
    let mut reasons: BTreeMap<String, (usize, &str)> = BTreeMap::new();
    for outcome in outcomes.iter().filter(|o| o.status == Status::Unknown) {
        let entry = reasons.entry(common_reason(&outcome.answer)).or_insert((0, &outcome.task));
        entry.0 += 1;
    }
    if reasons.is_empty() {
        return String::new();
    }
    let mut sorted: Vec<_> = reasons.into_iter().collect();
    sorted.sort_by(|a, b| b.1.0.cmp(&a.1.0).then_with(|| a.0.cmp(&b.0)));
    let mut text = String::from("Unknown because:\n");
    let hidden = sorted.len().saturating_sub(MAX_REASONS);
    for (reason, (count, example)) in sorted.into_iter().take(MAX_REASONS) {
        let _ = writeln!(text, "  {count:>5} × {reason}  (such as {example})");
    }
    if hidden > 0 {
        let _ = writeln!(text, "  and {hidden} rarer reasons");
    }
    text.push('\n');
    text
}

/// The text in the parentheses of `UNKNOWN (…)` without positions and with every number as `#`.
fn common_reason(answer: &str) -> String {
    let reason = answer.strip_prefix("UNKNOWN (").and_then(|r| r.strip_suffix(')')).unwrap_or(answer);
    let words = reason.split_whitespace().map(|word| {
        let is_place = word
            .split_once(':')
            .is_some_and(|(file, line)| file.contains('.') && line.starts_with(|c: char| c.is_ascii_digit()));
        if is_place { "…".to_owned() } else { without_numbers(word) }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn without_numbers(word: &str) -> String {
    let mut text = String::new();
    for c in word.chars() {
        match c {
            '0'..='9' if text.ends_with('#') => {}
            // Digits inside of a name belong to it.
            '0'..='9' if text.ends_with(|p: char| p.is_alphabetic() || p == '_') => text.push(c),
            '0'..='9' => text.push('#'),
            c => text.push(c),
        }
    }
    text
}

fn suites_text(outcomes: &[Outcome]) -> String {
    let mut suites: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
    let is_one = outcomes.windows(2).all(|pair| pair[0].suite == pair[1].suite);
    for outcome in outcomes {
        // A single set says nothing; the folders in it do.
        let folder = outcome.task.rsplit('/').nth(1).filter(|_| is_one);
        suites.entry(folder.unwrap_or(&outcome.suite)).or_default().push(outcome);
    }
    let head =
        ["suite", "answers", "true", "false", "wrong true", "wrong false", "unknown", "errors", "score", "cpu s"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let all: Vec<&Outcome> = outcomes.iter().collect();
    let several = suites.len() > 1;
    let total = several.then_some(("all", all));
    for (suite, outcomes) in suites.into_iter().chain(total) {
        let count = |f: &dyn Fn(&Outcome) -> bool| outcomes.iter().filter(|o| f(o)).count().to_string();
        rows.push(vec![
            suite.to_owned(),
            outcomes.len().to_string(),
            count(&|o| o.status == Status::Correct && o.says_true()),
            count(&|o| o.status == Status::Correct && !o.says_true()),
            count(&|o| o.status == Status::Wrong && o.says_true()),
            count(&|o| o.status == Status::Wrong && !o.says_true()),
            count(&|o| o.status == Status::Unknown),
            count(&|o| o.status == Status::Error),
            outcomes.iter().map(|o| o.score()).sum::<i64>().to_string(),
            format!("{:.1}", outcomes.iter().map(|o| o.cpu).sum::<f64>()),
        ]);
    }
    let columns = std::array::from_fn::<_, 10, _>(|i| if i == 0 { Align::Left } else { Align::Right });
    table(&columns, &rows)
}

/// What is different from `old`: answers gained and lost first, then the ratio of CPU times.
pub fn changes_text(old: &[Outcome], new: &[Outcome]) -> String {
    let before: BTreeMap<(&str, &str), &Outcome> =
        old.iter().map(|o| ((o.task.as_str(), o.property.as_str()), o)).collect();
    let mut groups: [(&str, Vec<String>); 4] =
        [("Now wrong", vec![]), ("Lost", vec![]), ("Gained", vec![]), ("Otherwise changed", vec![])];
    let (mut both, mut cpu_old, mut cpu_new) = (0, 0.0, 0.0);
    for now in new {
        let Some(then) = before.get(&(now.task.as_str(), now.property.as_str())) else { continue };
        if now.status == Status::Correct && then.status == Status::Correct {
            both += 1;
            cpu_old += then.cpu;
            cpu_new += now.cpu;
        }
        let group = match (then.status, now.status) {
            (a, b) if a == b && then.answer == now.answer => continue,
            (a, Status::Wrong) if a != Status::Wrong => 0,
            (Status::Correct, b) if b != Status::Correct => 1,
            (a, Status::Correct) if a != Status::Correct => 2,
            _ => 3,
        };
        let line = format!("{} [{}]: {} → {}", now.task, now.property, then.answer, now.answer);
        groups[group].1.push(line);
    }
    let mut text = String::new();
    for (title, lines) in groups.iter().filter(|g| !g.1.is_empty()) {
        let _ = writeln!(text, "{title} ({}):", lines.len());
        for line in lines {
            let _ = writeln!(text, "  {line}");
        }
    }
    if text.is_empty() {
        text.push_str("No answer has changed.\n");
    }
    if both > 0 && cpu_old > 0.0 {
        let _ = writeln!(
            text,
            "CPU time of the {both} answers correct both times: {cpu_old:.1} s → {cpu_new:.1} s (× {:.2}).",
            cpu_new / cpu_old
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(task: &str, expected: &str, answer: &str, cpu: f64) -> Outcome {
        Outcome {
            task: task.into(),
            suite: "lists".into(),
            property: "p".into(),
            expected: expected.into(),
            answer: answer.into(),
            status: super::super::results::status(expected, answer),
            cpu,
            wall: cpu,
            memory: 1.0,
        }
    }

    #[test]
    fn wrong_answers_come_first_and_the_score_adds_up() {
        let text = results_text(&[
            outcome("a", "true", "TRUE", 1.0),
            outcome("b", "false", "FALSE(valid-free)", 3.0),
            outcome("c", "false", "TRUE", 1.0),
            outcome("d", "true", "UNKNOWN (unsupported: goto * at d.i:12)", 1.0),
            outcome("e", "true", "UNKNOWN (unsupported: goto * at e.i:7)", 1.0),
        ]);
        assert!(text.starts_with("Wrong answers (1):\n  c [p]: expected false, answer TRUE\n"), "{text}");
        assert!(text.contains("    2 × unsupported: goto * at …  (such as d)"), "{text}");
        assert!(text.contains("Score -29; 2 correct, 1 wrong, 2 unknown, 0 errors of 5 answers."), "{text}");
        assert!(text.contains("4.0 s in all, 3.00 s median"), "{text}");
    }

    #[test]
    fn changes() {
        let old = [
            outcome("a", "true", "TRUE", 2.0),
            outcome("b", "true", "TRUE", 2.0),
            outcome("c", "true", "UNKNOWN (timeout)", 1.0),
            outcome("d", "true", "UNKNOWN (timeout)", 1.0),
            outcome("gone", "true", "TRUE", 1.0),
        ];
        let new = [
            outcome("a", "true", "TRUE", 1.0),
            outcome("b", "true", "UNKNOWN (timeout)", 1.0),
            outcome("c", "true", "TRUE", 1.0),
            outcome("d", "true", "FALSE(valid-free)", 1.0),
            outcome("new", "true", "TRUE", 1.0),
        ];
        let text = changes_text(&old, &new);
        assert!(text.contains("Now wrong (1):\n  d [p]: UNKNOWN (timeout) → FALSE(valid-free)\n"), "{text}");
        assert!(text.contains("Lost (1):\n  b [p]: TRUE → UNKNOWN (timeout)\n"), "{text}");
        assert!(text.contains("Gained (1):\n  c [p]"), "{text}");
        assert!(text.contains("the 1 answers correct both times: 2.0 s → 1.0 s (× 0.50)"), "{text}");
        assert!(changes_text(&old, &old).starts_with("No answer has changed.\n"));
    }
}
