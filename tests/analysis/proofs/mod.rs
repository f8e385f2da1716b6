//! Proofs as files: real ones are accepted, tampered ones are refused.

mod measures;
mod tampered;

use std::path::{Path, PathBuf};
use std::time::Duration;

use margay::base::limits::Limits;
use margay::c::with_big_stack;
use margay::portfolio::{Job, Options, verify};
use margay::question::{CertificateFile, Solving};
use margay::task::{DataModel, PropertyFile, program_hash};
use margay::verdict::Verdict;
use serde_json::{Value, json};

use self::tampered::tampered;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn program(name: &str) -> PathBuf {
    root().join("benchmarks").join(format!("{name}.c"))
}

fn property(name: &str) -> PropertyFile {
    PropertyFile::read(&root().join("property-files").join(format!("{name}.prp"))).expect("a property file")
}

fn limits() -> Limits {
    Limits::new(Some(Duration::from_secs(20)), None)
}

/// The proof that `name` has the property, as the text of a file; `None` when there is none in time.
fn proof(name: &str, asked: &str) -> Option<String> {
    proof_by(None, name, asked)
}

/// The same by these engines only.
fn proof_by(engines: Option<&str>, name: &str, asked: &str) -> Option<String> {
    let options = Options { write_proof: true, engines: engines.map(String::from), ..Options::default() };
    let (file, property) = (program(name), property(asked));
    let model = DataModel::Lp64;
    let job = Job { file: &file, model, properties: &property.checks, limits: &limits(), options: &options };
    let answer = verify(&job).expect("a C program");
    let Verdict::True(_) = answer.verdict else { return None };
    let written = answer.proof.expect("a TRUE has a proof");
    let file = CertificateFile::new(&file, model, &property, false, written).expect("a readable program");
    Some(file.about_skeleton(answer.of_skeleton).to_text().expect("a text"))
}

/// What `check-proof` says: accepted, or refused and why. Data that is no proof counts as refused as well.
fn check(text: &str, file: &Path) -> Result<usize, String> {
    let proof = CertificateFile::from_text(text).map_err(|error| error.to_string())?;
    let [whole, shared] = [1, 3].map(|cores| {
        let answer =
            proof.check(file, &[], &limits(), Solving { cores, plain: false }).map_err(|error| error.to_string())?;
        answer.map(|report| report.edges()).map_err(|refused| refused.to_string())
    });
    // The first share that is refused tells, which need not be that of the first state.
    assert_eq!(whole.as_ref().ok(), shared.as_ref().ok(), "{whole:?} {shared:?}");
    whole
}

const PROVED: [(&str, &str); 38] = [
    ("control/conditions_together_safe", "unreach-call"),
    ("counts/freed_by_count_safe", "valid-memsafety"),
    ("counts/zipped_lists_safe", "valid-memsafety"),
    ("language/overflow_builtins_safe", "unreach-call"),
    ("lists-unbounded/dll_circular_delete_safe", "valid-memsafety"),
    ("lists-unbounded/data_nested_heap_safe", "valid-memsafety"),
    ("lists-unbounded/nested_rows_and_cells_safe", "valid-memsafety"),
    ("lists-unbounded/sll_delete_all_of_kind_safe", "valid-memsafety"),
    ("lists-unbounded/sll_owned_data_safe", "valid-memsafety"),
    ("lists-unbounded/csll_create_free_safe", "valid-memsafety"),
    ("lists-unbounded/dll_circular_splice_safe", "valid-memsafety"),
    ("lists-unbounded/dll_with_cached_node_safe", "valid-memsafety"),
    ("lists-unbounded/linux_list_insert_safe", "valid-memsafety"),
    ("lists-unbounded/linux_list_traverse_safe", "valid-memsafety"),
    ("lists-unbounded/sll_concatenate_safe", "valid-memcleanup"),
    ("lists-unbounded/sll_equal_values_safe", "unreach-call"),
    ("lists-unbounded/sll_merge_safe", "valid-memsafety"),
    ("lists-unbounded/sll_shared_data_safe", "valid-memsafety"),
    ("lists-unbounded/sll_with_end_pointer_safe", "valid-memsafety"),
    ("lists/dll_stale_back_link_safe", "valid-memsafety"),
    ("lists/list_of_lists_safe", "valid-memsafety"),
    ("lists/sll_nondet_length_up_to_five_safe", "valid-memsafety"),
    ("memory/calloc_zeroed_safe", "valid-memsafety"),
    ("memory/cleanup_realloc_safe", "valid-memcleanup"),
    ("memory/memmove_overlap_safe", "valid-memsafety"),
    ("memory/realloc_grows_safe", "valid-memsafety"),
    ("memory/use_after_scope_loop_safe", "valid-memsafety"),
    ("skiplists/two_levels_all_tall_safe", "valid-memsafety"),
    ("skiplists/two_levels_build_free_safe", "valid-memsafety"),
    ("termination/lexicographic_safe", "termination"),
    ("termination/list_walked_safe", "termination"),
    ("termination/recursion_halves_safe", "termination"),
    ("termination/search_by_halves_safe", "termination"),
    ("trees/copy_and_mirror_safe", "valid-memsafety"),
    ("trees/least_by_loop_safe", "valid-memsafety"),
    ("trees/parents_up_and_down_safe", "valid-memsafety"),
    ("trees/rotation_safe", "valid-memsafety"),
    ("trees/search_tree_safe", "valid-memsafety"),
];

