//! What people see of a state: pictures as plain data, and invariants said in C.

mod draw;
mod fields;
mod general;
mod invariants;
mod loops;
mod picture;

pub use draw::picture;
pub use general::most_general;
pub use invariants::loop_invariants;
pub use loops::loop_pictures;
pub use picture::{Drawn, DrawnLoop, End, Form, FrameView, Nodes, Outer, Picture, Row, Shape, Storage, Target, Value};
