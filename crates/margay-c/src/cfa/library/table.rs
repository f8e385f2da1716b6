//! The table itself.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::super::float_functions::FloatFunction;
use super::super::ir::{HaltKind, NumberPart};
use super::names::is_standard;
use super::{
    ARGZ, BITS, COMPLEX, CTYPE, ENVIRONMENT, Ends, FILES_AND_PROCESSES, FORTIFIED, FloatClass, Known, LOCKS, MATH,
    MEMORY, MULTIBYTE, OPTIONS, STDIO, STDLIB, STRINGS, Searched, TIME, WIDE,
};

/// Names whose model in C has the same name.
#[rustfmt::skip]
pub const MODELS: [(usize, &[&str]); 16] = [
    (MEMORY, &[
        "realloc", "reallocarray", "aligned_alloc", "memalign", "posix_memalign", "valloc", "memcmp", "bcmp", "memchr",
        "memrchr", "rawmemchr", "memccpy", "memmem", "swab",
    ]),
    (STRINGS, &[
        "strlen", "strnlen", "strcpy", "stpcpy", "strncpy", "stpncpy", "strcat", "strncat", "strcmp", "strncmp",
        "strcasecmp", "strncasecmp", "strcoll", "strchr", "index", "strrchr", "rindex", "strchrnul", "strstr", "strspn",
        "strcspn", "strpbrk", "strdup", "strndup", "strtok", "strtok_r", "strsep", "strlcpy", "strlcat",
        "strcasestr",
    ]),
    (WIDE, &[
        "wcslen", "wcsnlen", "wcscpy", "wcpcpy", "wcsncpy", "wcscat", "wcsncat", "wcscmp", "wcsncmp", "wcscoll", "wcschr",
        "wcsrchr", "wcsstr", "wcsspn", "wcscspn", "wcspbrk", "wcstok", "wmemset", "wmemcpy", "wmemmove", "wmempcpy",
        "wmemcmp", "wmemchr", "wcsdup", 
        "wcstol", "wcstoul", "wcstoll", "wcstoull", "wcstod", "wcstof", "wcstold",
        "wcstoimax", "wcstoumax", "wcpncpy", "wcswcs", "wcschrnul", "wcscasecmp", "wcsncasecmp",
    ]),
    (STDLIB, &[
        "qsort", "bsearch", "atexit", "atoi", "atol", "atoll", "atof", "strtol", "strtoul", "strtoll", "strtoull",
        "strtoimax", "strtoumax", "strtod", "strtof", "strtold", "abs", "labs", "llabs", "imaxabs", "div", "ldiv", "lldiv",
        "imaxdiv", "rand", "random", "rand_r", "getenv", "secure_getenv", "assert",
        "lfind", "lsearch", "nrand48", "jrand48", "erand48", "__errno_location", "__error", "srand", "srandom",
        "setenv", "unsetenv", "clearenv", "putenv", "system",
    ]),
    (OPTIONS, &["getopt", "getopt_long", "getopt_long_only"]),
    (STDIO, &[
        "fgets", "gets", "read", "recv", "pread", "fread", "write", "send", "pwrite", "fwrite", "getchar",
        "getchar_unlocked", "getc", "getc_unlocked", "fgetc", "fgetc_unlocked", "putchar", "putchar_unlocked", "putc",
        "putc_unlocked", "fputc", "fputc_unlocked", "ungetc", "fclose", "fflush", "setbuf", "setvbuf",
        "setbuffer", "setlinebuf", "fseek", "fseeko", "ftell", "ftello", "feof", "ferror", "fileno",
        "getline", "getdelim", "tmpnam", "fopen", "fopen64", "freopen", "popen", "pclose", "fdopen", "tmpfile", "puts",
        "fputs", "fputs_unlocked", "feof_unlocked", "ferror_unlocked", "fileno_unlocked", "rewind", "clearerr",
        "clearerr_unlocked", "getw", "putw", "fwide", "flockfile", "ftrylockfile", "funlockfile", "fgetpos", "fgetpos64", "fsetpos",
        "fsetpos64", "perror", "fgetws", "getwchar", "getwc", "fgetwc", "putwchar", "putwc", "fputwc", "fputws", "ungetwc",
    ]),
    (BITS, &["ffs", "ffsl", "ffsll", "htons", "ntohs", "htonl", "ntohl"]),
    (CTYPE, &[
        "isupper", "islower", "isalpha", "isdigit", "isxdigit", "isspace", "isprint", "isgraph", "isblank", "iscntrl",
        "isalnum", "ispunct", "isascii", "toascii", "toupper", "tolower", "__ctype_b_loc", "__ctype_toupper_loc", "__ctype_tolower_loc", "strerror",
        "_toupper", "_tolower",
    ]),
    (MATH, &[
        "fabs", "fabsf", "copysign", "copysignf", "isgreater", "isgreaterequal", "isless", "islessequal", "islessgreater", "isunordered",
        "fmax", "fmin", "fmaxf", "fminf", "fdim", "trunc", "floor", "ceil", "round", "truncf", "floorf", "ceilf", "roundf",
        "sqrt", "sqrtf", "fmod", "fmodf", "ldexp", "ldexpf", "scalbn", "scalbnf", "scalbln", "modf", "frexp", "ilogb", "lround",
        "llround", "lrint", "llrint",
    ]),
    (COMPLEX, &[
        "__margay_multiply_real_s", "__margay_multiply_real_d", "__margay_multiply_real_x",
        "__margay_multiply_real_i", "__margay_multiply_imaginary_s", "__margay_multiply_imaginary_d",
        "__margay_multiply_imaginary_x", "__margay_multiply_imaginary_i", "__margay_divide_real_s",
        "__margay_divide_real_d", "__margay_divide_real_x", "__margay_divide_real_i",
        "__margay_divide_imaginary_s", "__margay_divide_imaginary_d", "__margay_divide_imaginary_x",
        "__margay_divide_imaginary_i",
    ]),
    (FILES_AND_PROCESSES, &[
        "open", "open64", "creat", "dup", "dup2", "lseek", "fsync", "fdatasync", "isatty", "unlink", "remove", "rmdir", "mkdir",
        "chdir", "access", "chmod", "rename", "closedir", "pipe", "socket", "connect", "bind", "listen",
        "accept", "setsockopt", "shutdown", "readlink", "getcwd", "gethostname", "mkstemp", "fork", "getpid", "getppid",
        "getuid", "geteuid", "getgid", "getegid", "umask", "alarm", "sleep", "usleep", "sysconf",
        "openat", "fcntl", "readv", "writev", "sendto", "recvfrom", "getsockname", "getpeername", "getsockopt",
        "socketpair", "poll", "select", "execv", "execvp", "execve", "readdir", "realpath", "mkdtemp", "getlogin", "ttyname",
        "inet_ntoa", "close", "setuid", "seteuid", "setgid", "setegid", "setreuid", "setregid", "getpagesize",
    ]),
    (TIME, &[
        "time", "clock", "gettimeofday", "clock_gettime", "nanosleep", "difftime", "gmtime", "localtime", "gmtime_r",
        "localtime_r", "asctime", "ctime", "asctime_r", "ctime_r", "strftime",
        "timespec_get", "clock_nanosleep",
    ]),
    (LOCKS, &[
        "pthread_mutex_init", "pthread_mutex_destroy", "pthread_mutex_lock", "pthread_mutex_unlock",
        "pthread_mutex_trylock", "pthread_mutexattr_init", "pthread_mutexattr_settype", "pthread_mutexattr_destroy",
        "pthread_spin_init", "pthread_spin_destroy", "pthread_spin_lock", "pthread_spin_unlock", "pthread_rwlock_init",
        "pthread_rwlock_destroy", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_rwlock_unlock",
        "pthread_cond_init", "pthread_cond_destroy", "pthread_cond_signal", "pthread_cond_broadcast",
        "pthread_attr_init", "pthread_attr_destroy", "sem_init", "sem_destroy", "sem_post",
    ]),
    (FORTIFIED, &[
        "__memcpy_chk", "__memmove_chk", "__mempcpy_chk", "__memset_chk", "__strcpy_chk", "__stpcpy_chk",
        "__strncpy_chk", "__strcat_chk", "__strncat_chk", "__fgets_chk", "__read_chk", "__recv_chk", "__fread_chk",
    ]),
    (MULTIBYTE, &[
        "setlocale", "mbrtowc", "mbrlen", "mbtowc", "mblen", "mbsinit", "wcrtomb", "wctomb", "mbstowcs", "mbsrtowcs",
        "wcstombs", "wcsrtombs", "strxfrm", "wcsxfrm",
    ]),
    (ENVIRONMENT, &[
        "fegetround", "fesetround", "feclearexcept", "feraiseexcept", "fesetexceptflag", "fetestexcept", "fegetexceptflag",
        "fegetenv", "feholdexcept", "fesetenv", "feupdateenv", "sigemptyset", "sigfillset", "sigaddset", "sigdelset",
        "sigismember", "sigprocmask", "pthread_sigmask", "sigpending", "signal", "raise", "sigaction",
        "longjmp", "_longjmp", "siglongjmp",
    ]),
];

