//! Formulas without lists and without equations: lists are unrolled to random lengths, equations are solved.

use std::collections::BTreeMap;
use std::sync::Arc;

use margay::gamma::Random;
use margay::open::{CellText, Contract, Expr, Formula, Held, SegmentText, Shape, ValueText};

use super::expr::{Env, Names, Place, linear, mask, number, op, substitute, variables};

/// A heap block of a formula.
#[derive(Clone, Debug)]
pub struct FlatBlock {
    pub start: Expr,
    pub size: Expr,
    pub live: bool,
    /// It stands in the formula itself, not in a node of a list.
    pub top: bool,
}

/// A precondition in one of its shapes.
pub struct Flat {
    pub env: Env,
    pub cells: Vec<CellText>,
    pub blocks: Vec<FlatBlock>,
    pub pure: Vec<Expr>,
    /// Variables that equations gave away.
    pub by: BTreeMap<u32, Expr>,
}

/// What one node consists of.
pub struct NodeParts {
    pub cells: Vec<CellText>,
    pub blocks: Vec<FlatBlock>,
    pub segments: Vec<SegmentText>,
}

/// One node of a list; its own addresses and unknown values are new variables.
pub fn node(env: &mut Env, shape: &Shape, node: Expr, next: Expr, prev: Option<Expr>, args: &[Expr]) -> NodeParts {
    let bits = env.names.bits;
    let locals = (0..shape.locals).map(|_| env.fresh(bits)).collect();
    let prev = prev.unwrap_or_else(|| next.clone());
    let place = Place { node, next, prev, args: args.to_vec(), locals };
    let mut cells = Vec::new();
    for cell in &shape.cells {
        let size = place.sum(cell.size, bits);
        let value = match cell.value {
            Held::Is(sum) => ValueText::Is(place.sum(sum, bits)),
            Held::Each(byte) => ValueText::Each(number(byte.into(), 8)),
            Held::Any => ValueText::Any,
            Held::Unknown => match env.value(&size) {
                Some(bytes @ 1..=16) => ValueText::Is(env.fresh(8 * bytes as u32)),
                _ => ValueText::Any,
            },
        };
        cells.push(CellText { at: place.sum(cell.at, bits), size, value });
    }
    let block = |start, size| FlatBlock { start, size, live: true, top: false };
    let blocks = shape.blocks.iter().map(|b| block(place.sum(b.start, bits), place.sum(b.size, bits))).collect();
    let segments = shape
        .segments
        .iter()
        .map(|segment| SegmentText {
            shape: segment.shape.clone(),
            first: place.sum(segment.first, bits),
            next: place.sum(segment.next, bits),
            back: segment.back.map(|(last, prev)| (place.sum(last, bits), place.sum(prev, bits))),
            args: segment.args.iter().map(|arg| place.sum(*arg, bits)).collect(),
            nonempty: segment.nonempty,
        })
        .collect();
    NodeParts { cells, blocks, segments }
}

/// The conjuncts of conditions.
pub fn conjuncts(env: &Env, conditions: &[Expr]) -> Vec<Expr> {
    let mut found = Vec::new();
    let mut work: Vec<Expr> = conditions.iter().rev().cloned().collect();
    while let Some(condition) = work.pop() {
        match &condition {
            Expr::Op(parts) if parts.0 == "and" && env.width(&condition) == 1 => {
                work.push(parts.2.clone());
                work.push(parts.1.clone());
            }
            _ => found.push(condition),
        }
    }
    found
}

/// The precondition with lists of random lengths.
pub fn flatten(contract: &Contract, names: &Arc<Names>, random: &mut Random) -> Flat {
    let Formula { pure, cells, segments, blocks } = &contract.pre;
    let widths = contract.vars.clone();
    let mut env = Env { values: vec![None; widths.len()], widths, names: names.clone() };
    let mut cells = cells.clone();
    let top = |block: &margay::open::BlockText| FlatBlock {
        start: block.start.clone(),
        size: block.size.clone(),
        live: block.live,
        top: true,
    };
    let mut blocks: Vec<FlatBlock> = blocks.iter().map(top).collect();
    let mut pure = conjuncts(&env, pure);
    let mut work: Vec<(SegmentText, usize)> = segments.iter().map(|segment| (segment.clone(), 4)).collect();
    let bits = names.bits;
    while let Some((segment, most)) = work.pop() {
        let nodes = usize::from(segment.nonempty) + random.below(most.max(1));
        let mut at = segment.first.clone();
        let mut before = segment.back.as_ref().map(|(_, prev)| prev.clone());
        for index in 0..nodes {
            let next = if index + 1 == nodes { segment.next.clone() } else { env.fresh(bits) };
            let parts = node(&mut env, &segment.shape, at.clone(), next.clone(), before.clone(), &segment.args);
            cells.extend(parts.cells);
            blocks.extend(parts.blocks);
            work.extend(parts.segments.into_iter().map(|inner| (inner, most.saturating_sub(1))));
            before = before.map(|_| at);
            at = next;
        }
        if nodes == 0 {
            pure.push(op("eq", segment.first, segment.next));
        }
        if let (Some((last, _)), Some(before)) = (segment.back, before) {
            pure.push(op("eq", last, before));
        }
    }
    let mut flat = Flat { env, cells, blocks, pure, by: BTreeMap::new() };
    flat.split_wide();
    flat.solve();
    flat.measure_from_starts();
    flat
}

