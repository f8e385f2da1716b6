//! Many programs through the binary: the own tasks, the examples of the documents, gcc's torture suite.

mod examples;
mod failing_allocations;
mod reformatted;
mod tasks;
mod torture;
