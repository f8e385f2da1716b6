//! What a state looks like, as plain data, to be drawn: boxes with rows, arrows between them, lists as one box.

use crate::base::span::Pos;

/// What memory holds after an event of a run, with a number for each shape that is the same in all pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// So many events were before, this one among them.
    pub events: usize,
    /// What memory holds then.
    pub picture: Picture,
    /// The number of each shape, by its position in the picture.
    pub blocks: Vec<u32>,
}

/// The states at a loop's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnLoop {
    /// In the program's text.
    pub pos: Pos,
    /// Different states, those with fewer objects first.
    pub pictures: Vec<Picture>,
}

/// A state of the program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// Outermost first; only those with something to show.
    pub frames: Vec<FrameView>,
    /// Boxes; arrows name them by their position here.
    pub shapes: Vec<Shape>,
    /// Constraints that speak of values shown.
    pub facts: Vec<String>,
}

/// The variables of one activation that live in registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameView {
    /// Its name.
    pub function: String,
    /// Those that hold a value.
    pub variables: Vec<Row>,
}

/// A named value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// A variable's name, or the place in an object: a member, or bytes from its start such as `+8`.
    pub label: String,
    /// How many bytes it takes.
    pub bytes: u64,
    /// What it holds.
    pub value: Value,
}

/// What a row holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number, a term over unknown values, or words.
    Text(String),
    /// The null pointer.
    Null,
    /// Nothing is known of it.
    Unknown,
    /// A points-to edge with its offset in bytes as text (empty for none, `+8`, or a term).
    Pointer {
        /// What it points into.
        to: Target,
        /// From the end that `to` names.
        offset: String,
    },
}

/// Where an arrow ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Position in [`Picture::shapes`].
    pub shape: usize,
    /// The end that the offset counts from.
    pub end: End,
}

/// Which part of a shape is meant: one of the ends of all its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// 0 for the end that the shape begins with.
    pub index: usize,
    /// `first`, `last`; nothing where the whole shape is meant.
    pub name: &'static str,
}

impl End {
    /// All of a shape.
    pub const WHOLE: Self = Self { index: 0, name: "" };
}

/// Where an object lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// A block of `malloc` and its kin.
    Heap,
    /// A local variable, or a block of `alloca`.
    Frame,
    /// A global variable, or a literal.
    Static,
}

/// An object, or all nodes of a list segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Where it lives.
    pub storage: Storage,
    /// The variable's name, or how the block came into being.
    pub name: String,
    /// Bytes, as text.
    pub size: String,
    /// Freed, or its variable's block was left, when `false`.
    pub valid: bool,
    /// No variable leads to it.
    pub lost: bool,
    /// Ascending by offset; of a list: the fields of each node but for its links.
    pub rows: Vec<Row>,
    /// The list each node of which has an object like this one.
    pub inside: Option<usize>,
    /// Whether it is one object or stands for nodes.
    pub form: Form,
}

/// What a shape stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// One object.
    Object,
    /// An object that may be missing; pointers to it have this value then.
    Optional(Value),
    /// The nodes of a list or a tree.
    Nodes(Nodes),
}

/// What any number of nodes looks like from outside; the shape's rows are what each of them has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nodes {
    /// `SLL 2+`, `DLL 3+`: how they are linked, and how many there are at least.
    pub title: String,
    /// Where a node holds its links: the members' names, or what the links are for, and bytes from the node's start.
    pub links: Vec<(String, u64)>,
    /// Links point so many bytes into a node.
    pub head: u64,
    /// What the nodes hold at the outer ends.
    pub outer: Vec<Outer>,
    /// What holds of the values of each node.
    pub facts: Vec<String>,
}

/// What nodes hold at an outer end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outer {
    /// `before`, `after`.
    pub label: &'static str,
    /// What the end is called.
    pub at: &'static str,
    /// A walk that comes in at the end of this index, and goes through all nodes, arrives here.
    pub from: usize,
    /// What is held there.
    pub value: Value,
}

impl Nodes {
    /// Where a way that came in at `end` goes on.
    pub fn onward(&self, end: End) -> Option<&Value> {
        let from = |index: usize| self.outer.iter().find(|outer| outer.from == index);
        from(end.index).or_else(|| from(0)).map(|outer| &outer.value)
    }
}

impl Picture {
    /// Every text in it, for change.
    pub(super) fn for_texts(&mut self, change: &mut dyn FnMut(&mut String)) {
        let value = |value: &mut Value, change: &mut dyn FnMut(&mut String)| match value {
            Value::Text(text) | Value::Pointer { offset: text, .. } => change(text),
            Value::Null | Value::Unknown => {}
        };
        for row in self.frames.iter_mut().flat_map(|frame| &mut frame.variables) {
            value(&mut row.value, change);
        }
        for shape in &mut self.shapes {
            change(&mut shape.size);
            for row in &mut shape.rows {
                value(&mut row.value, change);
            }
            match &mut shape.form {
                Form::Object => {}
                Form::Optional(absent) => value(absent, change),
                Form::Nodes(nodes) => {
                    nodes.outer.iter_mut().for_each(|outer| value(&mut outer.value, change));
                    nodes.facts.iter_mut().for_each(&mut *change);
                }
            }
        }
        self.facts.iter_mut().for_each(change);
    }
}