impl Flat {
    /// Wide variables (records passed by value) become words, as addresses stand in them.
    fn split_wide(&mut self) {
        let bits = self.env.names.bits;
        for n in 0..self.env.widths.len() {
            let width = self.env.widths[n];
            if width > bits {
                let low = self.env.fresh(bits);
                let high = self.env.fresh(width - bits);
                self.replace(n as u32, &op("concat", high, low));
            }
        }
    }

    fn solve(&mut self) {
        while let Some((n, value)) = self.pure.iter().find_map(|condition| match condition {
            Expr::Op(parts) if parts.0 == "eq" => {
                isolate(&self.env, &parts.1, &parts.2).or_else(|| isolate(&self.env, &parts.2, &parts.1))
            }
            _ => None,
        }) {
            self.replace(n, &value);
        }
    }

    /// Where a size is the difference of two addresses, the second becomes the first and a length.
    fn measure_from_starts(&mut self) {
        let bits = self.env.names.bits;
        let sizes = |flat: &Self| -> Vec<Expr> {
            let cells = flat.cells.iter().map(|cell| cell.size.clone());
            cells.chain(flat.blocks.iter().map(|block| block.size.clone())).collect()
        };
        let ends = |flat: &Self| {
            sizes(flat).iter().find_map(|size| {
                let (parts, _) = linear(&flat.env, size, bits);
                let with = |factor: u128| {
                    parts.iter().find_map(|part| match part {
                        (Expr::Var(n), by) if *by == factor => Some(*n),
                        _ => None,
                    })
                };
                Some((with(1)?, with(mask(bits))?))
            })
        };
        while let Some((end, start)) = ends(self) {
            let length = self.env.fresh(bits);
            self.replace(end, &op("add", Expr::Var(start), length));
        }
    }

    fn replace(&mut self, n: u32, value: &Expr) {
        let by = BTreeMap::from([(n, value.clone())]);
        let env = &self.env;
        let change = |expr: &mut Expr| *expr = parts(env, substitute(expr, &by));
        for cell in &mut self.cells {
            change(&mut cell.at);
            change(&mut cell.size);
            if let ValueText::Is(expr) | ValueText::Each(expr) = &mut cell.value {
                change(expr);
            }
        }
        for block in &mut self.blocks {
            change(&mut block.start);
            change(&mut block.size);
        }
        self.pure.iter_mut().for_each(change);
        self.by.values_mut().for_each(|expr| *expr = parts(env, substitute(expr, &by)));
        self.by.insert(n, value.clone());
        let tautology = |expr: &Expr| matches!(expr, Expr::Op(parts) if parts.0 == "eq" && parts.1 == parts.2);
        self.pure.retain(|condition| !tautology(condition));
    }
}

/// A variable that `left = right` says the value of.
fn isolate(env: &Env, left: &Expr, right: &Expr) -> Option<(u32, Expr)> {
    match left {
        Expr::Var(n) => {
            let mut used = Vec::new();
            variables(right, &mut used);
            (!used.contains(n)).then(|| (*n, right.clone()))
        }
        Expr::Op(parts) if parts.0 == "add" => {
            let width = env.width(left);
            let (one, other) = if env.value(&parts.2).is_some() { (&parts.1, &parts.2) } else { (&parts.2, &parts.1) };
            let offset = env.value(other)?;
            isolate(env, one, &op("add", right.clone(), number(offset.wrapping_neg() & mask(width), width)))
        }
        _ => None,
    }
}

/// Extractions of one part of a concatenation are that part.
fn parts(env: &Env, expr: Expr) -> Expr {
    match expr {
        Expr::Extract { of, high, low } => {
            let of = parts(env, *of);
            if low == 0 && high + 1 == env.width(&of) {
                return of;
            }
            if let Expr::Op(inner) = &of
                && inner.0 == "concat"
            {
                let split = env.width(&inner.2);
                if high < split {
                    return parts(env, Expr::Extract { of: Box::new(inner.2.clone()), high, low });
                }
                if low >= split {
                    let (high, low) = (high - split, low - split);
                    return parts(env, Expr::Extract { of: Box::new(inner.1.clone()), high, low });
                }
            }
            Expr::Extract { of: Box::new(of), high, low }
        }
        Expr::Op(inner) => op(&inner.0, parts(env, inner.1), parts(env, inner.2)),
        Expr::Not(of) => Expr::Not(Box::new(parts(env, *of))),
        Expr::ZeroExtend { of, width } => Expr::ZeroExtend { of: Box::new(parts(env, *of)), width },
        Expr::SignExtend { of, width } => Expr::SignExtend { of: Box::new(parts(env, *of)), width },
        other => other,
    }
}
