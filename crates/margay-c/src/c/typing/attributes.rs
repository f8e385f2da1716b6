//! Attributes that the token pass kept aside, looked up by where they stood.

use lang_c::ast;
use lang_c::span::Node;

use super::Typer;
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::prepass::Attribute;
use crate::c::types::{FloatKind, IntKind, Type, TypeId};
use crate::task::DataModel;

impl<'a> Typer<'a> {
    /// Attributes whose own position lies in `[from, to)`.
    fn attributes_in(&self, from: u32, to: u32) -> &'a [Attribute] {
        let all = &self.prepared.attributes;
        let start = all.partition_point(|a| a.at < from);
        let end = all.partition_point(|a| a.at < to);
        &all[start..end.max(start)]
    }

    /// Whether a word that was kept as an attribute of this name stands in `[from, to)`.
    pub(super) fn has_word(&self, name: &str, from: u32, to: u32) -> bool {
        self.attributes_in(from, to).iter().any(|attribute| attribute.name == name)
    }

    /// Attributes of a record or enumeration specifier: between keyword and `{`, or right after the `}`.
    pub(super) fn tag_attributes(&self, span: Span, brace: u32) -> Vec<&'a Attribute> {
        let before = self.attributes_in(span.start, brace).iter();
        let after = self.prepared.attributes.iter().filter(move |a| a.previous == span.end);
        if self.prepared.attributes.is_empty() {
            return Vec::new();
        }
        before.chain(after).collect()
    }

    /// Attributes among or before the specifiers of a declaration that starts at `start`, up to its first declarator.
    /// Those that belong to a record specifier inside are left out.
    pub(super) fn specifier_attributes(&self, start: u32, until: u32, records: &[Span]) -> Vec<&'a Attribute> {
        let all = &self.prepared.attributes;
        if all.is_empty() {
            return Vec::new();
        }
        let end = all.partition_point(|a| a.at < until);
        let begin = all[..end].partition_point(|a| a.next < start);
        all[begin..end]
            .iter()
            .filter(|a| !records.iter().any(|r| (a.at >= r.start && a.at < r.end) || a.previous == r.end))
            .collect()
    }

    /// Attributes within a type name and right after it, without those of members.
    pub(super) fn type_name_attributes(&self, span: Span) -> Vec<&'a Attribute> {
        let text = self.prepared.text.as_bytes();
        let is_of_member = |a: &Attribute| {
            let before = &text[span.start as usize..(a.at.clamp(span.start, span.end)) as usize];
            let count = |byte| before.iter().filter(|b| **b == byte).count();
            count(b'{') > count(b'}')
        };
        let within =
            |a: &&Attribute| (a.next >= span.start && a.at < span.end || a.previous == span.end) && !is_of_member(a);
        let all = self.prepared.attributes.iter().filter(within);
        all.filter(|a| matches!(a.name.as_str(), "vector_size" | "mode")).collect()
    }

    /// Attributes of one declarator: before it (unless it is the first) or after its last token; parameter lists have
    /// their own.
    pub(super) fn declarator_attributes(&self, node: &Node<ast::Declarator>, first: bool) -> Vec<&'a Attribute> {
        let all = &self.prepared.attributes;
        if all.is_empty() {
            return Vec::new();
        }
        let span = self.span(node);
        let mut inner = Vec::new();
        collect_parameter_lists(&node.node, &mut inner);
        all.iter()
            .filter(|a| {
                let before = !first && a.next == span.start;
                let within = a.at >= span.start && a.previous <= span.end;
                (before || within)
                    && !inner.iter().any(|&(start, end)| {
                        let end = self.trim(start, end).end;
                        a.at >= start as u32 && a.at < end
                    })
            })
            .collect()
    }

    /// Bytes asked for by `aligned`, without an argument the greatest useful alignment, and by `_Alignas` of a member.
    pub(super) fn aligned(&mut self, attributes: &[&Attribute], span: Span) -> Result<Option<u64>> {
        let mut result: Option<u64> = None;
        for attribute in attributes.iter().filter(|a| matches!(a.name.as_str(), "aligned" | "alignas")) {
            let is_alignas = attribute.name == "alignas";
            let bytes = match attribute.argument.as_deref() {
                None | Some("") => 16,
                Some(text) => match self.alignment(text, is_alignas) {
                    Some(bytes) => bytes,
                    None => return self.unsupported(span, format!("attribute {}({text})", attribute.name)),
                },
            };
            if bytes == 0 && is_alignas {
                continue;
            }
            if !bytes.is_power_of_two() || bytes > 1 << 28 {
                return self.constraint(span, format!("alignment {bytes} is not a power of two"));
            }
            result = Some(result.unwrap_or(1).max(bytes));
        }
        Ok(result)
    }

    /// A number of bytes, or the alignment of a type where that may stand.
    fn alignment(&mut self, text: &str, may_be_type: bool) -> Option<u64> {
        if let Some(bytes) = self.small_constant(text) {
            return u64::try_from(bytes).ok();
        }
        let ty = may_be_type.then(|| self.type_by_text(text.trim()))??;
        self.types.align_of(ty)
    }

    /// A type written with plain words, possibly a pointer.
    pub(super) fn type_by_text(&mut self, text: &str) -> Option<TypeId> {
        if let Some(target) = text.strip_suffix('*') {
            let target = self.type_by_text(target.trim()).unwrap_or(self.common.void);
            return Some(self.types.pointer_to(target));
        }
        let words: Vec<&str> = text.split_whitespace().filter(|w| !matches!(*w, "const" | "volatile")).collect();
        let count = |word: &str| words.iter().filter(|w| **w == word).count();
        if let [word] = words[..]
            && let Some(super::Entity::Typedef(named)) = self.lookup(word)
        {
            return Some(named.ty);
        }
        if let ["struct" | "union" | "enum", tag] = words[..] {
            return self.lookup_tag(tag);
        }
        let unsigned = count("unsigned") > 0;
        let float = |this: &mut Self, kind| Some(this.types.intern(Type::Float(kind)));
        if count("double") > 0 {
            return float(self, if count("long") > 0 { FloatKind::Extended } else { FloatKind::Double });
        }
        if count("__float128") + count("_Float128") > 0 {
            return float(self, FloatKind::Quad);
        }
        if count("float") > 0 {
            return float(self, FloatKind::Single);
        }
        let known = ["signed", "unsigned", "char", "short", "int", "long", "_Bool", "bool"];
        if words.is_empty() || words.iter().any(|w| !known.contains(w)) {
            return None;
        }
        let kind = match (count("_Bool") + count("bool"), count("char"), count("short"), count("long")) {
            (1.., ..) => IntKind::Bool,
            (_, 1.., ..) if unsigned => IntKind::UChar,
            (_, 1.., ..) if count("signed") > 0 => IntKind::SChar,
            (_, 1.., ..) => IntKind::Char,
            (_, _, 1.., _) => IntKind::Short,
            (.., 2..) => IntKind::LongLong,
            (.., 1) => IntKind::Long,
            _ => IntKind::Int,
        };
        Some(self.types.int(if unsigned { unsigned_kind(kind) } else { kind }))
    }

    /// `mode(QI)` and friends: another width for `ty`.
    pub(super) fn apply_mode(&mut self, ty: TypeId, attributes: &[&Attribute], span: Span) -> Result<TypeId> {
        let ty = self.apply_width(ty, attributes, span)?;
        let Some(size) = attributes.iter().find(|a| a.name == "vector_size") else { return Ok(ty) };
        let text = size.argument.as_deref().unwrap_or_default();
        match self.small_constant(text).and_then(|bytes| u64::try_from(bytes).ok()) {
            Some(bytes) if bytes > 0 => self.vectorised(ty, bytes, span),
            _ => self.unsupported(span, format!("attribute vector_size({text})")),
        }
    }

    fn apply_width(&mut self, ty: TypeId, attributes: &[&Attribute], span: Span) -> Result<TypeId> {
        let Some(mode) = attributes.iter().find(|a| a.name == "mode") else { return Ok(ty) };
        let name = mode.argument.as_deref().unwrap_or_default().trim_matches('_').to_owned();
        let word = match self.types.model {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        };
        let kind = match name.as_str() {
            "QI" | "byte" => IntKind::SChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" if self.types.model == DataModel::Lp64 => IntKind::Long,
            "DI" => IntKind::LongLong,
            "TI" => IntKind::Int128,
            "word" | "pointer" | "unwind_word" => word,
            _ => {
                let float = match name.as_str() {
                    "HF" | "HC" => FloatKind::Half,
                    "SF" | "SC" => FloatKind::Single,
                    "DF" | "DC" => FloatKind::Double,
                    "XF" | "XC" => FloatKind::Extended,
                    "TF" | "TC" => FloatKind::Quad,
                    _ => return self.unsupported(span, format!("attribute mode({name})")),
                };
                let float = self.types.intern(Type::Float(float));
                return Ok(if self.is_complex(ty) { self.types.complex_of(float) } else { float });
            }
        };
        match self.types.int_kind(ty) {
            Some(old) if old.is_signed() => Ok(self.types.int(kind)),
            Some(_) => Ok(self.types.int(unsigned_kind(kind))),
            None => self.unsupported(span, format!("attribute mode({name}) on {}", self.types.display(ty))),
        }
    }

    /// Refuses attributes that change what the program means in ways not represented.
    pub(super) fn refuse_odd_attributes(&self, attributes: &[&Attribute], span: Span) -> Result<()> {
        let odd = ["scalar_storage_order", "ms_struct", "ifunc"];
        // What such sections hold is called before `main`, or after it.
        let is_start = |a: &&&Attribute| {
            let section = a.argument.as_deref().filter(|_| a.name == "section").unwrap_or_default();
            ["init_array", "fini_array", ".ctors", ".dtors"].iter().any(|name| section.contains(name))
        };
        match attributes.iter().find(|a| odd.contains(&a.name.as_str()) || is_start(a)) {
            Some(a) => self.unsupported(span, format!("attribute {}", a.name)),
            None => Ok(()),
        }
    }
}

fn collect_parameter_lists(declarator: &ast::Declarator, found: &mut Vec<(usize, usize)>) {
    for derived in &declarator.derived {
        if matches!(derived.node, ast::DerivedDeclarator::Function(_)) {
            found.push((derived.span.start, derived.span.end));
        }
    }
    if let ast::DeclaratorKind::Declarator(inner) = &declarator.kind.node {
        collect_parameter_lists(&inner.node, found);
    }
}

/// The unsigned kind of the same width.
pub(super) fn unsigned_kind(kind: IntKind) -> IntKind {
    use IntKind::*;
    match kind {
        Char | SChar => UChar,
        Short => UShort,
        Int => UInt,
        Long => ULong,
        LongLong => ULongLong,
        Int128 => UInt128,
        other => other,
    }
}
