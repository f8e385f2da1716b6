//! Build script of the front crate: executables find the libz3 that the build script of `margay-smt` has provided, and know the
//! commit they were built from.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let places = std::env::var("DEP_MARGAY_Z3_RPATH").unwrap_or_default();
    println!("cargo:rustc-link-arg=-Wl,-rpath,{places}");
    // An unpacked archive has no commit, also where it lies in another project's checkout.
    if Path::new(".git").exists()
        && let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"])
    {
        println!("cargo:rustc-env=MARGAY_COMMIT={commit}");
        // Each commit and each change of branch adds a line.
        if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
            println!("cargo:rerun-if-changed={log}");
        }
    }
}

/// What git says, if it says something.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
