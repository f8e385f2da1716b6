//! (next step)
