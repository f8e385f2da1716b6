//! The contracts of one function as one annotation.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::heap::{Stated, Writer, base_var, name_cells};
use super::lists::Lists;
use super::places::{Base, Kind, Named, RESULT, scalar};
use super::post::Before;
use super::terms::Scope;
use crate::c::syntax::{Function, Unit};
use crate::c::types::{IntKind, Type, TypeId};
use crate::open::{CellText, Contract, Expr, Formula, ValueText};

/// What a function is, seen from outside.
pub struct Signature<'a> {
    pub(super) unit: &'a Unit,
    /// Names of what C calls the parameters.
    params: Vec<Arc<str>>,
    /// The first variables of every contract: what is known of each of them.
    pub(super) values: Vec<Value>,
    pub(super) result: TypeId,
    /// Where it is defined.
    at: u32,
    /// It writes no memory.
    pub pure: bool,
}

/// What stands for a variable that is an argument.
pub(super) enum Value {
    Scalar(Named),
    /// The address of an object that is passed by value.
    Object(Base),
    /// The address of where the result goes.
    Result(Base),
    Hidden,
}

/// What is said of one contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clauses {
    pub requires: Vec<String>,
    /// The locations it may assign to; `None` where they cannot be said.
    pub assigns: Option<Vec<String>>,
    /// Blocks it frees, where nothing else is allocated or freed.
    pub frees: Vec<String>,
    /// `\true` where nothing can be said.
    pub ensures: String,
    /// The postconditions say more.
    pub weaker: bool,
}

impl<'a> Signature<'a> {
    /// `None` where the unit has no such function, or its arguments are not those of a contract with `count` parameters.
    pub fn new(unit: &'a Unit, name: &str, count: usize, pure: bool) -> Option<Self> {
        let is_it = |function: &&Function| *function.name == *name && function.body.is_some();
        let function = unit.functions.iter().find(is_it)?;
        let Type::Function(signature) = unit.types.get(function.ty) else { return None };
        let body = function.body.as_ref()?;
        let locals = &body.locals[..body.params as usize];
        let types = &unit.types;
        let mut values = Vec::new();
        if matches!(types.get(signature.result), Type::Record(_)) {
            values.push(Value::Result(Base::Object { name: RESULT.into(), ty: signature.result }));
        }
        for local in locals {
            let name = local.name.to_string();
            values.push(match (types.get(local.ty), number(unit, local.ty)) {
                (Type::Record(_), _) => Value::Object(Base::Object { name, ty: local.ty }),
                (_, Some(kind)) => Value::Scalar(Named { text: name, kind }),
                _ => Value::Hidden,
            });
        }
        if signature.variadic {
            values.push(Value::Hidden);
        }
        let params = locals.iter().map(|local| local.name.clone()).collect();
        let at = function.span.start;
        (values.len() == count).then_some(Self { unit, params, values, result: signature.result, at, pure })
    }