/// Names and what they stand for; what is written in C stands in [`MODELS`].
#[rustfmt::skip]
pub const TABLE: &[(Known, &[&str])] = &[
    (Known::NotePlace, &["setjmp", "_setjmp", "__sigsetjmp", "sigsetjmp"]),
    (Known::Malloc, &["malloc"]),
    (Known::Calloc, &["calloc"]),
    (Known::Free, &["free", "cfree"]),
    (Known::Alloca, &["alloca"]),
    (Known::Copy { end: false, swapped: false }, &["memcpy", "memmove", "__memcpy", "__memmove"]),
    (Known::Copy { end: true, swapped: false }, &["mempcpy", "__mempcpy"]),
    (Known::Copy { end: false, swapped: true }, &["bcopy"]),
    (Known::Set, &["memset", "__memset"]),
    (Known::Zero, &["bzero", "explicit_bzero"]),
    (Known::Halt(HaltKind::Exit), &["exit"]),
    (Known::Halt(HaltKind::Abort), &[
        "abort", "_exit", "_Exit", "quick_exit", "__stack_chk_fail", "__chk_fail",
    ]),
    (Known::AssertionFails, &[
        "__assert_fail", "__assert_perror_fail", "__assert", "__assert_func", "__assert_rtn", "_assert",
    ]),
    (Known::Error, &["reach_error", "__VERIFIER_error"]),
    (Known::Assume, &["__VERIFIER_assume", "__CPROVER_assume"]),
    (Known::Havoc { line: false }, &["__VERIFIER_nondet_memory"]),
    (Known::Print { format: 0, wide: false, list: false }, &["printf", "printf_s", "printk"]),
    (Known::Print { format: 1, wide: false, list: false }, &["fprintf", "fprintf_s", "dprintf", "syslog", "__printf_chk"]),
    (Known::Print { format: 2, wide: false, list: false }, &["__fprintf_chk", "__dprintf_chk", "__syslog_chk"]),
    (Known::Print { format: 0, wide: true, list: false }, &["wprintf"]),
    (Known::Print { format: 1, wide: true, list: false }, &["fwprintf"]),
    (Known::Print { format: 0, wide: false, list: true }, &["vprintf"]),
    (Known::Print { format: 1, wide: false, list: true }, &["vfprintf", "vdprintf", "vsyslog"]),
    (Known::Print { format: 0, wide: true, list: true }, &["vwprintf"]),
    (Known::Print { format: 1, wide: true, list: true }, &["vfwprintf"]),
    (Known::PrintTo { bounded: false, wide: false, list: false }, &["sprintf"]),
    (Known::PrintTo { bounded: true, wide: false, list: false }, &["snprintf"]),
    (Known::PrintTo { bounded: true, wide: true, list: false }, &["swprintf"]),
    (Known::PrintTo { bounded: false, wide: false, list: true }, &["vsprintf"]),
    (Known::PrintTo { bounded: true, wide: false, list: true }, &["vsnprintf"]),
    (Known::PrintTo { bounded: true, wide: true, list: true }, &["vswprintf"]),
    (Known::PrintNew { list: false }, &["asprintf"]),
    (Known::PrintNew { list: true }, &["vasprintf"]),
    (Known::Scan { format: 0, wide: false }, &["scanf", "__isoc99_scanf", "__isoc23_scanf"]),
    (Known::Scan { format: 1, wide: false }, &[
        "fscanf", "sscanf", "__isoc99_fscanf", "__isoc23_fscanf", "__isoc99_sscanf", "__isoc23_sscanf",
    ]),
    (Known::Scan { format: 0, wide: true }, &["wscanf", "__isoc99_wscanf", "__isoc23_wscanf"]),
    (Known::Scan { format: 1, wide: true }, &[
        "fwscanf", "swscanf", "__isoc99_fwscanf", "__isoc23_fwscanf", "__isoc99_swscanf", "__isoc23_swscanf",
    ]),
    // Strings are read, the result is one of theirs.
    (Known::ReadsStrings(0b01), &["opendir", "inet_addr"]),
    // The result says whether, or how much, it worked: it cannot have every value.
    (Known::Approximate { strings: 0b01 }, &[
        "nan", "nanf", "nanl", "chown", "lchown", "truncate", "mkfifo", "mknod", "pathconf", "if_nametoindex",
        "wctype", "wctrans",
    ]),
    (Known::Approximate { strings: 0b11 }, &["link", "symlink"]),
    (Known::Approximate { strings: 0b1010 }, &["renameat"]),
    (Known::Approximate { strings: 0b10 }, &["faccessat", "fchmodat", "fchownat", "mkdirat", "unlinkat"]),
    (Known::Approximate { strings: 0 }, &[
        "getpgid", "getpgrp", "getsid", "gethostid",
        "setpgid", "setpgrp", "setsid", 
        "ftruncate", "fchdir", "fchmod", "fchown", "fpathconf", "nice", "lockf", "posix_fadvise",
        "posix_fallocate", "kill", "killpg", "ualarm", "pause", "lrand48", "drand48",
        "mrand48", "arc4random_uniform", "sched_yield", "sched_get_priority_max", "sched_get_priority_min",
        "btowc", "wctob", "getpriority", "setpriority", "ulimit", "sockatmark",
        "tcdrain", "tcflow", "tcflush", "tcgetpgrp", "tcsetpgrp", "tcgetsid", "tcsendbreak", "isalnum_l", "isalpha_l", "isblank_l", "iscntrl_l",
        "isdigit_l", "isgraph_l", "islower_l", "isprint_l", "ispunct_l", "isspace_l", "isupper_l", "isxdigit_l",
        "toupper_l", "tolower_l", "iswalpha", "iswdigit", "iswspace", "iswalnum", "iswblank", "iswcntrl", "iswgraph", "iswlower",
        "iswprint", "iswpunct", "iswupper", "iswxdigit", "towupper", "towlower", "wcwidth",
        "iswctype", "towctrans", "telldir", "dirfd", "setrlimit", "mlock", "munlock", "mlockall",
        "munlockall", "tcsetattr", "clock_settime", "pthread_equal", "setlogmask",
    ]),
    // Numbers from outside, and pointers that are never looked into here.
    (Known::Arbitrary, &[
        "arc4random", "strsignal", "localeconv", "__ctype_get_mb_cur_max", "pthread_self", "sigabbrev_np", "sigdescr_np",
    ]),
    // Objects behind arguments are filled in, or left as they are where that fails.
    (Known::Fills { strings: 0b01, outputs: 0b10, optional: 0 }, &["stat", "lstat", "statvfs", "stat64", "lstat64"]),
    (Known::Fills { strings: 0, outputs: 0b10, optional: 0 }, &[
        "fstat", "fstat64", "fstatvfs", "getrusage", "getrlimit", "getitimer", "tcgetattr", "frexpf", "frexpl", "modff",
        "modfl", "lgamma_r", "lgammaf_r", "lgammal_r", "sem_getvalue",
    ]),
    (Known::Fills { strings: 0b01, outputs: 0b10, optional: 0 }, &["inet_aton"]),
    (Known::Fills { strings: 0b10, outputs: 0b100, optional: 0 }, &["fstatat"]),
    (Known::Fills { strings: 0, outputs: 0b100, optional: 0 }, &["remquo", "remquof", "remquol"]),
    (Known::Fills { strings: 0, outputs: 0b110, optional: 0 }, &["sincos", "sincosf", "sincosl"]),
    (Known::Fills { strings: 0, outputs: 0b1, optional: 0 }, &["uname", "mktime", "timegm", "sysinfo"]),
    (Known::Fills { strings: 0, outputs: 0, optional: 0b1 }, &["times", "wait"]),
    (Known::Fills { strings: 0, outputs: 0, optional: 0b10 }, &["waitpid", "clock_getres"]),
    (Known::Nothing, &[
        "srand48", "sync", "openlog", "closelog", "endpwent", "endgrent",
        "setpwent", "setgrent", "tzset", "rewinddir", "seekdir",
        "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", "__VERIFIER_plot",
        "__sync_synchronize", "__atomic_thread_fence", "__atomic_signal_fence", "atomic_thread_fence",
        "atomic_signal_fence",
    ]),
];

