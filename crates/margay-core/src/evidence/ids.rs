//! Names of nodes and of entries.

use crate::typed_id;

typed_id! {
    /// A node of one transition system.
    NodeId
}
typed_id! {
    /// An entry of a function that is followed once for all callers; the program's start is the first.
    ContextId
}
