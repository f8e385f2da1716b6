//! A program some of whose functions are followed apart from their callers.
//!
//! Each such function is given an *outside* function: what any caller looks like from inside. Nothing of it is
//! ever executed: its only location, which no edge leaves, is where the function returns to, and no call leads to it. Its
//! register [`STUB_RESULT`] receives the result; the further registers of its frame hold what the function's part of the
//! memory shares with the rest.

use std::sync::Arc;

use crate::cfa::{Fingerprint, Function, FunctionId, Loc, Location, Program, Reg, RegDecl};
use crate::smt::Term;

/// Which functions are followed apart from their callers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Summarised {
    /// None: every call is followed within its caller.
    #[default]
    Nothing,
    /// Those without which exploration would not come to an end.
    Recursive,
    /// The same, and what they only carry the address of stays with their callers.
    Opaque,
    /// As with `Recursive`, also those that several calls may share.
    Shared,
}

/// What a function shares with the rest of its caller's state, for one register of the outside frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sharing {
    /// In the caller's terms.
    pub value: Term,
    /// The address of a block that stays with the caller: to the function, a value of which it lost track.
    pub is_opaque: bool,
}

/// A program with outside functions behind its own ones.
pub struct CallerStubs {
    program: Program,
    /// By function of the program itself.
    outside: Vec<Option<FunctionId>>,
}

/// The register of an outside function that receives results.
pub const STUB_RESULT: Reg = Reg(0);

impl CallerStubs {
    /// The program, with an outside function for each function that is summarised.
    pub fn new(program: &Program, is_summarised: impl Fn(FunctionId) -> bool) -> Self {
        let mut extended = program.clone();
        let mut outside = Vec::new();
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId::from_index(extended.functions.len());
            let is_summarised = is_summarised(FunctionId::from_index(index));
            if is_summarised {
                extended.functions.push(outside_of(function));
            }
            outside.push(is_summarised.then_some(id));
        }
        Self { program: extended, outside }
    }

    /// With the outside functions at its end.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// That of the program itself.
    pub fn fingerprint(&self) -> Fingerprint {
        self.program.fingerprint_of_first(self.outside.len())
    }

    /// The outside function of `function`, if it is followed apart from its callers.
    pub fn of(&self, function: FunctionId) -> Option<FunctionId> {
        self.outside.get(function.index()).copied().flatten()
    }

    /// Whether it is one of the outside functions.
    pub fn is_outside(&self, function: FunctionId) -> bool {
        function.index() >= self.outside.len()
    }
}

fn outside_of(function: &Function) -> Function {
    // A function without a result never sets the register.
    let result = RegDecl {
        name: None,
        width: function.result_width.unwrap_or(1),
        c_type: "".into(),
        signed: false,
        scope: None,
    };
    Function {
        name: format!("callers of {}", function.name).into(),
        params: Vec::new(),
        regs: vec![result],
        slots: Vec::new(),
        locations: vec![Location::default()],
        entry: Loc(0),
        result_width: None,
        other_names: Arc::from([]),
        unprototyped: false,
        recast: false,
        hands_out: Vec::new(),
        library: false,
        span: function.span,
    }
}