/// What the library knows under `name`; `__builtin_` names mean the plain function. `None` for an unknown name.
pub fn known(name: &str) -> Option<Known> {
    let found = match name.strip_prefix("__builtin_") {
        Some(rest) => builtin(rest).or_else(|| plain(rest)),
        None => plain(name),
    };
    found.or_else(|| is_standard(name).then_some(Known::Unsupported))
}

/// Functions that have models of their own in a program that is run for its own sake.
#[rustfmt::skip]
const WORLDLY: &[&str] = &[
    "putchar", "fputc", "fputs", "puts", "perror", "fwrite", "write", "fflush", "fclose", "printf", "fprintf", "vprintf", "vfprintf",
    "getchar", "fgetc", "ungetc", "feof", "ferror", "fgets", "fread", "read", "scanf",
    "vscanf", "fscanf",
];

/// The model of `name` in a program that is run for its own sake.
pub fn in_world(name: &str) -> Option<&'static str> {
    let name = name.strip_prefix("__builtin_").or_else(|| name.strip_prefix("__isoc99_")).unwrap_or(name);
    let name = match name.strip_suffix("_unlocked").unwrap_or(name) {
        "putc" => "fputc",
        "getc" => "fgetc",
        name => name,
    };
    WORLDLY.iter().find(|known| **known == name).copied()
}

