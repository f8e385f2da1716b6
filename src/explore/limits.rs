//! The limits of explorations, each with its reason. Reaching one costs precision or completeness, never soundness.

/// Objects of this many bytes (or of unknown size) are arrays: loops may fill them cell by cell, and smaller ones are
/// rarely indexed by a counter.
pub(super) const ARRAY_BYTES: u128 = 128;

/// Numbers that one of them is compared with. Each comparison may cost a query, and loops rarely relate more.
pub(super) const MOST_RELATIONS: usize = 10;

/// Straight-line steps after which a node is made in any case, so that limits are looked at.
pub(super) const LONGEST_CHAIN: usize = 10_000;

/// States that one given path may lead to at a time: beyond it a diagnosis would take longer than refining blindly.
pub(super) const MOST_STATES: usize = 200;

/// Alarms after which an exploration for people is not followed further: a picture with more shows nothing.
pub(super) const MOST_ALARMS: usize = 100;
