//! The archive of `./run.sh dist`, made of the binary under test: unpacked somewhere else, without the folders it was built in
//! and with an empty environment, it passes its own smoke test.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Unpacks with the modes of files, which Python's own command line forgets.
const UNPACK: &str = "
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    for entry in archive.infolist():
        os.chmod(archive.extract(entry, sys.argv[2]), entry.external_attr >> 16)
";

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}:\n{}", text(&output));
    text(&output)
}

/// The archive; making it takes some seconds.
fn archive() -> &'static Path {
    static ARCHIVE: OnceLock<PathBuf> = OnceLock::new();
    ARCHIVE.get_or_init(|| {
        let named = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dist/margay.zip");
        let build = root().join("dist/build.py");
        let printed = succeed(Command::new("python3").arg(build).arg(env!("CARGO_BIN_EXE_margay")).arg(&named));
        let archive = named.with_file_name(concat!("margay-", env!("CARGO_PKG_VERSION"), ".zip"));
        assert!(printed.lines().any(|line| Path::new(line) == archive), "{printed}");
        archive
    })
}

/// The one top folder of the archive, unpacked below `folder`.
fn unpacked(folder: &Path) -> PathBuf {
    let place = folder.join("some place");
    succeed(Command::new("python3").args(["-c", UNPACK]).arg(archive()).arg(&place));
    let mut tops = std::fs::read_dir(&place).expect("it was unpacked").flatten().map(|entry| entry.path());
    let top = tops.next().expect("a folder");
    assert!(tops.next().is_none(), "more than one folder at the top");
    top
}

#[test]
fn the_archive_works_where_it_is_unpacked() {
    let folder = tempfile::tempdir().expect("a folder");
    let top = unpacked(folder.path());

    let reported =
        succeed(Command::new(top.join("smoketest.sh")).env_clear().env("PATH", "/usr/bin:/bin").current_dir("/"));
    assert!(reported.starts_with(&format!("margay {}\n", env!("CARGO_PKG_VERSION"))), "{reported}");
    assert_eq!(reported.matches("ok: ").count(), 5, "{reported}");

    // Nothing of the build's folders is left to look for libraries in.
    let dynamic = succeed(Command::new("readelf").arg("-d").arg(top.join("lib/margay")));
    assert!(dynamic.contains("Library runpath: [$ORIGIN]"), "{dynamic}");
    let used = succeed(Command::new("ldd").arg(top.join("lib/margay")).env_clear().env("PATH", "/usr/bin:/bin"));
    let z3 = used.lines().find(|line| line.contains("libz3")).expect("it uses libz3");
    assert!(z3.contains("some place"), "{z3}");
}

#[test]
fn a_broken_tool_fails_the_smoke_test() {
    let folder = tempfile::tempdir().expect("a folder");
    let top = unpacked(folder.path());
    // Any answer but the expected one must show.
    std::fs::write(top.join("margay"), "#!/bin/sh\necho 'Verification result: TRUE'\n").expect("a wrong tool");
    let output = Command::new(top.join("smoketest.sh")).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("failed: list_leak.i"), "{}", text(&output));
}

#[test]
fn the_archive_has_the_licences_of_all_that_is_linked() {
    let folder = tempfile::tempdir().expect("a folder");
    let top = unpacked(folder.path());
    let reported = std::fs::read_to_string(top.join("LICENSES-OF-DEPENDENCIES")).expect("licences");
    for name in
        ["libz3", "the Rust standard library", "z3-sys ", "lang-c ", "serde ", "MPL-2.0", "Microsoft Corporation"]
    {
        assert!(reported.contains(name), "nothing about {name}");
    }
    assert!(!reported.contains("proptest "), "tests are not in the archive");
    // The field `repository` of a package says where it comes from, not the place it was downloaded from.
    assert!(
        reported.lines().any(|line| line.starts_with("serde_json ") && line.contains(", https://github.com/")),
        "{reported}"
    );
    for file in ["LICENSE", "README", "margay.yml", "benchexec/margay.py", "benchexec/margay.xml"] {
        assert!(top.join(file).exists(), "no {file}");
    }
    for (file, part) in [
        ("share/man/man1/margay.1", ".TH"),
        ("share/man/man1/margay-verify.1", "data"),
        ("share/bash-completion/completions/margay", "check-proof"),
        ("share/zsh/site-functions/_margay", "#compdef margay"),
        ("share/fish/vendor_completions.d/margay.fish", "check-proof"),
    ] {
        let text = std::fs::read_to_string(top.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(text.contains(part), "{file} has no {part}");
    }
    let names =
        succeed(Command::new("find").arg(&top).args(["-name", "*.rs", "-o", "-name", "*.c", "-o", "-name", ".git*"]));
    assert_eq!(names, "", "sources in the archive");
}

/// The FM-Tools repository refuses entries that lack a key or have them in another order.
#[test]
fn the_entry_for_fm_tools_has_its_keys() {
    let entry = std::fs::read_to_string(root().join("dist/margay.yml")).expect("the entry");
    let keys: Vec<&str> = entry
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()))
        .filter_map(|line| line.split(':').next())
        .collect();
    let expected = [
        "id",
        "name",
        "description",
        "input_languages",
        "project_url",
        "spdx_license_identifier",
        "benchexec_toolinfo_module",
        "fmtools_format_version",
        "fmtools_entry_maintainers",
        "maintainers",
        "versions",
        "competition_participations",
        "techniques",
        "frameworks_solvers",
        "literature",
    ];
    assert_eq!(keys, expected);
}
