//! Results in JUnit's XML, which servers of continuous integration show as tests.

use std::collections::BTreeMap;
use std::fmt::Write;

use quick_xml::escape::escape;

use super::results::{Outcome, Status};

/// A test suite for each suite of tasks, a test case for each answer: a wrong one is a failure, no answer is an error, an unknown
/// or unchecked one is skipped.
pub fn to_junit(outcomes: &[Outcome]) -> String {
    let mut suites: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        suites.entry(&outcome.suite).or_default().push(outcome);
    }
    let all: Vec<&Outcome> = outcomes.iter().collect();
    let mut text =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"Margay\"{}>\n", counts(&all));
    for (name, outcomes) in suites {
        let _ = writeln!(text, "  <testsuite name=\"{}\"{}>", attribute(name), counts(&outcomes));
        for outcome in outcomes {
            text += &case(outcome);
        }
        text += "  </testsuite>\n";
    }
    text + "</testsuites>\n"
}

fn counts(outcomes: &[&Outcome]) -> String {
    let count = |asked: &[Status]| outcomes.iter().filter(|outcome| asked.contains(&outcome.status)).count();
    format!(
        " tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3}\"",
        outcomes.len(),
        count(&[Status::Wrong]),
        count(&[Status::Error]),
        count(&[Status::Unknown, Status::Unchecked]),
        outcomes.iter().map(|outcome| outcome.wall).sum::<f64>()
    )
}

fn case(outcome: &Outcome) -> String {
    let Outcome { task, property, expected, answer, status, wall, .. } = outcome;
    let (name, class) = (attribute(&format!("{task} [{property}]")), attribute(&outcome.suite));
    let mut text = format!("    <testcase classname=\"{class}\" name=\"{name}\" time=\"{wall:.3}\"");
    let answer = attribute(answer);
    let inner = match status {
        Status::Correct => None,
        Status::Wrong => {
            let expected = attribute(expected);
            Some(format!("<failure type=\"wrong\" message=\"expected {expected}, answer {answer}\"/>"))
        }
        Status::Error => Some(format!("<error type=\"error\" message=\"{answer}\"/>")),
        Status::Unknown | Status::Unchecked => Some(format!("<skipped message=\"{answer}\"/>")),
    };
    match inner {
        Some(inner) => _ = writeln!(text, ">\n      {inner}\n    </testcase>"),
        None => text += "/>\n",
    }
    text
}

/// A value of an attribute; characters that XML does not have become blanks.
fn attribute(text: &str) -> String {
    let text: String =
        text.chars().map(|c| if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { ' ' } else { c }).collect();
    escape(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quick_xml::Reader;
    use quick_xml::events::Event;

    /// The elements of a document with one attribute each: `testcase a [p]`.
    fn elements(text: &str, attribute: &str) -> Vec<String> {
        let mut reader = Reader::from_str(text);
        let mut all = Vec::new();
        loop {
            match reader.read_event().expect("well-formed XML") {
                Event::Start(element) | Event::Empty(element) => {
                    let name = element.name().as_ref().to_owned();
                    let value = element.try_get_attribute(attribute).expect("an attribute");
                    let value = value.map(|value| value.value.into_owned());
                    all.extend(value.map(|value| format!("{name} {value}")));
                }
                Event::Eof => return all,
                _ => {}
            }
        }
    }

    #[test]
    fn each_answer_is_a_test_case() {
        let text = to_junit(&[
            Outcome::sample("a", "true", "TRUE", 1.0),
            Outcome::sample("<b>", "true", "FALSE(valid-free)", 1.0),
            Outcome::sample("c", "true", "UNKNOWN (\u{1}\"timeout\")", 1.0),
            Outcome::sample("d", "true", "ERROR (exit code 2)", 1.0),
        ]);
        let named = elements(&text, "name");
        assert_eq!(
            named,
            [
                "testsuites Margay",
                "testsuite lists",
                "testcase a [p]",
                "testcase &lt;b&gt; [p]",
                "testcase c [p]",
                "testcase d [p]"
            ]
        );
        assert_eq!(elements(&text, "failures"), ["testsuites 1", "testsuite 1"]);
        assert_eq!(
            elements(&text, "message"),
            [
                "failure expected true, answer FALSE(valid-free)",
                "skipped UNKNOWN ( &quot;timeout&quot;)",
                "error ERROR (exit code 2)"
            ]
        );
    }
}