/// The file that defines the library's object `name`.
pub fn object(name: &str) -> Option<usize> {
    match name {
        "stdin" | "stdout" | "stderr" => Some(STDIO),
        "optind" | "opterr" | "optopt" | "optarg" => Some(OPTIONS),
        "errno" => Some(STDLIB),
        _ => None,
    }
}

fn plain(name: &str) -> Option<Known> {
    // Other names that glibc's headers give to functions that read numbers.
    let name = match name.strip_prefix("__isoc23_") {
        Some(number) if number.starts_with("strto") || number.starts_with("wcsto") => number,
        _ => name,
    };
    by_name().get(name).copied().or_else(|| family(name)).or_else(|| mathematics(name))
}

/// What names in the tables mean: runs ask it of each input.
fn by_name() -> &'static FxHashMap<&'static str, Known> {
    static BY_NAME: OnceLock<FxHashMap<&str, Known>> = OnceLock::new();
    BY_NAME.get_or_init(|| {
        let mut all = FxHashMap::default();
        for (known, names) in TABLE {
            names.iter().for_each(|name| _ = all.entry(*name).or_insert(*known));
        }
        for (file, names) in MODELS {
            names.iter().for_each(|model| _ = all.entry(*model).or_insert(Known::Model { file, model }));
        }
        all
    })
}

