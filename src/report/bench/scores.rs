//! The results of many tasks as text: wrong answers first, then figures.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::results::{Outcome, Status};
use crate::report::table::{Align, table};

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
    let columns = std::array::from_fn::<_, 10, _>(|i| if i == 0 { Align::Left } else { Align::Right });
    text += &table(&columns, &suite_rows(outcomes));
    let _ = writeln!(text, "\n{}", score_line(outcomes));
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

/// The score and how many answers are what, in one line.
pub fn score_line(outcomes: &[Outcome]) -> String {
    let score: i64 = outcomes.iter().map(Outcome::score).sum();
    let count = |status: Status| outcomes.iter().filter(|o| o.status == status).count();
    format!(
        "Score {score}; {} correct, {} wrong, {} unknown, {} errors of {} answers.",
        count(Status::Correct),
        count(Status::Wrong),
        count(Status::Unknown),
        count(Status::Error),
        outcomes.len()
    )
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

/// The figures of each suite, and of all together where there are several; the first row is the head.
pub fn suite_rows(outcomes: &[Outcome]) -> Vec<Vec<String>> {
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
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_answers_come_first_and_the_score_adds_up() {
        let text = results_text(&[
            Outcome::sample("a", "true", "TRUE", 1.0),
            Outcome::sample("b", "false", "FALSE(valid-free)", 3.0),
            Outcome::sample("c", "false", "TRUE", 1.0),
            Outcome::sample("d", "true", "UNKNOWN (unsupported: goto * at d.i:12)", 1.0),
            Outcome::sample("e", "true", "UNKNOWN (unsupported: goto * at e.i:7)", 1.0),
        ]);
        assert!(text.starts_with("Wrong answers (1):\n  c [p]: expected false, answer TRUE\n"), "{text}");
        assert!(text.contains("    2 × unsupported: goto * at …  (such as d)"), "{text}");
        assert!(text.contains("Score -29; 2 correct, 1 wrong, 2 unknown, 0 errors of 5 answers."), "{text}");
        assert!(text.contains("4.0 s in all, 3.00 s median"), "{text}");
    }
}
