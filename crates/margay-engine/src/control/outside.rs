//! What another program proposes for the clauses of a program: it is given their text in a file, and answers with a model, as solvers
//! for the logic HORN do. Nothing is believed of it: [`Conditions::keep_what_holds`] keeps what is true.
//!
//! Source: "Arithmetic strengthening for shape analysis" (SAS'07), section 5: any tool that analyses the arithmetic program will do.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::clauses::Clauses;
use super::formula::read;
use super::horn::horn;
use super::houdini::Conditions;
use super::spacer::Solved;
use crate::base::limits::Limits;

/// How often it is looked whether the program has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// Asks the program that `command` names, with its arguments between spaces, for conditions. It is ended at the limits.
pub fn outside(clauses: &Clauses, command: &str, limits: &Limits) -> Solved {
    match answer(&horn(clauses), command, limits) {
        Ok(text) => solved(clauses, &text),
        Err(why) => Solved::Unknown(format!("`{command}` gave no answer: {why}")),
    }
}

/// What the program prints about clauses with this text.
fn answer(clauses: &str, command: &str, limits: &Limits) -> std::io::Result<String> {
    let mut words = command.split_whitespace();
    let program = words.next().ok_or_else(|| std::io::Error::other("it names no program"))?;
    let mut file = tempfile::Builder::new().prefix("clauses").suffix(".smt2").tempfile()?;
    file.write_all(clauses.as_bytes())?;
    file.flush()?;
    let mut child = Command::new(program)
        .args(words)
        .arg(file.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let printed = child.stdout.take().map(|mut out| {
        std::thread::spawn(move || {
            let mut text = Vec::new();
            out.read_to_end(&mut text).map(|_| text)
        })
    });
    wait(&mut child, limits)?;
    let text = printed.and_then(|reader| reader.join().ok()).transpose()?.unwrap_or_default();
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Waits until the program has ended; at the limits it is ended.
fn wait(child: &mut Child, limits: &Limits) -> std::io::Result<()> {
    loop {
        if child.try_wait()?.is_some() {
            return Ok(());
        }
        if limits.check_time().is_err() {
            child.kill()?;
            child.wait()?;
            return Err(std::io::Error::other("it was out of time"));
        }
        std::thread::sleep(PAUSE);
    }
}

/// What an answer says: `sat` and a definition of each predicate, or `unsat`.
fn solved(clauses: &Clauses, text: &str) -> Solved {
    let verdict = text.split_whitespace().next();
    if verdict == Some("unsat") {
        return Solved::None;
    }
    let mut conditions = Conditions::none(clauses);
    let mut defined = 0;
    for (name, parameters, body) in definitions(text) {
        let Some((index, predicate)) = clauses.named(name) else { continue };
        let arguments: Vec<_> = parameters.into_iter().zip(predicate.arguments.iter().copied()).collect();
        let read = read(&clauses.context.terms, &arguments, body).unwrap_or_default();
        conditions.add(index, read.conjuncts.into_iter().chain(read.equations));
        defined += 1;
    }
    match verdict {
        Some("sat") if defined > 0 => Solved::Conditions(conditions),
        _ => Solved::Unknown("the outside tool found no model".into()),
    }
}

/// The functions that a model defines: name, names of parameters, and what each is.
fn definitions(text: &str) -> Vec<(&str, Vec<String>, &str)> {
    let starts = text.match_indices("(define-fun ").map(|(start, _)| start);
    let definition = |start| {
        let parts = parts(&text[start..])?;
        let [_, name, parameters, _, body] = parts[..] else { return None };
        let names =
            self::parts(parameters)?.into_iter().map(|parameter| Some(self::parts(parameter)?.first()?.to_string()));
        Some((name, names.collect::<Option<Vec<String>>>()?, body))
    };
    starts.filter_map(definition).collect()
}

/// The parts of the list that `text` begins with; `None` where it begins with none that ends.
fn parts(text: &str) -> Option<Vec<&str>> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0_u32, None);
    for (at, c) in text.char_indices() {
        if depth == 1 && (c == '(' || c == ')' || c.is_whitespace()) {
            found.extend(start.take().map(|start| &text[start..at]));
        }
        match c {
            '(' => {
                depth += 1;
                if depth == 2 {
                    start = Some(at);
                }
            }
            ')' => {
                depth = depth.checked_sub(1)?;
                match depth {
                    0 => return Some(found),
                    1 => found.extend(start.take().map(|start| &text[start..=at])),
                    _ => {}
                }
            }
            c if depth == 1 && start.is_none() && !c.is_whitespace() => start = Some(at),
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "sat\n(model\n  (define-fun P0 ((x!0 Int) (b Bool)) Bool\n    (and (<= x!0 3)(not b)))\n  \
        (define-fun P1 () Bool true)\n  (define-fun P2 ((x Int)) Bool (let ((a (+ x 1))) (< a 2)))\n)\n";

    #[test]
    fn definitions_of_a_model_are_read() {
        let found = definitions(MODEL);
        let names: Vec<&str> = found.iter().map(|(name, ..)| *name).collect();
        assert_eq!(names, ["P0", "P1", "P2"]);
        assert_eq!(found[0].1, ["x!0", "b"]);
        assert_eq!(found[0].2, "(and (<= x!0 3)(not b))");
        assert_eq!((found[1].1.len(), found[1].2), (0, "true"));
        assert_eq!(found[2].2, "(let ((a (+ x 1))) (< a 2))");
        for broken in ["(define-fun P0 ((x Int)) Bool (< x 1)", "(define-fun P0)", "(define-fun P0 x Bool true)", ""] {
            assert!(definitions(broken).is_empty(), "{broken}");
        }
    }

    #[test]
    fn a_program_answers_about_the_text_it_is_given() {
        let folder = tempfile::tempdir().unwrap();
        let script = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            format!("sh {}", path.display())
        };
        let limits = Limits::none();
        let echo = script("echo.sh", "echo sat; cat \"$1\"; echo lost >&2\n");
        assert_eq!(answer("(assert true)", &echo, &limits).unwrap(), "sat\n(assert true)");
        assert!(answer("", "/no/such/program", &limits).is_err());
        assert!(answer("", " ", &limits).is_err());
        let patient = script("sleep.sh", "exec sleep 1000\n");
        let soon = Limits::new(Some(Duration::from_millis(200)), None);
        assert!(answer("", &patient, &soon).unwrap_err().to_string().contains("out of time"));
    }
}