/// What a function means that a header of the system declares; a program may well have one of its own under such a name.
pub fn in_header(name: &str) -> Option<Known> {
    use Ends::{Always, IfNonzero, Never};
    let report = |format, list, ends| Some(Known::Report { format, list, ends });
    match name {
        "error" => report(2, false, IfNonzero),
        "error_at_line" => report(4, false, IfNonzero),
        "err" | "errx" => report(1, false, Always),
        "verr" | "verrx" => report(1, true, Always),
        "warn" | "warnx" => report(0, false, Never),
        "vwarn" | "vwarnx" => report(0, true, Never),
        _ => HEADERS.iter().find_map(|(file, names)| {
            names.iter().find(|known| **known == name).map(|model| Known::Model { file: *file, model })
        }),
    }
}

/// Models of such functions, by the same name.
const HEADERS: [(usize, &[&str]); 3] = [
    (BITS, &["__sched_cpucount", "gnu_dev_major", "gnu_dev_minor", "gnu_dev_makedev"]),
    (ARGZ, &["argz_create", "argz_create_sep", "argz_count", "argz_add", "argz_append", "argz_next", "argz_stringify"]),
    (ENVIRONMENT, &["__libc_current_sigrtmin", "__libc_current_sigrtmax"]),
];

/// After a call it is not known whether it failed: `errno` may be another one.
pub fn may_fail(known: Known) -> bool {
    matches!(
        known,
        Known::ReadsStrings(_)
            | Known::Approximate { .. }
            | Known::Fills { .. }
            | Known::Print { .. }
            | Known::PrintTo { .. }
            | Known::PrintNew { .. }
            | Known::Scan { .. }
    )
}

