//! A proof as plain data that a file can hold: terms as one table, states by their frames, objects and constraints, edges with
//! the steps taken and how the arrival lies within a state of the proof. Terms and states are named by position.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::evidence::ProofId;
use crate::frame::Summarised;
use crate::heap::Branches;
use crate::memory::BlockKind;
use crate::smt::Op;

/// States and edges of a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Of the exploration that ended with it; a proof from a file has none.
    #[serde(skip)]
    pub(super) id: Option<ProofId>,
    pub(super) terms: Vec<TermText>,
    pub(super) states: Vec<StateText>,
    /// Which functions were followed apart from their callers.
    #[serde(with = "ApartText")]
    pub apart: Summarised,
    /// By state: the context it belongs to.
    pub contexts: Vec<usize>,
    /// By context: the state in which it is entered.
    pub entries: Vec<usize>,
    /// How the program's first state lies within the proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) start: Option<CoverEdgeText>,
    /// By state.
    pub(super) edges: Vec<Vec<CoverEdgeText>>,
    /// Functions and locations where runs meet and are followed further.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) passed: Vec<(u32, u32)>,
    /// Numbers written to the heap that are one of a few are distinguished.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) splits_choices: bool,
    /// An access at one of several places where only numbers stand is one state.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) cells_by_number: bool,
    /// A search for a byte is one state.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) finds_at_once: bool,
    /// By state, where the program is said to end: its measure, a tuple of terms. Empty where nothing is said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) measures: Vec<Vec<(usize, Order)>>,
    /// Models that may come up: terms (symbols) and values. Hints for a check at once, which files do not have.
    #[serde(skip)]
    pub(super) models: Vec<Vec<(usize, u128)>>,
}

/// How an entry of a measure decreases: as a number of this kind that falls, or rises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// An unsigned number falls.
    Falls,
    /// A signed number falls.
    FallsSigned,
    /// An unsigned number rises.
    Rises,
    /// A signed number rises.
    RisesSigned,
    /// Some lists have fewer nodes together: a sum of their counts falls by a constant.
    Nodes,
}

/// A term; operands stand before it in the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum TermText {
    Const {
        #[serde(with = "decimal")]
        value: u128,
        width: u32,
    },
    Symbol {
        kind: KindText,
        width: u32,
        alignment: u32,
    },
    Not(usize),
    Op(#[serde(with = "OpText")] Op, usize, usize),
    Extract {
        of: usize,
        high: u32,
        low: u32,
    },
    ZeroExtend {
        of: usize,
        width: u32,
    },
    SignExtend {
        of: usize,
        width: u32,
    },
    Ite(usize, usize, usize),
}

