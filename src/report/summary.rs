//! An answer, or those to many tasks, in Markdown: for the page of a run in continuous integration.

use std::fmt::Write;

use super::Sources;
use super::answer::{Answered, Reported};
use super::bench::{Outcome, Status, score_line, suite_rows};
use super::given::given_values;
use super::trace::{assigned, bytes_text, code_at, input_value, is_hidden, step};
use crate::memory::Weakness;
use crate::verdict::{Event, ViolatingRun};

/// Steps of a run that are listed: the last ones.
const MOST_STEPS: usize = 30;
/// Rows of a list of answers.
const MOST_ROWS: usize = 100;

/// One answer: the verdict, what it is about, the steps of a violation or the invariants of a proof. `explanation`: why there is
/// none, in sentences.
pub fn answer_summary(answered: &Answered, explanation: &str) -> String {
    let program = code(answered.program);
    let property = answered.property.name();
    let mut text = match answered.answer {
        Reported::True(_) => format!("## TRUE: {program}\n\nNo run violates {property}.\n"),
        Reported::False(run) => format!("## FALSE({}): {program}\n", run.violation.name()),
        Reported::Unknown(why) => {
            let mut text =
                format!("## UNKNOWN: {program}\n\nIt is not known whether {property} holds: {}.\n", plain(why));
            for sentence in explanation.lines() {
                let _ = write!(text, "\n{sentence}\n");
            }
            text
        }
    };
    match answered.answer {
        Reported::False(run) => {
            text += &violation(run);
            for run in answered.further {
                let _ = write!(text, "\n### Further violation: {}\n{}", run.violation.name(), violation(run));
            }
        }
        Reported::True(proof) if !proof.invariants().is_empty() => {
            text += "\n| loop | invariant |\n| --- | --- |\n";
            for invariant in proof.invariants() {
                let place = format!("{}:{}", invariant.pos.file, invariant.pos.line);
                let _ = writeln!(text, "| {} | {} |", cell(&code(&place)), cell(&code(&invariant.expression)));
            }
        }
        Reported::True(_) | Reported::Unknown(_) => {}
    }
    if !answered.assumptions.is_empty() {
        let _ = write!(text, "\nThis is so {}.\n", plain(&answered.assumptions.to_string()));
    }
    text
}

fn violation(run: &ViolatingRun) -> String {
    let sources = Sources::default();
    let mut text = String::new();
    if let Some(Event::Violation { pos, function }) = run.trace.last() {
        let place = format!("{}:{}", pos.file, pos.line);
        let _ = write!(text, "\nAt {} in {}: {}.\n\n", code(&place), code(function), plain(&run.detail));
        let _ = write!(text, "{}", block(&code_at(&sources, pos)));
    }
    let story = &run.story;
    let mut rows: Vec<(&str, String)> = Vec::new();
    if let Some((id, name)) = run.weakness.map(Weakness::cwe) {
        rows.push(("Weakness", format!("[CWE-{id}](https://cwe.mitre.org/data/definitions/{id}.html), {name}")));
    }
    rows.extend(story.accessed.iter().map(|accessed| ("Accessed", code(accessed))));
    for (label, place) in [("Allocated", story.allocated_in_text()), ("Freed", story.freed.as_ref())] {
        rows.extend(place.iter().map(|(pos, function)| (label, format!("line {} in {}", pos.line, code(function)))));
    }
    let inputs: Vec<String> = run.trace.iter().filter_map(input_value).collect();
    if !inputs.is_empty() {
        rows.push(("Inputs", inputs.join(", ")));
    }
    rows.extend(
        given_values(story).into_iter().map(|(_, name, values)| ("Given", format!("{}: {values}", code(name)))),
    );
    rows.extend(
        story.texts.iter().map(|(object, bytes)| ("In memory", format!("{object}: {}", code(&bytes_text(bytes))))),
    );
    if !rows.is_empty() {
        text += "\n| | |\n| --- | --- |\n";
        rows.iter().for_each(|(label, value)| _ = writeln!(text, "| {label} | {} |", cell(value)));
    }
    let steps: Vec<_> = run.trace.iter().enumerate().filter(|(_, event)| !is_hidden(event)).collect();
    let hidden = steps.len().saturating_sub(MOST_STEPS);
    let _ = write!(text, "\n<details><summary>{} steps</summary>\n\n", steps.len());
    if hidden > 0 {
        let _ = write!(text, "{hidden} earlier ones are left out.\n\n");
    }
    text += "| line | step | values |\n| ---: | --- | --- |\n";
    for (number, event) in steps.into_iter().skip(hidden) {
        let (pos, what) = step(event);
        let values = story.values.get(&number).map(Vec::as_slice).unwrap_or_default();
        let values: Vec<String> = values.iter().map(|(name, value)| code(&assigned(name, value))).collect();
        let _ = writeln!(text, "| {} | {} | {} |", pos.line, cell(&plain(&what)), cell(&values.join(", ")));
    }
    text + "\n</details>\n"
}