    /// What writes heaps with such names for variables.
    pub(super) fn writer<'b>(
        &'b self,
        widths: &'b [u32],
        names: &'b [Option<Named>],
        bound: &'b BTreeMap<u32, String>,
        values: &'b BTreeMap<u32, Base>,
        prefix: &'b str,
    ) -> Writer<'b> {
        let scope = Scope { unit: self.unit, widths, names, params: &self.params, at: self.at };
        let valid = if self.pure { "\\valid_read" } else { "\\valid" };
        Writer { scope, bound, prefix, values, valid }
    }

    /// What stands for objects that are passed by value, by variable.
    pub(super) fn objects(&self) -> BTreeMap<u32, Base> {
        let objects = self.values.iter().enumerate().filter_map(|(n, value)| match value {
            Value::Object(base) | Value::Result(base) => Some((n as u32, base.clone())),
            _ => None,
        });
        objects.collect()
    }

    /// A contract in ACSL; `None` where its precondition cannot be said.
    pub fn clauses(&self, contract: &Contract, lists: &mut Lists) -> Option<Clauses> {
        let values = self.objects();
        let hidden = self.values.iter().position(|value| matches!(value, Value::Result(_))).map(|n| n as u32);
        let is_result = |cell: &CellText| hidden.is_some() && base_var(&cell.at).map(|(var, _)| var) == hidden;
        let mut pre = contract.pre.clone();
        let of_result: Vec<CellText> = pre.cells.iter().filter(|cell| is_result(cell)).cloned().collect();
        // Where the result goes there is always room; what stands there before means nothing.
        pre.cells.retain(|cell| !is_result(cell));
        let spoken = spoken(&pre);
        let mut loose: BTreeSet<u32> = BTreeSet::new();
        of_result.iter().for_each(|cell| cell_vars(cell, &mut loose));
        hidden.iter().for_each(|var| {
            loose.remove(var);
        });
        let params = self.values.len();
        if loose.iter().chain(&hidden).any(|var| spoken.contains_key(var))
            || loose.iter().any(|var| (*var as usize) < params)
        {
            return None;
        }
        let mut names: Vec<Option<Named>> = vec![None; contract.vars.len()];
        for (n, value) in self.values.iter().enumerate() {
            if let (Value::Scalar(named), Some(name)) = (value, names.get_mut(n)) {
                *name = Some(named.clone());
            }
        }
        let given = names.clone();
        let none = BTreeMap::new();
        let mut own = BTreeSet::new();
        name_cells(&pre, &|var| var as usize >= params, &mut names, &mut own, &|names, cell| {
            self.writer(&contract.vars, names, &none, &values, "").object(cell)
        });
        self.name_others(&pre, &contract.vars, &mut names);
        // What stands in bytes that are no number in C means nothing where nothing else speaks of it.
        for cell in &mut pre.cells {
            let writer = self.writer(&contract.vars, &names, &none, &values, "");
            if let ValueText::Is(Expr::Var(n)) = cell.value
                && n as usize >= params
                && names[n as usize].is_none()
                && spoken.get(&n) == Some(&1)
                && writer.place(&cell.at).is_some()
                && writer.object(cell).is_none()
            {
                cell.value = ValueText::Any;
                loose.insert(n);
            }
        }
        let unnamed = |names: &[Option<Named>]| -> Vec<u32> {
            let open = (params..names.len()).filter(|n| names[*n].is_none()).map(|n| n as u32);
            open.filter(|n| !loose.contains(n)).collect()
        };
        let mut bound: BTreeMap<u32, String> = BTreeMap::new();
        for var in unnamed(&names) {
            bound.extend(quantified(self.unit, var, contract.vars[var as usize], &mut names));
        }
        let writer = self.writer(&contract.vars, &names, &bound, &values, "");
        let heap = writer.heap(&pre, lists, &|index| own.contains(&index), &|_| true);
        if heap.unsaid {
            return None;
        }
        let mut stated = heap.stated.clone();
        stated.extend(heap.separated());
        stated.extend(self.apart(&pre, &writer));
        let requires = conjuncts(&stated, &|_| true);
        let assigns = self.assigns(contract, &pre, &writer);
        let frees = self.frees(contract, &writer);

        let old: Vec<Option<Named>> = names
            .iter()
            .zip(&given)
            .enumerate()
            .map(|(n, (name, given))| match name {
                Some(name) if given.is_none() && !bound.contains_key(&(n as u32)) => {
                    Some(Named { text: format!("\\old({})", name.text), ..name.clone() })
                }
                other => other.clone(),
            })
            .collect();
        let given: BTreeSet<&String> = bound.values().collect();
        let before = Before {
            signature: self,
            contract,
            pre: &pre,
            old: &old,
            bound: &bound,
            loose: &loose,
            has_assigns: assigns.is_some(),
            has_frees: !frees.is_empty(),
        };
        let mut weaker = false;
        let mut ways: Vec<String> = Vec::new();
        let mut needs_old = false;
        for post in contract.posts.iter().filter(|post| !post.ends) {
            let (stated, unsaid) = before.post(post, lists);
            weaker |= unsaid;
            needs_old |= stated.iter().any(|stated| stated.bound.iter().any(|bound| given.contains(bound)));
            let parts = conjuncts(&stated, &|bound| !given.contains(bound));
            ways.push(if parts.is_empty() { "\\true".to_owned() } else { parts.join(" && ") });
        }
        let mut ensures = match &ways[..] {
            [] => "\\false".to_owned(),
            [way] => way.clone(),
            _ if ways.iter().any(|way| way == "\\true") => "\\true".to_owned(),
            ways => ways.iter().map(|way| format!("({way})")).collect::<Vec<_>>().join("\n        || "),
        };
        if needs_old && ensures != "\\true" {
            let bound: Vec<&Stated> = stated.iter().filter(|stated| !stated.bound.is_empty()).collect();
            let declared: BTreeSet<&String> = bound.iter().flat_map(|stated| &stated.bound).collect();
            let declared: Vec<&str> = declared.into_iter().map(String::as_str).collect();
            let held: Vec<&str> = bound.iter().map(|stated| stated.text.as_str()).collect();
            ensures = format!("\\forall {}; \\old({}) ==> ({ensures})", declared.join(", "), held.join(" && "));
        }
        Some(Clauses { requires, assigns, frees, ensures, weaker })
    }

    /// Names that sizes of blocks and equations give; never to arguments, of which that is something to be said.
    fn name_others(&self, pre: &Formula, widths: &[u32], names: &mut [Option<Named>]) {
        let (none, values) = (BTreeMap::new(), self.objects());
        for condition in &pre.pure {
            let Expr::Op(parts) = condition else { continue };
            for (known, other) in [(&parts.1, &parts.2), (&parts.2, &parts.1)] {
                let Some((var, offset)) = base_var(other).filter(|_| parts.0 == "eq") else { continue };
                let writer = self.writer(widths, names, &none, &values, "");
                let is_open = var as usize >= self.values.len() && names.get(var as usize).is_some_and(Option::is_none);
                if let (true, Some((base @ Base::Pointer { .. }, at))) = (is_open, writer.scope.place(known))
                    && widths[var as usize] == writer.scope.pointer_bits()
                {
                    let text = format!("({})", base.at(at.wrapping_sub(offset)));
                    names[var as usize] = Some(Named { text, kind: Kind::Pointer(None) });
                }
            }
        }
        for block in &pre.blocks {
            let Expr::Var(size) = block.size else { continue };
            let writer = self.writer(widths, names, &none, &values, "");
            let is_open = size as usize >= self.values.len() && names[size as usize].is_none();
            if let (true, Some(start)) = (is_open, writer.scope.pointer(&block.start)) {
                let text = format!("\\block_length({})", start.text);
                names[size as usize] = Some(Named { text, kind: Kind::Int { signed: false } });
            }
        }
    }

    /// Blocks begin at different addresses.
    fn apart(&self, pre: &Formula, writer: &Writer) -> Vec<Stated> {
        let mut stated = Vec::new();
        for (n, block) in pre.blocks.iter().enumerate() {
            for other in &pre.blocks[n + 1..] {
                if let Some(text) = writer.scope.equal(&block.start, &other.start, "!=") {
                    let mut used = BTreeSet::new();
                    block.start.variables(&mut used);
                    other.start.variables(&mut used);
                    let bound = used.iter().filter_map(|var| writer.bound.get(var).cloned()).collect();
                    stated.push(Stated { text, bound });
                }
            }
        }
        stated
    }

    fn assigns(&self, contract: &Contract, pre: &Formula, writer: &Writer) -> Option<Vec<String>> {
        if self.pure {
            return Some(Vec::new());
        }
        if !pre.segments.is_empty() {
            return None;
        }
        let mut locations = Vec::new();
        for cell in pre.cells.iter().filter(|cell| !writer.is_value(&cell.at)) {
            let mut posts = contract.posts.iter().filter(|post| !post.ends);
            if posts.all(|post| post.formula.cells.contains(cell)) {
                continue;
            }
            let region = writer.region(cell).filter(|region| region.bound.is_empty())?;
            locations.push(match writer.object(cell) {
                Some(object) => object.text,
                None => format!("*({})", region.text),
            });
        }
        Some(locations)
    }

    /// The blocks that are freed; empty where they cannot be said, or not all of what is allocated and freed.
    fn frees(&self, contract: &Contract, writer: &Writer) -> Vec<String> {
        let posts = || contract.posts.iter().filter(|post| !post.ends).map(|post| &post.formula);
        let is_plain = |formula: &Formula| formula.segments.is_empty();
        let makes = |formula: &Formula| formula.blocks.iter().any(|block| block.live && block.made.is_some());
        if !is_plain(&contract.pre) || !posts().all(is_plain) || posts().any(makes) {
            return Vec::new();
        }
        let mut freed = Vec::new();
        for block in &contract.pre.blocks {
            let lives = |formula: &Formula| formula.blocks.iter().any(|b| b.live && b.start == block.start);
            if posts().all(lives) {
                continue;
            }
            let mut used = BTreeSet::new();
            block.start.variables(&mut used);
            let is_bound = used.iter().any(|var| writer.bound.contains_key(var));
            match writer.scope.pointer(&block.start).filter(|_| !is_bound) {
                Some(start) => freed.push(start.text),
                None => return Vec::new(),
            }
        }
        freed
    }
}

