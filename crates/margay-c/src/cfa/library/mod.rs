//! What functions without a body do, as one table.
//!
//! Some map to ops directly; most are models in C, in the files next to this one, lowered like any other function. In them
//! `__margay_…` functions say what C cannot.

#[cfg(test)]
mod coverage_tests;
#[cfg(test)]
mod effects_tests;
mod names;
mod table;

pub use table::{
    ASSEMBLER, INEXACT, allocates, in_header, in_world, is_approximated, known, may_fail, object, scans_string,
};

use super::float_functions::FloatFunction;
use super::ir::{HaltKind, NumberPart};
use crate::base::error::Result;
use crate::c::syntax::Unit;
use crate::c::{self, SourceText};
use crate::task::DataModel;

/// Functions of models that keep something for the one beside them only: where the program does not call that, they do nothing, and
/// states do not differ by it.
pub const KEPT_FOR: [(&str, &str); 1] = [("note_error", "ferror")];

/// A library function the lowering knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// `reach_error` and its like, without a body.
    Error,
    /// `__VERIFIER_nondet_X`.
    Input,
    /// `__VERIFIER_assume`.
    Assume,
    /// Bytes at the first argument, as many as the second says, become arbitrary.
    Havoc {
        /// As one line of input has it: none but the last of them is a newline.
        line: bool,
    },
    /// The same, but that they are members of the set of bytes whose bits the next four arguments are.
    HavocAmong,
    /// No effect; the result, if any, is zero.
    Nothing,
    /// The value of the first argument.
    First,
    /// Any value of the result type, no effect.
    Arbitrary,
    /// Any value, after reading a string at each argument whose bit is set.
    ReadsStrings(u8),
    /// As [`Known::ReadsStrings`], but not every value can be the result.
    Approximate {
        strings: u8,
    },
    /// The objects that arguments (`outputs`, by bits) point to may change, those of `optional` ones unless they are null.
    Fills {
        strings: u8,
        outputs: u8,
        optional: u8,
    },
    /// A function of floating numbers that memories compute.
    Float(FloatFunction),
    /// Which kind a floating number is of, in the format it is given in.
    Classify(FloatClass),
    /// `setjmp`.
    NotePlace,
    /// What follows may be more than real runs do.
    Inexact,
    Halt(HaltKind),
    /// What `assert` calls where its condition does not hold.
    AssertionFails,
    Malloc,
    Calloc,
    Free,
    Alloca,
    /// `memcpy(d, s, n)`; `end`: the result is `d + n`; `swapped`: the source comes first.
    Copy {
        end: bool,
        swapped: bool,
    },
    /// `memset(d, c, n)`.
    Set,
    /// `bzero(d, n)`.
    Zero,
    /// Byte order reversed.
    Swap,
    /// `printf` and its like: the format's position among the arguments, whether it is wide, and whether what it speaks of is a
    /// `va_list`.
    Print {
        format: u8,
        wide: bool,
        list: bool,
    },
    /// `sprintf`: first argument the buffer, the second its size where it is bounded.
    PrintTo {
        bounded: bool,
        wide: bool,
        list: bool,
    },
    /// `asprintf`: the first argument is where the address of a new block goes.
    PrintNew {
        list: bool,
    },
    /// `error`, `warn` and their like: a message by a format, after which the program may end.
    Report {
        format: u8,
        list: bool,
        ends: Ends,
    },
    /// `scanf` and its like.
    Scan {
        format: u8,
        wide: bool,
    },
    /// Size of the heap block that starts at the argument.
    BlockSize,
    /// How many bytes at the first argument stand before one that ends the search, at most as many as the next number says; the
    /// arguments behind it say which ones do.
    Find(Searched),
    /// Whether the first argument is one of so many addresses behind the second.
    Overlaps,
    /// What the number in the text at the first argument is, in the base that the second says.
    Number(NumberPart),
    /// `__sync_…` and `__atomic_…`, by their names.
    Atomic,
    /// Nothing is known about what happens.
    GiveUp,
    /// A function of the standard library without a model.
    Unsupported,
    /// The function `model` of library file number `file`.
    Model {
        file: usize,
        model: &'static str,
    },
}

