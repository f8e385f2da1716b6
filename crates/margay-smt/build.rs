//! Provides libz3 for the `z3` crate, which only asks the linker for `-lz3`.
//!
//! Sources, in this order:
//! 1. `MARGAY_Z3_LIB`: an existing `libz3.so` (or `libz3.so.X`), or the directory it is in;
//! 2. `MARGAY_Z3_WHEEL`: an offline copy of the wheel below;
//! 3. the wheel, downloaded by pip. Its checksum is pinned, so a changed upload is refused.
//!
//! The unpacked library is kept as `target/z3-<version>/libz3.so.X`; other profiles and later builds take it from there. A release
//! build also leaves it in the user's folder for data (`~/.local/share/margay`), where a binary that `cargo install` has copied
//! finds it when the target folder is gone.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = "5.3.3.0";
const WHEEL_SHA256: &str = "0431023a82278dab706c02a320f63178ee0755fb8f10a5c980f0bfe3c84f6f96";
const WHEEL_PLATFORM: &str = "manylinux_2_27_x86_64";
const WHEEL_MEMBER: &str = "z3/lib/libz3.so.5.3";

/// Arguments: wheel, expected SHA-256, member, output file.
const UNPACK: &str = "
import hashlib, shutil, sys, zipfile
wheel, expected, member, output = sys.argv[1:]
actual = hashlib.sha256(open(wheel, 'rb').read()).hexdigest()
if actual != expected:
    sys.exit(f'{wheel} has SHA-256 {actual}, expected {expected}')
with zipfile.ZipFile(wheel) as archive, archive.open(member) as source, open(output, 'wb') as sink:
    shutil.copyfileobj(source, sink)
";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=MARGAY_Z3_LIB");
    println!("cargo:rerun-if-env-changed=MARGAY_Z3_WHEEL");
    println!("cargo:rerun-if-env-changed=DOCS_RS");
    // Documentation is not linked: where it is all that is built, there is no network.
    if env::var_os("DOCS_RS").is_some() {
        return;
    }
    if let Err(error) = provide_z3() {
        eprintln!("error: cannot provide libz3: {error}");
        std::process::exit(1);
    }
}

fn provide_z3() -> Result<()> {
    let out_dir = PathBuf::from(env::var("OUT_DIR")?);
    // OUT_DIR is <target>/<profile>/build/<package>-<hash>/out.
    let profile_dir = out_dir.ancestors().nth(3).ok_or("unexpected OUT_DIR")?.to_path_buf();
    let target_dir = profile_dir.parent().ok_or("unexpected OUT_DIR")?;

    let library = match env::var_os("MARGAY_Z3_LIB").filter(|v| !v.is_empty()) {
        Some(path) => existing_library(Path::new(&path))?,
        None => wheel_library(&target_dir.join(format!("z3-{VERSION}")))?,
    };

    // The linker looks for libz3.so, the loader for the name the library gives itself.
    let soname = soname(&library)?;
    let beside_binary = profile_dir.join("lib");
    fs::create_dir_all(&beside_binary)?;
    place(&library, &out_dir.join("libz3.so"))?;
    if soname != "libz3.so" {
        place(&library, &out_dir.join(&soname))?;
    }
    place(&library, &beside_binary.join(&soname))?;

    println!("cargo:rustc-link-search=native={}", out_dir.display());
    // $ORIGIN serves a binary with its `lib` folder beside it, OUT_DIR everything cargo runs in place, the last one an installed
    // binary that stands alone.
    let mut places = format!("$ORIGIN/lib:$ORIGIN:{}", out_dir.display());
    if let Some(folder) = lasting_folder(&library, &soname) {
        places += &format!(":{}", folder.display());
    }
    println!("cargo:rustc-link-arg=-Wl,-rpath,{places}");
    // Link arguments do not reach the crates above: their build scripts pass it on.
    println!("cargo:rpath={places}");
    Ok(())
}

/// A folder outside the target folder that has the library under the name the loader looks for: its own, or the user's for data.
/// `None` where it cannot be had, and for other than release builds, which are not installed.
fn lasting_folder(library: &Path, soname: &str) -> Option<PathBuf> {
    println!("cargo:rerun-if-env-changed=XDG_DATA_HOME");
    if env::var("PROFILE").ok()? != "release" {
        return None;
    }
    if env::var_os("MARGAY_Z3_LIB").is_some_and(|v| !v.is_empty()) {
        return (library.file_name()? == soname).then(|| library.parent().map(Path::to_owned))?;
    }
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| Some(absolute("HOME")?.join(".local/share")))?;
    let folder = data.join(format!("margay/z3-{VERSION}"));
    let kept = folder.join(soname);
    let is_same =
        |a: &Path, b: &Path| fs::metadata(a).ok().zip(fs::metadata(b).ok()).is_some_and(|(a, b)| a.len() == b.len());
    if !is_same(library, &kept) {
        fs::create_dir_all(&folder).ok()?;
        // In one step, so that no running binary sees half a file.
        let partial = folder.join(format!(".{soname}.{}", std::process::id()));
        fs::copy(library, &partial).ok()?;
        fs::rename(partial, &kept).ok()?;
    }
    Some(folder)
}

