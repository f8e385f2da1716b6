//! What a `TRUE` rests on: the meaning of C's operations, symbolic memory graphs, certificates and their check. Links no searcher.
//!
//! A room uses only rooms above it, and those of the crates below, which go by the same names here.

use margay_c::{c, cfa, task};
use margay_smt::{base, numeric, smt, typed_id};

pub mod memory;
pub mod heap;
pub mod evidence;
pub mod frame;
pub mod sharing;
pub mod certificate;
pub mod check;
pub mod question;