/// Arguments whose objects are read and written, as bits, and whether the result is from outside (`Some(false)`) or arguments decide
/// more than is known of it (`Some(true)`). `None` where that depends on a format, and for what has a model in C.
#[cfg(test)]
pub fn plain_data(known: Known) -> Option<(u64, u64, Option<bool>)> {
    let bits = u64::from;
    Some(match known {
        Known::Nothing | Known::First | Known::Halt(_) | Known::AssertionFails | Known::Float(_) => (0, 0, None),
        Known::Classify(_) | Known::Malloc | Known::Calloc | Known::Alloca => (0, 0, None),
        Known::Swap | Known::Atomic => (0, 0, None),
        Known::Free | Known::Zero => (0, 1, None),
        Known::Set | Known::NotePlace => (0, 1, None),
        Known::Copy { swapped, .. } => {
            if swapped {
                (1, 2, None)
            } else {
                (2, 1, None)
            }
        }
        Known::Arbitrary => (0, 0, Some(false)),
        Known::ReadsStrings(strings) => (bits(strings), 0, Some(false)),
        Known::Approximate { strings } => (bits(strings), 0, Some(true)),
        Known::Fills { strings, outputs, optional } => (bits(strings), bits(outputs | optional), Some(true)),
        _ => return None,
    })
}

/// The result that is taken to be arbitrary is determined by the arguments (or cannot have every value): a violation that
/// such a result led to may not exist.
pub fn is_approximated(name: &str) -> bool {
    match known(name) {
        Some(
            Known::Approximate { .. }
            | Known::Float(_)
            | Known::Fills { .. }
            | Known::Print { .. }
            | Known::PrintTo { .. }
            | Known::PrintNew { .. },
        ) => true,
        _ => name == INEXACT || name == ASSEMBLER,
    }
}

/// The result of an assembler statement that its inputs decide, as a function's name.
pub const ASSEMBLER: &str = "__margay_assembler";

/// Whether a function that reads by a format reads from a string.
pub fn scans_string(name: &str) -> bool {
    name.ends_with("sscanf") || name.ends_with("swscanf")
}

/// Whether an input of 1 from the function `name` says that an allocation fails.
pub fn allocates(name: &str) -> bool {
    matches!(name, "malloc" | "calloc")
}

