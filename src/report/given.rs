//! What a run was given from outside of the program, as C that gives it to the compiled program: arguments, the environment,
//! standard input.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::base::span::Pos;
use crate::verdict::Story;

/// What is there before a program starts.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// The strings of `argv`, the program's name first.
    pub arguments: Option<Vec<Vec<u8>>>,
    /// What `getenv` returns: null, or a text.
    pub environment: Option<Option<Vec<u8>>>,
    pub input: Option<Vec<u8>>,
    /// Of each allocation, whether it fails; empty where none does.
    pub failing: Vec<bool>,
}

/// What allocates one block at a call: its result and parameters in C, and the arguments to hand on.
const ALLOCATORS: [(&str, &str, &str, &str); 7] = [
    ("malloc", "void *", "size_t n", "n"),
    ("calloc", "void *", "size_t count, size_t n", "count, n"),
    ("realloc", "void *", "void *p, size_t n", "p, n"),
    ("reallocarray", "void *", "void *p, size_t count, size_t n", "p, count, n"),
    ("aligned_alloc", "void *", "size_t align, size_t n", "align, n"),
    ("strdup", "char *", "const char *s", "s"),
    ("strndup", "char *", "const char *s, size_t n", "s, n"),
];

/// Whether a call of the function allocates one block, or gives null.
pub(super) fn allocates(name: &str) -> bool {
    ALLOCATORS.iter().any(|(allocator, ..)| *allocator == name)
}

/// What functions without a text of their own gave a run: where, which function, and the values. The first time it is said what the
/// values of a function mean.
pub(super) fn given_values(story: &Story) -> Vec<(&Pos, &str, String)> {
    let mut explained = BTreeSet::new();
    let given = story.given.iter().map(|(pos, name, values)| {
        let meaning = meaning(name).filter(|_| explained.insert(&**name)).map(|meaning| format!(" ({meaning})"));
        (pos, &**name, values.join(", ") + &meaning.unwrap_or_default())
    });
    given.collect()
}

/// What the values stand for that a function gives a run.
fn meaning(name: &str) -> Option<&'static str> {
    match name {
        "scanf" => Some(
            "of each conversion: a positive number where it reads, then what it stores, 0 where the input does not match, a negative \
             number at the end of the input",
        ),
        "fgets" => Some(
            "0 and the length of a line; otherwise no line: then 0 for an error, any other number at the end of the input",
        ),
        "getchar" | "getchar_unlocked" | "getc" | "fgetc" => {
            Some("a byte; or -1: then 0 for an error, any other number at the end of the input")
        }
        "getenv" => Some("0 where the variable is not set, any other number where it is"),
        "argc" => Some("the number of arguments, the program's name included"),
        name if allocates(name) => Some("1 where the allocation fails"),
        _ => None,
    }
}

/// Arguments beyond these are not reported.
const MOST_ARGUMENTS: usize = 1000;

impl Given {
    /// What the story of a run tells; parts of it are missing where it does not say in which order they came.
    pub fn of(story: &Story) -> Self {
        let mut given = Self::default();
        let (mut arguments, mut environment, mut lines) = (Vec::new(), Vec::new(), Vec::new());
        for (object, bytes) in &story.texts {
            let text: Vec<u8> = bytes.iter().copied().take_while(|byte| *byte != 0).collect();
            let index = object.strip_prefix("`argv[").and_then(|rest| rest.strip_suffix("]`")?.parse::<usize>().ok());
            match (index, object.as_str()) {
                (Some(index), _) => arguments.push((index, text)),
                (None, "global `texts`") => environment = text,
                (None, _) => lines.push(text),
            }
        }
        let values = |name: &str| -> Vec<&str> {
            let calls = story.given.iter().filter(|(_, by, _)| &**by == name);
            calls.flat_map(|(.., values)| values).map(String::as_str).collect()
        };
        if let [count] = values("argc")[..]
            && let Ok(count @ 1..=MOST_ARGUMENTS) = count.parse::<usize>()
        {
            let mut all = vec![Vec::new(); count];
            all[0] = b"program".to_vec();
            arguments.into_iter().filter(|(index, _)| *index < count).for_each(|(index, text)| all[index] = text);
            given.arguments = Some(all);
        }
        let asked = values("getenv");
        // Each variable has a text of its own; that of a single one is known.
        match asked[..] {
            [] => {}
            [value] if value != "0" => given.environment = Some(Some(environment)),
            _ if asked.iter().all(|value| *value == "0") => given.environment = Some(None),
            _ => {}
        }
        let allocations = story.given.iter().filter(|(_, by, _)| ALLOCATORS.iter().any(|(name, ..)| *name == &**by));
        let failing: Vec<bool> = allocations.flat_map(|(.., values)| values).map(|value| value == "1").collect();
        given.failing = if failing.contains(&true) { failing } else { Vec::new() };
        given.input = input(story, lines).filter(|input| !input.is_empty());
        given
    }

