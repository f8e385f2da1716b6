//! What the types of a program say of memory, and their names in C.

use super::super::uses::Holder;
use super::Links;
use super::Writer;
use crate::c::syntax::{FunctionId, LocalId};
use crate::c::types::{ArrayLength, Field, IntKind, RecordId, Type, TypeId};

pub(super) const LENGTHS: [&str; 17] = [
    "n", "len", "length", "size", "sz", "count", "cnt", "num", "nelem", "nelems", "nmemb", "bytes", "nbytes",
    "elements", "total", "used", "nr",
];
pub(super) const CAPACITIES: [&str; 8] = ["cap", "capacity", "alloc", "allocated", "max", "room", "maxlen", "limit"];
const BACK: [&str; 7] = ["prev", "previous", "back", "blink", "before", "prv", "bwd"];
const UP: [&str; 3] = ["parent", "up", "father"];
pub(super) const LAST: [&str; 4] = ["tail", "last", "end", "rear"];

/// Whether one of the words of `name` is one of `words`.
pub(super) fn is_named(name: &str, words: &[&str]) -> bool {
    let name = name.to_ascii_lowercase();
    name.split('_').any(|word| words.contains(&word))
        || name.len() > 3 && words.iter().any(|w| w.len() > 2 && name.ends_with(w))
}

