//! Whether a concrete heap is one that a postcondition describes: by walking from what is known, with backtracking.

use margay::concrete::Image;
use margay::memory::BlockKind;
use margay::open::{CellText, Expr, Post, SegmentText, ValueText};

use super::expr::{Env, mask, op, variables};
use super::unroll::{FlatBlock, conjuncts, node};

/// A heap after a run, and what a postcondition may speak of in it.
pub struct Setting<'a> {
    pub images: &'a [Image],
    /// Blocks from this one on were made by the function.
    pub made: usize,
    /// By block that was there before, which bytes the precondition was about.
    pub footprint: &'a [Vec<bool>],
    /// Heap blocks of the precondition that were freed since.
    pub freed: &'a [u128],
}

/// What is still to be found.
#[derive(Clone)]
struct Search {
    env: Env,
    pure: Vec<Expr>,
    cells: Vec<CellText>,
    segments: Vec<SegmentText>,
    blocks: Vec<FlatBlock>,
    /// By block, which bytes were found.
    claimed: Vec<Vec<bool>>,
    /// Blocks that are known as heap blocks.
    known: Vec<bool>,
    freed: Vec<u128>,
}

/// Why a heap is not one of a postcondition's, or `Ok`.
pub enum Verdict {
    Holds,
    Fails(String),
    /// Some variable stays open, and the conditions on it are too hard.
    Open(String),
}

struct Effort {
    left: usize,
    why: String,
    open: Option<String>,
}

pub fn judge(setting: &Setting, before: &Env, variables_of_pre: usize, post: &Post, result: Option<u128>) -> Verdict {
    let mut env = before.clone();
    env.values.truncate(variables_of_pre);
    env.widths.truncate(variables_of_pre);
    for width in &post.vars {
        env.fresh(*width);
    }
    let formula = &post.formula;
    let mut pure = conjuncts(&env, &formula.pure);
    match (&post.result, result) {
        (Some(expr), Some(value)) => {
            let width = env.width(expr);
            pure.push(op("eq", expr.clone(), super::expr::number(value, width)));
        }
        (Some(_), None) => return Verdict::Fails("no result".into()),
        (None, _) => {}
    }
    let blocks = formula.blocks.iter().map(|block| FlatBlock {
        start: block.start.clone(),
        size: block.size.clone(),
        live: block.live,
        top: true,
    });
    let search = Search {
        env,
        pure,
        cells: formula.cells.clone(),
        segments: formula.segments.clone(),
        blocks: blocks.collect(),
        claimed: setting.images.iter().map(|image| vec![false; image.bytes.len()]).collect(),
        known: vec![false; setting.images.len()],
        freed: Vec::new(),
    };
    let mut effort = Effort { left: 4000, why: String::new(), open: None };
    match (solve(setting, search, &mut effort), effort.open) {
        (true, _) => Verdict::Holds,
        (false, None) if effort.left > 0 => Verdict::Fails(effort.why),
        (false, None) => Verdict::Open("too long".into()),
        (false, Some(why)) => Verdict::Open(why),
    }
}

