//! The GitHub action: its steps, run without GitHub, and the hook for commits.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn yaml(name: &str) -> Value {
    let text = std::fs::read_to_string(root().join(name)).expect("a file");
    serde_saphyr::from_str(&text).expect("YAML")
}

/// A clean folder with a repository of three tasks: one holds, one frees twice, one has no `main`.
struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new() -> Project {
        let project = Project { folder: tempfile::tempdir().expect("a folder") };
        let benchmarks = root().join("benchmarks");
        for (from, to) in [
            ("lists/csll_walk_safe.c", "walk.c"),
            ("memory/double_free_branches_unsafe.c", "twice.c"),
            ("../docs/examples/ring.c", "src/ring.c"),
            ("../docs/examples/ring.h", "src/ring.h"),
        ] {
            let to = project.path(to);
            std::fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
            std::fs::copy(benchmarks.join(from), to).expect("a copy");
        }
        std::fs::create_dir_all(project.path("temp/margay")).expect("a folder");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_margay"), project.path("temp/margay/margay")).expect("a link");
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=n", "-c", "user.email=n@localhost", "-c", "init.defaultBranch=main"])
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .expect("git");
        assert!(output.status.success(), "git {arguments:?}: {}", text(&output));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Runs the step `name` of the action with these inputs, as GitHub's runner does.
    fn step(&self, name: &str, inputs: &[(&str, &str)]) -> Output {
        let action = yaml("action.yml");
        let steps = action["runs"]["steps"].as_array().expect("steps");
        let step = steps.iter().find(|step| step["name"] == name).expect("the step");
        let wanted: Vec<&String> = step["env"].as_object().expect("variables").keys().collect();
        assert!(inputs.iter().all(|(input, _)| wanted.iter().any(|name| name == input)), "{wanted:?}");
        Command::new("bash")
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"].as_str().expect("a script")])
            .envs(wanted.iter().map(|name| (name.as_str(), "")))
            .envs(inputs.iter().copied())
            .env("GITHUB_ACTION_PATH", root())
            .env("GITHUB_STEP_SUMMARY", self.path("temp/summary"))
            .env("RUNNER_TEMP", self.path("temp"))
            .current_dir(self.folder.path())
            .output()
            .expect("bash")
    }

    fn sarif(&self) -> Value {
        let text = std::fs::read_to_string(self.path("temp/margay-reports/margay.sarif")).expect("SARIF");
        serde_json::from_str(&text).expect("JSON")
    }

    fn summary(&self) -> String {
        std::fs::read_to_string(self.path("temp/summary")).expect("a summary")
    }
}

