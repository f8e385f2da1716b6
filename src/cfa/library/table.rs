//! The table itself.

use super::super::ir::HaltKind;
use super::{BITS, CTYPE, Known, MATH, MEMORY, STDIO, STDLIB, STRINGS, WIDE};

/// Names whose model in C has the same name.
#[rustfmt::skip]
pub const MODELS: [(usize, &[&str]); 8] = [
    (MEMORY, &[
        "realloc", "reallocarray", "aligned_alloc", "memalign", "posix_memalign", "valloc", "memcmp", "bcmp", "memchr",
        "memrchr", "rawmemchr", "memccpy",
    ]),
    (STRINGS, &[
        "strlen", "strnlen", "strcpy", "stpcpy", "strncpy", "stpncpy", "strcat", "strncat", "strcmp", "strncmp",
        "strcasecmp", "strncasecmp", "strcoll", "strchr", "index", "strrchr", "rindex", "strchrnul", "strstr", "strspn",
        "strcspn", "strpbrk", "strdup", "strndup", "strtok", "strtok_r", "strsep", "strlcpy", "strlcat",
    ]),
    (WIDE, &[
        "wcslen", "wcsnlen", "wcscpy", "wcsncpy", "wcscat", "wcsncat", "wcscmp", "wcsncmp", "wcschr", "wcsrchr",
        "wmemset", "wmemcpy", "wmemmove", "wmemcmp", "wcsdup",
    ]),
    (STDLIB, &[
        "qsort", "bsearch", "atexit", "atoi", "atol", "atoll", "atof", "strtol", "strtoul", "strtoll", "strtoull",
        "strtod", "strtof", "strtold", "abs", "labs", "llabs", "rand", "random", "rand_r", "time",
        "gettimeofday", "clock_gettime", "pipe", "getenv", "secure_getenv",
    ]),
    (STDIO, &[
        "fgets", "gets", "read", "recv", "fread", "write", "send", "fwrite", "getchar", "getchar_unlocked", "getc",
        "getc_unlocked", "fgetc", "fgetc_unlocked", "putchar", "putchar_unlocked", "putc", "putc_unlocked",
        "fputc", "fputc_unlocked", "ungetc", "fclose", "fflush", "close",
    ]),
    (BITS, &["ffs", "ffsl", "ffsll"]),
    (CTYPE, &[
        "isupper", "islower", "isalpha", "isdigit", "isxdigit", "isspace", "isprint", "isgraph", "isblank", "iscntrl",
        "isalnum", "ispunct", "isascii", "toupper", "tolower", "__ctype_b_loc", "strerror",
    ]),
    (MATH, &[
        "fabs", "fabsf", "signbit", "signbitf", "copysign", "copysignf", "isnan", "isnanf", "isinf", "isinff", "isfinite",
        "isfinitef", "isnormal", "isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isunordered",
        "fmax", "fmin", "fmaxf", "fminf", "fdim", "trunc", "floor", "ceil", "round", "truncf", "floorf", "ceilf", "roundf",
    ]),
];

