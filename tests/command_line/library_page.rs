//! The list of the library's items in `docs/api.md`, and the packages in which it comes.

use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGE: &str = "docs/api.md";
/// What the list stands between.
const FENCES: [&str; 2] = ["\n```rust\n// The public items, by file.\n", "```\n"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The public items of a file, without comments and bodies; blocks end at a brace in the first column, as rustfmt puts them.
fn public_items(text: &str) -> String {
    let mut items = String::new();
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with("//") && !line.trim().is_empty());
    while let Some(line) = lines.next() {
        let is_type = line.starts_with("pub struct ") || line.starts_with("pub enum ");
        let is_impl = line.starts_with("impl ") || line.starts_with("impl<");
        if line == "#[non_exhaustive]" {
            items += "#[non_exhaustive]\n";
        } else if line.starts_with("pub use ") {
            let mut item = line.to_owned();
            while !item.ends_with(';') {
                item.extend(lines.next().map(|line| format!("\n{line}")));
            }
            let _ = writeln!(items, "{item}");
        } else if is_impl && line.ends_with(" {}") {
            let _ = writeln!(items, "{}", line.trim_end_matches(" {}"));
        } else if line.starts_with("pub struct ") && line.ends_with(");") {
            let _ = writeln!(items, "{}(..);", line.split('(').next().unwrap_or_default());
        } else if (is_type || is_impl) && line.ends_with('{') {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "}").collect();
            if line.contains(" for ") {
                let _ = writeln!(items, "{}", line.trim_end_matches(" {"));
                continue;
            }
            let shown = match line.starts_with("pub enum ") {
                true => block.iter().map(|line| format!("{line}\n")).collect(),
                false => public_members(&block),
            };
            match (shown.is_empty(), is_impl) {
                (true, true) => {}
                (true, false) => _ = writeln!(items, "{} .. }}", line),
                (false, _) => _ = writeln!(items, "{line}\n{shown}}}"),
            }
        }
    }
    items
}

/// Public fields, and signatures of public functions.
fn public_members(block: &[&str]) -> String {
    let mut members = String::new();
    let mut lines = block.iter();
    while let Some(line) = lines.next() {
        if !line.starts_with("    pub ") {
            continue;
        }
        let mut member = (*line).to_owned();
        while member.contains(" fn ") && !member.ends_with('{') && !member.ends_with('}') {
            member.extend(lines.next().map(|line| format!("\n{line}")));
        }
        let member = member.split(" {").next().unwrap_or_default();
        let end = if member.contains(" fn ") { ";" } else { "" };
        let _ = writeln!(members, "{member}{end}");
    }
    members
}