#[test]
fn real_proofs_are_accepted_from_a_file() {
    with_big_stack(|| {
        for (name, asked) in PROVED {
            let text = proof(name, asked).unwrap_or_else(|| panic!("{name}: no proof"));
            let edges = check(&text, &program(name)).unwrap_or_else(|why| panic!("{name}: refused: {why}"));
            assert!(edges > 0, "{name}: nothing was checked");
        }
    });
}

/// Refuses to go on quietly: every kind of tampering has to have been tried so often.
const LEAST: [(&str, usize); 21] = [
    ("no measure", 4),
    ("equal measures", 4),
    ("rising measure", 1),
    ("measures the wrong way", 3),
    ("cases left out", 4),
    ("other count", 4),
    ("dropped edge", 10),
    ("dropped state", 8),
    ("added constraint", 4),
    ("concrete value", 4),
    ("removed case", 3),
    ("wrong map", 6),
    ("longer segment", 8),
    ("regions for a segment", 8),
    ("other end", 4),
    ("lost subtree", 2),
    ("other turn", 2),
    ("lost tree aside", 2),
    ("lost end of a path", 1),
    ("other leaf", 4),
    ("other end below", 2),
];

#[test]
fn tampered_proofs_are_refused() {
    with_big_stack(|| {
        let mut tried: Vec<String> = Vec::new();
        for (name, asked) in PROVED {
            let text = proof(name, asked).unwrap_or_else(|| panic!("{name}: no proof"));
            let original: Value = serde_json::from_str(&text).expect("JSON");
            for (kind, copy) in tampered(&original) {
                let answer = check(&copy.to_string(), &program(name));
                assert!(answer.is_err(), "{name}: {kind}: accepted");
                tried.push(kind);
            }
        }
        let mut short = Vec::new();
        for (kind, least) in LEAST {
            let count = tried.iter().filter(|tried| *tried == kind).count();
            short.extend((count < least).then_some(kind));
        }
        assert!(short.is_empty(), "too few tried: {short:?}");
        assert!(tried.len() >= 60, "only {} proofs were tampered with", tried.len());
    });
}

/// A walk that goes on where runs meet is still a walk to the next state, or to the program's end.
#[test]
fn walks_may_pass_where_runs_meet() {
    with_big_stack(|| {
        let name = "control/many_rounds_safe";
        let text = proof_by(Some("precise"), name, "valid-memsafety").expect("a proof");
        assert!(check(&text, &program(name)).is_ok(), "{name}");
        let mut copy: Value = serde_json::from_str(&text).expect("JSON");
        let passed = copy["proof"]["passed"].take();
        assert!(passed.as_array().is_some_and(|passed| !passed.is_empty()), "nothing is passed");
        copy["proof"]["passed"] = json!([]);
        let stopped = check(&copy.to_string(), &program(name)).expect_err("there is no state where runs meet");
        assert!(stopped.contains("lies within no state"), "{stopped}");

        let twin = program("control/many_rounds_unsafe");
        copy["proof"]["passed"] = passed;
        copy["program_sha256"] = json!(program_hash(&twin).expect("a hash"));
        let wrong = check(&copy.to_string(), &twin).expect_err("the twin reads through null");
        assert!(wrong.contains("is not excluded"), "{wrong}");
    });
}