/// Names and what they stand for; what is written in C stands in [`MODELS`].
#[rustfmt::skip]
const TABLE: &[(Known, &[&str])] = &[
    (Known::Malloc, &["malloc"]),
    (Known::Calloc, &["calloc"]),
    (Known::Free, &["free", "cfree"]),
    (Known::Alloca, &["alloca"]),
    (Known::Copy { end: false, swapped: false }, &["memcpy", "memmove"]),
    (Known::Copy { end: true, swapped: false }, &["mempcpy"]),
    (Known::Copy { end: false, swapped: true }, &["bcopy"]),
    (Known::Set, &["memset"]),
    (Known::Zero, &["bzero", "explicit_bzero"]),
    (Known::Halt(HaltKind::Exit), &["exit"]),
    (Known::Halt(HaltKind::Abort), &[
        "abort", "_exit", "_Exit", "quick_exit", "__assert_fail", "__assert_perror_fail", "__assert",
        "__assert_func", "__assert_rtn", "_assert", "__stack_chk_fail", "__chk_fail",
    ]),
    (Known::Error, &["reach_error", "__VERIFIER_error"]),
    (Known::Assume, &["__VERIFIER_assume", "__CPROVER_assume"]),
    (Known::Havoc, &["__VERIFIER_nondet_memory"]),
    (Known::Print { format: 0 }, &["printf", "printk"]),
    (Known::Print { format: 1 }, &["fprintf", "dprintf", "syslog"]),
    (Known::PrintList { format: 0 }, &["vprintf"]),
    (Known::PrintList { format: 1 }, &["vfprintf", "vdprintf", "vsyslog"]),
    (Known::PrintTo { bounded: false }, &["sprintf"]),
    (Known::PrintTo { bounded: true }, &["snprintf"]),
    (Known::PrintListTo { bounded: false }, &["vsprintf"]),
    (Known::PrintListTo { bounded: true }, &["vsnprintf"]),
    (Known::Scan { format: 0 }, &["scanf", "__isoc99_scanf", "__isoc23_scanf"]),
    (Known::Scan { format: 1 }, &[
        "fscanf", "sscanf", "__isoc99_fscanf", "__isoc23_fscanf", "__isoc99_sscanf", "__isoc23_sscanf",
    ]),
    // Strings are read, the result is arbitrary.
    (Known::ReadsStrings(0b01), &[
        "puts", "fputs", "open", "creat",
        "perror", "fputs_unlocked", "system", "unlink", "rmdir", "chdir",
        "remove", "mkdir", "opendir", "access",
    ]),
    (Known::ReadsStrings(0b11), &["fopen", "fopen64", "freopen", "rename", "popen", "setenv"]),
    (Known::ReadsStrings(0b10), &["fdopen"]),
    // Characters in and out, files, processes, the environment.
    (Known::Arbitrary, &[
        "putwchar", 
        "getw", "putw",
        "pclose", "feof", "ferror", "fileno", "fseek", "ftell", "closedir", "fsync",
        "getpid", "getppid", "getuid", "geteuid", "getgid", "isatty", "lseek", "dup", "dup2", "socket", "listen",
        "kill", "alarm", "clock", "sysconf", "lrand48", "drand48", "mrand48", "arc4random", "arc4random_uniform",
        "fork", "__errno_location", "__error", "strsignal", "nanosleep", "sched_yield", "difftime", "localeconv",
        "__ctype_toupper_loc", "__ctype_tolower_loc", "__ctype_get_mb_cur_max", "iswalpha", "iswdigit", "iswspace",
        "iswalnum", "towupper", "towlower",
    ]),
    (Known::Nothing, &[
        "srand", "srandom", "srand48", "sleep", "usleep", "rewind", "clearerr", "setbuf", "setlinebuf", "setvbuf",
        "sync", "openlog", "closelog", "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", "__VERIFIER_plot",
        "__sync_synchronize", "__atomic_thread_fence", "__atomic_signal_fence",
    ]),
    // Locks without threads.
    (Known::Nothing, &[
        "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_mutex_init", "pthread_mutex_destroy",
        "pthread_mutexattr_init", "pthread_mutexattr_settype", "pthread_mutexattr_destroy", "pthread_spin_lock",
        "pthread_spin_unlock", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_rwlock_unlock",
        "pthread_rwlock_init", "pthread_rwlock_destroy", "pthread_cond_signal", "pthread_cond_broadcast",
        "pthread_cond_init", "pthread_cond_destroy", "pthread_attr_init", "pthread_attr_destroy",
    ]),
    // Threads, jumps, signals, mappings, variable arguments that cannot be looked at.
    (Known::GiveUp, &[
        "pthread_create", "pthread_join", "pthread_cond_wait", "pthread_exit", "pthread_mutex_trylock", "setjmp",
        "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "siglongjmp", "signal", "sigaction", "raise", "mmap",
        "munmap", "sbrk", "brk", "vfork", "on_exit", "at_quick_exit", "putenv", "makecontext", "swapcontext",
        "vscanf", "vfscanf", "vsscanf", "asprintf", "vasprintf", "wprintf", "fwprintf", "swprintf", "wscanf",
        "getline", "getdelim",
    ]),
    // Functions that change memory in ways not modelled: taking them for functions without effect would be wrong.
    (Known::GiveUp, &[
        "accept", "asctime_r", "clock_nanosleep", "confstr", "ctime_r", "frexp", "frexpf", "frexpl", "fstat",
        "fstatat", "ftw", "getaddrinfo", "getcwd", "getgrnam_r", "getgroups", "gethostbyname_r", "gethostname",
        "getitimer", "getlogin_r", "getopt", "getopt_long", "getopt_long_only", "getpeername", "getpwnam_r",
        "getpwuid_r", "getrlimit", "getrusage", "getsockname", "getsockopt", "getsubopt", "glob", "gmtime_r",
        "hcreate", "hsearch", "iconv", "inet_ntop", "inet_pton", "initstate", "initstate_r", "lfind", "lgamma_r",
        "localtime_r", "lsearch", "lstat", "mbrtowc", "mbstowcs", "mbtowc", "mkdtemp", "mkstemp", "modf", "modff",
        "modfl", "nftw", "poll", "ppoll", "pselect", "qsort_r", "random_r", "readdir_r", "readlink", "readv",
        "realpath", "recvfrom", "recvmsg", "regcomp", "regexec", "remquo", "scandir", "select", "setitimer",
        "setstate", "sigprocmask", "sigwait", "sincos", "sincosf", "socketpair", "stat", "strerror_r", "strftime",
        "strptime", "strxfrm", "swab", "sysinfo", "tdelete", "times", "tsearch", "uname", "wait", "waitid",
        "waitpid", "wcsftime", "wcstombs", "wcrtomb", "wctomb",
    ]),
];

