//! What `verify` writes for twenty tasks: the page (`--html`) in a browser, Debian's chromium without a screen and without a
//! network; SARIF held against its schema; JSON against its description. Where there is no browser or no schema, that is left
//! out, but not the browser where `CI` is set.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use serde_json::Value;

/// Programs with a violation, with a proof, and one without an answer; with their properties where it is not memory safety.
const TASKS: [(&str, &str); 20] = [
    ("docs/examples/list_use_after_free.c", ""),
    ("docs/examples/strcpy_overflow.c", ""),
    ("docs/examples/early_return_leak.c", ""),
    ("docs/examples/off_by_one.c", ""),
    ("docs/examples/alias_double_free.c", ""),
    ("benchmarks/lists/csll_remove_safe.c", ""),
    ("benchmarks/lists/csll_remove_unsafe.c", ""),
    ("benchmarks/lists/dll_insert_remove_safe.c", ""),
    ("benchmarks/lists/dll_insert_remove_unsafe.c", ""),
    ("benchmarks/lists/sll_reverse_safe.c", ""),
    ("benchmarks/lists/sll_reverse_unsafe.c", ""),
    ("benchmarks/memory/conditional_ownership_safe.c", ""),
    ("benchmarks/memory/conditional_ownership_unsafe.c", ""),
    ("benchmarks/overflow/bit_field_increment_safe.c", "no-overflow"),
    ("benchmarks/overflow/bit_field_increment_unsafe.c", "no-overflow"),
    ("benchmarks/library/search_and_add_unsafe.c", ""),
    ("benchmarks/language/label_error_in_callee_unsafe.c", "unreach-label"),
    ("benchmarks/lists-unbounded/alias_two_cursors_safe.c", ""),
    ("tests/witnesses/page/long.c", ""),
    ("tests/witnesses/page/unknown.c", ""),
];

/// What a browser has to show of a page: a program of Debian or another name for it.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(super) fn browser() -> Option<&'static str> {
    let found = BROWSERS.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok());
    assert!(found.is_some() || std::env::var_os("CI").is_none(), "there is no chromium");
    if found.is_none() {
        eprintln!("left out: there is no chromium to show the pages");
    }
    found
}

/// What is written of a task.
struct Written {
    page: String,
    json: Value,
    sarif: PathBuf,
}

