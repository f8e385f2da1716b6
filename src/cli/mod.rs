//! Command line: arguments → portfolio → answer. The only room that prints.

/// Entry point of the binary.
pub fn main() -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}
