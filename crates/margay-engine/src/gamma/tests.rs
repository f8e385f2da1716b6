//! The laws on fixed seeds; `fuzz/` has the long form.

use super::{Report, Rules, walk};

/// Runs walks from seeds `first..` and adds up what they tried.
fn laws_hold(first: u64, seeds: u64, rules: Rules) -> Report {
    let mut total = Report::default();
    for seed in first..first + seeds {
        match walk(seed, rules) {
            Ok(report) => total.add(&report),
            Err(law) => panic!("{law}"),
        }
    }
    total
}

#[test]
fn laws_hold_on_random_walks() {
    let report = laws_hold(1, 62, Rules { walks: 32, operations: 80 });
    // The laws are tried often enough to mean something.
    assert!(report.steps > 80_000 && report.steps_on_segments > 20_000, "{report:?}");
    assert!(report.steps_on_trees > 10_000 && report.trees_materialised > 300, "{report:?}");
    assert!(report.steps_on_paths > 1_000 && report.paths_materialised > 50, "{report:?}");
    assert!(report.folds > 600 && report.folds_of_nested > 100, "{report:?}");
    assert!(report.folds_of_kinds > 100, "{report:?}");
    assert!(report.materialisations > 1_000 && report.coverings > 150, "{report:?}");
    // What folding makes should be found to cover what was folded: a matter of precision.
    // Of lists below nodes of a skip list it is found less often.
    assert!(100 * report.folds_that_cover >= 93 * report.folds, "{report:?}");
    assert!(report.stretches > 20, "{report:?}");
    assert!(report.joins > 400 && 100 * report.joins_that_cover >= 95 * report.joins, "{report:?}");
    assert!(
        report.widenings > 5 && report.embeddings > 300 && report.faults > 1_000 && report.leaks > 1_000,
        "{report:?}"
    );
}
