//! Options about the text of a program: how it is preprocessed, what it consists of, where it starts.

use std::path::PathBuf;

use clap::Args;

/// For files that are preprocessed; those named `.i` are taken as they are.
#[derive(Clone, Debug, Default, Args)]
pub struct TextArgs {
    /// Folder with headers; this and the next three may be repeated
    #[arg(short = 'I', long = "include-dir", value_name = "FOLDER")]
    pub include_dir: Vec<PathBuf>,
    /// Define a macro before the text is read: `-D DEBUG`, `-D SIZE=8`
    #[arg(short = 'D', long = "define", value_name = "NAME[=TEXT]")]
    pub define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', long = "undefine", value_name = "NAME")]
    pub undefine: Vec<String>,
    /// Read this header first
    #[arg(long, value_name = "FILE.h")]
    pub include: Vec<PathBuf>,
    /// Compilation database of a project: gives preprocessor options for the files; without files, all of the project's are taken
    /// as one program
    #[arg(long, value_name = "compile_commands.json")]
    pub compile_commands: Option<PathBuf>,
    /// Take options that are not given from this file [default: margay.toml in the folder of the first C file, or the nearest one
    /// above it up to a folder with .git]
    #[arg(long, value_name = "margay.toml", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Take no option from a margay.toml
    #[arg(long)]
    pub no_config: bool,
    /// Functions that no file defines, each with the library function that it acts like: those of margay.toml.
    #[arg(skip)]
    pub acting: Vec<(String, String)>,
}

/// What a program consists of, and where it starts.
#[derive(Clone, Debug, Default, Args)]
pub struct SourceArgs {
    #[command(flatten)]
    pub text: TextArgs,
    /// Start at this function instead of at `main`, with any arguments that are well formed: pointers lead to objects of their types;
    /// the answer says what is assumed
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,
}