/// The rule, file and line of each alert.
fn alerts(sarif: &Value) -> Vec<(String, String, u64)> {
    let runs = sarif["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 1, "services take one run of a tool");
    let results = runs[0]["results"].as_array().expect("results");
    let alert = |result: &Value| {
        let place = &result["locations"][0]["physicalLocation"];
        let file = place["artifactLocation"]["uri"].as_str().expect("a file");
        let line = place["region"]["startLine"].as_u64().expect("a line");
        (result["ruleId"].as_str().expect("a rule").to_owned(), file.to_owned(), line)
    };
    results.iter().map(alert).collect()
}

#[test]
fn the_action_verifies_the_named_files() {
    let project = Project::new();
    let output = project.step(
        "Verify",
        &[("FILES", "**/*.c"), ("PROPERTY", "valid-memsafety no-overflow"), ("ARGUMENTS", "--timeout 60s")],
    );
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert_eq!(alerts(&project.sarif()), [("valid-free".to_owned(), "twice.c".to_owned(), 14)]);
    let summary = project.summary();
    for row in ["| walk.c | valid-memsafety | TRUE |", "| twice.c | valid-memsafety | FALSE(valid-free) |"] {
        assert!(summary.contains(row), "{summary}");
    }
    assert!(summary.contains("| src/ring.c | no-overflow | skipped (no main) |"), "{summary}");
    assert!(summary.contains("Weakness: CWE-415, Double Free"), "{summary}");
    assert!(!project.path("witnesses").exists(), "the project's folder is left as it was");
}

#[test]
fn the_action_verifies_what_changed() {
    let project = Project::new();
    project.git(&["init", "--quiet"]);
    project.git(&["add", "*.c", "*.h"]);
    project.git(&["commit", "--quiet", "-m", "first"]);
    project.git(&["remote", "add", "origin", "."]);
    let before = project.git(&["rev-parse", "HEAD"]);
    let inputs = [("PROPERTY", "valid-memsafety"), ("ARGUMENTS", "--timeout 60s"), ("BASE", &before)];

    let output = project.step("Verify", &inputs);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(project.summary().contains("No C file to verify."), "{}", project.summary());
    assert_eq!(alerts(&project.sarif()), []);

    std::fs::remove_file(project.path("src/ring.c")).expect("it is there");
    std::fs::rename(project.path("walk.c"), project.path("around.c")).expect("a new name");
    project.git(&["add", "--all", "*.c"]);
    project.git(&["commit", "--quiet", "-m", "second"]);
    let output = project.step("Verify", &inputs);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(project.summary().contains("| around.c | valid-memsafety | TRUE |"), "{}", project.summary());
    assert!(!text(&output).contains("twice.c"), "it did not change: {}", text(&output));

    // The first push of a branch: all files are new.
    let zeros = "0".repeat(40);
    let output = project.step("Verify", &[inputs[0], inputs[1], ("BASE", &zeros)]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert_eq!(alerts(&project.sarif()).len(), 1);
}

/// What was found is kept where the steps before and after the audit look for it, and used by the next run.
#[test]
fn the_action_audits_and_keeps_what_it_found() {
    let project = Project::new();
    std::fs::create_dir_all(project.path("library")).expect("a folder");
    std::fs::write(project.path("library/a.c"), "int get(void) { int *p = 0; return *p; }\n").expect("a file");
    let action = yaml("action.yml");
    let steps = action["runs"]["steps"].as_array().expect("steps");
    let step = |name: &str| steps.iter().find(|step| step["name"] == name).expect("the step");
    let [restored, saved] = ["Restore what audits found", "Save what audits found"].map(|name| &step(name)["with"]);
    assert_eq!((&restored["path"], &restored["key"]), (&saved["path"], &saved["key"]));
    let prefix = restored["restore-keys"].as_str().expect("a key");
    assert!(
        saved["key"].as_str().expect("a key").starts_with(prefix) && prefix.contains("outputs.version"),
        "{prefix}"
    );
    let kept = project.path(&restored["path"].as_str().expect("a path").replace("${{ runner.temp }}", "temp"));

    let audit = || project.step("Audit", &[("AUDIT", "library"), ("ARGUMENTS", "--fail-on error")]);
    let files = || {
        let entries = std::fs::read_dir(&kept).expect("it is kept").map(|entry| entry.expect("a file"));
        let file =
            |entry: std::fs::DirEntry| (entry.file_name(), entry.metadata().expect("a time").modified().expect("one"));
        entries.map(file).collect::<std::collections::BTreeMap<_, _>>()
    };
    let first = audit();
    assert_eq!(first.status.code(), Some(1), "{}", text(&first));
    let before = files();
    assert!(!before.is_empty());
    assert_eq!(text(&audit()), text(&first));
    assert_eq!(files(), before, "nothing was analysed again");
    let summary = project.summary();
    assert_eq!(summary.matches("manifest error: null dereference at library/a.c:1:").count(), 2, "{summary}");
    let sarif = std::fs::read_to_string(project.path("temp/margay-reports/audit.sarif")).expect("SARIF");
    assert_eq!(alerts(&serde_json::from_str(&sarif).expect("JSON")).len(), 1);
    let refused = project.step("Audit", &[("AUDIT", "absent")]);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused));
}

#[test]
fn files_that_cannot_be_read_fail_the_action() {
    let project = Project::new();
    let of = |files| [("FILES", files), ("PROPERTY", "valid-memsafety")];
    let output = project.step("Verify", &of("walk.c absent.c"));
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(project.summary().contains("| absent.c | valid-memsafety | refused ("), "{}", project.summary());
    let output = project.step("Verify", &of("nowhere/*.c"));
    assert_eq!(output.status.code(), Some(1), "a pattern without a file: {}", text(&output));
    assert!(text(&output).contains("no match: nowhere/*.c"), "{}", text(&output));
}

#[test]
fn the_hook_refuses_a_violation() {
    let project = Project::new();
    let hooks = yaml(".pre-commit-hooks.yaml");
    let hook = &hooks[0];
    assert_eq!((&hook["id"], &hook["language"]), (&json!("margay"), &json!("script")));
    let run = |file| {
        Command::new(root().join(hook["entry"].as_str().expect("a script")))
            .args(hook["args"].as_array().expect("arguments").iter().map(|text| text.as_str().expect("text")))
            .args(["--margay", env!("CARGO_BIN_EXE_margay"), file])
            .env_remove("GITHUB_STEP_SUMMARY")
            .current_dir(project.folder.path())
            .output()
            .expect("the hook runs")
    };
    let (good, bad) = (run("walk.c"), run("twice.c"));
    assert_eq!(good.status.code(), Some(0), "{}", text(&good));
    assert!(text(&good).starts_with("walk.c: valid-memsafety: "), "{}", text(&good));
    assert_eq!(bad.status.code(), Some(1), "{}", text(&bad));
    assert!(text(&bad).contains("Weakness: CWE-415, Double Free"), "{}", text(&bad));
    assert!(!project.path("witnesses").exists(), "the project's folder is left as it was");
}
