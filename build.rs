//! Provides libz3 (see ARCHITECTURE.md).
fn main() {}
