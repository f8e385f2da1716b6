//! C text → typed syntax.

pub mod syntax;
pub mod types;