/// Answers to many tasks: the score, a table by suite, and those that are not right.
pub fn results_summary(outcomes: &[Outcome]) -> String {
    let mut text = format!("## Answers to {} tasks\n\n{}\n\n", outcomes.len(), score_line(outcomes));
    for (number, row) in suite_rows(outcomes).iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|text| cell(&plain(text))).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
        if number == 0 {
            let _ = writeln!(text, "| --- {}|", "| ---: ".repeat(row.len() - 1));
        }
    }
    for (title, status, is_open) in
        [("wrong", Status::Wrong, true), ("errors", Status::Error, true), ("unknown", Status::Unknown, false)]
    {
        let those: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.status == status).collect();
        if those.is_empty() {
            continue;
        }
        let open = if is_open { " open" } else { "" };
        let _ = write!(text, "\n<details{open}><summary>{} {title}</summary>\n\n", those.len());
        text += "| task | property | expected | answer | CPU s |\n| --- | --- | --- | --- | ---: |\n";
        for Outcome { task, property, expected, answer, cpu, .. } in those.iter().take(MOST_ROWS) {
            let cells = [code(task), plain(property), plain(expected), plain(answer)].map(|text| cell(&text));
            let _ = writeln!(text, "| {} | {cpu:.2} |", cells.join(" | "));
        }
        if those.len() > MOST_ROWS {
            let _ = write!(text, "\nand {} more\n", those.len() - MOST_ROWS);
        }
        text += "\n</details>\n";
    }
    text
}

/// Text of which nothing is taken for a mark of Markdown.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '~' => out.extend(['\\', c]),
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '&' => out += "&amp;",
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// Text of a program within a line.
fn code(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let fence = "`".repeat(longest_fence(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Lines of a program.
fn block(text: &str) -> String {
    let fence = "`".repeat((longest_fence(text) + 1).max(3));
    format!("{fence}c\n{text}\n{fence}\n")
}

/// The most backquotes in a row.
fn longest_fence(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Text within a table: a bar would end the cell, in code as well.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_hold_any_text() {
        let outcomes = [
            Outcome::sample("l/a.yml", "true", "TRUE", 1.5),
            Outcome::sample("l/b|`c`.yml", "true", "FALSE(valid-free)", 2.0),
            Outcome::sample("l/d.yml", "true", "UNKNOWN (not proved: *p <| q_r)", 3.25),
        ];
        let text = results_summary(&outcomes);
        assert!(
            text.contains("\n\nScore -14; 1 correct, 1 wrong, 1 unknown, 0 errors of 3 answers.\n\n| suite |"),
            "{text}"
        );
        assert!(text.contains("<details open><summary>1 wrong</summary>\n\n| task |"), "{text}");
        assert!(text.contains("| ``l/b\\|`c`.yml`` | p | true | FALSE(valid-free) | 2.00 |\n"), "{text}");
        assert!(text.contains("| p | true | UNKNOWN (not proved: \\*p &lt;\\| q\\_r) | 3.25 |\n"), "{text}");
        assert!(!text.contains("errors</summary>"), "{text}");
        // Every row of a table has as many cells as its head.
        let columns = |line: &str| line.replace("\\|", "").matches('|').count();
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert!(rows.iter().all(|row| [6, 11].contains(&columns(row))), "{rows:#?}");
    }

    #[test]
    fn code_is_fenced() {
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`x"), "`` `x ``");
        assert_eq!(block("x"), "```c\nx\n```\n");
    }
}