fn solve(setting: &Setting, mut search: Search, effort: &mut Effort) -> bool {
    if effort.left == 0 {
        return false;
    }
    effort.left -= 1;
    loop {
        match search.advance(setting) {
            Err(why) => {
                effort.why = why;
                return false;
            }
            Ok(true) => {}
            Ok(false) => break,
        }
    }
    // A list with a known end has a node there, or it has none.
    let known = |expr: &Expr| search.env.value(expr).is_some();
    let ready = search.segments.iter().position(|segment| known(&segment.first)).map(|index| (index, false));
    let from_back = |segment: &SegmentText| segment.back.as_ref().is_some_and(|(last, _)| known(last));
    let ready = ready.or_else(|| search.segments.iter().position(from_back).map(|index| (index, true)));
    if let Some((index, back)) = ready {
        let segment = search.segments.remove(index);
        if !segment.nonempty {
            let mut empty = search.clone();
            empty.pure.push(op("eq", segment.first.clone(), segment.next.clone()));
            if let Some((last, prev)) = &segment.back {
                empty.pure.push(op("eq", last.clone(), prev.clone()));
            }
            if solve(setting, empty, effort) {
                return true;
            }
        }
        search.unfold(segment, back);
        return solve(setting, search, effort);
    }
    // Blocks of which only their size is told: any that is left.
    if let Some(index) = search.blocks.iter().position(|block| block.live) {
        let block = search.blocks.remove(index);
        for (image, known) in setting.images.iter().zip(&search.known.clone()) {
            if image.live && image.kind == BlockKind::Heap && !known {
                let mut found = search.clone();
                found.pure.push(op(
                    "eq",
                    block.start.clone(),
                    super::expr::number(image.address.into(), search.env.names.bits),
                ));
                found.blocks.push(block.clone());
                if solve(setting, found, effort) {
                    return true;
                }
            }
        }
        return false;
    }
    if !search.cells.is_empty() || !search.segments.is_empty() {
        effort.open.get_or_insert("a cell that nothing leads to".into());
        return false;
    }
    if let Err(why) = search.complete(setting) {
        effort.why = why;
        return false;
    }
    if search.pure.is_empty() || search.guess() {
        return true;
    }
    effort.open.get_or_insert(format!("conditions on unknown values: {:?}", search.pure));
    false
}

impl Search {
    /// One round over all that can be decided: whether anything was.
    fn advance(&mut self, setting: &Setting) -> Result<bool, String> {
        let mut done = false;
        for condition in std::mem::take(&mut self.pure) {
            match self.env.unify(&condition, 1) {
                Some(true) => done = true,
                Some(false) => return Err(format!("{condition:?} does not hold")),
                None => self.pure.push(condition),
            }
        }
        for cell in std::mem::take(&mut self.cells) {
            match (self.env.value(&cell.at), self.env.value(&cell.size)) {
                (Some(at), Some(size)) => {
                    self.cell(setting, at, size, &cell.value)?;
                    done = true;
                }
                _ => self.cells.push(cell),
            }
        }
        for block in std::mem::take(&mut self.blocks) {
            let Some(start) = self.env.value(&block.start) else {
                self.blocks.push(block);
                continue;
            };
            done = true;
            let found = setting.images.iter().position(|image| u128::from(image.address) == start);
            let found = found.filter(|index| setting.images[*index].kind == BlockKind::Heap);
            let Some(index) = found else { return Err(format!("no heap block at {start:#x}")) };
            let image = &setting.images[index];
            if image.live != block.live {
                return Err(format!("the block at {start:#x} is {}", if image.live { "alive" } else { "freed" }));
            }
            if !block.live {
                self.freed.push(start);
                continue;
            }
            if std::mem::replace(&mut self.known[index], true) {
                return Err(format!("the block at {start:#x} stands there twice"));
            }
            let size = super::expr::number(image.bytes.len() as u128, self.env.names.bits);
            self.pure.push(op("eq", block.size, size));
        }
        Ok(done)
    }

    fn cell(&mut self, setting: &Setting, at: u128, size: u128, value: &ValueText) -> Result<(), String> {
        if size == 0 {
            return Ok(());
        }
        let holds = |image: &Image| {
            let start = u128::from(image.address);
            image.live && start <= at && at + size <= start + image.bytes.len() as u128
        };
        let Some(index) = setting.images.iter().position(holds) else {
            return Err(format!("no {size} bytes at {at:#x}"));
        };
        let image = &setting.images[index];
        let offset = (at - u128::from(image.address)) as usize;
        let range = offset..offset + size as usize;
        for byte in range.clone() {
            if std::mem::replace(&mut self.claimed[index][byte], true) {
                return Err(format!("the byte at {:#x} stands there twice", image.address + byte as u64));
            }
            if index < setting.made && !setting.footprint[index][byte] {
                return Err(format!("the byte at {:#x} is not the function's", image.address + byte as u64));
            }
        }
        let bytes: Vec<u8> = image.bytes[range].iter().map(|byte| byte.unwrap_or(0xa5)).collect();
        match value {
            ValueText::Any => Ok(()),
            ValueText::Each(expr) => {
                if bytes.iter().any(|byte| *byte != bytes[0]) {
                    return Err(format!("unequal bytes at {at:#x}"));
                }
                self.equal(expr, bytes[0].into(), at)
            }
            ValueText::Is(expr) if bytes.len() > 16 => Err(format!("{expr:?} is wide")),
            ValueText::Is(expr) => {
                let value = bytes.iter().rev().fold(0u128, |value, byte| value << 8 | u128::from(*byte));
                self.equal(expr, value, at)
            }
        }
    }

