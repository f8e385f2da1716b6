//! Margay as a library: four questions about a program, asked by builders and answered by plain data.
//!
//! | question | builder | answer |
//! | --- | --- | --- |
//! | has the program this property? | [`Verifier`] | [`Answer`] with a [`Verdict`] |
//! | what do its functions need, and what do they leave? | [`Contracts`] | a [`FunctionReport`] for each |
//! | what does one run do? | [`Runner`] | [`Execution`] with an [`Outcome`] |
//! | does this witness hold? | [`Validator`] | [`Judgement`] with a [`Validity`] |
//!
//! Each is about a [`Program`]: files, or texts. A question is answered on a thread of its own, on which the caller waits;
//! [`Limits`] bound it, and a [`Cancellation`] ends it. Several may be asked at a time. Nothing is printed, and input that cannot be
//! used is an [`Error`], in most cases with a position.
//!
//! ```
//! use margay::{Program, Property, Verdict, Verifier};
//!
//! let text = "
//!     extern int __VERIFIER_nondet_int(void);
//!     int main(void) {
//!         int n = __VERIFIER_nondet_int();
//!         return n > 0 ? n + 1 : 0;
//!     }";
//! let answer = Verifier::new(Program::from_text("next.c", text)).property(Property::NoOverflow).verify()?;
//! let Verdict::False(run) = answer.verdict else { panic!("{}", answer.verdict) };
//! assert_eq!(run.inputs().next().expect("an input").to_string(), "2147483647");
//! assert_eq!(run.place.expect("a place").position.to_string(), "next.c:5:9");
//! # Ok::<(), margay::Error>(())
//! ```
//!
//! Contracts need no `main`:
//!
//! ```
//! use margay::{Contracts, Program};
//!
//! let program = Program::from_text("set.c", "void set(int *p) { *p = 1; }");
//! let reports = Contracts::new(program).infer()?;
//! assert_eq!((&*reports[0].name, reports[0].contracts.len()), ("set", 1));
//! assert!(reports[0].findings.is_empty());
//! # Ok::<(), margay::Error>(())
//! ```

mod contracts;
mod counterexample;
mod error;
mod limits;
mod program;
mod property;
mod run;
pub(crate) mod units;
mod validate;
mod verify;

pub use contracts::Contracts;
pub use counterexample::{Action, Counterexample, Place, Step, Value};
pub use error::Error;
pub use limits::{Cancellation, Limits};
pub use program::Program;
pub use property::{Property, Specification};
pub use run::{Execution, Outcome, Runner};
pub use validate::Validator;
pub use verify::{Answer, Reason, Verdict, Verifier};

pub use crate::base::span::Pos;
pub use crate::evidence::LoopInvariant;
pub use crate::memory::Weakness;
pub use crate::open::{Aliasing, Contract, Finding, FunctionReport};
pub use crate::task::{DataModel, Violation};
pub use crate::validation::{Judgement, Validity};
pub use crate::verdict::{Assumptions, OutsideMemory};
pub use crate::witness::Witnesses;
