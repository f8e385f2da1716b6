//! What contracts of open code say is so: random heaps that satisfy a precondition are built, the function is run by the
//! interpreter, and the heap it leaves must be one of a postcondition's.
//!
//! Nothing of the analysis takes part: formulas are given a meaning here, from the text of their definition. A run must not
//! violate anything, must leave all other bytes alone, and the postcondition must account for every byte the function had
//! or made. `MARGAY_CONTRACTS=<files or folders, with colons between>` tries these instead of the own ones, with
//! `MARGAY_HEAPS` heaps for each contract; `MARGAY_RANDOM=<seed>+<count>` tries more files of random functions.

mod check;
mod expr;
mod functions;
mod heaps;
mod judge;
mod planted;
mod run;
mod unroll;
mod write;

use std::path::{Path, PathBuf};
use std::time::Duration;

use margay::gamma::Random;
use margay::task::DataModel;

use check::{Tally, of_file, of_text};

fn report(tally: &Tally) -> String {
    let Tally { functions, contracts, unbuilt, heaps, judged, open, violations } = tally;
    let mut text = format!(
        "{functions} functions, {contracts} contracts, {} without a heap, {heaps} heaps, {judged} runs judged, {} violations\n",
        unbuilt.len(),
        violations.len()
    );
    unbuilt.iter().for_each(|line| text.push_str(&format!("  no heap: {line}\n")));
    open.iter().for_each(|(why, count)| text.push_str(&format!("  open, {count} times: {why}\n")));
    violations.iter().for_each(|line| text.push_str(&format!("  violation: {line}\n")));
    text
}

/// The C files of a folder, sorted, or the file itself.
fn files(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else { return vec![path.to_owned()] };
    let mut found: Vec<PathBuf> = entries.flatten().flat_map(|entry| files(&entry.path())).collect();
    found.retain(|file| matches!(file.extension().and_then(|e| e.to_str()), Some("c" | "i")));
    found.sort();
    found
}

/// Texts that once led to contracts that do not hold, and what a run needs to show it.
const TEXTS: [&str; 1] = [
    // A literal's bytes belong to nobody: two calls read them.
    "void *memcpy(void *, const void *, unsigned long);
     char first(void) { const char *s = \"text\"; return s[0]; }
     int twice(void) { return first() + first(); }
     void fill(char *to) { memcpy(to, \"text\", 5); }
     int both(char *a, char *b) { fill(a); fill(b); return a[0] + b[1]; }",
];

#[test]
fn contracts_of_small_texts_hold() {
    for text in TEXTS {
        let analysed = of_text(text);
        let tally = analysed.check(50, 1);
        assert!(tally.judged >= 50 * analysed.reports.len() && tally.violations.is_empty(), "{}", report(&tally));
    }
}

/// Random functions from this seed on, as many files as asked for.
fn random_files(first: u64, count: u64, heaps: usize) -> Tally {
    let mut all = Tally::default();
    for seed in first..first + count {
        let text = functions::random(&mut Random(seed));
        let tally = of_text(&text).check(heaps, seed);
        assert!(tally.violations.is_empty(), "seed {seed}: {}\n{text}", report(&tally));
        all.add(tally);
    }
    all
}

#[test]
fn contracts_of_random_functions_hold() {
    let (first, count) = match std::env::var("MARGAY_RANDOM") {
        Ok(seeds) => {
            let (first, count) = seeds.split_once('+').expect("the first seed, a plus sign, how many");
            (first.parse().expect("a seed"), count.parse().expect("a number"))
        }
        Err(_) => (1, 6),
    };
    let all = random_files(first, count, 30);
    assert!(all.judged as u64 >= count * 30 && all.unbuilt.len() * 10 < all.contracts, "{}", report(&all));
}

/// The own programs without the one whose analysis takes long.
#[test]
fn contracts_of_own_programs_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benchmarks/open");
    let mut all = Tally::default();
    for file in files(&folder).iter().filter(|file| !file.to_string_lossy().contains("hash_table")) {
        let analysed = of_file(file, DataModel::Lp64, false, Duration::from_secs(2)).expect("own programs are C");
        all.add(analysed.check(12, 1));
    }
    assert!(all.violations.is_empty(), "{}", report(&all));
    assert!(all.functions >= 200 && all.contracts >= 300 && all.unbuilt.len() * 20 < all.contracts, "{}", report(&all));
    assert!(all.judged >= 3000 && all.judged * 10 >= all.heaps * 9, "{}", report(&all));
}

#[test]
fn contracts_of_given_files_hold() {
    let Ok(paths) = std::env::var("MARGAY_CONTRACTS") else { return };
    let heaps = std::env::var("MARGAY_HEAPS").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let seed = std::env::var("MARGAY_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut all = Tally::default();
    for file in paths.split(':').flat_map(|path| files(Path::new(path))) {
        let task = std::fs::read_to_string(file.with_extension("yml")).unwrap_or_default();
        let model = if task.contains("data_model: ILP32") { DataModel::Ilp32 } else { DataModel::Lp64 };
        let fails = task.contains("malloc_may_fail: true");
        let Some(analysed) = of_file(&file, model, fails, Duration::from_secs(20)) else {
            println!("{} is not read", file.display());
            continue;
        };
        let tally = analysed.check(heaps, seed);
        println!("{}: {}", analysed.name, report(&tally));
        all.add(tally);
    }
    println!("all: {}", report(&all));
    assert!(all.heaps > 0 && all.violations.is_empty());
}
