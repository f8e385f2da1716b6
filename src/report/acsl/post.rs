//! Postconditions: what holds afterwards, in terms of what held before.

use std::collections::{BTreeMap, BTreeSet};

use super::function::{Signature, Value, number, quantified};
use super::heap::{Heap, Stated, base_var, name_cells};
use super::lists::Lists;
use super::places::{Named, RESULT};
use crate::open::{CellText, Contract, Expr, Formula, Post};

/// What is known where a postcondition is written.
pub struct Before<'a> {
    pub signature: &'a Signature<'a>,
    pub contract: &'a Contract,
    /// The precondition, as far as C knows of it.
    pub pre: &'a Formula,
    /// What the contract's variables are called afterwards.
    pub old: &'a [Option<Named>],
    /// Those for which quantified ones stand.
    pub bound: &'a BTreeMap<u32, String>,
    /// Those of which nothing is known.
    pub loose: &'a BTreeSet<u32>,
    /// There is a clause that says which locations may change.
    pub has_assigns: bool,
    /// There is one that says which blocks are freed.
    pub has_frees: bool,
}

impl Before<'_> {
    /// Whether another clause says already that a cell keeps its value.
    fn keeps(&self, cell: &CellText) -> bool {
        self.has_assigns && self.pre.cells.contains(cell)
    }

    /// What can be said of a postcondition, and whether that is not all.
    pub fn post(&self, post: &Post, lists: &mut Lists) -> (Vec<Stated>, bool) {
        let signature = self.signature;
        let mut formula = post.formula.clone();
        if self.has_frees {
            formula.blocks.retain(|block| block.live);
        }
        // What held of logical variables before still does.
        formula.pure.retain(|condition| !self.pre.pure.contains(condition));
        // The callee's own copies are gone.
        let is_copy = |cell: &CellText| {
            base_var(&cell.at).is_some_and(|(n, _)| matches!(signature.values.get(n as usize), Some(Value::Object(_))))
        };
        formula.cells.retain(|cell| !is_copy(cell));
        let widths: Vec<u32> = self.contract.vars.iter().chain(&post.vars).copied().collect();
        let mut names: Vec<Option<Named>> = self.old.to_vec();
        names.resize(widths.len(), None);
        let values = signature.objects();
        let result = number(signature.unit, signature.result).map(|kind| Named { text: RESULT.into(), kind });
        // What is known of arguments is not what stands somewhere afterwards.
        let is_free = |var: u32| var as usize >= self.contract.vars.len() || self.loose.contains(&var);
        let mut is_named_result = false;
        if let (Some(Expr::Var(n)), Some(result)) = (&post.result, &result)
            && names[*n as usize].is_none()
            && is_free(*n)
        {
            names[*n as usize] = Some(result.clone());
            is_named_result = true;
        }
        let mut bound = self.bound.clone();
        let mut own = BTreeSet::new();
        let none = BTreeMap::new();
        name_cells(&formula, &is_free, &mut names, &mut own, &|names, cell| {
            signature.writer(&widths, names, &none, &values, "").object(cell)
        });
        for var in (self.contract.vars.len() as u32..widths.len() as u32).chain(self.loose.iter().copied()) {
            if names[var as usize].is_none() {
                bound.extend(quantified(signature.unit, var, widths[var as usize], &mut names));
            }
        }
        let writer = signature.writer(&widths, &names, &bound, &values, "p");
        let is_new =
            |cell: &CellText| !self.pre.cells.iter().any(|known| known.at == cell.at && known.size == cell.size);
        let keeps = |index: usize| own.contains(&index) || self.keeps(&formula.cells[index]);
        let heap: Heap = writer.heap(&formula, lists, &keeps, &is_new);
        let mut stated = heap.stated.clone();
        let mut unsaid = heap.unsaid;
        if formula.cells.iter().any(is_new) || !formula.segments.is_empty() {
            stated.extend(heap.separated());
        }
        for block in formula.blocks.iter().filter(|block| block.live && block.made.is_some()) {
            let start = writer.scope.pointer(&block.start);
            match start.zip(writer.scope.number(&block.size, false)) {
                Some((start, size)) => {
                    let mut used = BTreeSet::new();
                    block.start.variables(&mut used);
                    block.size.variables(&mut used);
                    let bound = used.iter().filter_map(|var| bound.get(var).cloned()).collect();
                    stated.push(Stated { text: format!("\\fresh{{Old, Here}}({}, {size})", start.text), bound });
                }
                None => unsaid = true,
            }
        }
        if let Some(value) = post.result.as_ref().filter(|_| !is_named_result) {
            match result.and_then(|result| writer.scope.is(&result, value)) {
                Some(text) => {
                    let mut used = BTreeSet::new();
                    value.variables(&mut used);
                    let bound = used.iter().filter_map(|var| bound.get(var).cloned()).collect();
                    stated.insert(0, Stated { text, bound });
                }
                None => unsaid = true,
            }
        }
        (stated, unsaid)
    }
}