/// What a search looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Searched {
    /// One of some bytes.
    Byte,
    /// A byte that is none of them.
    OtherByte,
    /// A byte that is no member of a set, which four arguments are.
    NoMember,
    /// One of some bytes, or one that differs from the one at the same place behind the second argument.
    Difference,
}

/// The questions after the kind of a floating number (C11 7.12.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatClass {
    Nan,
    Infinite,
    /// 1 or -1 for an infinity.
    WhichInfinity,
    Finite,
    Normal,
    /// The sign bit. What is returned where it is set depends on the format and on how gcc optimises.
    Negative,
    /// `fpclassify`: one of five numbers, which the call may give.
    Kind,
}

impl FloatClass {
    /// What the function with this name asks, whatever the format it is for.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.strip_prefix("__").unwrap_or(name);
        let exactly = |name: &str| {
            Some(match name {
                "isnan" => Self::Nan,
                "isinf" => Self::Infinite,
                "isinf_sign" => Self::WhichInfinity,
                "isfinite" | "finite" => Self::Finite,
                "isnormal" => Self::Normal,
                "signbit" => Self::Negative,
                "fpclassify" => Self::Kind,
                _ => return None,
            })
        };
        exactly(name).or_else(|| exactly(name.strip_suffix(['f', 'l'])?))
    }
}

/// When a function that tells of an error ends the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    Always,
    /// Where its first argument is not zero.
    IfNonzero,
    Never,
}

/// The library's own C text, one translation unit a file, with the name it has in messages.
pub const FILES: [(&str, &str); 20] = [
    ("memory.c", include_str!("memory.c")),
    ("strings.c", include_str!("strings.c")),
    ("wide.c", include_str!("wide.c")),
    ("stdlib.c", include_str!("stdlib.c")),
    ("stdio.c", include_str!("stdio.c")),
    ("bits.c", include_str!("bits.c")),
    ("ctype.c", include_str!("ctype.c")),
    ("math.c", include_str!("math.c")),
    ("files.c", include_str!("files.c")),
    ("time.c", include_str!("time.c")),
    ("locks.c", include_str!("locks.c")),
    ("fortified.c", include_str!("fortified.c")),
    ("multibyte.c", include_str!("multibyte.c")),
    ("environment.c", include_str!("environment.c")),
    ("world.c", include_str!("world.c")),
    ("scanning.c", include_str!("scanning.c")),
    ("complex.c", include_str!("complex.c")),
    ("options.c", include_str!("options.c")),
    ("argz.c", include_str!("argz.c")),
    ("printing.c", include_str!("printing.c")),
];

// Positions in [`FILES`].
pub const MEMORY: usize = 0;
pub const STRINGS: usize = 1;
pub const WIDE: usize = 2;
pub const STDLIB: usize = 3;
pub const STDIO: usize = 4;
pub const BITS: usize = 5;
pub const CTYPE: usize = 6;
pub const MATH: usize = 7;
pub const FILES_AND_PROCESSES: usize = 8;
pub const TIME: usize = 9;
pub const LOCKS: usize = 10;
pub const FORTIFIED: usize = 11;
pub const MULTIBYTE: usize = 12;
pub const ENVIRONMENT: usize = 13;
pub const WORLD: usize = 14;
pub const SCANNING: usize = 15;
pub const COMPLEX: usize = 16;
pub const OPTIONS: usize = 17;
pub const ARGZ: usize = 18;
pub const PRINTING: usize = 19;

/// Parses a library file for a data model.
pub fn parse(file: usize, model: DataModel) -> Result<Unit> {
    let (name, text) = FILES[file];
    // All that the files need to know about the model.
    let types = match model {
        DataModel::Ilp32 => "typedef unsigned int size_t; typedef int ssize_t; typedef long wchar_t;",
        DataModel::Lp64 => "typedef unsigned long size_t; typedef long ssize_t; typedef int wchar_t;",
    };
    c::parse(&SourceText::from_text(&format!("library/{name}"), &format!("{types} {text}"), model))
}