/// The library file named by `MARGAY_Z3_LIB`.
fn existing_library(path: &Path) -> Result<PathBuf> {
    let path = fs::canonicalize(path).map_err(|e| format!("MARGAY_Z3_LIB={}: {e}", path.display()))?;
    // Only a library of the user's can change; the unpacked one is younger than this run and would force another.
    println!("cargo:rerun-if-changed={}", path.display());
    if path.is_file() {
        return Ok(path);
    }
    let mut found: Vec<PathBuf> = fs::read_dir(&path)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| file.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.starts_with("libz3.so")))
        .collect();
    found.sort();
    found.into_iter().next().ok_or_else(|| format!("MARGAY_Z3_LIB={}: no libz3.so in there", path.display()).into())
}

/// The library of the pinned wheel, unpacked once into `cache`.
fn wheel_library(cache: &Path) -> Result<PathBuf> {
    let library = cache.join(Path::new(WHEEL_MEMBER).file_name().ok_or("bad member name")?);
    if library.is_file() {
        return Ok(library);
    }
    fs::create_dir_all(cache)?;
    let work = cache.join(format!("work-{}", std::process::id()));
    fs::create_dir_all(&work)?;
    let result = fetch_wheel(&work).and_then(|wheel| unpack(&wheel, &work, &library));
    let _ = fs::remove_dir_all(&work); // a leftover only costs space
    result.map(|()| library)
}

/// The wheel file: the offline copy, or a download into `work`.
fn fetch_wheel(work: &Path) -> Result<PathBuf> {
    if let Some(path) = env::var_os("MARGAY_Z3_WHEEL").filter(|v| !v.is_empty()) {
        return fs::canonicalize(&path).map_err(|e| format!("MARGAY_Z3_WHEEL={}: {e}", path.display()).into());
    }
    if env::var("CARGO_CFG_TARGET_OS")? != "linux" || env::var("CARGO_CFG_TARGET_ARCH")? != "x86_64" {
        return Err("only x86-64 Linux has a pinned wheel; set MARGAY_Z3_LIB to a libz3.so of your own".into());
    }
    let requirements = work.join("requirements.txt");
    fs::write(&requirements, format!("z3-solver=={VERSION} --hash=sha256:{WHEEL_SHA256}\n"))?;
    let arguments = ["download", "--quiet", "--no-deps", "--require-hashes", "--only-binary=:all:"];
    let pip = pip_command()?;
    let status = Command::new(pip[0])
        .args(&pip[1..])
        .args(arguments)
        .args(["--disable-pip-version-check", "--platform", WHEEL_PLATFORM, "--requirement"])
        .arg(&requirements)
        .arg("--dest")
        .arg(work)
        .status()?;
    if !status.success() {
        return Err(format!(
            "pip could not download z3-solver {VERSION} (see above); \
             without a network set MARGAY_Z3_LIB (a libz3.so) or MARGAY_Z3_WHEEL (a copy of that wheel)"
        )
        .into());
    }
    let wheel =
        fs::read_dir(work)?.filter_map(|e| Some(e.ok()?.path())).find(|p| p.extension() == Some("whl".as_ref()));
    wheel.ok_or_else(|| "pip left no wheel behind".into())
}

/// How pip is called here.
fn pip_command() -> Result<&'static [&'static str]> {
    let candidates: [&[&str]; 2] = [&["python3", "-m", "pip"], &["pip3"]];
    candidates
        .into_iter()
        .find(|c| Command::new(c[0]).args(&c[1..]).arg("--version").output().is_ok_and(|o| o.status.success()))
        .ok_or_else(|| {
            "pip is needed to download it: apt-get install python3-pip (run.sh does that), \
             or set MARGAY_Z3_LIB to an existing libz3.so"
                .into()
        })
}

/// Checks the wheel's checksum and moves its library to `library` in one step, so that no build sees half a file.
fn unpack(wheel: &Path, work: &Path, library: &Path) -> Result<()> {
    let partial = work.join("libz3");
    let status = Command::new("python3")
        .args(["-c", UNPACK])
        .arg(wheel)
        .args([WHEEL_SHA256, WHEEL_MEMBER])
        .arg(&partial)
        .status()
        .map_err(|e| format!("python3 is needed to unpack the wheel ({e}): apt-get install python3"))?;
    if !status.success() {
        return Err(format!("cannot unpack {}", wheel.display()).into());
    }
    Ok(fs::rename(partial, library)?)
}

/// The name the dynamic loader will look for.
fn soname(library: &Path) -> Result<String> {
    let output = Command::new("readelf")
        .arg("-d")
        .arg(library)
        .output()
        .map_err(|e| format!("readelf is needed ({e}): apt-get install binutils"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let name = text.lines().find(|l| l.contains("(SONAME)")).and_then(|l| l.split(['[', ']']).nth(1));
    match name {
        Some(name) => Ok(name.to_owned()),
        // Without a SONAME the linker records the file name it was given.
        None if output.status.success() => Ok("libz3.so".to_owned()),
        None => Err(format!("{} is not a shared library", library.display()).into()),
    }
}

/// Makes `library` available under the name `to`: a hard link where possible, else a copy.
fn place(library: &Path, to: &Path) -> Result<()> {
    if fs::canonicalize(to).is_ok_and(|there| there == library) {
        return Ok(()); // MARGAY_Z3_LIB may name what an earlier build placed
    }
    match fs::remove_file(to) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(e.into()),
        _ => {}
    }
    if fs::hard_link(library, to).is_err() {
        fs::copy(library, to)?;
    }
    Ok(())
}
