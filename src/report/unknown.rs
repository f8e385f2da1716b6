//! Why there is no answer and what may help, in plain sentences.

use std::sync::Arc;

use super::Sources;
use crate::cegar::RoundReport;
use crate::claims::UNRANKED;
use crate::verdict::Why;

/// What the program's arguments are called.
const ARGUMENTS: &str = "`argv`";
/// Further places that are listed.
const MOST_OTHERS: usize = 4;

/// What could not be shown, where, and what may help: a sentence each. Empty where the reason says it all.
pub fn unknown_text(why: &Why, rounds: &[RoundReport]) -> String {
    let sources = Sources::default();
    let mut alarms: Vec<Alarm> = open_alarms(rounds).into_iter().filter_map(Alarm::read).collect();
    // What happens before `main` begins is no use to the reader, if there is anything else.
    alarms.sort_by_key(|alarm| alarm.object(&alarm.lines(&sources)).as_deref() == Some(ARGUMENTS));
    let limit = match why {
        Why::Timeout => Some("--timeout"),
        Why::OutOfMemory => Some("--memory"),
        Why::NotProved(_) => None,
        Why::Cancelled | Why::Unsupported(_) | Why::Internal(_) => return String::new(),
    };
    let Some((first, others)) = alarms.split_first() else {
        return match (why, limit) {
            (Why::NotProved(reason), _) => format!("The search ended without a proof: {}.\n", named_objects(reason)),
            (_, Some(limit)) => format!("No place stands out at which the proof fails. Try a larger `{limit}`.\n"),
            (_, None) => String::new(),
        };
    };
    let lines = first.lines(&sources);
    let line = lines.get(first.line as usize - 1).map_or("", String::as_str);
    let object = first.object(&lines);
    let access = object.as_ref().and_then(|object| access(line, object));
    let mut text = format!("Could not show that {}, at {}:{}", first.claim(object, access), first.file, first.line);
    let around = loops(&lines).into_iter().filter(|(from, to)| (*from..=*to).contains(&first.line)).max();
    if let Some(head) = around.filter(|_| !first.is_loop()) {
        let place = if head.0 == first.line { "the same line".to_owned() } else { format!("line {}", head.0) };
        text += &format!(", in the loop that begins at {place}");
    }
    text += ".\n";
    if !others.is_empty() {
        let shown = others.iter().take(MOST_OTHERS).map(|other| format!("{}:{}", other.file, other.line));
        let mut shown: Vec<String> = shown.collect();
        shown.dedup();
        text += &format!("Nor could it be shown that all is well at {}.\n", shown.join(", "));
    }
    let limit = limit.map(|limit| format!("a larger `{limit}`"));
    let bound = access.and_then(|access| first.bound(access)).map(|bound| format!("`assert({bound});` before it"));
    let help: Vec<String> = limit.into_iter().chain(bound).collect();
    if !help.is_empty() {
        text += &format!("Try {}.\n", help.join(", or "));
    }
    text
}

/// What was neither confirmed nor excluded, the last first.
fn open_alarms(rounds: &[RoundReport]) -> Vec<&str> {
    let mut open: Vec<&str> = Vec::new();
    for (index, round) in rounds.iter().enumerate().rev() {
        // Whatever is refined is explored again: only the last round of its line, or what no refiner excludes, is left.
        let is_last = !rounds[index + 1..].iter().any(|later| later.line == round.line);
        if !round.confirmed && (is_last || round.refinement.is_none()) && !open.contains(&round.error.as_str()) {
            open.push(&round.error);
        }
    }
    open
}

/// A possible violation, taken from its message: `write of 1 byte outside of OBJECT, which has 20 bytes at FILE:LINE`.
struct Alarm<'a> {
    detail: &'a str,
    file: &'a str,
    line: u32,
    /// What it does, `write of 1 byte`, and the object and its size, where it is an access that may leave its object.
    bounds: Option<(&'a str, &'a str, Option<u64>)>,
}

