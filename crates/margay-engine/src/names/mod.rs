//! The variables that C text can name at a loop's head, and what stands where they point.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::cfa::{Function, Live, Loc, Program, Record, Reg, Scalar, Scope, SlotId};

/// Variables of one loop that are spoken of.
const MOST_VARIABLES: usize = 24;
/// Members of one structure.
const MOST_MEMBERS: usize = 10;

/// Where a variable's value is.
#[derive(Clone, Debug)]
pub enum Place {
    /// In a register.
    Register(Reg),
    /// In a variable with a block of its own.
    Slot(SlotId, Bytes),
    /// In a global variable.
    Global(usize, Bytes),
    /// In what a variable points to.
    Pointed(Arc<Variable>, Bytes),
}

/// Bytes of an object.
#[derive(Clone, Copy, Debug)]
pub struct Bytes {
    /// Of the first one.
    pub offset: u64,
    /// How many.
    pub size: u64,
}

/// A variable that can be named at a loop's head, or a member of what one points to.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name, or how it is selected: `p->next`.
    pub name: Arc<str>,
    /// As C writes it.
    pub c_type: Arc<str>,
    /// What kind of value it holds.
    pub scalar: Scalar,
    /// Bits.
    pub width: u32,
    /// Where the value is.
    pub place: Place,
}

impl Variable {
    /// Whether the variable is one itself, or stands in what this one points to.
    pub fn is_of(&self, name: &str) -> bool {
        match &self.place {
            Place::Pointed(base, _) => &*base.name == name,
            _ => &*self.name == name,
        }
    }

    /// What it points to, as far as the text at offset `at` can select it: the members of a structure, or a scalar.
    pub fn pointed(&self, program: &Program, at: u32) -> Vec<Variable> {
        let base = Arc::new(self.clone());
        if let Some(record) = program.records.pointed(&self.c_type).filter(|record| record.from < at) {
            let place = |bytes| Place::Pointed(base.clone(), bytes);
            return members(record, &format!("{}->", self.name), &place);
        }
        let Some(target) = self.c_type.strip_suffix('*') else { return Vec::new() };
        let Some((scalar, width)) = simple(target, self.width) else { return Vec::new() };
        let place = Place::Pointed(base, Bytes { offset: 0, size: u64::from(width / 8) });
        vec![Variable { name: format!("*{}", self.name).into(), c_type: target.into(), scalar, width, place }]
    }
}

/// The members of a structure that is selected by `prefix`.
fn members(record: &Record, prefix: &str, place: &dyn Fn(Bytes) -> Place) -> Vec<Variable> {
    let members = record.members.iter().filter_map(|member| {
        let place = place(Bytes { offset: member.offset, size: member.size });
        let (name, c_type) = (format!("{prefix}{}", member.path).into(), member.c_type.as_str().into());
        Some(Variable { name, c_type, scalar: member.scalar?, width: 8 * member.size as u32, place })
    });
    members.take(MOST_MEMBERS).collect()
}

/// What a scalar type is and its bits, where addresses have so many; `None` for others and for what two data models differ in.
fn simple(c_type: &str, pointer: u32) -> Option<(Scalar, u32)> {
    Some(match c_type {
        "char" | "signed char" => (Scalar::Signed, 8),
        "unsigned char" => (Scalar::Unsigned, 8),
        "short" => (Scalar::Signed, 16),
        "unsigned short" => (Scalar::Unsigned, 16),
        "int" => (Scalar::Signed, 32),
        "unsigned int" => (Scalar::Unsigned, 32),
        "long long" => (Scalar::Signed, 64),
        "unsigned long long" => (Scalar::Unsigned, 64),
        _ if c_type.ends_with('*') => (Scalar::Pointer, pointer),
        _ => return None,
    })
}

/// The variables whose names mean them at offset `at`, and whose values may still be read: others may be stale.
pub fn variables(program: &Program, function: &Function, live: &Live, loc: Loc, at: u32) -> Vec<Variable> {
    // By name, the declaration that begins last hides the others.
    let mut innermost: BTreeMap<&str, (u32, Variable)> = BTreeMap::new();
    let mut candidate = |start: u32, variable: Variable, name| {
        if innermost.get(name).is_none_or(|(known, _)| *known < start) {
            innermost.insert(name, (start, variable));
        }
    };
    let visible = |scope: &Scope| scope.extent.start <= at && at < scope.extent.end;
    for (index, global) in program.globals.iter().enumerate() {
        let is_hidden = |f: &Function| f.other_names.contains(&global.name);
        if let Some(scope) = global.scope.filter(visible)
            && !program.functions.iter().any(is_hidden)
        {
            let width = bits(global.size);
            let place = Place::Global(index, Bytes { offset: 0, size: global.size });
            let (name, c_type) = (global.name.clone(), global.c_type.clone());
            candidate(0, Variable { name, c_type, scalar: scope.scalar, width, place }, &global.name);
        }
    }
    let mut dead: Vec<(u32, &str)> = Vec::new();
    for (index, decl) in function.regs.iter().enumerate() {
        if let (Some(name), Some(scope)) = (&decl.name, decl.scope.filter(visible)) {
            let reg = Reg::from_index(index);
            let (place, c_type) = (Place::Register(reg), decl.c_type.clone());
            let variable = Variable { name: name.clone(), c_type, scalar: scope.scalar, width: decl.width, place };
            candidate(scope.extent.start, variable, name);
            if !live.contains(loc, reg) {
                dead.push((scope.extent.start, name));
            }
        }
    }
    for (index, decl) in function.slots.iter().enumerate() {
        if let (Some(name), Some(scope)) = (&decl.name, decl.scope.filter(visible)) {
            let bytes = Bytes { offset: 0, size: decl.size };
            let (place, width) = (Place::Slot(SlotId::from_index(index), bytes), bits(decl.size));
            let (name, c_type) = (name.clone(), decl.c_type.clone());
            candidate(
                scope.extent.start,
                Variable { name: name.clone(), c_type, scalar: scope.scalar, width, place },
                decl.name.as_deref().unwrap_or_default(),
            );
        }
    }
    // Variables of no scalar type hide outer ones as well, and have no scope to say where: all of their name are left out.
    let is_other = |name: &str| {
        let regs = function.regs.iter().filter(|decl| decl.scope.is_none()).filter_map(|decl| decl.name.as_deref());
        let slots = function.slots.iter().filter(|decl| decl.scope.is_none()).filter_map(|decl| decl.name.as_deref());
        regs.chain(slots).any(|other| other == name)
    };
    let usable = innermost.into_iter().filter(|(name, (start, _))| !dead.contains(&(*start, name)) && !is_other(name));
    let usable: Vec<Variable> = usable.map(|(_, (_, variable))| variable).collect();
    let is_record = |variable: &&Variable| variable.scalar == Scalar::Record;
    let of_records = usable.iter().filter(is_record).flat_map(|variable| {
        let record = program.records.get(&variable.c_type).filter(|record| record.from < at);
        let place = |bytes| match &variable.place {
            Place::Slot(slot, _) => Place::Slot(*slot, bytes),
            Place::Global(index, _) => Place::Global(*index, bytes),
            other => other.clone(),
        };
        record.map(|record| members(record, &format!("{}.", variable.name), &place)).unwrap_or_default()
    });
    let scalars = usable.iter().filter(|variable| !is_record(variable)).cloned().chain(of_records);
    scalars.filter(|v| (8..=64).contains(&v.width)).take(MOST_VARIABLES).collect()
}

fn bits(bytes: u64) -> u32 {
    u32::try_from(bytes.saturating_mul(8)).unwrap_or(u32::MAX)
}