/// The names of operators.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Op")]
enum OpText {
    Add,
    Mul,
    UDiv,
    URem,
    SDiv,
    SRem,
    And,
    Or,
    Xor,
    Shl,
    LShr,
    AShr,
    Concat,
    Eq,
    Ult,
    Ule,
    Slt,
    Sle,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Summarised")]
enum ApartText {
    Nothing,
    Recursive,
    Opaque,
    Shared,
}

/// Numbers of up to 128 bits as decimal texts.
mod decimal {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| serde::de::Error::custom(format!("`{text}` is no number")))
    }
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum KindText {
    Address(u32),
    Function(u32),
    Input(u32),
    External(u32),
    Content { object: u32, offset: u64 },
    ExternalContent { object: u32, offset: u64 },
    Forgotten(u32),
    Cell { index: bool },
    Bound { depth: u8, number: u32, class: u8 },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StateText {
    pub frames: Vec<Arc<FrameText>>,
    pub globals: Vec<u32>,
    pub objects: Vec<Arc<ObjectText>>,
    pub constraints: Vec<usize>,
    /// The numbers the next block, input and forgotten value get.
    pub next: [u32; 3],
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FrameText {
    pub function: String,
    pub location: u32,
    /// For people.
    pub line: u32,
    pub registers: Vec<Option<usize>>,
    pub slots: Vec<Option<u32>>,
    pub allocas: Vec<u32>,
    pub result: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ObjectText {
    /// In bodies: the position.
    pub id: u32,
    pub kind: BlockKind,
    pub name: String,
    pub address: usize,
    pub size: usize,
    pub valid: bool,
    pub zeroed: bool,
    pub blurred: bool,
    pub cells: Vec<CellText>,
    /// What is known of cells on top of that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<RunText>,
    pub form: FormText,
}

/// The cells `first <= j < last`, each at `offset + stride * j`, and what holds of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RunText {
    pub offset: u64,
    pub stride: u64,
    pub bits: u32,
    pub first: usize,
    pub last: usize,
    pub facts: Vec<usize>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read: bool,
    /// The cells hold what this object says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<u32>,
    /// A text ends in each cell.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub text: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CellText {
    pub offset: u64,
    pub bytes: u64,
    pub holds: HoldsText,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum HoldsText {
    Value(usize),
    /// Each byte.
    Uniform(usize),
    Forgotten,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FormText {
    Region,
    /// The first node of a segment.
    Segment(Box<SegmentText>),
    Tree(Box<TreeText>),
    Table(Box<TableText>),
    /// The last node of the segment with this first one.
    LastOf(u32),
    /// May be absent, and has this address then.
    Optional(usize),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SegmentText {
    pub last: u32,
    pub min_len: u32,
    /// Offsets of what links point to, and of the links.
    pub head: u64,
    pub next_at: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branching_at: Option<u64>,
    pub prev_at: Option<u64>,
    pub next: usize,
    pub prev: Option<usize>,
    /// Where pointers to the ends lead when there is no node, if not to `next` and `prev`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub empty: Option<usize>,
    /// Of a path down a tree: what links to children hold where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leaf: Option<usize>,
    /// How many nodes there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
    /// What nodes look like, by their kind.
    pub bodies: Vec<BodyText>,
    /// Which kinds follow each other, if not each any other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderText>,
}

/// Which kinds of nodes may be the first, the last, and behind one of each kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OrderText {
    pub first: Vec<usize>,
    pub last: Vec<usize>,
    pub follows: Vec<Vec<usize>>,
}

/// What a node looks like.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BodyText {
    pub depth: u8,
    pub objects: Vec<ObjectText>,
    pub facts: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TreeText {
    pub links: Branches,
    pub min_len: u32,
    /// What links to children hold where there is none.
    pub leaf: usize,
    /// What the root's link to its parent holds.
    pub up: Option<usize>,
    pub body: BodyText,
}

/// The cells `first <= j < last` of arrays, and what hangs below each.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableText {
    pub first: usize,
    pub last: usize,
    pub body: BodyText,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CoverEdgeText {
    /// Function, location, edge.
    pub steps: Vec<(u32, u32, u32)>,
    pub target: usize,
    /// How the arrival lies within the target, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<MapText>,
}

/// An embedding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MapText {
    /// Object of the target and what it stands for.
    pub objects: Vec<(u32, PlaceText)>,
    /// Symbol of the target and what it stands for.
    pub symbols: Vec<(usize, usize)>,
    /// Of a node: its kind, by the position of the body.
    #[serde(default, skip_serializing_if = "is_first")]
    pub kind: usize,
}

fn is_first(kind: &usize) -> bool {
    *kind == 0
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PlaceText {
    Object(u32),
    Absent,
    Chain(Vec<LinkText>),
    Tree(TreePartText),
    Table(Vec<TablePartText>),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TablePartText {
    /// Its number.
    Cell(usize, MapText),
    /// The numbers of the first and of that behind the last one.
    Nulls((usize, usize), MapText),
    Table(u32, Vec<MapText>),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TreePartText {
    Nothing,
    Node(u32, MapText, Vec<TreePartText>),
    Tree(u32, Vec<MapText>),
    Path(u32, Vec<MapText>, Box<TreePartText>),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum LinkText {
    Node(u32, MapText),
    Branching(u32, MapText, bool, TreePartText),
    Segment(u32, Vec<MapText>),
}

impl Certificate {
    /// How many states it has.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// How many edges to states it has.
    pub fn edges(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }
}