/// What evidence calls the place where a model goes on with something that may be more than real runs do.
pub const INEXACT: &str = "a function of the library";

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
        "havoc" => Some(Known::Havoc { line: false }),
        "line" => Some(Known::Havoc { line: true }),
        "members" => Some(Known::HavocAmong),
        "block_size" => Some(Known::BlockSize),
        "find" => Some(Known::Find(Searched::Byte)),
        "skip" => Some(Known::Find(Searched::OtherByte)),
        "pass" => Some(Known::Find(Searched::NoMember)),
        "differ" => Some(Known::Find(Searched::Difference)),
        "overlaps" => Some(Known::Overlaps),
        "number_long" | "number_longlong" => Some(Known::Number(NumberPart::Signed)),
        "number_ulong" | "number_ulonglong" => Some(Known::Number(NumberPart::Unsigned)),
        "number_length" => Some(Known::Number(NumberPart::Length)),
        "real" | "realf" => Some(Known::Number(NumberPart::Real)),
        "real_length" => Some(Known::Number(NumberPart::RealLength)),
        "real_beyond" => Some(Known::Number(NumberPart::RealBeyond)),
        "give_up" => Some(Known::GiveUp),
        "inexact" => Some(Known::Inexact),
        "jump" => Some(Known::Model { file: ENVIRONMENT, model: "jump_to" }),
        "failed" => Some(Known::Model { file: STDLIB, model: "failed" }),
        "number_beyond_long" | "number_beyond_longlong" => Some(Known::Number(NumberPart::SignedBeyond)),
        "number_beyond_ulong" | "number_beyond_ulonglong" => Some(Known::Number(NumberPart::UnsignedBeyond)),
        any if any.starts_with("any_") => Some(Known::Arbitrary),
        any => FloatFunction::named(any).or_else(|| FloatFunction::named(any.strip_suffix('f')?)).map(Known::Float),
    }
}

/// Floating-point functions that have no model in C; `f` and `l` variants alike.
#[rustfmt::skip]
fn mathematics(name: &str) -> Option<Known> {
    const NAMES: &[&str] = &[
        "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
        "exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "pow", "sqrt", "cbrt", "hypot", "fabs",
        "floor", "ceil", "round", "trunc", "rint", "nearbyint", "fmod", "remainder", "copysign", "fmax", "fmin",
        "fdim", "fma", "ldexp", "scalbn", "scalbln", "logb", "ilogb", "lround", "lrint", "llround", "llrint", "erf",
        "erfc", "tgamma", "lgamma", "nextafter", "nexttoward", "j0", "j1", "jn", "y0", "y1", "yn", "drem",
    ];
    let base = name.strip_prefix("__").unwrap_or(name);
    if let Some(class) = FloatClass::named(name) {
        return Some(Known::Classify(class));
    }
    if let Some(function) = FloatFunction::named(base).or_else(|| FloatFunction::named(base.strip_suffix('f')?)) {
        return Some(Known::Float(function));
    }
    let plain = base.strip_suffix(['f', 'l']).unwrap_or(base);
    (NAMES.contains(&base) || NAMES.contains(&plain)).then_some(Known::Approximate { strings: 0 })
}

