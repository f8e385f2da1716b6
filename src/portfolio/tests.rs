//! What members need of each other's threads.

use super::{Answer, Options};
use crate::base::error::Error;
use crate::base::limits::Limits;
use crate::cfa::Program;
use crate::memory::Checks;

/// A question and its answer go from thread to thread; this need not run, only compile.
const fn shared<T: Send + Sync>() {}

const _: () = {
    shared::<Program>();
    shared::<Checks>();
    shared::<Options>();
    shared::<Limits>();
    shared::<Answer>();
    shared::<Error>();
};
