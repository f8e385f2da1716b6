//! Lists as inductive predicates: ACSL has no separating conjunction, so each predicate also tells the bytes it is about.

use std::fmt::Write;
use std::sync::Arc;

use super::places::tight;
use crate::open::{Held, Part, Shape, Sum};
use crate::task::DataModel;

/// What the names of all predicates begin with.
pub const PREFIX: &str = "margay_";

/// The shapes of a file's lists, numbered as they turn up.
#[derive(Default)]
pub struct Lists {
    shapes: Vec<Arc<Shape>>,
    definitions: Vec<String>,
}

/// A term of a node: its text, and whether it is an address (a `char *`) or a number.
struct Term {
    text: String,
    is_address: bool,
}

impl Lists {
    /// The name of the predicate of lists of a shape; `None` where it cannot be said.
    pub fn name(&mut self, shape: &Arc<Shape>, model: DataModel) -> Option<String> {
        let name = |n: usize, shape: &Shape| format!("{PREFIX}{}_{}", if shape.double { "dls" } else { "sls" }, n + 1);
        if let Some(known) = self.shapes.iter().position(|known| known == shape) {
            return Some(name(known, shape));
        }
        let inner: Vec<String> =
            shape.segments.iter().map(|segment| self.name(&segment.shape, model)).collect::<Option<_>>()?;
        let new = name(self.shapes.len(), shape);
        let definition = definition(&new, shape, &inner, model)?;
        self.shapes.push(shape.clone());
        self.definitions.push(definition);
        Some(new)
    }

    /// What says what the predicates mean; empty where there are none.
    pub fn definitions(&self) -> String {
        self.definitions.concat()
    }
}

fn word(model: DataModel) -> &'static str {
    if model == DataModel::Lp64 { "unsigned long" } else { "unsigned int" }
}

fn definition(name: &str, shape: &Shape, inner: &[String], model: DataModel) -> Option<String> {
    let word = word(model);
    let numbered = |prefix: &str, count: u8| (0..count).map(|n| format!("{prefix}{n}")).collect::<Vec<_>>();
    let (args, locals) = (numbered("a", shape.args), numbered("l", shape.locals));
    let passed: String = args.iter().map(|arg| format!(", {arg}")).collect();
    let declared: String = args.iter().map(|arg| format!(", integer {arg}")).collect();
    let ends = if shape.double { ("char *prev, char *last, ", "prev, last, ") } else { ("", "") };
    let mut out = String::new();
    let _ = writeln!(
        out,
        "/*@ // A list from x on, of so many nodes that stand in these bytes; the last one's link leads to end."
    );
    let _ = writeln!(
        out,
        "  inductive {name}{{L}}(char *x, {}char *end{declared}, integer nodes, set<char *> bytes) {{",
        ends.0
    );
    let empty = if shape.double { "x, prev, prev, x" } else { "x, x" };
    let prev = if shape.double { ", *prev" } else { "" };
    let _ = writeln!(
        out,
        "    case none{{L}}: \\forall char *x{prev}{}; {name}{{L}}({empty}{passed}, 0, \\empty);",
        declared
    );
    // The node: its bytes, what stands in them, and the lists within it.
    let sum = |Sum(part, offset): Sum| -> Term {
        let address = |base: &str| Term {
            text: match offset {
                0 => base.to_owned(),
                _ if offset < 0 => format!("{base} - {}", offset.unsigned_abs()),
                _ => format!("{base} + {offset}"),
            },
            is_address: true,
        };
        match part {
            Part::Zero => Term { text: offset.to_string(), is_address: false },
            Part::Node => address("x"),
            Part::Next => address("next"),
            Part::Prev if shape.double => address("prev"),
            Part::Prev => address("next"),
            Part::Local(n) => address(&format!("l{n}")),
            Part::Arg(n) if offset == 0 => Term { text: format!("a{n}"), is_address: false },
            Part::Arg(n) => Term {
                text: format!("({word})(a{n} {} {})", if offset < 0 { '-' } else { '+' }, offset.unsigned_abs()),
                is_address: false,
            },
        }
    };
    let pointer = |at: Sum| {
        let term = sum(at);
        match (term.is_address, term.text.as_str()) {
            (true, _) => term.text,
            (false, "0") => "\\null".to_owned(),
            (false, _) => format!("(char *){}", term.text),
        }
    };
    let number = |at: Sum| {
        let term = sum(at);
        if term.is_address { format!("({word})({})", term.text) } else { term.text }
    };
    let mut bytes: Vec<String> = Vec::new();
    let mut premises: Vec<String> = Vec::new();
    for cell in &shape.cells {
        let at = tight(&pointer(cell.at));
        let region = match cell.size {
            Sum(Part::Zero, size) => format!("{at} + (0 .. {})", size - 1),
            size => format!("{at} + (0 .. {} - 1)", number(size)),
        };
        premises.push(format!("\\valid{{L}}({region})"));
        match cell.value {
            Held::Is(value) => {
                if cell.size != Sum(Part::Zero, i64::from(model.pointer_bytes())) {
                    return None;
                }
                let value = sum(value);
                let ty = if value.is_address { "char **)".to_owned() } else { format!("{word} *)") };
                premises.push(format!("*({ty}{at} == {}", value.text));
            }
            Held::Each(byte) => {
                let size = number(cell.size);
                let each = format!("*((unsigned char *){at} + i) == {byte}");
                premises.push(format!("(\\forall integer i; 0 <= i < {size} ==> {each})"));
            }
            Held::Unknown | Held::Any => {}
        }
        bytes.push(region);
    }
    for block in &shape.blocks {
        let start = pointer(block.start);
        premises.push(format!("\\freeable{{L}}({start})"));
        premises.push(format!("\\block_length{{L}}({start}) == {}", number(block.size)));
    }
    let mut more = String::new();
    for (n, (segment, inner)) in shape.segments.iter().zip(inner).enumerate() {
        let mut parts = vec![pointer(segment.first)];
        if let Some((last, prev)) = segment.back {
            parts.extend([pointer(prev), pointer(last)]);
        }
        parts.push(pointer(segment.next));
        parts.extend(segment.args.iter().map(|arg| number(*arg)));
        premises.push(format!("{inner}{{L}}({}, k{n}, s{n})", parts.join(", ")));
        if segment.nonempty {
            premises.push(format!("k{n} > 0"));
        }
        let _ = write!(more, ", integer k{n}, set<char *> s{n}");
        bytes.push(format!("s{n}"));
    }
    let rest = if shape.double { "next, x, last, end" } else { "next, end" };
    premises.push(format!("{name}{{L}}({rest}{passed}, nodes, rest)"));
    premises.push(format!("\\separated({}, rest)", bytes.join(", ")));
    let names: String = ["x", "next", "end"]
        .into_iter()
        .map(str::to_owned)
        .chain(shape.double.then(|| "prev".to_owned()))
        .chain(shape.double.then(|| "last".to_owned()))
        .chain(locals)
        .map(|name| format!("*{name}"))
        .collect::<Vec<_>>()
        .join(", ");
    let _ = writeln!(
        out,
        "    case node{{L}}: \\forall char {names}{}, integer nodes, set<char *> rest{more};\n      {}\n      ==> \
         {name}{{L}}(x, {}end{passed}, nodes + 1, \\union({}, rest));\n  }}\n*/",
        declared,
        premises.join("\n      && "),
        ends.1,
        bytes.join(", ")
    );
    Some(out)
}