/// Functions that gcc has under `__builtin_` only, or that mean something else there.
fn builtin(name: &str) -> Option<Known> {
    let bits = |model| Some(Known::Model { file: BITS, model });
    match name {
        "expect" | "expect_with_probability" | "assume_aligned" | "extract_return_addr" => Some(Known::First),
        "bswap16" | "bswap32" | "bswap64" | "bswap128" => Some(Known::Swap),
        "trap" => Some(Known::Halt(HaltKind::Abort)),
        "__clear_cache" | "ia32_pause" | "ia32_mfence" | "ia32_lfence" | "ia32_sfence" => Some(Known::Nothing),
        "ia32_rdtsc" | "thread_pointer" => Some(Known::Arbitrary),
        "prefetch" | "stack_restore" | "cpu_init" => Some(Known::Nothing),
        "alloca_with_align" => Some(Known::Alloca),
        "object_size"
        | "dynamic_object_size"
        | "return_address"
        | "frame_address"
        | "stack_save"
        | "cpu_supports"
        | "cpu_is"
        | "huge_val"
        | "inf"
        | "powi"
        | "powif"
        | "powil" => Some(Known::Approximate { strings: 0 }),
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
    use super::super::{FILES, WORLD, parse};
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

    /// Proofs name functions: those of programs that are verified may not share their names. The world's models stand in their place
    /// only where a program is run.
    #[test]
    fn functions_of_all_files_have_different_names() {
        with_big_stack(|| {
            let mut seen = std::collections::BTreeMap::new();
            for file in (0..FILES.len()).filter(|file| *file != WORLD) {
                let unit = parse(file, DataModel::Lp64).expect("models are C");
                for function in unit.functions.iter().filter(|function| function.body.is_some()) {
                    let before = seen.insert(function.name.clone(), FILES[file].0);
                    assert_eq!(before, None, "`{}` is in {} as well", function.name, FILES[file].0);
                }
            }
        });
    }

    /// Names in one row only, models included.
    #[test]
    fn nothing_is_known_in_two_ways() {
        let rows = TABLE.iter().map(|(_, names)| *names).chain(MODELS.iter().map(|(_, names)| *names));
        let mut seen = std::collections::BTreeSet::new();
        for name in rows.flatten() {
            assert!(seen.insert(*name), "`{name}` stands there twice");
            assert!(
                family(name).is_none_or(|family| matches!(family, Known::Atomic | Known::Input)),
                "`{name}` is one of a family"
            );
        }
    }

    #[test]
    fn every_modelled_name_is_a_function_of_the_library() {
        // Names of the verification world, of Linux, and of what assertions of other systems come down to.
        let others = ["printk", "cfree", "__error", "_assert", "isnanf", "isinff", "signbitf", "isfinitef"];
        let is_other = |name: &str| others.contains(&name) || name.contains("assert") || name.contains("VERIFIER");
        let is_compilers = |name: &str| {
            ["__sync_", "__atomic_", "__CPROVER_", "__ctype_", "__sched_", "__margay_"]
                .iter()
                .any(|p| name.starts_with(p))
        };
        let errors = ["reach_error", "__stack_chk_fail", "__chk_fail", "__errno_location"];
        let rows = TABLE.iter().map(|(_, names)| *names).chain(MODELS.iter().map(|(_, names)| *names));
        for name in rows.flatten().filter(|name| !errors.contains(name) && !is_other(name) && !is_compilers(name)) {
            assert!(is_standard(name), "`{name}` is not among the names of the library");
        }
    }

    #[test]
    fn standard_functions_without_a_model_are_refused() {
        let standard = [
            "fgetws_unlocked",
            "fegetexcept",
            "vsscanf",
            "open_memstream",
            "makecontext",
            "sigwait",
            "pthread_create",
            "thrd_create",
            "mbsnrtowcs",
            "strxfrm_l",
            "tsearch",
            "mmap",
            "memcpy_s",
            "atomic_fetch_add",
            "frexpf128",
            "cexpl",
            "strtod_l",
            "__sprintf_chk",
            "__xstat",
            "__isoc23_vsscanf",
            "__realpath_alias",
            "__builtin_ia32_movntq",
        ];
        for name in standard {
            assert_eq!(known(name), Some(Known::Unsupported), "{name}");
        }
        for name in ["kmalloc", "mutex_lock", "foo", "__list_add", "lgamma_rx", "nondet_int", "f", "l", "__f", "_chk"] {
            assert_eq!(known(name), None, "{name}");
        }
        assert_eq!(known("sinf"), known("sin"));
        assert_eq!(known("erff"), Some(Known::Approximate { strings: 0 }));
        assert_eq!(known("__builtin_memcpy"), known("memcpy"));
    }

    #[test]
    fn results_decided_by_arguments_are_distinguished_from_free_ones() {
        for name in ["sqrtl", "powf", INEXACT, "printf", "__builtin_powi", "stat"] {
            assert!(is_approximated(name), "{name}");
        }
        for name in [
            "rand",
            "fopen",
            "clock",
            "getpid",
            "time",
            "some_function",
            "floor",
            "getchar",
            "argc",
            "argument",
            "fscanf",
            "sscanf",
            "puts",
        ] {
            assert!(!is_approximated(name), "{name}");
        }
    }
}
