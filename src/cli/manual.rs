//! `margay completions` and `margay man`: what the options are, for shells and for `man`.

use std::fs;

use clap::CommandFactory;
use clap_mangen::Man;

use super::Refused;
use super::args::{self, Cli};
use super::output::{say_bytes, write_file};
use crate::base::error::{Error, ErrorKind};

/// Prints the script for a shell.
pub fn completions(options: &args::Completions) -> Result<(), Refused> {
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut Cli::command(), "margay", &mut script);
    say_bytes(false, &script)
}

/// Writes `margay.1`, and a page for each command.
pub fn man(options: &args::Man) -> Result<(), Refused> {
    let folder = &options.folder;
    let cannot =
        |error: std::io::Error| Error::new(ErrorKind::Io, format!("cannot write {}: {error}", folder.display()));
    fs::create_dir_all(folder).map_err(cannot)?;
    // The pages are those of a version, not of a build.
    let mut command = Cli::command().long_version(None::<&str>).disable_help_subcommand(true);
    command.build();
    for command in command.get_subcommands().chain([&command]) {
        let page = Man::new(command.clone());
        let mut text = Vec::new();
        page.render(&mut text).map_err(cannot)?;
        write_file(&folder.join(page.get_filename()), &String::from_utf8_lossy(&text))?;
    }
    Ok(())
}