impl Writer<'_> {
    /// The parameter that says how many elements parameter `index` leads to.
    pub(super) fn length(&self, function: FunctionId, params: &[(String, TypeId)], index: usize) -> Option<usize> {
        let used = |index: usize| self.uses.get(Holder::Local(function, LocalId(index as u32)));
        let Type::Pointer(_) = self.unit.types.get(params[index].1) else { return None };
        if !used(index).indexed && !used(index).filled {
            return None;
        }
        let is_integer = |other: &usize| self.is_length_type(params[*other].1);
        let integers: Vec<usize> = (0..params.len()).filter(is_integer).collect();
        let is_length = |other: &usize| {
            is_integer(other)
                && (is_named(&params[*other].0, &LENGTHS)
                    || is_named(&params[*other].0, &CAPACITIES)
                    || integers.len() == 1 && used(*other).compared)
        };
        (index + 1..params.len()).find(is_length).or_else(|| (0..index).rev().find(is_length))
    }

    pub(super) fn is_length_type(&self, ty: TypeId) -> bool {
        use IntKind::*;
        matches!(self.unit.types.get(ty), Type::Int(Short | UShort | Int | UInt | Long | ULong | LongLong | ULongLong))
    }

    /// A type in C, where it can be put before a name.
    pub(super) fn name(&self, ty: TypeId) -> Option<String> {
        let types = &self.unit.types;
        match types.get(ty) {
            Type::Void | Type::Int(_) | Type::Float(_) => Some(format!("{} ", types.display(ty))),
            Type::Enum { underlying, .. } => Some(format!("{} ", c_name(*underlying))),
            Type::Pointer(to) => Some(format!("{}*", self.name(*to)?)),
            Type::Record(id) => {
                let record = types.record(*id);
                let keyword = if record.is_union { "union" } else { "struct" };
                match (&record.tag, &record.alias) {
                    (Some(tag), _) => Some(format!("{keyword} {tag} ")),
                    (None, Some(alias)) => Some(format!("{alias} ")),
                    (None, None) => None,
                }
            }
            Type::Array { .. } | Type::Function(_) | Type::VaList => None,
        }
    }

    pub(super) fn number(&mut self, kind: IntKind) -> String {
        match kind {
            IntKind::Bool => self.input("bool", "_Bool"),
            IntKind::Char | IntKind::SChar => self.input("char", "char"),
            IntKind::UChar => self.input("uchar", "unsigned char"),
            IntKind::Short => self.input("short", "short"),
            IntKind::UShort => self.input("ushort", "unsigned short"),
            IntKind::Int => self.input("int", "int"),
            IntKind::UInt => self.input("uint", "unsigned int"),
            IntKind::Long => self.input("long", "long"),
            IntKind::ULong => self.input("ulong", "unsigned long"),
            IntKind::LongLong => self.input("longlong", "long long"),
            IntKind::ULongLong => self.input("ulonglong", "unsigned long long"),
            IntKind::Int128 => self.input("int128", "__int128"),
            IntKind::UInt128 => self.input("uint128", "unsigned __int128"),
        }
    }

    pub(super) fn input(&mut self, suffix: &'static str, c_type: &'static str) -> String {
        self.inputs.insert((suffix, c_type));
        format!("__VERIFIER_nondet_{suffix}()")
    }

    /// Whether there are pointers within an object of this type.
    pub(super) fn has_pointers(&self, ty: TypeId) -> bool {
        let types = &self.unit.types;
        match types.get(ty) {
            Type::Pointer(_) | Type::VaList => true,
            Type::Array { element, .. } => self.has_pointers(*element),
            Type::Record(id) => types
                .record(*id)
                .layout
                .iter()
                .flat_map(|layout| &layout.fields)
                .any(|field| self.has_pointers(field.ty)),
            Type::Void | Type::Int(_) | Type::Float(_) | Type::Enum { .. } | Type::Function(_) => false,
        }
    }

    /// Whether more elements may follow an object of this type than the type says.
    pub(super) fn is_open_ended(&self, id: RecordId) -> bool {
        let types = &self.unit.types;
        let last = types.record(id).layout.as_ref().and_then(|layout| layout.fields.last());
        last.is_some_and(|field| match types.get(field.ty) {
            Type::Array { length: ArrayLength::Known(count), .. } => *count < 2,
            Type::Array { .. } => true,
            Type::Record(inner) => self.is_open_ended(*inner),
            _ => false,
        })
    }

    /// Whether a structure leads to others of its type.
    pub(super) fn is_linked(&self, id: RecordId) -> bool {
        let types = &self.unit.types;
        let leads_back = |field: &Field| match types.get(field.ty) {
            Type::Pointer(to) => *types.get(*to) == Type::Record(id),
            _ => false,
        };
        types.record(id).layout.iter().flat_map(|layout| &layout.fields).any(leads_back)
    }

    /// How the nodes of a structure are linked, if they are.
    pub(super) fn links(&self, id: RecordId) -> Option<Links> {
        let types = &self.unit.types;
        let fields = &types.record(id).layout.as_ref()?.fields;
        let own = |index: &u32| match types.get(fields[*index as usize].ty) {
            Type::Pointer(to) => *types.get(*to) == Type::Record(id),
            _ => false,
        };
        let is_named = |index: &u32, words: &[&str]| {
            fields[*index as usize].name.as_deref().is_some_and(|name| is_named(name, words))
        };
        let own: Vec<u32> = (0..fields.len() as u32).filter(own).collect();
        let (back, rest): (Vec<u32>, Vec<u32>) = own.into_iter().partition(|index| is_named(index, &BACK));
        let (up, rest): (Vec<u32>, Vec<u32>) = rest.into_iter().partition(|index| is_named(index, &UP));
        // Where no program asks for null, lists do not end with it.
        if !rest.iter().all(|index| self.uses.get(Holder::Member(id, *index)).tested) {
            return None;
        }
        match (&rest[..], &back[..], &up[..]) {
            ([next], [], []) => Some(Links::List(*next, None)),
            ([next], [back], []) => Some(Links::List(*next, Some(*back))),
            ([left, right], [], []) => Some(Links::Tree(*left, *right, None)),
            ([left, right], [], [up]) => Some(Links::Tree(*left, *right, Some(*up))),
            _ => None,
        }
    }
}

fn c_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::UInt => "unsigned int",
        IntKind::Int => "int",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::UChar => "unsigned char",
        IntKind::UShort => "unsigned short",
        IntKind::Short => "short",
        IntKind::ULongLong => "unsigned long long",
        IntKind::LongLong => "long long",
        _ => "signed char",
    }
}