/// The proof of a right program says nothing about its wrong twin, whose hash it is given here: the twin has a violation.
#[test]
fn proofs_do_not_fit_other_programs() {
    with_big_stack(|| {
        let mut tried = 0;
        for (name, asked) in PROVED {
            let twin = program(&name.replace("_safe", "_unsafe"));
            if !twin.exists() {
                continue;
            }
            let text = proof(name, asked).unwrap_or_else(|| panic!("{name}: no proof"));
            let other = check(&text, &twin).expect_err("another program");
            assert!(other.contains("another program"), "{name}: {other}");
            let mut copy: Value = serde_json::from_str(&text).expect("JSON");
            copy["program_sha256"] = json!(program_hash(&twin).expect("a hash"));
            assert!(check(&copy.to_string(), &twin).is_err(), "{name}: its proof was accepted for the wrong twin");
            tried += 1;
        }
        assert!(tried >= 10, "only {tried} twins");
    });
}

/// What one property's proof says is not said of a property that the program is known to violate.
#[test]
fn proofs_do_not_show_other_properties() {
    const VIOLATES: [(&str, &str); 4] = [
        ("memory/cleanup_global_unsafe", "valid-memcleanup"),
        ("memory/cleanup_in_handler_unsafe", "valid-memcleanup"),
        ("memory/live_at_abort_unsafe", "valid-memcleanup"),
        ("memory/uninitialised_data_unsafe", "unreach-call"),
    ];
    with_big_stack(|| {
        let mut tried = 0;
        for (name, other) in VIOLATES {
            let Some(text) = proof(name, "valid-memsafety") else { continue };
            assert!(check(&text, &program(name)).is_ok(), "{name}");
            let mut copy: Value = serde_json::from_str(&text).expect("JSON");
            copy["specification"] = json!(property(other).specification());
            let answer = check(&copy.to_string(), &program(name));
            assert!(answer.is_err(), "{name}: {other} was accepted");
            tried += 1;
        }
        assert!(tried >= 3, "only {tried} properties");
    });
}

/// A file may hold anything: every number in it replaced in turn, and texts cut short, are errors or refusals, never panics.
#[test]
fn malformed_proofs_are_refused_well() {
    fn numbers(value: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
        match value {
            Value::Number(_) => visit(value),
            Value::Array(items) => items.iter_mut().for_each(|item| numbers(item, visit)),
            Value::Object(fields) => fields.values_mut().for_each(|item| numbers(item, visit)),
            _ => {}
        }
    }
    with_big_stack(|| {
        let name = "lists-unbounded/csll_create_free_safe";
        let text = proof(name, "valid-memsafety").expect("a proof");
        for length in (0..text.len()).step_by(text.len() / 40 + 1) {
            assert!(check(&text[..length], &program(name)).is_err(), "cut at {length}");
        }
        let original: Value = serde_json::from_str(&text).expect("JSON");
        let mut count = 0;
        numbers(&mut original.clone(), &mut |_| count += 1);
        for (round, strange) in [json!(0), json!(u32::MAX), json!(u64::MAX), json!(3)].iter().enumerate() {
            for changed in (round..count).step_by(23) {
                let mut copy = original.clone();
                let mut at = 0;
                numbers(&mut copy, &mut |number| {
                    if at == changed {
                        *number = strange.clone();
                    }
                    at += 1;
                });
                // Some numbers are for people only, some changes are none: that nothing panics is the point.
                let _ = check(&copy.to_string(), &program(name));
            }
        }
        let old = text.replace("margay proof 2", "margay proof 0");
        assert!(check(&old, &program(name)).is_err_and(|why| why.contains("format")));
    });
}