impl<'a> Alarm<'a> {
    fn read(message: &'a str) -> Option<Self> {
        let (detail, place) = message.rsplit_once(" at ")?;
        let (file, line) = place.rsplit_once(':')?;
        let line = line.parse().ok().filter(|line| *line > 0)?;
        let is_access = detail.starts_with("read of ") || detail.starts_with("write of ");
        let is_over = detail.ends_with("was freed") || detail.ends_with("lifetime ended");
        let outside = detail.split_once(" outside of ").or_else(|| {
            let (act, rest) = detail.split_once(" at offset ")?;
            Some((act, rest.split_once(" of ")?.1))
        });
        let bounds =
            outside.filter(|_| is_access && !is_over).map(|(act, rest)| match rest.rsplit_once(", which has ") {
                Some((object, size)) => (act, object, number(size)),
                None => (act, rest, None),
            });
        Some(Self { detail, file, line, bounds })
    }

    fn lines(&self, sources: &Sources) -> Vec<String> {
        sources.lines(&Arc::from(self.file)).to_vec()
    }

    /// The object, as the program's text has it.
    fn object(&self, lines: &[String]) -> Option<String> {
        self.bounds.map(|(_, object, _)| object_in(object, lines))
    }

    /// That a loop may not end.
    fn is_loop(&self) -> bool {
        self.detail == UNRANKED
    }

    /// What would have to hold.
    fn claim(&self, object: Option<String>, access: Option<&str>) -> String {
        match (self.bounds, object) {
            (Some((act, _, size)), Some(object)) => {
                let what = access.map_or_else(|| format!("the {act}"), |access| format!("`{access}`"));
                match size {
                    Some(size) => format!("{what} stays within the {} of {object}", bytes(size)),
                    None => format!("{what} stays within {object}"),
                }
            }
            _ if self.is_loop() => "this loop ends".to_owned(),
            _ => {
                let detail = named_objects(self.detail);
                let is_noun = ["read ", "write ", "free ", "reallocation ", "call through", "signed overflow"];
                match is_noun.iter().any(|noun| detail.starts_with(noun)) {
                    true => format!("there is no {detail}"),
                    false => format!("this cannot happen: {detail}"),
                }
            }
        }
    }

    /// What holds of the index of `access` where it stays within an array.
    fn bound(&self, access: &str) -> Option<String> {
        let (act, _, size) = self.bounds?;
        let width = number(act.split_once(" of ")?.1)?;
        let size = size.filter(|size| width > 0 && size.is_multiple_of(width))?;
        let index = access.split_once('[')?.1.strip_suffix(']')?.trim();
        let index = index.strip_suffix("++").or_else(|| index.strip_suffix("--")).unwrap_or(index);
        let is_plain = index.chars().all(|c| c.is_alphanumeric() || "_ +-*.".contains(c)) && !index.contains("++");
        let is_number = index.chars().all(|c| c.is_ascii_digit());
        (is_plain && !is_number).then(|| format!("{index} < {}", size / width))
    }
}

