//! Where explorations begin.

use std::rc::Rc;

use crate::base::limits::Limits;
use crate::cfa::Program;
use crate::heap::{Context, Smg, State};
use crate::memory::{Stuck, initial};
use crate::smt::Z3Solver;

/// The program's start, in a context of its own.
///
/// # Errors
/// The program's globals cannot be initialised.
pub fn start(program: &Program, limits: &Limits) -> Result<State, Stuck> {
    let context = Rc::new(Context::new(program.model, Box::new(Z3Solver::new()), limits.clone()));
    initial(program, Smg::new(context))
}