    /// What gcc has to be given besides, with a space before.
    pub fn options(&self) -> String {
        if self.failing.is_empty() {
            return String::new();
        }
        let wraps: Vec<String> = ALLOCATORS.iter().map(|(name, ..)| format!("--wrap={name}")).collect();
        format!(" -fno-builtin -Wl,{}", wraps.join(","))
    }

    /// Allocators that fail where those of the run do.
    fn allocators(&self) -> String {
        if self.failing.is_empty() {
            return String::new();
        }
        let list: Vec<&str> = self.failing.iter().map(|fails| if *fails { "1" } else { "0" }).collect();
        let mut text = format!(
            "\n#include <stddef.h>\n\n/* Of each allocation, whether it fails. */\nstatic int fails(void)\n{{\n    \
             static const char outcomes[] = {{ {} }};\n    static size_t calls;\n    \
             return calls < sizeof outcomes && outcomes[calls++];\n}}\n",
            list.join(", ")
        );
        for (name, result, parameters, arguments) in ALLOCATORS {
            let _ = write!(
                text,
                "\n{result}__real_{name}({parameters});\n{result}__wrap_{name}({parameters})\n{{\n    \
                 return fails() ? 0 : __real_{name}({arguments});\n}}\n"
            );
        }
        text
    }

    /// C definitions that give it, with the headers they need; empty where there is nothing to give.
    pub fn definitions(&self) -> String {
        let mut body = String::new();
        if let Some(arguments) = &self.arguments {
            let list: Vec<String> = arguments.iter().map(|text| literal(text)).collect();
            let _ = write!(
                body,
                "    static char *const arguments[] = {{ {}, 0 }};\n    int same = argc == {count};\n    \
                 for (int i = 1; same && i < argc; i++)\n        same = !strcmp(argv[i], arguments[i]);\n    \
                 if (!same)\n        execv(\"/proc/self/exe\", arguments);\n",
                list.join(", "),
                count = arguments.len()
            );
        }
        if let Some(input) = &self.input {
            let _ = write!(
                body,
                "    static const char input[] = {};\n    int ends[2];\n    \
                 if (pipe(ends) || write(ends[1], input, sizeof input - 1) < 0 || close(ends[1]) || dup2(ends[0], 0))\n        \
                 abort();\n",
                literal(input)
            );
        }
        let mut text = self.allocators();
        if !body.is_empty() {
            text += "\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\n/* Before `main` begins. */\n";
            let _ = write!(
                text,
                "__attribute__((constructor)) static void give(int argc, char **argv)\n{{\n    (void)argc, (void)argv;\n{body}}}\n"
            );
        }
        match &self.environment {
            None => {}
            Some(None) => text += "\nchar *getenv(const char *name)\n{\n    (void)name;\n    return 0;\n}\n",
            Some(Some(value)) => {
                let value = literal(value);
                let _ = write!(
                    text,
                    "\nchar *getenv(const char *name)\n{{\n    static char value[] = {value};\n    (void)name;\n    return value;\n}}\n"
                );
            }
        }
        text
    }
}

/// What standard input has to be; `None` where that is not known. `lines` are the texts that were read, in order.
fn input(story: &Story, lines: Vec<Vec<u8>>) -> Option<Vec<u8>> {
    let mut input: Vec<u8> = Vec::new();
    let mut lines = lines.into_iter();
    let mut has_ended = false;
    for (_, by, values) in &story.given {
        let is_input = matches!(&**by, "scanf" | "fgets" | "getchar" | "getchar_unlocked" | "getc" | "fgetc");
        if !is_input {
            continue;
        }
        if has_ended {
            return None;
        }
        match (&**by, &values[..]) {
            // Each conversion has an outcome and, where it is positive, a number.
            ("scanf", values) => {
                let mut values = values.iter();
                while let Some(outcome) = values.next() {
                    if has_ended {
                        return None;
                    }
                    let gap = input.last().is_some_and(|byte| !byte.is_ascii_whitespace()).then_some(b' ');
                    match outcome.parse::<i64>().ok()? {
                        1.. => {
                            input.extend(gap);
                            input.extend(values.next()?.bytes());
                        }
                        0 => {
                            input.extend(gap);
                            input.push(b'x');
                            has_ended = true;
                        }
                        _ => has_ended = true,
                    }
                }
            }
            ("fgets", all) => {
                // Whether it failed, and how long the line is, or how it failed.
                for failed in all.iter().step_by(2) {
                    if has_ended {
                        return None;
                    }
                    match failed.as_str() {
                        "0" => {
                            let line = lines.next()?;
                            input.extend(&line);
                            if line.last() != Some(&b'\n') {
                                input.push(b'\n');
                            }
                        }
                        _ => has_ended = true,
                    }
                }
            }
            ("getchar" | "getchar_unlocked" | "getc" | "fgetc", all) => {
                for byte in all {
                    match byte.parse::<u8>() {
                        Ok(byte) if !has_ended => input.push(byte),
                        Err(_) if !has_ended => has_ended = true,
                        // How it ended.
                        _ if byte == all.last()? => {}
                        _ => return None,
                    }
                }
            }
            _ => return None,
        }
    }
    lines.next().is_none().then_some(input)
}

