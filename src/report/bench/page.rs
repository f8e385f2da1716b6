//! All results as one HTML page that needs no other file.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::compare::Beside;
use super::plots::{escaped, quantile_plot, scatter_plot};
use super::results::{Outcome, Status};
use super::scores::{score_line, suite_rows};
use crate::report::html::STYLE;

/// The page; `{…}` stand for what [`results_page`] puts there.
const PAGE: &str = include_str!("page.html");

/// A page with the results, and those of other runs beside them: tables that a click sorts, plots of CPU times, filters that the
/// address keeps. `link`: where the page of an answer is.
pub fn results_page(outcomes: &[Outcome], others: &[Beside], link: &dyn Fn(&Outcome) -> Option<String>) -> String {
    let mut tools: Vec<(&str, &[Outcome])> = vec![(OWN, outcomes)];
    tools.extend(others.iter().map(|other| (other.name.as_str(), other.outcomes.as_slice())));
    let mut plots = quantile_plot(&tools);
    for other in others {
        plots += &scatter_plot(&other.name, &other.pairs(outcomes));
    }
    let summary = format!("<p>{}</p>", escaped(&score_line(outcomes)));
    let parts: BTreeMap<&str, String> = BTreeMap::from([
        ("{style}", STYLE.to_owned()),
        ("{summary}", summary),
        ("{runs}", if others.is_empty() { String::new() } else { runs(&tools) }),
        ("{suites}", table(&suite_rows(outcomes), "Suites")),
        ("{plots}", plots),
        ("{answers}", answers(outcomes, others, link)),
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

/// The name of the run that the page is about.
const OWN: &str = "Margay";

/// The figures of each run side by side.
fn runs(tools: &[(&str, &[Outcome])]) -> String {
    let head = ["run", "answers", "correct", "wrong", "unknown", "errors", "score", "CPU s"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (name, outcomes) in tools {
        let count = |status| outcomes.iter().filter(|outcome| outcome.status == status).count().to_string();
        let statuses = [Status::Correct, Status::Wrong, Status::Unknown, Status::Error].map(count);
        let mut row = vec![(*name).to_owned(), outcomes.len().to_string()];
        row.extend(statuses);
        row.push(outcomes.iter().map(Outcome::score).sum::<i64>().to_string());
        row.push(format!("{:.1}", outcomes.iter().map(|outcome| outcome.cpu).sum::<f64>()));
        rows.push(row);
    }
    format!("<h2>Runs</h2>\n{}", table(&rows, "Runs"))
}

/// A table with the first row as its head.
fn table(rows: &[Vec<String>], label: &str) -> String {
    let mut text = format!(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\"><table class=\"sortable\"><thead><tr>"
    );
    let Some((head, rows)) = rows.split_first() else { return String::new() };
    for name in head {
        text += &head_cell(name);
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
    text + "</tbody></table></div>"
}

/// The head of a column: a button that sorts by it.
fn head_cell(name: &str) -> String {
    format!("<th scope=\"col\"><button type=\"button\">{}</button></th>", escaped(name))
}

fn answers(outcomes: &[Outcome], others: &[Beside], link: &dyn Fn(&Outcome) -> Option<String>) -> String {
    let head =
        ["suite", "task", "property", "expected", "answer", "status", "CPU s", "wall s", "MB"].map(str::to_owned);
    let more = others.iter().flat_map(|other| [format!("{}'s answer", other.name), format!("{}'s CPU s", other.name)]);
    let mut text = String::from(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Answers\"><table class=\"sortable\" id=\"answers\"><thead><tr>",
    );
    for name in head.into_iter().chain(more) {
        text += &head_cell(&name);
    }
    text += "</tr></thead><tbody>\n";
    for (number, outcome) in outcomes.iter().enumerate() {
        let status = outcome.status.name();
        let theirs = || others.iter().filter_map(|other| other.of(number));
        let differs = theirs().any(|their| (their.status, &their.answer) != (outcome.status, &outcome.answer));
        let differs = if differs { " data-differs" } else { "" };
        let _ = write!(text, "<tr data-status=\"{status}\"{differs}>");
        let task = match link(outcome) {
            Some(page) => format!("<a href=\"{}\">{}</a>", escaped(&address(&page)), escaped(&outcome.task)),
            None => escaped(&outcome.task),
        };
        let (suite, property, expected) = (&outcome.suite, &outcome.property, &outcome.expected);
        let cells = [escaped(suite), task, escaped(property), escaped(expected)];
        cells.iter().for_each(|cell| _ = write!(text, "<td>{cell}</td>"));
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
    text + "</tbody></table></div>"
}

/// A path as a relative address.
fn address(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
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
        let link = |outcome: &Outcome| (outcome.task == "l/a.yml").then(|| "pages/l/a#1.p.html".to_owned());
        let page = results_page(&ours, &[Beside::new(&ours, &theirs)], &link);
        assert!(page.contains("Score 2; 1 correct, 0 wrong, 1 unknown, 0 errors of 2 answers."), "{page}");
        assert!(page.contains("<td class=\"unknown\">UNKNOWN (not proved: &lt;{plots}&gt; &amp; more)</td>"), "{page}");
        assert!(page.contains("<td class=\"wrong\">FALSE(valid-free)</td><td class=\"n\">1.50</td>"), "{page}");
        assert_eq!(page.matches("<svg ").count(), 2, "{page}");
        assert!(!page.contains("{summary}") && !page.contains("{answers}"), "{page}");
        // What runs differ in can be filtered by.
        assert_eq!(page.matches(" data-differs>").count(), 1, "{page}");
        assert!(
            page.contains("<td>Spy</td><td class=\"n\">1</td><td class=\"n\">0</td><td class=\"n\">1</td>"),
            "{page}"
        );
        // One file: nothing is fetched, and it leads only to the pages of answers.
        assert!(!page.contains("src=") && page.matches("href=").count() == 1, "{page}");
        assert!(page.contains("<a href=\"pages/l/a%231.p.html\">l/a.yml</a>"), "{page}");
    }
}
