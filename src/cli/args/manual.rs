//! Options of the commands about the command line itself: `completions` and `man`.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

/// For which shell.
#[derive(Debug, Args)]
#[command(after_help = "Example: margay completions bash > ~/.local/share/bash-completion/completions/margay")]
pub struct Completions {
    /// The shell that reads the script
    #[arg(value_enum)]
    pub shell: Shell,
}

/// Where the pages go.
#[derive(Debug, Args)]
#[command(after_help = "Example: margay man ~/.local/share/man/man1")]
pub struct Man {
    /// Folder of the pages; it is made where it is missing
    pub folder: PathBuf,
}
