//! Functions of floating numbers that are computed where their arguments are known (C11 7.12).

/// A function of two numbers of one format, as an operation of expressions. Functions of one number ignore the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatFunction {
    /// One number is the result, whatever library computes it.
    Exact(ExactFunction),
    /// Libraries differ in the last bits.
    Elementary(ElementaryFunction, Side),
    /// 1 where the first number is known, else 0: a model may take the one way or the other.
    IsKnown,
    /// How many characters `printf` prints of the first number without its sign; the second one is a form
    /// (see [`PrintedForm`]).
    PrintedLength,
    /// One of these characters; the second number is the form, and which character it is times [`PrintedForm::STEP`].
    Printed,
}

/// A function whose result is exact, or rounded as IEEE 754 asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExactFunction {
    /// `sqrt`.
    Sqrt,
    /// `rint`, rounding to the nearest even integer.
    Rint,
    /// `fmod`: the remainder of the quotient rounded towards zero.
    Fmod,
    /// `remainder`: that of the quotient rounded to the nearest integer.
    Remainder,
    /// `nextafter`: the neighbour of the first number towards the second.
    NextAfter,
    /// `ldexp`: the first number times two to the power of the second.
    Scale,
    /// `logb`: the exponent, as a floating number.
    Logb,
}

/// A function that libraries approximate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElementaryFunction {
    /// `exp`.
    Exp,
    /// `exp2`.
    Exp2,
    /// `expm1`.
    Expm1,
    /// `log`, to the base e.
    Log,
    /// `log2`.
    Log2,
    /// `log10`.
    Log10,
    /// `log1p`.
    Log1p,
    /// `sin`, of radians.
    Sin,
    /// `cos`, of radians.
    Cos,
    /// `tan`, of radians.
    Tan,
    /// `asin`.
    Asin,
    /// `acos`.
    Acos,
    /// `atan`.
    Atan,
    /// `sinh`.
    Sinh,
    /// `cosh`.
    Cosh,
    /// `tanh`.
    Tanh,
    /// `cbrt`.
    Cbrt,
    /// `pow`.
    Pow,
    /// `atan2`: the first number is the ordinate.
    Atan2,
    /// `hypot`.
    Hypot,
}

/// Which number of those that libraries return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// None of them is below.
    Below,
    /// What this machine's library returns; known in runs only.
    Machine,
    /// None of them is above.
    Above,
}

impl FloatFunction {
    /// The function of C's library with this name, without `f` or `l` at its end.
    pub fn named(name: &str) -> Option<Self> {
        use ElementaryFunction as E;
        use ExactFunction as X;
        let exact = match name {
            "sqrt" => Some(X::Sqrt),
            "rint" | "nearbyint" => Some(X::Rint),
            "fmod" => Some(X::Fmod),
            "remainder" | "drem" => Some(X::Remainder),
            "nextafter" => Some(X::NextAfter),
            "scale" => Some(X::Scale),
            "logb" => Some(X::Logb),
            _ => None,
        };
        let elementary = match name {
            "exp" => E::Exp,
            "exp2" => E::Exp2,
            "expm1" => E::Expm1,
            "log" => E::Log,
            "log2" => E::Log2,
            "log10" => E::Log10,
            "log1p" => E::Log1p,
            "sin" => E::Sin,
            "cos" => E::Cos,
            "tan" => E::Tan,
            "asin" => E::Asin,
            "acos" => E::Acos,
            "atan" => E::Atan,
            "sinh" => E::Sinh,
            "cosh" => E::Cosh,
            "tanh" => E::Tanh,
            "cbrt" => E::Cbrt,
            "pow" => E::Pow,
            "atan2" => E::Atan2,
            "hypot" => E::Hypot,
            "is_known" => return Some(Self::IsKnown),
            "printed_length" => return Some(Self::PrintedLength),
            "printed" => return Some(Self::Printed),
            _ => return exact.map(Self::Exact),
        };
        Some(Self::Elementary(elementary, Side::Machine))
    }

    /// Its name in an automaton that is shown.
    pub fn name(self) -> String {
        match self {
            Self::Exact(exact) => format!("{exact:?}").to_lowercase(),
            Self::Elementary(function, Side::Machine) => format!("{function:?}").to_lowercase(),
            Self::Elementary(function, side) => format!("{function:?}_{side:?}").to_lowercase(),
            Self::IsKnown => "is_known".into(),
            Self::PrintedLength => "printed_length".into(),
            Self::Printed => "printed".into(),
        }
    }

    /// The bound of what libraries return, where these differ.
    pub fn bound(self, side: Side) -> Option<Self> {
        match self {
            Self::Elementary(function, _) => Some(Self::Elementary(function, side)),
            _ => None,
        }
    }

    /// Whether proofs may compute it: no library returns another number.
    pub fn is_certain(self) -> bool {
        !matches!(self, Self::Elementary(_, Side::Machine))
    }
}

/// How `printf` prints a floating number, packed into an integer below [`Self::STEP`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrintedForm {
    /// The conversion's letter.
    pub letter: u8,
    /// The flag `#`.
    pub alternate: bool,
    /// Digits behind the point, or significant ones.
    pub precision: u32,
}

impl PrintedForm {
    /// Forms are below it.
    pub const STEP: u64 = 1 << 24;
    /// Longer ones are not computed.
    pub const MOST_PRECISION: u32 = 1000;

    /// The form as a number.
    pub fn pack(self) -> u64 {
        u64::from(self.letter) | u64::from(self.alternate) << 8 | u64::from(self.precision) << 9
    }

    /// The form that a number packs.
    pub fn unpack(packed: u64) -> Self {
        Self { letter: packed as u8, alternate: packed >> 8 & 1 == 1, precision: (packed >> 9 & 0x7fff) as u32 }
    }
}
