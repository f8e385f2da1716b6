//! Results that others have written: tables of BenchExec's `table-generator`, and plain comma-separated ones.

use std::collections::BTreeMap;

use super::csv::records;
use super::results::{Outcome, from_csv, is_own_csv, status};
use crate::base::error::{Error, ErrorKind, Result};

/// The results of one tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What people call it: the tool's name, else the file's.
    pub name: String,
    /// One for each task and property, in the order of the file.
    pub outcomes: Vec<Outcome>,
}

/// The tools of a file: one for each group of columns of a BenchExec table, one for any other file.
///
/// # Errors
/// `Syntax` for a text that is no table of results; `file` is for the message.
pub fn read_tables(text: &str, file: &str) -> Result<Vec<Table>> {
    let stem = std::path::Path::new(file).file_stem().map_or(file.into(), |stem| stem.to_string_lossy());
    if is_own_csv(text) {
        return Ok(vec![Table { name: stem.into_owned(), outcomes: from_csv(text, file)? }]);
    }
    let tables = if text.starts_with("tool\t") { benchexec(text) } else { plain(text, &stem) };
    tables.ok_or_else(|| {
        let what = "no results are in there: neither `margay bench --csv` nor BenchExec's table-generator wrote it, and its \
                    head has no columns `task` and `answer`";
        Error::new(ErrorKind::Syntax, format!("{file}: {what}"))
    })
}

/// Three lines of heads (tools, run sets, columns), then a line a task. The columns of several tools stand beside each other.
fn benchexec(text: &str) -> Option<Vec<Table>> {
    let rows = records(text, '\t');
    let [tools, sets, columns, tasks @ ..] = &rows[..] else { return None };
    // The columns that name a task stand below no tool; above them is what the paths of all tasks begin with.
    let ids = tools.iter().skip(1).take_while(|tool| tool.is_empty()).count() + 1;
    let prefix = columns.first()?;
    let mut tables: Vec<Table> = Vec::new();
    let begins: Vec<usize> = (ids..columns.len()).filter(|&column| columns[column] == "status").collect();
    for (number, &begin) in begins.iter().enumerate() {
        let end = begins.get(number + 1).copied().unwrap_or(columns.len());
        let column = |name: &str| (begin..end).find(|&column| columns[column] == name);
        let outcomes = tasks.iter().filter_map(|row| {
            let field = |name: &str| column(name).and_then(|column| row.get(column)).map_or("", String::as_str);
            let answer = answer_of_benchexec(field("status"))?;
            // A task is named by its file, its property, and what is expected of it; the latter two may be left out.
            let names: Vec<&str> = row.iter().take(ids).skip(1).map(String::as_str).collect();
            let has_verdict = |name: &&str| *name == "true" || name.starts_with("false");
            let expected = names.iter().copied().find(has_verdict).unwrap_or_default();
            let property = names.iter().copied().find(|name| !has_verdict(name)).unwrap_or_default();
            Some(Found {
                task: format!("{prefix}{}", row.first()?),
                suite: "",
                property,
                expected: expected.to_owned(),
                answer,
                figures: [field("cputime (s)"), field("walltime (s)"), field("memory (MB)")],
            })
        });
        let outcomes: Vec<Outcome> = outcomes.map(Found::outcome).collect();
        let named = |row: &[String]| row.get(begin).map_or("", |name| name.trim()).to_owned();
        add_run_set(&mut tables, named(tools), &named(sets), outcomes);
    }
    (!tables.is_empty()).then_some(tables)
}

/// Run sets of one tool, one for each property say, belong together, unless they say different things of a task.
fn add_run_set(tables: &mut Vec<Table>, tool: String, set: &str, outcomes: Vec<Outcome>) {
    let Some(table) = tables.iter_mut().find(|table| table.name == tool) else {
        return tables.push(Table { name: tool, outcomes });
    };
    let answers: BTreeMap<(&str, &str), &str> =
        table.outcomes.iter().map(|old| (key(old), old.answer.as_str())).collect();
    if outcomes.iter().any(|new| answers.get(&key(new)).is_some_and(|answer| *answer != new.answer)) {
        return tables.push(Table { name: format!("{tool}, {set}"), outcomes });
    }
    let new: Vec<Outcome> = outcomes.into_iter().filter(|new| !answers.contains_key(&key(new))).collect();
    table.outcomes.extend(new);
}

fn key(outcome: &Outcome) -> (&str, &str) {
    (&outcome.task, &outcome.property)
}

/// A head with at least `task` and `answer`; `suite`, `property`, `expected`, `sub`, `cpu_s`, `wall_s` and `mb` are understood.
fn plain(text: &str, name: &str) -> Option<Vec<Table>> {
    let rows = records(text, ',');
    let (head, rows) = rows.split_first()?;
    let column = |names: &[&str]| head.iter().position(|h| names.contains(&h.as_str()));
    column(&["task"])?;
    column(&["answer"])?;
    let outcomes = rows.iter().map(|row| {
        let field = |names: &[&str]| column(names).and_then(|c| row.get(c)).map_or("", String::as_str);
        let part = field(&["sub", "subproperty"]);
        let expected = field(&["expected", "expected_verdict"]).to_ascii_lowercase();
        Found {
            task: field(&["task"]).to_owned(),
            suite: field(&["suite"]),
            property: field(&["property"]),
            expected: if expected == "false" && !part.is_empty() { format!("false({part})") } else { expected },
            answer: answer_in_words(field(&["answer"])),
            figures: [field(&["cpu_s"]), field(&["wall_s"]), field(&["memory_mb", "mb"])],
        }
    });
    Some(vec![Table { name: name.to_owned(), outcomes: outcomes.map(Found::outcome).collect() }])
}

