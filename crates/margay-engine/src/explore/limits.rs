//! The limits of explorations, each with its reason. Reaching one costs precision or completeness, never soundness.

/// Runs of one array: parts that differ in what holds of their cells.
pub(super) const MOST_RUNS: usize = 6;

/// Single cells of one array that are kept beside its runs.
pub(super) const MOST_CELLS: usize = 2;

/// Sequences of runs that one array may have at one place before all neighbours become one.
pub(super) const MOST_VARIANTS: usize = 6;

/// Visits of one place that are compared with a new one, to see how numbers change together.
pub(super) const MOST_PAST_VISITS: usize = 4;

/// Numbers that a sum is compared with before it gets a name of its own. Each comparison may cost a query.
pub(super) const MOST_COMPARED: usize = 6;

/// Cells of one array that lead to blocks of their own before these become a table whatever is followed.
pub(super) const MOST_OWNED: usize = 2;

/// Variables that cells of a run are compared with.
pub(super) const MOST_TERMS: usize = 6;

/// Objects of this many bytes (or of unknown size) are arrays: loops may fill them cell by cell, and smaller ones are
/// rarely indexed by a counter.
pub(super) const ARRAY_BYTES: u128 = 128;

/// The same for objects in which something stands at an offset that is no number, such as the end of a line of input.
pub(super) const INDEXED_BYTES: u128 = 16;

/// The same for arrays of characters.
pub(super) const TEXT_BYTES: u128 = 4;

/// Ways in which texts may end in one array of characters at one place before it is only known that one ends there.
pub(super) const MOST_FORMS: usize = 2;

/// Declared arrays, and objects that hold bytes side by side, of fewer bytes are words that are compared byte by byte.
pub(super) const WORD_BYTES: u128 = 8;

/// An object in which more different sets of cells of arrays, or numbers of members, were known at one place is filled by a loop: members
/// of structures are set at once, or some of them.
pub(super) const MOST_FIELDS: usize = 4;

/// Constants that an array may hold before a loop for those that the loop leaves alone to be kept: more are a table, whose cells
/// matter as little as those that loops fill.
pub(super) const MOST_STEADY_CELLS: usize = 8;

/// Cells at offsets that are no numbers which a loop keeps of one array: rarely more than its end matters.
pub(super) const MOST_KNOWN_CELLS: usize = 2;

/// So many times the values that are distinguished in states of one shape are distinguished in those of all, where an object in memory holds
/// them: flags take fewer, counters more.
pub(super) const MOST_OF_ALL_SHAPES: usize = 3;

/// The same for a variable of a function: its loops go by it.
pub(super) const MOST_OF_ALL_SHAPES_IN_REGISTERS: usize = 6;

/// So many times the values that are distinguished of one number are distinguished of all numbers of one shape together, before those in
/// cells of arrays are not: three cells with three values each would make 27 states.
pub(super) const MOST_TOGETHER: usize = 2;

/// Values of one variable that are all distinguished where runs show no more: the states of an automaton, a mode, a depth.
pub(super) const MOST_CHOICES: usize = 8;

/// Thresholds that a number passes one after the other before a number that it never exceeded is bound enough.
pub(super) const MOST_CLIMBS: usize = 3;

/// Thresholds beyond its bounds so far that a number is asked about before its intervals are believed. Each costs a query.
pub(super) const MOST_STOPS: usize = 2;

/// What one loop compares with and leaves as it is: bounds worth stopping at.
pub(super) const MOST_GUARDS: usize = 16;

/// Numbers above one of them that it is compared with, and as many below. Each comparison may cost a query, and loops rarely
/// relate more.
pub(super) const MOST_RELATIONS: usize = 10;

/// Terms of which a number, or a condition, consists at most where loops are abstracted.
pub(super) const LARGEST_NUMBER: usize = 256;

/// Places of the last zero of an array that are distinguished: the ends of the texts in it.
pub(super) const MOST_ENDS: usize = 3;

/// Narrower numbers are characters and flags, which no other number stays below.
pub(super) const LEAST_BITS: u32 = 32;

/// Sums of one number and another that are compared with a third one, and as many with the ends of strings.
pub(super) const MOST_SUMS: usize = 12;

/// Multiples of counters that others stay below: so many characters are written for one that is read.
pub(super) const MOST_TIMES: u8 = 6;

/// Numbers that are compared with how many nodes two lists have together.
pub(super) const MOST_WITHIN: usize = 12;

/// Numbers that may take part in linear equations: each may cost a query.
pub(super) const MOST_SUMMED: usize = 16;

/// Other numbers than the one that an equation tells.
pub(super) const MOST_PARTS: usize = 5;

/// Factors of equations: counts, and the sizes of what is counted.
pub(super) const GREATEST_FACTOR: i128 = 64;

/// What is left over in an equation: a bound, or the size of a block.
pub(super) const GREATEST_REST: i128 = 1 << 40;

/// Pointers into other blocks whose room is compared with that of one of them, counted both ways.
pub(super) const MOST_ROOMS: usize = 4;

/// Inputs of the past that a state keeps because they relate numbers to each other.
pub(super) const MOST_BRIDGES: usize = 3;

/// How often states that are merged keep something that follows from all of them and is less than the first of them said.
pub(super) const MOST_WEAKENED: usize = 4;

/// The same for bounds of one number: widening moves them from threshold to threshold, and nested loops have many.
pub(super) const MOST_BOUNDS: usize = 64;

/// Straight-line steps after which a node is made in any case, so that limits are looked at.
pub(super) const LONGEST_CHAIN: usize = 10_000;

/// Walks before the first one that goes on where runs meet.
pub(super) const FEW_WALKS: usize = 200;

/// Straight-line steps before the first node where runs meet, once walks go on there.
pub(super) const LONGEST_PASSAGE: usize = 4000;

/// States that one given path may lead to at a time: beyond it a diagnosis would take longer than refining blindly.
pub(super) const MOST_STATES: usize = 200;

/// Alarms after which an exploration for people is not followed further: a picture with more shows nothing.
pub(super) const MOST_ALARMS: usize = 100;

/// States at one place that may stay as they came because they do not lie within what they became.
pub(super) const MOST_UNWEAKENED: usize = 32;
