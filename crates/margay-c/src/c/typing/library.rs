//! Types of library functions and of gcc's built-in functions, for calls without a declaration.

use super::Typer;
use crate::c::types::{FloatKind, FunctionType, IntKind, Type, TypeId};

/// Result and parameter types in one letter each, `.` for variable arguments.
///
/// `v` void, `p` pointer to void, `s` pointer to char, `i` int, `u` unsigned, `l` long, `U` unsigned long, `L` long long,
/// `K` unsigned long long, `z` size_t, `t` ptrdiff_t, `h` unsigned short, `w` wchar_t, `d` double, `f` float,
/// `D` long double, `b` _Bool, `c` char.
pub(super) fn library_signature(name: &str) -> Option<&'static str> {
    Some(match name {
        "malloc" | "alloca" | "valloc" => "pz",
        "calloc" | "aligned_alloc" | "memalign" => "pzz",
        "realloc" => "ppz",
        "reallocarray" => "ppzz",
        "posix_memalign" => "ipzz",
        "free" | "cfree" => "vp",
        "memcpy" | "memmove" | "mempcpy" => "pppz",
        "memset" => "ppiz",
        "memcmp" | "bcmp" => "ippz",
        "memchr" => "ppiz",
        "bzero" => "vpz",
        "bcopy" => "vppz",
        "strlen" => "zs",
        "strnlen" => "zsz",
        "strcpy" | "strcat" | "stpcpy" | "strstr" | "strpbrk" | "strtok" => "sss",
        "strncpy" | "strncat" | "stpncpy" => "sssz",
        "strcmp" | "strcasecmp" | "strcoll" => "iss",
        "strncmp" | "strncasecmp" => "issz",
        "strchr" | "strrchr" | "index" | "rindex" => "ssi",
        "strdup" => "ss",
        "strndup" => "ssz",
        "strspn" | "strcspn" => "zss",
        "strtok_r" => "sssp",
        "strerror" => "si",
        "printf" | "scanf" => "is.",
        "fprintf" | "fscanf" => "ips.",
        "sprintf" | "sscanf" => "iss.",
        "snprintf" => "iszs.",
        "vprintf" => "isV",
        "vfprintf" => "ipsV",
        "vsprintf" => "issV",
        "vsnprintf" => "iszsV",
        "puts" | "atoi" | "system" => "is",
        "fputs" => "isp",
        "putchar" | "abs" | "isalpha" | "isdigit" | "isspace" | "isalnum" | "isupper" | "islower" | "toupper"
        | "tolower" | "isprint" | "ispunct" | "isxdigit" | "iscntrl" | "isgraph" | "isblank" | "isascii"
        | "toascii" | "ffs" => "ii",
        "putc" | "fputc" => "iip",
        "getchar" | "rand" => "i",
        "fgets" => "ssip",
        "gets" | "getenv" => "ss",
        "atol" => "ls",
        "atoll" => "Ls",
        "atof" => "ds",
        "strtol" => "lspi",
        "strtoul" => "Uspi",
        "srand" => "vu",
        "labs" => "ll",
        "llabs" => "LL",
        "exit" | "_exit" | "_Exit" => "vi",
        "abort" => "v",
        "__assert_fail" => "vssus",
        "qsort" => "vpzzp",
        "bsearch" => "pppzzp",
        "sqrt" | "fabs" | "floor" | "ceil" | "sin" | "cos" | "tan" | "exp" | "log" | "round" | "trunc" | "asin"
        | "acos" | "atan" | "sinh" | "cosh" | "tanh" | "log2" | "log10" | "exp2" | "cbrt" | "rint" | "nearbyint" => {
            "dd"
        }
        "sqrtf" | "fabsf" | "floorf" | "ceilf" | "sinf" | "cosf" | "expf" | "logf" | "roundf" | "truncf" => "ff",
        "sqrtl" | "fabsl" | "floorl" | "ceill" => "DD",
        "pow" | "fmod" | "atan2" | "copysign" | "fmax" | "fmin" | "hypot" => "ddd",
        "powf" | "fmodf" | "copysignf" | "fmaxf" | "fminf" => "fff",
        "fmodl" | "copysignl" => "DDD",
        "wcslen" => "zW",
        "wcscpy" | "wcscat" => "WWW",
        "wcsncpy" => "WWWz",
        "wmemset" => "WWwz",
        "wmemcpy" => "WWWz",
        "wcscmp" => "iWW",
        _ => return None,
    })
}

/// Functions that exist only under their `__builtin_` name (given here without it).
pub(super) fn builtin_signature(name: &str) -> Option<&'static str> {
    Some(match name {
        "bswap16" => "hh",
        "bswap32" => "uu",
        "bswap64" => "KK",
        "clz" | "ctz" | "popcount" | "parity" => "iu",
        "clzl" | "ctzl" | "popcountl" | "parityl" => "iU",
        "clzll" | "ctzll" | "popcountll" | "parityll" => "iK",
        "clrsb" | "ffs" => "ii",
        "clrsbl" | "ffsl" => "il",
        "clrsbll" | "ffsll" => "iL",
        "isnan" | "isinf" | "isfinite" | "isnormal" | "isinf_sign" | "signbit" => "id",
        "signbitf" | "isnanf" | "isinff" | "finitef" => "if",
        "signbitl" | "isnanl" | "isinfl" | "finitel" => "iD",
        "finite" => "id",
        "setjmp" => "ip",
        "longjmp" => "vpi",
        "isgreater" | "isgreaterequal" | "isless" | "islessequal" | "islessgreater" | "isunordered" => "idd",
        "prefetch" => "vp.",
        "return_address" | "frame_address" | "extract_return_addr" => "pu",
        "stack_save" => "p",
        "stack_restore" => "vp",
        "cpu_init" => "v",
        "cpu_supports" | "cpu_is" => "is",
        "trap" => "v",
        _ => return None,
    })
}

impl<'a> Typer<'a> {
    /// The function type a signature stands for.
    pub(super) fn type_of_signature(&mut self, signature: &str) -> TypeId {
        let variadic = signature.ends_with('.');
        let mut letters: Vec<TypeId> =
            signature.trim_end_matches('.').chars().map(|c| self.type_of_letter(c)).collect();
        let result = letters.remove(0);
        self.types.intern(Type::Function(FunctionType { result, params: letters, variadic, prototyped: true }))
    }

    fn type_of_letter(&mut self, letter: char) -> TypeId {
        let kind = match letter {
            'v' => return self.common.void,
            'p' => return self.common.void_ptr,
            's' => return self.common.char_ptr,
            'z' => return self.common.size,
            't' => return self.common.ptrdiff,
            'w' => return self.common.wchar,
            'W' => return self.types.pointer_to(self.common.wchar),
            'V' => return self.types.intern(Type::VaList),
            'd' => return self.common.double,
            'f' => return self.types.intern(Type::Float(FloatKind::Single)),
            'D' => return self.types.intern(Type::Float(FloatKind::Extended)),
            'b' => IntKind::Bool,
            'c' => IntKind::Char,
            'h' => IntKind::UShort,
            'u' => IntKind::UInt,
            'l' => IntKind::Long,
            'U' => IntKind::ULong,
            'L' => IntKind::LongLong,
            'K' => IntKind::ULongLong,
            _ => IntKind::Int,
        };
        self.types.int(kind)
    }
}