/// What the library knows under `name`; `__builtin_` names mean the plain function.
pub fn known(name: &str) -> Option<Known> {
    match name.strip_prefix("__builtin_") {
        Some(rest) => builtin(rest).or_else(|| plain(rest)),
        None => plain(name),
    }
}

fn plain(name: &str) -> Option<Known> {
    let row = TABLE.iter().find(|(_, names)| names.contains(&name));
    row.map(|(known, _)| *known).or_else(|| model(name)).or_else(|| family(name)).or_else(|| mathematics(name))
}

fn model(name: &str) -> Option<Known> {
    MODELS.iter().find_map(|(file, names)| {
        names.iter().find(|known| **known == name).map(|model| Known::Model { file: *file, model })
    })
}

/// The result that is taken to be arbitrary is determined by the arguments (or cannot have every value): a violation that
/// such a result led to may not exist.
pub fn is_approximated(name: &str) -> bool {
    const NUMBERS: &[&str] = &[
        "atoi", "atol", "atoll", "atof", "strtol", "strtoul", "strtoll", "strtoull", "strtof", "strtod", "strtold",
        "iswalpha", "iswdigit", "iswspace", "iswalnum", "towupper", "towlower", "difftime", "puts", "fputs",
    ];
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    // A helper of the number models.
    if name == "any_number" {
        return true;
    }
    match plain(name) {
        Some(Known::Model { .. }) => NUMBERS.contains(&name),
        Some(Known::Print { .. } | Known::PrintList { .. } | Known::PrintListTo { .. }) => true,
        // What comes from outside is free; what stands in a string is not.
        Some(Known::Scan { .. }) => name.ends_with("sscanf"),
        Some(Known::Arbitrary | Known::ReadsStrings(_)) => NUMBERS.contains(&name) || mathematics(name).is_some(),
        _ => matches!(builtin(name), Some(Known::Arbitrary)),
    }
}

/// Families of names.
fn family(name: &str) -> Option<Known> {
    if name.starts_with("__VERIFIER_nondet_") {
        return Some(Known::Input);
    }
    if name.starts_with("__sync_") || name.starts_with("__atomic_") {
        return Some(Known::Atomic);
    }
    // What library models use beyond C.
    match name.strip_prefix("__margay_")? {
        "assume" => Some(Known::Assume),
        "havoc" => Some(Known::Havoc),
        "block_size" => Some(Known::BlockSize),
        "give_up" => Some(Known::GiveUp),
        any => any.starts_with("any_").then_some(Known::Arbitrary),
    }
}

