//! The limits of heap operations, each with its reason. Reaching one costs precision, never soundness.

/// Addresses keep away from both ends of the address space: null and its neighbourhood, and error codes cast to pointers.
pub(super) const FIRST_ADDRESS: u128 = 4096;

/// Facts about more than this many objects in one condition are not worth their query.
pub(super) const MAX_OBJECTS: usize = 4;

/// Larger objects may not fit into the address space together; nothing is concluded from where they cannot be.
pub(super) const LARGEST_OBJECT: u128 = 1 << 24;

/// An offset with more possible values than this is not distinguished case by case: each would be a state.
pub(super) const MAX_OFFSETS: u128 = 16;

/// The same where something is known of cells by their numbers.
pub(super) const MAX_NUMBERED: u128 = 4;

/// The same for the length of a copy.
pub(super) const MAX_LENGTHS: u128 = 16;

/// Ranges of bytes that input cannot hold which states know of: sets in formats rarely have more.
pub(super) const MOST_GAPS: usize = 8;

/// Unwritten parts of copies up to this size get symbols, so that the copy is equal to its source.
pub(super) const SMALL_COPY: u64 = 256;

/// Bytes of the widest value that a C type has.
pub(super) const WIDEST_SYMBOL: u64 = 16;

/// An object keeps no more cells at offsets that are no numbers: each read asks whether it is one of them.
pub(super) const MOST_SINGLE_CELLS: usize = 8;

/// Where values distinguish places, there are no more of them: a write changes what stands at each.
pub(super) const MOST_PLACES: u128 = 128;

/// A read somewhere in a table of known numbers looks at no more of them, and its value becomes a case distinction over no more
/// stretches of equal ones.
pub(super) const MOST_ENTRIES: u64 = 1024;
pub(super) const MOST_STRETCHES: usize = 32;

/// Runs of bytes that searches have found, for one object: the oldest are forgotten.
pub(super) const MOST_FOUND_RUNS: usize = 8;

/// Bytes of a known text that become known of another one where a comparison finds both to be the same.
pub(super) const MOST_AGREED: u64 = 32;

/// Bytes of a known text in which a number is looked for.
pub(super) const MOST_DIGITS: u128 = 256;

/// Cells with blocks of their own of which an access through a number that is not known settles whether it is one of them: each makes a
/// state of its own.
pub(super) const MOST_SETTLED: usize = 2;

/// Runs that the zeros between the known cells of an array become at once.
pub(super) const MOST_ZERO_RUNS: usize = 3;

/// Elements of a table of words, and bytes of one of them, in which the ends of texts are looked for.
pub(super) const MOST_ELEMENTS: u128 = 256;
pub(super) const LARGEST_ELEMENT: u64 = 1 << 12;