/// A string literal.
fn literal(text: &[u8]) -> String {
    let byte = |byte: &u8| match byte {
        b'"' | b'\\' | b'?' => format!("\\{}", char::from(*byte)),
        b' '..=b'~' => char::from(*byte).to_string(),
        other => format!("\\{other:03o}"),
    };
    format!("\"{}\"", text.iter().map(byte).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn story(given: &[(&str, &[&str])], texts: &[(&str, &[u8])]) -> Story {
        let pos = Pos { file: "t.c".into(), line: 1, column: 1, offset: 0 };
        let values = |values: &[&str]| values.iter().map(ToString::to_string).collect();
        Story {
            given: given.iter().map(|(by, reported)| (pos.clone(), (*by).into(), values(reported))).collect(),
            texts: texts.iter().map(|(object, bytes)| ((*object).to_owned(), bytes.to_vec())).collect(),
            ..Story::default()
        }
    }

    fn input_of(given: &[(&str, &[&str])], texts: &[(&str, &[u8])]) -> Option<String> {
        Given::of(&story(given, texts)).input.map(|input| String::from_utf8(input).unwrap())
    }

    #[test]
    fn standard_input_is_put_together() {
        let line = ("variable `line` of `main`", &b"ab\0\0c"[..]);
        assert_eq!(
            input_of(&[("scanf", &["1", "26", "1", "-3"]), ("scanf", &["1", "7"])], &[]),
            Some("26 -3 7".into())
        );
        assert_eq!(input_of(&[("fgets", &["0", "3"]), ("scanf", &["1", "7"])], &[line]), Some("ab\n7".into()));
        assert_eq!(input_of(&[("getchar", &["65", "66", "-1"])], &[]), Some("AB".into()));
        assert_eq!(input_of(&[("scanf", &["1", "26"]), ("scanf", &["-1"])], &[]), Some("26".into()));
        // A conversion that failed, input behind its end, a text that is not known to have been read, or too few.
        for given in [&[("scanf", &["-1", "1", "5"][..])][..], &[("getchar", &["-1", "65"])]] {
            assert_eq!(input_of(given, &[]), None, "{given:?}");
        }
        assert_eq!(input_of(&[("scanf", &["1", "26"])], &[line]), None);
        assert_eq!(input_of(&[("fgets", &["0", "2", "0", "2"])], &[line]), None);
    }

    #[test]
    fn values_are_explained_once() {
        let story = story(&[("scanf", &["1", "26"]), ("scanf", &["0"]), ("f", &["3"])], &[]);
        let texts: Vec<String> = given_values(&story).into_iter().map(|(.., text)| text).collect();
        assert!(texts[0].starts_with("1, 26 (of each conversion: a positive number where it reads, then"), "{texts:?}");
        assert_eq!(texts[1..], ["0", "3"]);
    }

    #[test]
    fn arguments_and_environment() {
        let texts = [("`argv[2]`", &b"a\"b"[..]), ("global `texts`", b"home")];
        let given = Given::of(&story(&[("argc", &["3"]), ("getenv", &["1"])], &texts));
        assert_eq!(given.arguments, Some(vec![b"program".to_vec(), Vec::new(), b"a\"b".to_vec()]));
        assert_eq!(given.environment, Some(Some(b"home".to_vec())));
        assert_eq!(given.input, None);
        let text = given.definitions();
        assert!(text.contains("{ \"program\", \"\", \"a\\\"b\", 0 }") && text.contains("value[] = \"home\""), "{text}");
        assert_eq!(Given::of(&story(&[("getenv", &["0"])], &[])).environment, Some(None));
        assert_eq!(Given::of(&story(&[("getenv", &["1", "0"])], &[])).environment, None);
        assert_eq!(Given::default().definitions(), "");
    }
}