/// Floating-point functions: any result; `f` and `l` variants alike.
#[rustfmt::skip]
fn mathematics(name: &str) -> Option<Known> {
    const NAMES: &[&str] = &[
        "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
        "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "pow", "sqrt", "cbrt", "hypot", "fabs", "floor",
        "ceil", "round", "trunc", "rint", "nearbyint", "fmod", "remainder", "copysign", "fmax", "fmin", "fdim",
        "fma", "ldexp", "scalbn", "logb", "ilogb", "lround", "lrint", "llround", "llrint", "erf", "erfc", "tgamma",
        "lgamma", "nextafter", "nan", "isnan", "isinf", "finite", "fpclassify", "signbit", "isfinite", "isnormal",
        "drem",
    ];
    let base = name.strip_prefix("__").unwrap_or(name);
    let plain = base.strip_suffix(['f', 'l']).unwrap_or(base);
    (NAMES.contains(&base) || NAMES.contains(&plain)).then_some(Known::Arbitrary)
}

/// Functions that gcc has under `__builtin_` only, or that mean something else there.
fn builtin(name: &str) -> Option<Known> {
    let bits = |model| Some(Known::Model { file: BITS, model });
    match name {
        "expect" | "expect_with_probability" | "assume_aligned" | "extract_return_addr" => Some(Known::First),
        "bswap16" | "bswap32" | "bswap64" | "bswap128" => Some(Known::Swap),
        "trap" => Some(Known::Halt(HaltKind::Abort)),
        "prefetch" | "stack_restore" | "cpu_init" => Some(Known::Nothing),
        "alloca_with_align" => Some(Known::Alloca),
        "object_size"
        | "dynamic_object_size"
        | "return_address"
        | "frame_address"
        | "stack_save"
        | "cpu_supports"
        | "cpu_is"
        | "isinf_sign"
        | "isgreater"
        | "isgreaterequal"
        | "isless"
        | "islessequal"
        | "islessgreater"
        | "isunordered"
        | "huge_val"
        | "inf"
        | "powi" => Some(Known::Arbitrary),
        "popcount" => bits("popcount32"),
        "popcountl" => bits("popcount_long"),
        "popcountll" => bits("popcount64"),
        "parity" => bits("parity32"),
        "parityl" => bits("parity_long"),
        "parityll" => bits("parity64"),
        "clz" => bits("clz32"),
        "clzl" => bits("clz_long"),
        "clzll" => bits("clz64"),
        "ctz" => bits("ctz32"),
        "ctzl" => bits("ctz_long"),
        "ctzll" => bits("ctz64"),
        "clrsb" => bits("clrsb32"),
        "clrsbl" => bits("clrsb_long"),
        "clrsbll" => bits("clrsb64"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FILES, parse};
    use super::*;
    use crate::c::with_big_stack;
    use crate::task::DataModel;

    #[test]
    fn every_model_is_there_on_both_data_models() {
        let builtins =
            ["popcount", "parityl", "clzll", "ctzl", "clrsb", "clrsbll"].map(|name| format!("__builtin_{name}"));
        for data_model in [DataModel::Ilp32, DataModel::Lp64] {
            with_big_stack(|| {
                let units: Vec<_> =
                    (0..FILES.len()).map(|file| parse(file, data_model).expect("models are C")).collect();
                let names = MODELS.iter().flat_map(|(_, names)| names.iter().map(|name| name.to_string()));
                for name in names.chain(builtins.iter().cloned()) {
                    let Some(Known::Model { file, model }) = known(&name) else { panic!("`{name}` is shadowed") };
                    let defined = units[file].functions.iter().any(|f| &*f.name == model && f.body.is_some());
                    assert!(defined, "`{name}` has no model");
                }
            });
        }
    }

    #[test]
    fn functions_that_write_memory_are_not_taken_for_harmless() {
        for name in ["getopt", "waitpid", "sincos", "frexp", "longjmp", "pthread_create"] {
            assert_eq!(known(name), Some(Known::GiveUp), "{name}");
        }
        assert_eq!(known("sinf"), Some(Known::Arbitrary));
        assert_eq!(known("__builtin_memcpy"), known("memcpy"));
        assert_eq!(known("nobody_knows_this"), None);
    }

    #[test]
    fn results_decided_by_arguments_are_told_from_free_ones() {
        for name in ["sqrt", "powf", "any_number", "atoi", "printf", "sscanf", "__builtin_powi", "puts"] {
            assert!(is_approximated(name), "{name}");
        }
        for name in ["rand", "fopen", "clock", "getpid", "time", "some_function", "floor", "getchar", "argc"] {
            assert!(!is_approximated(name), "{name}");
        }
    }
}
