//! Classes of words.

pub(super) fn is_keyword(word: &[u8]) -> bool {
    is_type_word(word)
        || is_storage_word(word)
        || matches!(
            word,
            b"if"
                | b"else"
                | b"while"
                | b"for"
                | b"do"
                | b"switch"
                | b"case"
                | b"default"
                | b"return"
                | b"goto"
                | b"break"
                | b"continue"
                | b"sizeof"
                | b"_Alignof"
                | b"__alignof__"
                | b"__alignof"
                | b"_Generic"
                | b"_Static_assert"
        )
}

/// Starts a type: a specifier or the beginning of one.
pub(super) fn is_type_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"void"
            | b"char"
            | b"short"
            | b"int"
            | b"long"
            | b"float"
            | b"double"
            | b"signed"
            | b"unsigned"
            | b"_Bool"
            | b"struct"
            | b"union"
            | b"enum"
            | b"typeof"
            | b"__typeof"
            | b"__typeof__"
            | b"_Complex"
            | b"__complex__"
            | b"__signed__"
            | b"__signed"
            | b"__int128"
            | b"__float128"
            | b"_Float128"
            | b"_Float16"
            | b"_Float32"
            | b"_Float64"
            | b"_Float32x"
            | b"_Float64x"
            | b"__auto_type"
            | b"__builtin_va_list"
            | b"_Atomic"
            | b"__int128_t"
            | b"__uint128_t"
    )
}

/// Storage classes, qualifiers and function specifiers: may precede a declarator whose `int` was left out.
pub(super) fn is_storage_word(word: &[u8]) -> bool {
    matches!(
        word,
        b"static"
            | b"extern"
            | b"register"
            | b"auto"
            | b"const"
            | b"volatile"
            | b"__const"
            | b"__volatile__"
            | b"__volatile"
            | b"inline"
            | b"__inline"
            | b"__inline__"
            | b"_Noreturn"
            | b"typedef"
            | b"restrict"
            | b"__restrict"
            | b"__restrict__"
            | b"_Alignas"
    )
}
