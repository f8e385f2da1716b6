//! What a state looks like, as plain data for whoever draws it: boxes with rows, arrows between them, lists as one box.

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
    pub function: String,
    pub variables: Vec<Row>,
}

/// A named value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// A variable's name, or the place in an object such as `+8`.
    pub label: String,
    /// How many bytes it takes.
    pub bytes: u64,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number, a term over unknown values, or words.
    Text(String),
    Null,
    /// Nothing is known of it.
    Unknown,
    /// A points-to edge with its offset in bytes as text (empty for none, `+8`, or a term).
    Pointer {
        to: Target,
        offset: String,
    },
}

/// Where an arrow ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Position in [`Picture::shapes`].
    pub shape: usize,
    pub end: End,
}

/// Which part of a shape is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Whole,
    /// The first node of a list.
    First,
    /// The last node of a list.
    Last,
}

/// Where an object lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Heap,
    Frame,
    Static,
}

/// An object, or all nodes of a list segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
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
    pub form: Form,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    Object,
    /// An object that may be missing; pointers to it have this value then.
    Optional(Value),
    List(List),
}

/// The chain behind a list shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// At least so many nodes.
    pub min_len: u32,
    /// Links point so many bytes into a node.
    pub head: u64,
    /// Where a node holds the link to the following one, and to the preceding one of a doubly linked list.
    pub next: u64,
    pub prev: Option<u64>,
    /// What follows the last node.
    pub after: Value,
    /// What precedes the first node, where nodes are linked back.
    pub before: Option<Value>,
    /// What holds of the values of each node.
    pub facts: Vec<String>,
}

impl List {
    /// `SLL 2+`, `DLL 3+`: how the list is linked, and its least length.
    pub fn title(&self) -> String {
        format!("{} {}+", if self.prev.is_some() { "DLL" } else { "SLL" }, self.min_len)
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
                Form::List(list) => {
                    value(&mut list.after, change);
                    list.before.iter_mut().for_each(|before| value(before, change));
                    list.facts.iter_mut().for_each(&mut *change);
                }
            }
        }
        self.facts.iter_mut().for_each(change);
    }
}
