//! Two sets of results side by side: an older run of this tool, or another tool.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::others::Table;
use super::results::{Outcome, Status, status};
use crate::report::table::{Align, table};

/// Tasks that only one tool answers, shown one by one.
const MAX_LINES: usize = 25;

/// Finds what another set of results says of a task.
///
/// Paths differ between checkouts and tools, so a task whose whole path is unknown is known by its folder and name, by its
/// name alone where one side tells no folder, and by its path below the folder that all tasks of its side share. A name that
/// several tasks have finds nothing.
pub struct Matching<'r> {
    by_path: BTreeMap<(String, String), &'r Outcome>,
    /// By folder and name.
    by_folder: Names<'r>,
    /// By name, of tasks that come without a folder.
    bare: Names<'r>,
    /// By name, of all tasks.
    any: Names<'r>,
    /// By path below the folder that all of them share.
    below: Names<'r>,
    /// The folder that all tasks share that are looked up.
    root: PathBuf,
}

/// By name and property; `None` where several tasks have the name.
type Names<'r> = BTreeMap<(String, String), Option<&'r Outcome>>;

impl<'r> Matching<'r> {
    /// `asked`: those that are looked up.
    pub fn new(outcomes: &'r [Outcome], asked: &[Outcome]) -> Self {
        let [mut by_folder, mut bare, mut any, mut below] = std::array::from_fn(|_| Names::new());
        let own_root = root(outcomes);
        let mut by_path = BTreeMap::new();
        for outcome in outcomes {
            by_path.insert((outcome.task.clone(), outcome.property.clone()), outcome);
            let (folder, name) = names(&outcome.task);
            let add = |names: &mut Names<'r>, name: String| {
                let entry = names.entry((name, outcome.property.clone()));
                entry.and_modify(|found| *found = None).or_insert(Some(outcome));
            };
            add(&mut any, name.clone());
            add(&mut below, path_below(&own_root, &outcome.task));
            match folder {
                Some(folder) => add(&mut by_folder, folder),
                None => add(&mut bare, name),
            }
        }
        Self { by_path, by_folder, bare, any, below, root: root(asked) }
    }

    /// The other answer to the question that `outcome` answers.
    pub fn find(&self, outcome: &Outcome) -> Option<&'r Outcome> {
        if let Some(found) = self.by_path.get(&(outcome.task.clone(), outcome.property.clone())) {
            return Some(found);
        }
        // A table of a single property need not name it.
        let with = |names: &Names<'r>, name: &str| {
            let find = |property: &str| names.get(&(name.to_owned(), property.to_owned())).copied();
            find(&outcome.property).or_else(|| find("")).flatten()
        };
        let found = match names(&outcome.task) {
            (Some(folder), name) => with(&self.by_folder, &folder).or_else(|| with(&self.bare, &name)),
            (None, name) => with(&self.any, &name),
        };
        found.or_else(|| with(&self.below, &path_below(&self.root, &outcome.task)))
    }
}