/// The number that a text like `20 bytes` begins with.
fn number(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.parse().ok()
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

/// The message's objects, called what they are in the program's text as far as the message alone says it.
fn named_objects(message: &str) -> String {
    message
        .replace("heap block allocated", "the block allocated")
        .replace("block from alloca", "the array made")
        .replace("variable `", "`")
}

/// One object of a message, called what it is in the program's text.
fn object_in(object: &str, lines: &[String]) -> String {
    if object == "an argument of `main`" {
        return ARGUMENTS.to_owned();
    }
    if let Some(line) = object.strip_prefix("block from alloca at line ") {
        let text = line.parse::<usize>().ok().and_then(|line| lines.get(line.checked_sub(1)?)).map_or("", |text| text);
        // Its size is no number, other arrays of the line have one.
        let sized = text.match_indices('[').filter(|(at, _)| !text[at + 1..].starts_with(|c: char| c.is_ascii_digit()));
        let names: Vec<&str> = sized.filter_map(|(at, _)| text[..at].rsplit(|c| !is_word(c)).next()).collect();
        return match () {
            () if text.contains("alloca") => format!("the block that `alloca` makes at line {line}"),
            () if names.len() == 1 && !names[0].is_empty() => format!("`{}`", names[0]),
            () => format!("the array made at line {line}"),
        };
    }
    if let Some((name, _)) = object.strip_prefix("variable `").and_then(|rest| rest.split_once('`')) {
        return format!("`{name}`");
    }
    match object.chars().all(is_word) {
        true => format!("`{object}`"),
        false => named_objects(object),
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The expression with an index into `object` in a line of C, where it has exactly one.
fn access<'l>(line: &'l str, object: &str) -> Option<&'l str> {
    let name = object.strip_prefix('`')?.strip_suffix('`')?;
    let mut found = None;
    for (at, _) in line.match_indices(name) {
        let rest = &line[at + name.len()..];
        if line[..at].ends_with(|c| is_word(c) || ".>".contains(c)) || !rest.starts_with('[') {
            continue;
        }
        let mut depth = 0;
        let end = rest.char_indices().find_map(|(at, c)| {
            depth += i32::from(c == '[') - i32::from(c == ']');
            (depth == 0).then_some(at + 1)
        })?;
        let text = &line[at..at + name.len() + end];
        match found {
            Some(other) if other != text => return None,
            _ => found = Some(text),
        }
    }
    found
}

/// The first and the last line of each loop, as far as the words and brackets of the text show it.
fn loops(lines: &[String]) -> Vec<(u32, u32)> {
    let tokens = tokens(lines);
    let mut loops = Vec::new();
    for (index, (line, token)) in tokens.iter().enumerate() {
        let body = match *token {
            "for" | "while" => closing(&tokens, index + 1) + 1,
            "do" => index + 1,
            _ => continue,
        };
        let end = match tokens.get(body) {
            Some((_, "{")) => closing(&tokens, body),
            _ => (body..tokens.len()).find(|at| tokens[*at].1 == ";").unwrap_or(body),
        };
        loops.push((*line, tokens.get(end).map_or(*line, |(line, _)| *line)));
    }
    loops
}

/// Where the bracket at `start` is closed.
fn closing(tokens: &[(u32, &str)], start: usize) -> usize {
    let mut depth = 0;
    let closes = |at: &usize| {
        match tokens[*at].1 {
            "(" | "{" => depth += 1,
            ")" | "}" => depth -= 1,
            _ => {}
        }
        depth <= 0
    };
    (start..tokens.len()).find(closes).unwrap_or(tokens.len())
}

/// Words, brackets and semicolons with their lines; without comments and literals.
fn tokens(lines: &[String]) -> Vec<(u32, &str)> {
    let mut tokens = Vec::new();
    let mut in_comment = false;
    for (line, number) in lines.iter().zip(1u32..) {
        let mut rest = line.as_str();
        if !in_comment && rest.trim_start().starts_with('#') {
            continue;
        }
        while let Some(first) = rest.chars().next() {
            let length = match first {
                _ if in_comment => {
                    in_comment = !rest.contains("*/");
                    rest.find("*/").map_or(rest.len(), |end| end + 2)
                }
                '/' if rest.starts_with("//") => rest.len(),
                '/' if rest.starts_with("/*") => {
                    in_comment = true;
                    2
                }
                '"' | '\'' => quoted(rest, first),
                _ if is_word(first) => {
                    let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                    tokens.push((number, &rest[..end]));
                    end
                }
                '(' | ')' | '{' | '}' | ';' => {
                    tokens.push((number, &rest[..1]));
                    1
                }
                other => other.len_utf8(),
            };
            rest = &rest[length..];
        }
    }
    tokens
}

/// The length of the literal at the beginning of `text`.
fn quoted(text: &str, mark: char) -> usize {
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, c)| {
        let ends = *c == mark && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
int main(int argc, char **argv) {
  char line[80]; int n = 0, c; int copy[n + 1];
  while ((c = getchar()) != '}') { /* while { */
    if (c == '\\'' || \"for {\"[0])
      line[n++] = (char)c;
  }
  for (int i = 0; i < n; i++)
    copy[i] = line[i] + line[n - i];
  return 0;
}
";

    fn round(error: &str) -> RoundReport {
        RoundReport {
            line: 1,
            error: error.into(),
            nodes: 1,
            path: "the path has no run".into(),
            path_time: 0.0,
            confirmed: false,
            slice: None,
            discontinuity: None,
            refinement: None,
            time: 0.0,
        }
    }

    /// What is said where the file `t.c` holds the text above and these alarms are left.
    fn said(why: &Why, alarms: &[&str]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.c");
        std::fs::write(&file, TEXT).unwrap();
        let place = file.display().to_string();
        let rounds: Vec<RoundReport> = alarms.iter().map(|alarm| round(&alarm.replace("t.c", &place))).collect();
        unknown_text(why, &rounds).replace(&place, "t.c")
    }

    #[test]
    fn what_could_not_be_shown_is_said_in_words_of_the_program() {
        let line = "write of 1 byte outside of variable `line` of `main`, which has 80 bytes at t.c:5";
        assert_eq!(
            said(&Why::Timeout, &[line]),
            "Could not show that `line[n++]` stays within the 80 bytes of `line`, at t.c:5, in the loop that begins at line 3.\n\
             Try a larger `--timeout`, or `assert(n < 80);` before it.\n"
        );
        // Which of two indices it is, the line does not say.
        let ended = Why::NotProved("no refiner excludes it".into());
        assert_eq!(
            said(&ended, &["read of 1 byte at offset -1 of variable `line` of `main`, which has 80 bytes at t.c:8"]),
            "Could not show that the read of 1 byte stays within the 80 bytes of `line`, at t.c:8, in the loop that begins at \
             line 7.\n"
        );
        let copy = "write of 4 bytes outside of block from alloca at line 2 at t.c:8";
        let heap = "free of heap block allocated at line 2 after it was freed at t.c:9";
        assert_eq!(
            said(&Why::OutOfMemory, &[heap, copy]),
            "Could not show that `copy[i]` stays within `copy`, at t.c:8, in the loop that begins at line 7.\n\
             Nor could it be shown that all is well at t.c:9.\nTry a larger `--memory`.\n"
        );
        assert_eq!(
            said(&ended, &[heap]),
            "Could not show that there is no free of the block allocated at line 2 after it was freed, at t.c:9.\n"
        );
    }

    #[test]
    fn a_loop_that_may_not_end_is_named() {
        let line = format!("{UNRANKED} at t.c:7");
        assert_eq!(
            said(&Why::Timeout, &[&line]),
            "Could not show that this loop ends, at t.c:7.\nTry a larger `--timeout`.\n"
        );
    }

    #[test]
    fn without_a_place_the_reason_is_said() {
        assert_eq!(
            said(&Why::Timeout, &[]),
            "No place stands out at which the proof fails. Try a larger `--timeout`.\n"
        );
        let reason = "undefined behaviour: variable `x` of `f` is used before it has a value at t.c:3";
        assert_eq!(
            said(&Why::NotProved(reason.into()), &[]),
            "The search ended without a proof: undefined behaviour: `x` of `f` is used before it has a value at t.c:3.\n"
        );
        assert_eq!(said(&Why::Cancelled, &["read through a null pointer at t.c:3"]), "");
    }

    #[test]
    fn loops_are_found_in_the_text() {
        let lines: Vec<String> = TEXT.lines().map(str::to_owned).collect();
        assert_eq!(loops(&lines), [(3, 6), (7, 8)]);
        let unended: Vec<String> = ["while (1) { for (", "do", "/* for"].map(str::to_owned).to_vec();
        assert_eq!(loops(&unended).len(), 3);
    }
}
