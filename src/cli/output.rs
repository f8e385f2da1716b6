//! Standard streams, and files that are either whole or not there.

use std::ffi::OsString;
use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::Refused;
use crate::base::error::{Error, ErrorKind, Result};

/// Writes to standard output.
///
/// # Errors
/// Not all of it was written. Why is said on standard error, except that a reader who went away need not be told.
pub fn say(text: &str) -> std::result::Result<(), Refused> {
    say_bytes(false, text.as_bytes())
}

/// Writes what a program that is run writes, to standard output or standard error.
///
/// # Errors
/// As [`say`].
pub fn say_bytes(errors: bool, bytes: &[u8]) -> std::result::Result<(), Refused> {
    if errors {
        let _ = std::io::stderr().lock().write_all(bytes);
        return Ok(());
    }
    print(bytes).map_err(|error| {
        if error.kind() != std::io::ErrorKind::BrokenPipe {
            complain(&format!("error: cannot write to standard output: {error}\n"));
        }
        Refused
    })
}

/// Writes all of it to standard output, now.
fn print(bytes: &[u8]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush())
}

/// Whether what is written to standard output may have colours: it is a terminal that knows them, and colours are not switched off.
pub fn colours() -> bool {
    may_have_colours(std::io::stdout().is_terminal(), &|name| std::env::var_os(name))
}

/// The same for these surroundings: `NO_COLOR` counts if it is not empty.
fn may_have_colours(is_terminal: bool, variable: &dyn Fn(&str) -> Option<OsString>) -> bool {
    let objects = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
    is_terminal && !objects && variable("TERM").is_none_or(|kind| kind != "dumb")
}

/// Writes to standard error.
pub fn complain(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = err.write_all(text.as_bytes());
}

/// Replaces `path` by `text`: a reader sees the old file or the whole new one. A device or a pipe is written to, not replaced.
/// `-` is standard output.
pub fn write_file(path: &Path, text: &str) -> Result<()> {
    if is_stream(path) {
        return print(text.as_bytes()).map_err(|error| cannot_write(path, &error));
    }
    if is_special(path) {
        return fs::write(path, text).map_err(|error| cannot_write(path, &error));
    }
    let temporary = temporary_beside(path)?;
    let written = fs::write(&temporary, text).and_then(|()| fs::rename(&temporary, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        cannot_write(path, &error)
    })
}

/// Whether all of `outputs` can be written, found out before hours of analysis. None of them may be one of the `inputs`, and no two
/// may be the same file.
///
/// # Errors
/// `Usage`: something would be overwritten. `Io`: a file cannot be written.
pub fn check_outputs<'p>(inputs: &[PathBuf], outputs: impl IntoIterator<Item = &'p PathBuf>) -> Result<()> {
    let inputs = places(inputs);
    let mut seen: Vec<PathBuf> = Vec::new();
    for path in outputs {
        check_writable(path)?;
        if is_special(path) && !is_stream(path) {
            continue;
        }
        let place = place(path);
        refuse_inputs(&inputs, path, &place)?;
        if seen.contains(&place) {
            let message = format!("two outputs would be written to {}", path.display());
            return Err(Error::new(ErrorKind::Usage, message));
        }
        seen.push(place);
    }
    Ok(())
}

/// Refuses to write `outputs` where one of them is one of the `inputs`.
///
/// # Errors
/// `Usage`: one is.
pub fn check_is_no_input<'p>(inputs: &[PathBuf], outputs: impl IntoIterator<Item = &'p Path>) -> Result<()> {
    let inputs = places(inputs);
    outputs.into_iter().try_for_each(|path| refuse_inputs(&inputs, path, &place(path)))
}

fn refuse_inputs(inputs: &[PathBuf], path: &Path, place: &Path) -> Result<()> {
    if !inputs.iter().any(|input| input == place) {
        return Ok(());
    }
    let message = format!("cannot write {}: it is read as input, and would be overwritten", path.display());
    Err(Error::new(ErrorKind::Usage, message))
}

fn places(files: &[PathBuf]) -> Vec<PathBuf> {
    files.iter().map(|file| place(file)).collect()
}

/// One name for each file, whether it exists or not.
fn place(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            folder.canonicalize().map_or_else(|_| path.to_path_buf(), |folder| folder.join(name))
        }
        _ => path.to_path_buf(),
    })
}

/// Whether [`write_file`] can work.
fn check_writable(path: &Path) -> Result<()> {
    if is_stream(path) {
        return Ok(());
    }
    if path.is_dir() {
        return Err(Error::new(ErrorKind::Io, format!("cannot write {}: it is a folder", path.display())));
    }
    if is_special(path) {
        return Ok(());
    }
    let temporary = temporary_beside(path)?;
    fs::File::create(&temporary).map_err(|error| cannot_write(path, &error))?;
    fs::remove_file(&temporary).map_err(|error| cannot_write(path, &error))
}

/// Whether it stands for standard output.
fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Something other than a file stands there, `/dev/null` or `/dev/stdout` for one.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

/// In the same folder, so that renaming is atomic; named by the process, so that two runs do not meet.
fn temporary_beside(path: &Path) -> Result<PathBuf> {
    let name = path
        .file_name()
        .ok_or_else(|| Error::new(ErrorKind::Io, format!("cannot write {}: it has no file name", path.display())))?;
    Ok(path.with_file_name(format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id())))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_for_terminals_that_want_them() {
        let set =
            |name: &'static str, value: &'static str| move |asked: &str| (asked == name).then(|| OsString::from(value));
        assert!(may_have_colours(true, &|_| None));
        assert!(may_have_colours(true, &set("NO_COLOR", "")) && may_have_colours(true, &set("TERM", "xterm")));
        assert!(!may_have_colours(false, &|_| None));
        assert!(!may_have_colours(true, &set("NO_COLOR", "1")) && !may_have_colours(true, &set("TERM", "dumb")));
    }

    #[test]
    fn outputs_are_neither_inputs_nor_one_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let [read, other, new] = ["x.c", "y.c", "new.json"].map(|name| folder.path().join(name));
        for file in [&read, &other] {
            fs::write(file, "int main(void) { return 0; }").expect("a file");
        }
        std::os::unix::fs::symlink(&read, folder.path().join("link")).expect("a link");
        let inputs = [read.clone()];
        let check =
            |outputs: &[&PathBuf]| check_outputs(&inputs, outputs.iter().copied()).map_err(|error| error.message);
        check(&[&other, &new]).expect("two files of their own");
        let null = PathBuf::from("/dev/null");
        check(&[&null, &null]).expect("nothing is lost there");
        let same = folder.path().join(".").join("x.c");
        for input in [&read, &same, &folder.path().join("link")] {
            assert!(check(&[input]).is_err_and(|why| why.contains("it is read as input")), "{}", input.display());
        }
        let twice = check(&[&new, &folder.path().join(".").join("new.json")]);
        assert!(twice.is_err_and(|why| why.starts_with("two outputs would be written to")));
        assert!(!new.exists(), "checking writes nothing");
    }

    #[test]
    fn a_pipe_is_written_to_and_stays_one() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        let reader = {
            let path = path.clone();
            std::thread::spawn(move || fs::read_to_string(path))
        };
        check_writable(&path).expect("it can be written to");
        write_file(&path, "all of it").expect("it is written to");
        assert!(is_special(&path), "it was replaced by a file");
        assert_eq!(reader.join().expect("it ends").expect("it reads"), "all of it");
    }
}
