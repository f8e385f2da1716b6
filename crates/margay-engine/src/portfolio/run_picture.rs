//! From a state of a run to its picture.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::cfa::Program;
use crate::concrete::{self, Concrete};
use crate::memory::{BlockId, BlockKind, Config};
use crate::show::{End, Form, FrameView, Picture, Row, Shape, Storage, Target, Value};

/// Objects of one picture, rows of one object.
const MOST_SHAPES: usize = 40;
const MOST_ROWS: usize = 12;

/// What a run is at in `config`, with the number of the block that each shape is: the same block has the same in all pictures.
pub(super) fn run_picture(program: &Program, config: &Config<Concrete>) -> (Picture, Vec<u32>) {
    let mut artist = Artist { program, config, blocks: Vec::new(), types: BTreeMap::new() };
    for frame in &config.frames {
        let function = program.function(frame.function);
        if function.library || frame.function == program.start {
            continue;
        }
        for (decl, block) in function.slots.iter().zip(&frame.slots) {
            if let (Some(_), Some(block)) = (&decl.name, block) {
                artist.add(*block, &decl.c_type);
            }
        }
        for (decl, value) in function.regs.iter().zip(&frame.regs) {
            if let (Some(_), Some(value)) = (&decl.name, value) {
                artist.follow(value, &decl.c_type);
            }
        }
    }
    for (global, block) in program.globals.iter().zip(config.globals.iter()) {
        let is_hidden = global.read_only || global.span.start == global.span.end || is_stream(&global.name);
        if !is_hidden {
            artist.add(*block, &global.c_type);
        }
    }
    for block in config.memory.live_heap() {
        artist.add(block, "");
    }
    artist.close();
    artist.picture()
}

fn is_stream(name: &str) -> bool {
    matches!(name, "stdin" | "stdout" | "stderr")
}

struct Artist<'a> {
    program: &'a Program,
    config: &'a Config<Concrete>,
    /// Those on show, in the order they were met.
    blocks: Vec<BlockId>,
    /// What each is taken for.
    types: BTreeMap<BlockId, Arc<str>>,
}

/// A scalar in a block: what it is called, where, its bytes and type.
type Cell = (String, u64, u64, String);

