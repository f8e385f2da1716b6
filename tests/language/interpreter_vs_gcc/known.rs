//! Differences that are understood: the task and why interpreter and gcc may disagree on it.

const ORDER: &str = "inputs as arguments of one call: taken left to right here, right to left by gcc";

const DIFFERENCES: &[(&str, &str)] = &[
    ("broom/unused-easy-12b-err", "AddressSanitizer gives the variable of each round of a loop the same place"),
    ("esbmc/cbmc-01_cbmc_Malloc10", "`malloc` is not declared, so gcc cuts its result to an `int`"),
    ("language/exit_ends_program_safe", "`_Exit` is an abort here: no handlers run, no cleanup is asked for"),
    ("memory-alloca/a.05-alloca", ORDER),
    ("memory-alloca/a.06-alloca", ORDER),
    ("memory-alloca/b.05-alloca", ORDER),
    ("memory-alloca/openbsd_cstrstr-alloca", "the status is part of an address"),
    ("memory/alloca_after_return_unsafe", "AddressSanitizer does not see `alloca` blocks die"),
    ("memory/malloc_size_zero_unsafe", "AddressSanitizer makes blocks of size 0 one byte large"),
];

/// Why `task` (folder and name) is no evidence against the interpreter.
pub fn reason(task: &str) -> Option<&'static str> {
    DIFFERENCES.iter().find(|(name, _)| *name == task).map(|(_, why)| *why)
}