fn written(folder: &Path, (program, property): (&str, &str)) -> Written {
    let file = |name: &str| folder.join(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_margay"));
    command.current_dir(root()).args(["verify", "--no-witness", "-t", "60s", "--html"]).arg(file("page.html"));
    command.arg("--json").arg(file("answer.json")).arg("--sarif").arg(file("answer.sarif"));
    if !property.is_empty() {
        command.arg("-p").arg(root().join(format!("property-files/{property}.prp")));
    }
    let output = command.arg(program).output().unwrap();
    assert!(output.status.success(), "{program}: {}", text(&output));
    let json = serde_json::from_str(&fs::read_to_string(file("answer.json")).unwrap()).unwrap();
    Written { page: fs::read_to_string(file("page.html")).unwrap(), json, sarif: file("answer.sarif") }
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The page with the probe at its end.
pub(super) fn probed(page: &str) -> String {
    let probe = fs::read_to_string(root().join("tests/witnesses/page/probe.js")).unwrap();
    page.replacen("</body>", &format!("<script>\n{probe}</script>\n</body>"), 1)
}

/// What the probe saw, and what the browser complained about.
pub(super) fn shown(browser: &str, folder: &Path, page: &str, scheme: u8, width: u32) -> (Option<Value>, Vec<String>) {
    let file = folder.join("probed.html");
    fs::write(&file, page).unwrap();
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", "100", browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"]);
    command.args(["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]);
    // Nothing but the page is to be had.
    command.args(["--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr"]);
    command.arg(format!("--window-size={width},900"));
    command.arg(format!("--blink-settings=preferredColorScheme={scheme}"));
    command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
    let output = command.arg("--dump-dom").arg(format!("file://{}", file.display())).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let seen = text.split_once("id=\"seen\">").and_then(|(_, rest)| rest.split_once("</script>"));
    let seen = seen.map(|(seen, _)| serde_json::from_str(seen).unwrap_or_else(|error| panic!("{error}: {seen}")));
    let reported = String::from_utf8_lossy(&output.stderr).into_owned();
    (seen, reported.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect())
}

pub(super) const DARK: u8 = 0;
pub(super) const LIGHT: u8 = 1;
/// Of the window, in pixels.
const WIDE: u32 = 1500;

/// How bright a colour such as `rgb(1, 2, 3)` is, from 0 to 765.
fn brightness(colour: &Value) -> u32 {
    let text = colour.as_str().unwrap();
    let inner = text.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix(')')).unwrap_or_else(|| panic!("{text}"));
    inner.split(',').map(|part| part.trim().parse::<u32>().unwrap()).sum()
}

#[test]
fn twenty_answers_are_written_well() {
    let (browser, schema) = (browser(), schema());
    let folder = tempfile::tempdir().unwrap();
    let mut results = Vec::new();
    for task in TASKS {
        let Written { page, json, sarif } = written(folder.path(), task);
        results.push(json["result"].as_str().unwrap().to_owned());
        is_described(task.0, &json);
        if let Some(schema) = schema {
            assert_eq!(schema.complaints(&sarif), "", "{}", task.0);
        }
        if let Some(browser) = browser {
            works(browser, folder.path(), task.0, &page);
        }
    }
    // All kinds of answers are among them.
    for (result, least) in [("true", 5), ("false", 10), ("unknown", 1)] {
        assert!(results.iter().filter(|found| *found == result).count() >= least, "{results:?}");
    }
}

/// The page of a task is shown as its data say, and its keys and buttons work.
fn works(browser: &str, folder: &Path, name: &str, page: &str) {
    let (seen, complaints) = shown(browser, folder, &probed(page), LIGHT, WIDE);
    assert_eq!(complaints, Vec::<String>::new(), "{name}");
    let seen = seen.unwrap_or_else(|| panic!("{name}: the page was not shown"));
    let data: Value =
        serde_json::from_str(page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0).unwrap();
    let count = |key: &str| data[key].as_array().unwrap().len();
    let (first, rounds) = (count("steps").max(count("loops")), count("rounds"));
    assert_eq!(seen["buttons"], first + rounds, "{name}");
    let pictures = |key: &str| data[key].as_array().unwrap().iter().filter(|item| item["picture"].is_u64()).count();
    let drawn = if count("steps") > 0 { pictures("steps") } else { pictures("loops") } + pictures("rounds");
    assert_eq!(seen["drawings"], drawn, "{name}");
    assert!(seen["broken"] == false && seen["wide"] == false, "{name}: {seen}");
    // One thing is chosen at a time, and the keys choose.
    let moves = seen["moves"].as_array().unwrap();
    assert!(moves.iter().all(|chosen| chosen.as_array().unwrap().len() == usize::from(first + rounds > 0)), "{seen}");
    assert_eq!(moves[1], moves[3], "{name}: {seen}");
    assert_eq!(moves[1] == moves[2], first + rounds < 2, "{name}: {seen}");
    assert!(page.len() < 2_000_000, "{name}: {} bytes", page.len());
    println!("{name}: {} bytes, shown after {} ms, {drawn} pictures", page.len(), seen["load"]);
}

/// Every field of an answer is in the description.
fn is_described(name: &str, json: &Value) {
    let described = fs::read_to_string(root().join("docs/answer.md")).unwrap();
    let mut open = vec![json];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                for (key, value) in fields {
                    assert!(described.contains(&format!("`{key}`")), "{name}: `{key}` is not described");
                    open.push(value);
                }
            }
            Value::Array(all) => open.extend(all),
            _ => {}
        }
    }
}

/// The official schema of SARIF 2.1.0 and who checks it: from npm and PyPI, which are not asked for more than once.
struct Schema {
    file: PathBuf,
    /// With `jsonschema` for Python.
    packages: PathBuf,
}

