//! All results as one HTML page that needs no other file.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::compare::Beside;
use super::plots::{escaped, quantile_plot, scatter_plot};
use super::results::{Outcome, Status};
use super::scores::{score_line, suite_rows};

/// The page; `{…}` stand for what [`results_page`] puts there.
const PAGE: &str = include_str!("page.html");

/// A page with the results, and those of others beside them: tables that a click sorts, plots of CPU times, a filter.
pub fn results_page(outcomes: &[Outcome], others: &[Beside]) -> String {
    let mut tools: Vec<(&str, &[Outcome])> = vec![("Margay", outcomes)];
    tools.extend(others.iter().map(|other| (other.name.as_str(), other.outcomes.as_slice())));
    let mut plots = quantile_plot(&tools);
    for other in others {
        plots += &scatter_plot(&other.name, &other.pairs(outcomes));
    }
    let summary = format!("<p>{}</p>", escaped(&score_line(outcomes)));
    let parts: BTreeMap<&str, String> = BTreeMap::from([
        ("{summary}", summary),
        ("{suites}", suites(outcomes)),
        ("{plots}", plots),
        ("{answers}", answers(outcomes, others)),
    ]);
    // Once through the page, so that nothing in the results is taken for a place.
    let mut page = String::new();
    let mut rest = PAGE;
    while let Some((at, name)) = parts.keys().filter_map(|name| Some((rest.find(name)?, *name))).min() {
        page += &rest[..at];
        page += &parts[name];
        rest = &rest[at + name.len()..];
    }
    page + rest
}

fn suites(outcomes: &[Outcome]) -> String {
    let rows = suite_rows(outcomes);
    let mut text = String::from("<table class=\"sortable\"><thead><tr>");
    let Some((head, rows)) = rows.split_first() else { return String::new() };
    for name in head {
        let _ = write!(text, "<th>{}</th>", escaped(name));
    }
    text += "</tr></thead><tbody>\n";
    for row in rows {
        text += "<tr>";
        for (number, cell) in row.iter().enumerate() {
            let class = if number == 0 { "" } else { " class=\"n\"" };
            let _ = write!(text, "<td{class}>{}</td>", escaped(cell));
        }
        text += "</tr>\n";
    }
    text + "</tbody></table>"
}

fn answers(outcomes: &[Outcome], others: &[Beside]) -> String {
    let head =
        ["suite", "task", "property", "expected", "answer", "status", "CPU s", "wall s", "MB"].map(str::to_owned);
    let more = others.iter().flat_map(|other| [format!("{}'s answer", other.name), format!("{}'s CPU s", other.name)]);
    let mut text = String::from("<table class=\"sortable\" id=\"answers\"><thead><tr>");
    for name in head.into_iter().chain(more) {
        let _ = write!(text, "<th>{}</th>", escaped(&name));
    }
    text += "</tr></thead><tbody>\n";
    for (number, outcome) in outcomes.iter().enumerate() {
        let status = outcome.status.name();
        let _ = write!(text, "<tr data-status=\"{status}\">");
        for cell in [&outcome.suite, &outcome.task, &outcome.property, &outcome.expected] {
            let _ = write!(text, "<td>{}</td>", escaped(cell));
        }
        let _ = write!(text, "<td class=\"{status}\">{}</td><td>{status}</td>", escaped(&outcome.answer));
        for figure in [format!("{:.2}", outcome.cpu), format!("{:.2}", outcome.wall), format!("{:.0}", outcome.memory)]
        {
            let _ = write!(text, "<td class=\"n\">{figure}</td>");
        }
        for other in others {
            let their = other.of(number);
            let status = their.map_or(Status::Unknown, |their| their.status).name();
            let answer = their.map_or(String::new(), |their| escaped(&their.answer));
            let cpu = their.map_or(String::new(), |their| format!("{:.2}", their.cpu));
            let _ = write!(text, "<td class=\"{status}\">{answer}</td><td class=\"n\">{cpu}</td>");
        }
        text += "</tr>\n";
    }
    text + "</tbody></table>"
}

#[cfg(test)]
mod tests {
    use super::super::others::Table;
    use super::*;

    #[test]
    fn everything_is_on_the_page() {
        let ours = [
            Outcome::sample("l/a.yml", "true", "TRUE", 1.5),
            Outcome::sample("l/b.yml", "true", "UNKNOWN (not proved: <{plots}> & more)", 1.5),
        ];
        let theirs =
            Table { name: "Spy".into(), outcomes: vec![Outcome::sample("l/a", "true", "FALSE(valid-free)", 1.5)] };
        let page = results_page(&ours, &[Beside::new(&ours, &theirs)]);
        assert!(page.contains("Score 2; 1 correct, 0 wrong, 1 unknown, 0 errors of 2 answers."), "{page}");
        assert!(page.contains("<td class=\"unknown\">UNKNOWN (not proved: &lt;{plots}&gt; &amp; more)</td>"), "{page}");
        assert!(page.contains("<td class=\"wrong\">FALSE(valid-free)</td><td class=\"n\">1.50</td>"), "{page}");
        assert_eq!(page.matches("<svg ").count(), 2, "{page}");
        assert!(!page.contains("{summary}") && !page.contains("{answers}"), "{page}");
        // One file: nothing is fetched.
        assert!(!page.contains("src=") && !page.contains("href="), "{page}");
    }
}
