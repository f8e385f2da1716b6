//! Findings for people: what keeps a caller clear of one, and one entry for each cause.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::contract::{Expr, Formula};
use super::report::{Finding, FunctionReport, Kind};

/// Conditions any of which keeps a caller clear of an error that needs `pre`: the opposites of what it needs of values. What is
/// only said of the sizes of blocks is left out: smaller ones are no way out.
pub(super) fn ways_around(pre: &Formula) -> Vec<Expr> {
    let mut sizes = BTreeSet::new();
    pre.blocks.iter().for_each(|block| block.size.variables(&mut sizes));
    let is_of_sizes = |condition: &Expr| {
        let mut found = BTreeSet::new();
        condition.variables(&mut found);
        found.is_subset(&sizes)
    };
    let mut ways: Vec<Expr> = Vec::new();
    for condition in pre.pure.iter().filter(|condition| !is_of_sizes(condition)) {
        let way = opposite(condition);
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    ways
}

fn opposite(condition: &Expr) -> Expr {
    match condition {
        Expr::Not(inner) => inner.as_ref().clone(),
        Expr::Op(parts) => {
            let (name, a, b) = parts.as_ref();
            let turned = match name.as_str() {
                "ult" => "ule",
                "ule" => "ult",
                "slt" => "sle",
                "sle" => "slt",
                _ => return Expr::Not(Box::new(condition.clone())),
            };
            Expr::Op(Box::new((turned.to_owned(), b.clone(), a.clone())))
        }
        _ => Expr::Not(Box::new(condition.clone())),
    }
}

type Place = (Arc<str>, u32, u32, Kind);

fn place(finding: &Finding) -> Place {
    (plain(&finding.file), finding.line, finding.column, finding.kind)
}

/// One name for a file that is included by several: without `.` and `..`, where these are not at the beginning.
fn plain(file: &str) -> Arc<str> {
    let mut parts: Vec<&str> = Vec::new();
    for part in file.split('/') {
        match (part, parts.last()) {
            (".", _) => {}
            ("..", Some(&last)) if last != ".." && !last.is_empty() => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.join("/").into()
}

/// Causes that were reported so far, where functions are reported one by one, callees first.
#[derive(Default)]
pub struct Causes(BTreeMap<Place, BTreeSet<Arc<str>>>);

impl Causes {
    /// The report without errors that were reported of a function before, as [`merge`] understands that.
    pub fn fresh(&mut self, report: &FunctionReport) -> FunctionReport {
        let mut fresh = report.clone();
        fresh.findings.retain(|finding| match self.0.get(&place(finding)) {
            None => true,
            Some(always) => finding.manifest && !always.contains(&report.name) && !happens_in_callee(finding, always),
        });
        for finding in &fresh.findings {
            let always = self.0.entry(place(finding)).or_default();
            always.extend(finding.manifest.then(|| report.name.clone()));
        }
        fresh
    }
}

/// Whether one of the calls on the way leads to it in every caller: of the functions in which it happens `always`.
fn happens_in_callee(finding: &Finding, always: &BTreeSet<Arc<str>>) -> bool {
    finding.calls.iter().any(|call| always.contains(&call.function))
}

/// Leaves one entry for each cause: what is found at one place in several functions is reported for the one whose text the place lies
/// in, or else of the first one, and there the others are named. An error that happens in a caller whatever *its* callers do
/// is a cause of its own where it is not one in a function on the way from there.
pub fn merge(reports: &mut [&mut FunctionReport]) {
    let own = |finding: &Finding, reports: &[&mut FunctionReport]| -> Option<usize> {
        let before = |report: &FunctionReport| report.file == finding.file && report.line <= finding.line;
        let around = (0..reports.len()).filter(|index| before(reports[*index]));
        around.max_by_key(|index| reports[*index].line)
    };
    let mut places: Vec<Place> = reports.iter().flat_map(|report| report.findings.iter().map(place)).collect();
    places.sort();
    places.dedup();
    for at in places {
        let find = |report: &FunctionReport| report.findings.iter().position(|finding| place(finding) == at);
        let found: Vec<usize> = (0..reports.len()).filter(|index| find(reports[*index]).is_some()).collect();
        let [first, _, ..] = found[..] else { continue };
        let Some(index) = find(reports[first]) else { continue };
        let finding = &reports[first].findings[index];
        let keeper = own(finding, reports).filter(|own| found.contains(own)).unwrap_or(first);
        let Some(kept) = find(reports[keeper]) else { continue };
        let is_always = |index: &usize| find(reports[*index]).is_some_and(|at| reports[*index].findings[at].manifest);
        let always: BTreeSet<Arc<str>> =
            found.iter().filter(|index| is_always(index)).map(|index| reports[*index].name.clone()).collect();
        let mut also: Vec<Arc<str>> = Vec::new();
        for other in found.into_iter().filter(|other| *other != keeper) {
            let Some(index) = find(reports[other]) else { continue };
            let finding = &reports[other].findings[index];
            // A function of a header is one function, whatever file includes it.
            let is_same = reports[other].name == reports[keeper].name;
            if !finding.manifest || is_same || happens_in_callee(finding, &always) {
                reports[other].findings.remove(index);
                also.extend((!is_same).then(|| reports[other].name.clone()));
            }
        }
        reports[keeper].findings[kept].also = also;
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::{CallSite, Status};
    use super::*;

    fn finding(line: u32, kind: Kind, manifest: bool) -> Finding {
        Finding {
            kind,
            detail: String::new(),
            file: "a.c".into(),
            line,
            column: 1,
            manifest,
            vars: Vec::new(),
            pre: Formula::default(),
            trail: Vec::new(),
            calls: Vec::new(),
            object: None,
            avoid: Vec::new(),
            also: Vec::new(),
        }
    }

    /// It happens in every caller, in a function that is called.
    fn called(function: &str, line: u32, kind: Kind) -> Finding {
        let call = CallSite { function: function.into(), file: "a.c".into(), line: 21 };
        Finding { calls: vec![call], ..finding(line, kind, true) }
    }

    fn report(name: &str, line: u32, findings: Vec<Finding>) -> FunctionReport {
        FunctionReport {
            name: name.into(),
            file: "a.c".into(),
            line,
            params: Vec::new(),
            contracts: Vec::new(),
            status: Status::None,
            findings,
            stuck: Vec::new(),
            assumed: Vec::new(),
            unfinished: false,
            proofs: Vec::new(),
        }
    }

    #[test]
    fn one_cause_is_reported_once_where_it_is() {
        let mut reports = [
            report("first", 1, vec![finding(12, Kind::UseAfterFree, false)]),
            report("own", 10, vec![finding(12, Kind::UseAfterFree, false), finding(13, Kind::MemoryLeak, true)]),
            report("always", 20, vec![finding(12, Kind::UseAfterFree, true), called("own", 13, Kind::MemoryLeak)]),
            report("other", 30, vec![finding(12, Kind::NullDereference, false)]),
        ];
        merge(&mut reports.iter_mut().collect::<Vec<_>>());
        let findings_of = |index: usize| -> Vec<(u32, Vec<&str>)> {
            let findings = reports[index].findings.iter();
            findings.map(|finding| (finding.line, finding.also.iter().map(|name| &**name).collect())).collect()
        };
        assert_eq!(findings_of(0), []);
        assert_eq!(findings_of(1), [(12, vec!["first"]), (13, vec!["always"])]);
        // There it happens whatever its callers do: that is worse than in the function itself.
        assert_eq!(findings_of(2), [(12, vec![])]);
        assert_eq!(findings_of(3), [(12, vec![])]);
    }

    #[test]
    fn one_file_has_one_name() {
        assert_eq!(plain("./in/../item.h"), plain("item.h"));
        assert_eq!(
            [&*plain("../a/../../b.h"), &*plain("/../a.h"), &*plain("/p/./q/a.h")],
            ["../../b.h", "/../a.h", "/p/q/a.h"]
        );
    }

    #[test]
    fn one_by_one_only_worse_news_of_a_cause_is_fresh() {
        let mut causes = Causes::default();
        let mut fresh =
            |manifest| causes.fresh(&report("f", 1, vec![finding(12, Kind::DoubleFree, manifest)])).findings.len();
        assert_eq!([fresh(false), fresh(false), fresh(true), fresh(true), fresh(false)], [1, 0, 1, 0, 0]);
    }

    #[test]
    fn without_the_function_itself_the_first_one_shows() {
        let mut reports = [
            report("b", 40, vec![finding(12, Kind::OutOfBounds, false)]),
            report("a", 50, vec![finding(12, Kind::OutOfBounds, false)]),
        ];
        merge(&mut reports.iter_mut().collect::<Vec<_>>());
        assert_eq!(reports[0].findings[0].also, [Arc::from("a")]);
        assert!(reports[1].findings.is_empty());
    }

    #[test]
    fn any_opposite_keeps_clear() {
        let number = |value: u32| Expr::Const { value: value.to_string(), width: 32 };
        let op = |name: &str, a: Expr, b: Expr| Expr::Op(Box::new((name.to_owned(), a, b)));
        let pure = vec![
            op("slt", number(3), Expr::Var(0)),
            op("eq", Expr::Var(1), number(0)),
            Expr::Not(Box::new(op("eq", Expr::Var(2), number(0)))),
        ];
        let pre = Formula { pure, ..Formula::default() };
        let expected = [
            op("sle", Expr::Var(0), number(3)),
            Expr::Not(Box::new(op("eq", Expr::Var(1), number(0)))),
            op("eq", Expr::Var(2), number(0)),
        ];
        assert_eq!(ways_around(&pre), expected);
    }
}