const SCHEMA_PACKAGE: &str = "@microsoft/jest-sarif@1.0.0-beta.0";
const SCHEMA_ARCHIVE: &str = "microsoft-jest-sarif-1.0.0-beta.0.tgz";
const SCHEMA_MEMBER: &str = "package/lib/schemas/sarif-2.1.0-rtm.5.json";
const CHECKER: &str = "jsonschema==4.23.0";

fn schema() -> Option<&'static Schema> {
    static SCHEMA: OnceLock<Option<Schema>> = OnceLock::new();
    let found = SCHEMA.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sarif-schema");
        let schema = Schema { file: folder.join(SCHEMA_MEMBER), packages: folder.join("python") };
        let done = folder.join("done");
        if !done.exists() {
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).unwrap();
            let pip =
                ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--root-user-action", "ignore"];
            let installed = ran(Command::new("npm").current_dir(&folder).args(["pack", "--silent", SCHEMA_PACKAGE]))
                && ran(Command::new("tar").current_dir(&folder).args(["xzf", SCHEMA_ARCHIVE, SCHEMA_MEMBER]))
                && ran(Command::new("python3").args(pip).arg("--target").arg(&schema.packages).arg(CHECKER));
            if !installed {
                return None;
            }
            fs::write(done, "").unwrap();
        }
        Some(schema)
    });
    if found.is_none() {
        eprintln!("left out: the schema of SARIF is not to be had here (npm {SCHEMA_PACKAGE}, PyPI {CHECKER})");
    }
    found.as_ref()
}

fn ran(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

impl Schema {
    /// What is wrong with a log; empty where nothing is.
    fn complaints(&self, log: &Path) -> String {
        let script = "import json, sys\nfrom jsonschema import Draft4Validator\n\
                      schema, log = (json.load(open(name, encoding='utf-8')) for name in sys.argv[1:])\n\
                      Draft4Validator.check_schema(schema)\n\
                      for error in Draft4Validator(schema).iter_errors(log): print(list(error.path), error.message[:300])\n";
        let mut command = Command::new("python3");
        let output = command.env("PYTHONPATH", &self.packages).args(["-c", script]).arg(&self.file).arg(log).output();
        text(&output.unwrap())
    }
}

#[test]
fn the_schema_refuses_what_is_no_sarif() {
    let Some(schema) = schema() else { return };
    let folder = tempfile::tempdir().unwrap();
    let Written { sarif, .. } = written(folder.path(), TASKS[0]);
    let log = fs::read_to_string(&sarif).unwrap();
    for (from, to) in [("\"kind\": \"fail\"", "\"kind\": \"failed\""), ("\"executionOrder\": 1", "\"order\": 1")] {
        let changed = log.replacen(from, to, 1);
        assert_ne!(changed, log);
        fs::write(&sarif, changed).unwrap();
        assert_ne!(schema.complaints(&sarif), "", "{to}");
    }
}

#[test]
fn pages_are_light_or_dark_as_people_want_them() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = probed(&written(folder.path(), TASKS[0]).page);
    let [light, dark] = [LIGHT, DARK].map(|scheme| shown(browser, folder.path(), &page, scheme, WIDE).0.unwrap());
    assert!(brightness(&light["back"]) > 600 && brightness(&light["text"]) < 200, "{light}");
    assert!(brightness(&dark["back"]) < 200 && brightness(&dark["text"]) > 600, "{dark}");
}

/// The test itself would notice: a script with a mistake, and a page that wants something from elsewhere.
#[test]
fn broken_pages_are_noticed() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = probed(&written(folder.path(), TASKS[0]).page);
    for (from, to) in [
        ("function start(data) {\n", "function start(data) {\n  data.nothing.there;\n"),
        ("<main id=\"main\">", "<main id=\"main\"><img src=\"https://example.org/picture.png\">"),
    ] {
        let broken = page.replacen(from, to, 1);
        assert_ne!(broken, page);
        let (_, complaints) = shown(browser, folder.path(), &broken, LIGHT, WIDE);
        assert!(!complaints.is_empty(), "{to}");
    }
}