/// What the numbers and addresses of a type are, as arguments and results.
pub(super) fn number(unit: &Unit, ty: TypeId) -> Option<Kind> {
    match unit.types.get(ty) {
        Type::Int(IntKind::Bool) => Some(Kind::Int { signed: false }),
        _ => scalar(&unit.types, ty),
    }
}

/// Lets a quantified variable stand for a variable, where a type has its width.
pub(super) fn quantified(unit: &Unit, var: u32, width: u32, names: &mut [Option<Named>]) -> Option<(u32, String)> {
    let ty = match width {
        8 => "unsigned char",
        16 => "unsigned short",
        32 => "unsigned int",
        64 if unit.types.model.pointer_bits() == 64 => "unsigned long",
        64 => "unsigned long long",
        _ => return None,
    };
    let text = format!("v{var}");
    names[var as usize] = Some(Named { text: text.clone(), kind: Kind::Int { signed: false } });
    Some((var, format!("{ty} {text}")))
}

/// How often each variable is spoken of.
fn spoken(formula: &Formula) -> BTreeMap<u32, usize> {
    let mut count = BTreeMap::new();
    for expr in formula.exprs() {
        let mut found = BTreeSet::new();
        expr.variables(&mut found);
        found.into_iter().for_each(|var| *count.entry(var).or_insert(0) += 1);
    }
    count
}

fn cell_vars(cell: &CellText, found: &mut BTreeSet<u32>) {
    cell.at.variables(found);
    cell.size.variables(found);
    if let ValueText::Is(value) | ValueText::Each(value) = &cell.value {
        value.variables(found);
    }
}

/// The conjuncts, those with quantified variables that `exists` tells joined under their quantifier.
fn conjuncts(stated: &[Stated], exists: &dyn Fn(&String) -> bool) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut inner: Vec<&str> = Vec::new();
    let mut declared: BTreeSet<&str> = BTreeSet::new();
    for stated in stated {
        let bound: Vec<&String> = stated.bound.iter().filter(|bound| exists(bound)).collect();
        if bound.is_empty() {
            if !parts.contains(&stated.text) {
                parts.push(stated.text.clone());
            }
        } else {
            inner.push(&stated.text);
            declared.extend(bound.into_iter().map(String::as_str));
        }
    }
    if !inner.is_empty() {
        let declared: Vec<&str> = declared.into_iter().collect();
        parts.push(format!("(\\exists {}; {})", declared.join(", "), inner.join(" && ")));
    }
    parts
}