impl Artist<'_> {
    fn add(&mut self, block: BlockId, c_type: &str) {
        if !self.blocks.contains(&block) && self.blocks.len() < MOST_SHAPES {
            self.blocks.push(block);
        }
        let known = self.types.entry(block).or_insert_with(|| c_type.into());
        if known.is_empty() && !c_type.is_empty() {
            *known = c_type.into();
        }
    }

    /// Whatever a pointer of this type points to.
    fn follow(&mut self, value: &concrete::Value, c_type: &str) {
        if let Some((block, offset)) = self.config.memory.points_to(value) {
            let target =
                c_type.strip_suffix('*').filter(|target| offset == 0 && *target != "void" && *target != "char");
            self.add(block, target.unwrap_or_default());
        }
    }

    /// Adds what those on show lead to; later types are used for what comes earlier.
    fn close(&mut self) {
        let mut next = 0;
        while let Some(&block) = self.blocks.get(next) {
            for (_, offset, bytes, c_type) in self.cells(block) {
                if let Some(value) = self.config.memory.peek(block, offset, bytes) {
                    self.follow(&value, &c_type);
                }
            }
            next += 1;
        }
    }

    fn cells(&self, block: BlockId) -> Vec<Cell> {
        let Some(view) = self.config.memory.view(block).filter(|view| view.live) else { return Vec::new() };
        let c_type = self.types.get(&block).map(|known| &**known).unwrap_or_default();
        let element = c_type.split_once('[').map_or(c_type, |(element, _)| element);
        let mut cells: Vec<Cell> = Vec::new();
        let scalar = scalar_size(element, u64::from(self.program.model.pointer_bytes()));
        if let Some(record) = self.program.records.get(element).filter(|record| record.size > 0) {
            for index in 0..(view.size / record.size).min(MOST_ROWS as u64) {
                let prefix = if view.size > record.size { format!("[{index}].") } else { String::new() };
                for member in &record.members {
                    let name = format!("{prefix}{}", member.path);
                    cells.push((name, index * record.size + member.offset, member.size, member.c_type.clone()));
                }
            }
        } else if let Some(size) = scalar {
            for index in 0..(view.size / size).min(MOST_ROWS as u64) {
                let name = if view.size > size { format!("[{index}]") } else { String::new() };
                cells.push((name, index * size, size, element.to_owned()));
            }
        } else {
            let word = u64::from(self.program.model.pointer_bytes());
            let word = if view.size < word { 1 } else { word };
            for index in 0..(view.size / word).min(MOST_ROWS as u64) {
                cells.push((format!("+{}", index * word), index * word, word, String::new()));
            }
        }
        cells.truncate(MOST_ROWS);
        cells
    }

    fn value(&self, value: Option<concrete::Value>, c_type: &str) -> Value {
        let Some(value) = value else { return Value::Unknown };
        if let Some((block, offset)) = self.config.memory.points_to(&value) {
            let offset = if offset == 0 { String::new() } else { format!("{offset:+}") };
            return match self.blocks.iter().position(|shown| *shown == block) {
                Some(shape) => Value::Pointer { to: Target { shape, end: End::WHOLE }, offset },
                None => Value::Text("…".into()),
            };
        }
        match value.provenance {
            concrete::Provenance::Function(id) => Value::Text(format!("&{}", self.program.function(id).name)),
            _ if c_type.ends_with('*') && value.bits.value == 0 => Value::Null,
            _ if c_type == "char" && (b' '..=b'~').contains(&(value.bits.value as u8)) => {
                Value::Text(format!("{} '{}'", value.bits.value, value.bits.value as u8 as char))
            }
            _ if c_type.starts_with("unsigned") || c_type.is_empty() => Value::Text(value.bits.value.to_string()),
            _ => Value::Text(value.bits.signed().to_string()),
        }
    }

    fn picture(&self) -> (Picture, Vec<u32>) {
        let mut picture = Picture::default();
        for frame in &self.config.frames {
            let function = self.program.function(frame.function);
            if function.library || frame.function == self.program.start {
                continue;
            }
            let named = function.regs.iter().zip(&frame.regs).filter_map(|(decl, value)| {
                let value = self.value(Some((*value)?), &decl.c_type);
                let bytes = u64::from(decl.width).div_ceil(8);
                Some(Row { label: decl.name.as_ref()?.to_string(), bytes, value })
            });
            let variables: Vec<Row> = named.take(MOST_ROWS).collect();
            picture.frames.push(FrameView { function: function.name.to_string(), variables });
        }
        for block in &self.blocks {
            let Some(view) = self.config.memory.view(*block) else { continue };
            let row = |(label, offset, bytes, c_type): Cell| {
                let value = self.value(self.config.memory.peek(*block, offset, bytes), &c_type);
                Row { label, bytes, value }
            };
            picture.shapes.push(Shape {
                storage: match view.kind {
                    BlockKind::Heap => Storage::Heap,
                    BlockKind::Stack | BlockKind::Alloca | BlockKind::Argument => Storage::Frame,
                    BlockKind::Static | BlockKind::Literal => Storage::Static,
                },
                name: view.name,
                size: view.size.to_string(),
                valid: view.live,
                lost: false,
                rows: self.cells(*block).into_iter().map(row).collect(),
                inside: None,
                form: Form::Object,
            });
        }
        (picture, self.blocks.iter().map(|block| block.index() as u32).collect())
    }
}

/// Bytes of a scalar of this type; `None` where it is none, or no known one.
fn scalar_size(c_type: &str, pointer: u64) -> Option<u64> {
    Some(match c_type {
        "char" | "signed char" | "unsigned char" | "_Bool" => 1,
        "short" | "unsigned short" => 2,
        "int" | "unsigned int" => 4,
        "long" | "unsigned long" => pointer,
        "long long" | "unsigned long long" => 8,
        _ if c_type.ends_with('*') => pointer,
        _ => return None,
    })
}
