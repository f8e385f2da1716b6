//! The binary as its users see it, BenchExec among them, and the archive it comes in. Only limits have executables of their own,
//! as they are measured: see `cli_limits.rs` and `limits_hold.rs` in the folder above.

mod benchexec;
mod cli;
mod cli_audit;
mod cli_answers;
mod cli_bench;
mod cli_contracts;
mod cli_entries;
mod cli_input;
mod cli_projects;
mod cli_refinement;
mod cli_run;
mod cli_specs;
mod config;
mod dist;
mod library;
mod library_page;
mod manual;
mod situations;
#[path = "../texts/mod.rs"]
mod texts;