/// The folder that all tasks share.
fn root(outcomes: &[Outcome]) -> PathBuf {
    let folders = outcomes.iter().map(|outcome| Path::new(&outcome.task).parent().unwrap_or(Path::new("")));
    let shared = |a: PathBuf, b: PathBuf| a.iter().zip(b.iter()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
    folders.map(Path::to_path_buf).reduce(shared).unwrap_or_default()
}

/// The rest of the path, without the extension.
fn path_below(root: &Path, task: &str) -> String {
    let path = Path::new(task);
    path.strip_prefix(root).unwrap_or(path).with_extension("").display().to_string()
}

/// `folder/name` where there is a folder, and `name`, without the extension.
fn names(task: &str) -> (Option<String>, String) {
    let path = Path::new(task);
    let name = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let folder = path.parent().and_then(Path::file_name).map(|folder| format!("{}/{name}", folder.to_string_lossy()));
    (folder, name)
}

/// Whether an answer that was right in `old` is not any more.
pub fn loses_any(old: &[Outcome], new: &[Outcome]) -> bool {
    let before = Matching::new(old, new);
    let was_right = |now: &Outcome| before.find(now).is_some_and(|then| then.status == Status::Correct);
    new.iter().any(|now| now.status != Status::Correct && was_right(now))
}

/// What is different from `old`: answers gained and lost first, then the ratio of CPU times.
pub fn changes_text(old: &[Outcome], new: &[Outcome]) -> String {
    let before = Matching::new(old, new);
    let mut groups: [(&str, Vec<String>); 4] =
        [("Now wrong", vec![]), ("Lost", vec![]), ("Gained", vec![]), ("Otherwise changed", vec![])];
    let (mut known, mut both, mut cpu_old, mut cpu_new) = (0, 0, 0.0, 0.0);
    let mut found = BTreeSet::new();
    for now in new {
        let Some(then) = before.find(now) else { continue };
        known += 1;
        found.insert((&then.task, &then.property));
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
    let all = new.len();
    let gone = old.iter().filter(|then| !found.contains(&(&then.task, &then.property))).count();
    match all - known {
        0 if text.is_empty() && gone == 0 => text.push_str("No answer has changed.\n"),
        0 if text.is_empty() => text.push_str("No other answer has changed.\n"),
        0 => {}
        _ if known == 0 => {
            text.push_str("None of the answers is to a question that was asked before: nothing can be compared.\n")
        }
        unknown => {
            if text.is_empty() {
                text.push_str("No other answer has changed.\n");
            }
            let _ = writeln!(text, "{unknown} of the {all} answers are new.");
        }
    }
    if known > 0 && gone > 0 {
        let _ = writeln!(text, "{gone} of the {} answers before have none beside them now.", old.len());
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

/// Another tool's results beside ours, judged by what is expected here.
pub struct Beside {
    /// Of the other tool.
    pub name: String,
    /// Its answers to our questions, in their order.
    pub outcomes: Vec<Outcome>,
    /// For each of our answers its place in `outcomes`.
    places: Vec<Option<usize>>,
}

impl Beside {
    /// Looks the questions of `ours` up in another tool's table; those it has no answer to are left out.
    pub fn new(ours: &[Outcome], other: &Table) -> Self {
        let theirs = Matching::new(&other.outcomes, ours);
        let mut outcomes = Vec::new();
        let mut places = Vec::new();
        for our in ours {
            let their = theirs.find(our);
            places.push(their.map(|_| outcomes.len()));
            outcomes.extend(their.map(|their| Outcome {
                expected: our.expected.clone(),
                status: status(&our.expected, &their.answer),
                ..their.clone()
            }));
        }
        Self { name: other.name.clone(), outcomes, places }
    }

    /// Their answer to the question of our `number`-th one.
    pub fn of(&self, number: usize) -> Option<&Outcome> {
        self.places.get(number).copied().flatten().map(|place| &self.outcomes[place])
    }

    /// Our answers with theirs, where both were asked.
    pub fn pairs<'r>(&'r self, ours: &'r [Outcome]) -> Vec<(&'r Outcome, &'r Outcome)> {
        ours.iter().enumerate().filter_map(|(number, our)| Some((our, self.of(number)?))).collect()
    }
}

/// Two answers to a question, ours first.
type Pair<'r> = (&'r Outcome, &'r Outcome);

/// Whether a pair is in a list.
type Belongs = fn(&Pair) -> bool;

fn are_right((our, their): &Pair) -> (bool, bool) {
    (our.status == Status::Correct, their.status == Status::Correct)
}

/// Our answers beside those of another tool: by suite, then the tasks that only one of them has right.
pub fn beside_text(ours: &[Outcome], other: &Beside) -> String {
    let name = &other.name;
    let pairs = other.pairs(ours);
    if pairs.is_empty() {
        return format!("{name} has no answers to these tasks.\n");
    }
    let mut text = format!("{} of the {} answers have one of {name} beside them.\n\n", pairs.len(), ours.len());
    text += &pairs_table(&pairs, name);
    text.push('\n');
    let lists: [(String, Belongs); 4] = [
        ("Wrong here".into(), |(our, _)| our.status == Status::Wrong),
        (format!("Wrong in {name}"), |(_, their)| their.status == Status::Wrong),
        (format!("Right only in {name}"), |pair| are_right(pair) == (false, true)),
        ("Right only here".into(), |pair| are_right(pair) == (true, false)),
    ];
    for (title, belongs) in lists {
        let those: Vec<&Pair> = pairs.iter().filter(|pair| belongs(pair)).collect();
        if those.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{title} ({}):", those.len());
        for (our, their) in those.iter().take(MAX_LINES) {
            let expected = if our.expected.is_empty() { "?" } else { &our.expected };
            let (task, property) = (&our.task, &our.property);
            let _ = writeln!(
                text,
                "  {task} [{property}]: expected {expected}; {} here, {} there",
                our.answer, their.answer
            );
        }
        if those.len() > MAX_LINES {
            let _ = writeln!(text, "  and {} more", those.len() - MAX_LINES);
        }
    }
    let both: Vec<&Pair> = pairs.iter().filter(|pair| are_right(pair) == (true, true)).collect();
    let ours: f64 = both.iter().map(|(our, _)| our.cpu).sum();
    let theirs: f64 = both.iter().map(|(_, their)| their.cpu).sum();
    let _ = writeln!(
        text,
        "CPU time of the {} answers that both have right: {ours:.1} s here, {theirs:.1} s there.",
        both.len()
    );
    text
}

fn pairs_table(pairs: &[Pair], name: &str) -> String {
    let mut suites: BTreeMap<&str, Vec<&Pair>> = BTreeMap::new();
    for pair in pairs {
        suites.entry(&pair.0.suite).or_default().push(pair);
    }
    let only = format!("only {name}");
    let head = ["suite", "answers", "both right", "only here", &only, "neither", "wrong here", "wrong there"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let all = (suites.len() > 1).then(|| ("all", pairs.iter().collect()));
    for (suite, pairs) in suites.into_iter().chain(all) {
        let count = |f: &dyn Fn(&Pair) -> bool| pairs.iter().filter(|pair| f(pair)).count().to_string();
        rows.push(vec![
            suite.to_owned(),
            pairs.len().to_string(),
            count(&|pair| are_right(pair) == (true, true)),
            count(&|pair| are_right(pair) == (true, false)),
            count(&|pair| are_right(pair) == (false, true)),
            count(&|pair| are_right(pair) == (false, false)),
            count(&|(our, _)| our.status == Status::Wrong),
            count(&|(_, their)| their.status == Status::Wrong),
        ]);
    }
    let columns = std::array::from_fn::<_, 8, _>(|i| if i == 0 { Align::Left } else { Align::Right });
    table(&columns, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes() {
        let old = [
            Outcome::sample("a", "true", "TRUE", 2.0),
            Outcome::sample("b", "true", "TRUE", 2.0),
            Outcome::sample("c", "true", "UNKNOWN (timeout)", 1.0),
            Outcome::sample("d", "true", "UNKNOWN (timeout)", 1.0),
            Outcome::sample("gone", "true", "TRUE", 1.0),
        ];
        let new = [
            Outcome::sample("a", "true", "TRUE", 1.0),
            Outcome::sample("b", "true", "UNKNOWN (timeout)", 1.0),
            Outcome::sample("c", "true", "TRUE", 1.0),
            Outcome::sample("d", "true", "FALSE(valid-free)", 1.0),
            Outcome::sample("new", "true", "TRUE", 1.0),
        ];
        let text = changes_text(&old, &new);
        assert!(text.contains("Now wrong (1):\n  d [p]: UNKNOWN (timeout) → FALSE(valid-free)\n"), "{text}");
        assert!(text.contains("Lost (1):\n  b [p]: TRUE → UNKNOWN (timeout)\n"), "{text}");
        assert!(text.contains("Gained (1):\n  c [p]"), "{text}");
        assert!(text.contains("the 1 answers correct both times: 2.0 s → 1.0 s (× 0.50)"), "{text}");
        assert!(changes_text(&old, &old).starts_with("No answer has changed.\n"));
        assert!(
            text.contains("1 of the 5 answers are new.\n1 of the 5 answers before have none beside them now.\n"),
            "{text}"
        );
        assert!(loses_any(&old, &new) && !loses_any(&old, &old));
        // A task that was taken away is not unchanged.
        let text = changes_text(&old, &old[1..]);
        assert!(text.starts_with("No other answer has changed.\n1 of the 5 answers before have none"), "{text}");
    }

    #[test]
    fn tasks_are_known_by_folder_and_name() {
        let others = [
            Outcome::sample("../c/lists/a.yml", "true", "TRUE", 1.0),
            Outcome::sample("../c/loops/a.yml", "true", "TRUE", 2.0),
            Outcome::sample("b", "true", "TRUE", 3.0),
        ];
        let asked =
            [Outcome::sample("/home/c/loops/a.yml", "", "TRUE", 0.0), Outcome::sample("x/b.yml", "", "TRUE", 0.0)];
        let matching = Matching::new(&others, &asked);
        let cpu = |task: &str| matching.find(&Outcome::sample(task, "", "TRUE", 0.0)).map(|found| found.cpu);
        assert_eq!(cpu("/home/c/loops/a.yml"), Some(2.0));
        assert_eq!(cpu("x/b.yml"), Some(3.0));
        // Another folder's task is another task, and a bare name must be one task's.
        assert_eq!(cpu("heap/a.yml"), None);
        assert_eq!(cpu("a.yml"), None);
        // Another property is another question.
        assert!(
            matching.find(&Outcome { property: "q".into(), ..Outcome::sample("x/b.yml", "", "TRUE", 0.0) }).is_none()
        );
    }

    /// As of two checkouts, or of folders that were renamed.
    #[test]
    fn tasks_are_known_by_their_path_below_different_folders() {
        let run = |root: &str, paths: [&str; 3], last: &str| {
            let answers = ["TRUE", "TRUE", last];
            let outcome = |(path, answer)| Outcome::sample(&format!("{root}/{path}"), "true", answer, 1.0);
            paths.into_iter().zip(answers).map(outcome).collect::<Vec<_>>()
        };
        let flat = ["a.yml", "b.yml", "c.yml"];
        let text = changes_text(&run("old", flat, "TRUE"), &run("new", flat, "UNKNOWN (timeout)"));
        assert!(text.starts_with("Lost (1):\n  new/c.yml [p]: TRUE → UNKNOWN (timeout)\nCPU time of the 2 "), "{text}");
        assert!(loses_any(&run("old", flat, "TRUE"), &run("new", flat, "UNKNOWN (timeout)")));
        // Folder and name alone would be ambiguous.
        let deep = ["x/l/a.yml", "y/l/a.yml", "c.yml"];
        let text = changes_text(&run("/v1", deep, "TRUE"), &run("v2/tasks", deep, "TRUE"));
        assert!(text.starts_with("No answer has changed.\nCPU time of the 3 "), "{text}");
        // What cannot be found is not said to be unchanged.
        let text = changes_text(&run("old", flat, "TRUE"), &run("new", ["d.yml", "e.yml", "f.yml"], "TRUE"));
        assert_eq!(text, "None of the answers is to a question that was asked before: nothing can be compared.\n");
        let text = changes_text(&run("old", flat, "TRUE"), &run("new", ["a.yml", "b.yml", "f.yml"], "TRUE"));
        assert!(text.starts_with("No other answer has changed.\n1 of the 3 answers are new.\n"), "{text}");
    }

    #[test]
    fn another_tool_is_judged_by_what_is_expected_here() {
        let ours = [
            Outcome::sample("l/a.yml", "true", "TRUE", 1.0),
            Outcome::sample("l/b.yml", "true", "UNKNOWN (timeout)", 9.0),
            Outcome::sample("l/c.yml", "false", "FALSE(valid-free)", 2.0),
        ];
        let theirs = vec![
            Outcome::sample("l/a", "", "TRUE", 4.0),
            Outcome::sample("l/b", "", "TRUE", 5.0),
            Outcome::sample("l/c", "true", "TRUE", 6.0),
        ];
        let beside = |outcomes| beside_text(&ours, &Beside::new(&ours, &Table { name: "Spy".into(), outcomes }));
        let text = beside(theirs);
        assert!(text.starts_with("3 of the 3 answers have one of Spy beside them.\n"), "{text}");
        assert!(
            text.contains("Wrong in Spy (1):\n  l/c.yml [p]: expected false; FALSE(valid-free) here, TRUE there\n"),
            "{text}"
        );
        assert!(text.contains("Right only in Spy (1):\n  l/b.yml"), "{text}");
        assert!(text.contains("Right only here (1):\n  l/c.yml"), "{text}");
        assert!(text.ends_with("the 1 answers that both have right: 1.0 s here, 4.0 s there.\n"), "{text}");
        let none = beside(Vec::new());
        assert_eq!(none, "Spy has no answers to these tasks.\n");
    }
}