    fn equal(&mut self, expr: &Expr, value: u128, at: u128) -> Result<(), String> {
        match self.env.unify(expr, value) {
            Some(true) => Ok(()),
            Some(false) => Err(format!("{value:#x} stands at {at:#x}, not {expr:?} = {:x?}", self.env.value(expr))),
            None => {
                let width = self.env.width(expr);
                self.pure.push(op("eq", expr.clone(), super::expr::number(value, width)));
                Ok(())
            }
        }
    }

    /// The list has a node at its beginning, or at its end.
    fn unfold(&mut self, segment: SegmentText, from_back: bool) {
        let env = &mut self.env;
        let middle = env.fresh(env.names.bits);
        let (parts, rest) = match (segment.back.clone(), from_back) {
            (Some((last, prev)), true) => {
                let next = segment.next.clone();
                let parts = node(env, &segment.shape, last.clone(), next, Some(middle.clone()), &segment.args);
                (parts, SegmentText { next: last, back: Some((middle, prev)), nonempty: false, ..segment })
            }
            (back, _) => {
                let prev = back.as_ref().map(|(_, prev)| prev.clone());
                let first = segment.first.clone();
                let parts = node(env, &segment.shape, first.clone(), middle.clone(), prev, &segment.args);
                let back = back.map(|(last, _)| (last, first));
                (parts, SegmentText { first: middle, back, nonempty: false, ..segment })
            }
        };
        self.cells.extend(parts.cells);
        self.blocks.extend(parts.blocks);
        self.segments.extend(parts.segments);
        self.segments.push(rest);
    }

    /// Nothing is left over.
    fn complete(&self, setting: &Setting) -> Result<(), String> {
        for (index, image) in setting.images.iter().enumerate().filter(|(_, image)| image.live) {
            let made = index >= setting.made;
            if made && image.kind == BlockKind::Heap && !self.known[index] {
                return Err(format!("the new block at {:#x} is lost", image.address));
            }
            if made && image.kind != BlockKind::Heap {
                continue;
            }
            for (byte, claimed) in self.claimed[index].iter().enumerate() {
                if !claimed && (made || setting.footprint[index][byte]) {
                    return Err(format!("the byte at {:#x} is lost", image.address + byte as u64));
                }
            }
        }
        match setting.freed.iter().find(|start| !self.freed.contains(start)) {
            Some(start) => Err(format!("it does not say that {start:#x} was freed")),
            None => Ok(()),
        }
    }

    /// Values for the variables that the heap leaves open, if easy ones do.
    fn guess(&mut self) -> bool {
        let mut open = Vec::new();
        self.pure.iter().for_each(|condition| variables(condition, &mut open));
        open.retain(|n| self.env.values[*n as usize].is_none());
        let mut numbers = vec![0u128, 1, 2, u128::MAX, 1 << 31, 1 << 63];
        for condition in &self.pure {
            super::expr::visit(condition, &mut |part| {
                numbers
                    .extend(self.env.value(part).into_iter().flat_map(|n| [n.wrapping_sub(1), n, n.wrapping_add(1)]));
            });
        }
        self.try_values(&open, &numbers, &mut 20_000)
    }

    fn try_values(&mut self, open: &[u32], numbers: &[u128], left: &mut usize) -> bool {
        if self.pure.iter().any(|condition| self.env.value(condition) == Some(0)) || *left == 0 {
            return false;
        }
        *left -= 1;
        let Some((n, rest)) = open.split_first() else {
            return self.pure.iter().all(|condition| self.env.value(condition) == Some(1));
        };
        let width = self.env.widths[*n as usize];
        for number in numbers {
            self.env.values[*n as usize] = Some(number & mask(width));
            if self.try_values(rest, numbers, left) {
                return true;
            }
        }
        self.env.values[*n as usize] = None;
        false
    }
}