#[test]
fn the_page_lists_what_is_public() {
    let mut files: Vec<_> = fs::read_dir(root().join("src/api")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut list = String::new();
    for file in files.iter().filter(|file| !file.ends_with("units.rs")) {
        let items = public_items(&fs::read_to_string(file).unwrap());
        let _ = write!(list, "\n// {}\n{items}", file.file_name().unwrap().display());
    }
    let page = fs::read_to_string(root().join(PAGE)).unwrap();
    let (before, rest) = page.split_once(FENCES[0]).expect("the list begins");
    let (listed, after) = rest.split_once(FENCES[1]).expect("the list ends");
    if std::env::var_os("MARGAY_REWRITE").is_some() {
        fs::write(root().join(PAGE), format!("{before}{}{list}{}{after}", FENCES[0], FENCES[1])).unwrap();
    } else {
        assert_eq!(list, listed, "MARGAY_REWRITE=1 writes the list anew");
    }
}

#[test]
fn items_are_found_in_text() {
    let text = "\
/// A type.
#[derive(Debug)]
#[non_exhaustive]
pub struct Open {
    /// A field.
    pub field: u32,
    hidden: u32,
}
pub struct Closed {
    hidden: u32,
}
pub struct Tuple(u32);
struct Private {
    pub field: u32,
}
pub enum Choice {
    /// One.
    One,
    Two {
        field: u32,
    },
}
impl Open {
    /// A function.
    pub fn long(
        self,
    ) -> Self {
        self
    }
    pub fn short(&self) {}
    pub(super) fn hidden() {}
}
impl Closed {
    fn hidden() {}
}
impl fmt::Display for Open {
    fn fmt(&self) {}
}
impl Error for Open {}
pub use other::Item;
";
    let items = "\
#[non_exhaustive]
pub struct Open {
    pub field: u32,
}
pub struct Closed { .. }
pub struct Tuple(..);
pub enum Choice {
    One,
    Two {
        field: u32,
    },
}
impl Open {
    pub fn long(
        self,
    ) -> Self;
    pub fn short(&self);
}
impl fmt::Display for Open
impl Error for Open
pub use other::Item;
";
    assert_eq!(public_items(text), items);
}

/// Makes the packages in `target`, and returns the folder they are in.
fn packages(target: &Path) -> PathBuf {
    let made = Command::new(env!("CARGO"))
        .args(["package", "--workspace", "--no-verify", "--offline", "--locked", "--allow-dirty", "--target-dir"])
        .arg(target)
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    target.join("package")
}

fn tar(arguments: &[&OsStr]) -> String {
    let output = Command::new("tar").args(arguments).output().expect("tar runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What is published has all that it needs, and nothing that is only for work on it.
#[test]
fn the_crates_can_be_packaged() {
    let target = tempfile::tempdir().unwrap();
    let packages = packages(target.path());
    let listed = tar(&["-tzf".as_ref(), packages.join("margay-0.1.0.crate").as_os_str()]);
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split_once('/').map(|(_, name)| name)).collect();
    for name in ["Cargo.toml", "build.rs", "src/api/mod.rs", "examples/library.rs", "README.md", "LICENSE"] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    assert!(!names.iter().any(|name| name.starts_with("benchmarks") || name.starts_with("crates")), "{names:?}");
}

/// What a program that uses the library has in its `.cargo/config.toml`: `docs/api.md` says the same.
const CONFIGURATION: &str = "[env]\nZ3_NO_PKG_CONFIG = \"1\"\nZ3_SYS_Z3_VERSION = \"5.3.3\"\n";

/// The example is checked against the packages, which takes minutes: only where `MARGAY_PACKAGES` names a folder to build in.
#[test]
fn a_program_builds_with_the_packages() {
    assert!(fs::read_to_string(root().join(PAGE)).unwrap().contains(CONFIGURATION));
    let Some(target) = std::env::var_os("MARGAY_PACKAGES") else { return };
    let folder = tempfile::tempdir().unwrap();
    let packages = packages(&folder.path().join("target"));
    let mut manifest = "[package]\nname = \"user\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
                        margay = { version = \"0.1\", default-features = false }\n[patch.crates-io]\n"
        .to_owned();
    for package in fs::read_dir(&packages).unwrap().map(|entry| entry.unwrap().path()) {
        let Some(name) = package.file_name().and_then(|name| name.to_str()?.strip_suffix("-0.1.0.crate")) else {
            continue;
        };
        let to = folder.path().as_os_str();
        tar(&["-xzf".as_ref(), package.as_os_str(), "-C".as_ref(), to]);
        if name != "margay-check" {
            let _ = writeln!(manifest, "{name} = {{ path = \"../{name}-0.1.0\" }}");
        }
    }
    let user = folder.path().join("user");
    for inner in ["src", ".cargo"] {
        fs::create_dir_all(user.join(inner)).unwrap();
    }
    fs::write(user.join("Cargo.toml"), manifest).unwrap();
    fs::write(user.join(".cargo/config.toml"), CONFIGURATION).unwrap();
    fs::copy(root().join("Cargo.lock"), user.join("Cargo.lock")).unwrap();
    fs::copy(root().join("examples/library.rs"), user.join("src/main.rs")).unwrap();
    let mut check = Command::new(env!("CARGO"));
    let checked = check.args(["check", "--offline", "--target-dir"]).arg(target).current_dir(&user).output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}
