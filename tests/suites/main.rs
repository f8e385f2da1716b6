//! Many programs through the binary: the own tasks, the commands of the documents, the GitHub action, gcc's torture suite.

mod action;
mod book;
mod examples;
mod failing_allocations;
mod reformatted;
mod tasks;
mod torture;