/// A row as it was read.
struct Found<'t> {
    task: String,
    suite: &'t str,
    property: &'t str,
    expected: String,
    answer: String,
    /// CPU seconds, wall-clock seconds, megabytes.
    figures: [&'t str; 3],
}

impl Found<'_> {
    fn outcome(self) -> Outcome {
        let [cpu, wall, memory] = self.figures.map(|figure| figure.parse().unwrap_or(0.0));
        let task = match self.suite {
            "" => self.task,
            _ if self.task.contains('/') => self.task,
            suite => format!("{suite}/{}", self.task),
        };
        Outcome {
            task,
            suite: self.suite.to_owned(),
            property: self.property.to_owned(),
            status: status(&self.expected, &self.answer),
            expected: self.expected,
            answer: self.answer,
            cpu,
            wall,
            memory,
            settings: String::new(),
        }
    }
}

/// An answer as this tool would give it; `None` where a run set has nothing on a task.
fn answer_of_benchexec(result: &str) -> Option<String> {
    let violated = result.strip_prefix("false(").and_then(|rest| rest.strip_suffix(')'));
    Some(match result {
        "" => return None,
        "true" => "TRUE".to_owned(),
        "false" => "FALSE".to_owned(),
        _ if violated.is_some() => format!("FALSE({})", violated.unwrap_or_default()),
        "unknown" => "UNKNOWN (no reason given)".to_owned(),
        _ if result.starts_with("TIMEOUT") => "UNKNOWN (timeout)".to_owned(),
        _ if result.starts_with("OUT OF MEMORY") => "UNKNOWN (out of memory)".to_owned(),
        other => format!("ERROR ({other})"),
    })
}

/// Answers as people write them down.
fn answer_in_words(answer: &str) -> String {
    match answer {
        "TRUE" | "FALSE" => answer.to_owned(),
        _ if answer.starts_with("FALSE(") || answer.starts_with("UNKNOWN (") || answer.starts_with("ERROR") => {
            answer.to_owned()
        }
        "true" => "TRUE".to_owned(),
        "" | "?" | "UNKNOWN" | "unknown" => "UNKNOWN (no reason given)".to_owned(),
        _ => answer_of_benchexec(answer).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_benchexec() {
        let text = "tool\t\t\tSpy 1.2\tSpy 1.2\tSpy 1.2\tOther 3\tOther 3\tOther 3\n\
                    run set\t\t\ta\ta\ta\tb\tb\tb\n\
                    ../c/\t\t\tstatus\tcputime (s)\tmemory (MB)\tstatus\tcputime (s)\tmemory (MB)\n\
                    lists/x.yml\tvalid-memsafety\ttrue\ttrue\t1.5\t20\tTIMEOUT\t60\t9\n\
                    lists/y.yml\tunreach-call\tfalse\tfalse(unreach-call)\t0.25\t21\t\t\t\n";
        let tables = read_tables(text, "t.csv").unwrap();
        assert_eq!(tables.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(), ["Spy 1.2", "Other 3"]);
        let [x, y] = &tables[0].outcomes[..] else { panic!("{tables:?}") };
        let reported = |o: &Outcome| [&o.task, &o.property, &o.expected, &o.answer].map(String::clone);
        assert_eq!(reported(x), ["../c/lists/x.yml", "valid-memsafety", "true", "TRUE"]);
        assert_eq!((x.cpu, x.memory), (1.5, 20.0));
        assert_eq!(reported(y), ["../c/lists/y.yml", "unreach-call", "false", "FALSE(unreach-call)"]);
        // The second tool has nothing on `y`.
        assert_eq!(tables[1].outcomes.len(), 1);
        assert_eq!(tables[1].outcomes[0].answer, "UNKNOWN (timeout)");
    }

    #[test]
    fn run_sets_of_one_tool() {
        let rows = |second: &str| {
            format!("tool\tSpy\tSpy\nrun set\ta\tb\n\tstatus\tstatus\nx.yml\ttrue\t{second}\ny.yml\t\tfalse\n")
        };
        let names = |second: &str| {
            let tables = read_tables(&rows(second), "t.csv").unwrap();
            tables.iter().map(|table| (table.name.clone(), table.outcomes.len())).collect::<Vec<_>>()
        };
        assert_eq!(names("true"), [("Spy".to_owned(), 2)]);
        assert_eq!(names("unknown"), [("Spy".to_owned(), 1), ("Spy, b".to_owned(), 2)]);
    }

    #[test]
    fn plain_tables() {
        let text = "suite,task,property,expected,sub,answer,cpu_s,mb\nbroom,a,valid-memsafety,false,valid-free,FALSE,0.5,27.8\n\
                    broom,b,valid-memsafety,true,,?,1,2\n";
        let tables = read_tables(text, "some/spy.csv").unwrap();
        assert_eq!(tables[0].name, "spy");
        let [a, b] = &tables[0].outcomes[..] else { panic!("{tables:?}") };
        assert_eq!((a.task.as_str(), a.expected.as_str()), ("broom/a", "false(valid-free)"));
        assert_eq!((a.status.name(), b.status.name()), ("correct", "unknown"));
        assert_eq!((a.cpu, a.memory), (0.5, 27.8));
        for text in ["", "a,b\n1,2\n", "tool\tx\n"] {
            assert!(read_tables(text, "x.csv").is_err(), "{text}");
        }
    }
}
