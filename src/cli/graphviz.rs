//! The program `dot`, where it is installed.

use std::io::{ErrorKind as Io, Write};
use std::process::{Command, Stdio};

use crate::base::error::{Error, ErrorKind, Result};

/// The drawing of a graph.
///
/// # Errors
/// `Io` where `dot` is not installed or does not take the graph.
pub fn svg(graph: &str) -> Result<String> {
    let failed = |message: String| Error::new(ErrorKind::Io, message);
    let mut child = Command::new("dot")
        .arg("-Tsvg")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| match error.kind() {
            Io::NotFound => failed(
                "an SVG needs the program `dot`, which is not installed; it comes with the package `graphviz` \
                 (--dot writes the graph itself)"
                    .into(),
            ),
            _ => failed(format!("cannot run `dot`: {error}")),
        })?;
    let stdin = child.stdin.take();
    let output = std::thread::scope(|scope| {
        // Both ends at once: `dot` may answer before it has read everything.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(graph.as_bytes())));
        child.wait_with_output()
    });
    let output = output.map_err(|error| failed(format!("cannot run `dot`: {error}")))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(failed(format!("`dot` failed: {}", message.lines().next().unwrap_or("no message"))));
    }
    Ok(String::from_utf8_lossy(&output.stdout).replace(RESERVED, DRAWN))
}

/// The size of text that `dot` makes room for.
const RESERVED: &str = "font-size=\"14.00\"";
/// That of the drawing: letters of a browser's font may be a little wider than those that `dot` measured.
const DRAWN: &str = "font-size=\"13.40\"";
