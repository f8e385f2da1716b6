//! The exact memory: bytes with provenance, and runs of programs on given or random inputs.
//!
//! It is the judge of every counterexample ([`replay`]), finds shallow violations by itself ([`RandomSearch`]), and is the
//! oracle that the other memories are tested against.

mod access;
mod arithmetic;
mod block;
mod choices;
mod compact;
mod content;
mod corpus;
mod drift;
mod evidence;
mod explore;
mod image;
mod lasso;
mod leaks;
mod likely;
mod input_bytes;
mod memory;
mod mutate;
mod numbers;
mod outside;
mod page;
mod run;
mod samples;
mod settle;
mod snapshot;
mod source;
mod states;
mod story;
mod text;
mod trace;
mod value;
mod view;
mod words;
mod world;

#[cfg(test)]
mod tests;

pub use evidence::{Counterexample, Event, ViolatingRun};
pub use explore::RandomSearch;
pub use image::Image;
pub use memory::Concrete;
pub use run::{Outcome, Run, RunLimits, Watch, replay, replay_of, run, run_in, run_watched};
pub use samples::{SampledPlace, Samples};
pub use source::Source;
pub use states::{States, Turned};
pub use story::Story;
pub use value::{Provenance, Value};
pub use view::BlockView;
pub use world::{Stream, World};
