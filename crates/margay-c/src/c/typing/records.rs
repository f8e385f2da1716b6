//! `struct`, `union` and `enum` specifiers.

use lang_c::ast;
use lang_c::span::Node;

use super::quals::Quals;
use super::{DeclType, Entity, Typer};
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::layout::{Member, Packing, Unplaceable, lay_out};
use crate::c::types::{ArrayLength, BitField, Field, IntKind, Record, RecordId, Type, TypeId};

impl<'a> Typer<'a> {
    pub(super) fn record_specifier(
        &mut self,
        node: &'a Node<ast::StructType>,
        span: Span,
        alone: bool,
    ) -> Result<TypeId> {
        let record = &node.node;
        let is_union = record.kind.node == ast::StructKind::Union;
        let tag = record.identifier.as_ref().map(|i| self.name_of(i));
        let known = match tag {
            // A definition or `struct S;` concerns this scope, a mention any scope around.
            Some(tag) if record.declarations.is_some() || alone => self.own_tag(tag),
            Some(tag) => self.lookup_tag(tag),
            None => None,
        };
        let ty = match known {
            Some(ty) => {
                let matching =
                    matches!(self.types.get(ty), Type::Record(id) if self.types.record(*id).is_union == is_union);
                if !matching {
                    return self.constraint(span, format!("`{}` is another kind of tag", tag.unwrap_or_default()));
                }
                ty
            }
            None => {
                let id = RecordId::from_index(self.types.records.len());
                self.types.records.push(Record {
                    tag: tag.map(Into::into),
                    alias: None,
                    is_union,
                    span,
                    parts: None,
                    layout: None,
                });
                let ty = self.types.intern(Type::Record(id));
                if let Some(tag) = tag {
                    self.bind_tag(tag, ty);
                }
                ty
            }
        };
        let (Some(declarations), Type::Record(id)) = (&record.declarations, self.types.get(ty).clone()) else {
            return Ok(ty);
        };
        if self.types.record(id).layout.is_some() {
            return self.constraint(span, format!("`{}` is defined twice", tag.unwrap_or_default()));
        }
        let brace = self.find_byte(b'{', span.start);
        let attributes = self.tag_attributes(span, brace);
        self.refuse_odd_attributes(&attributes, span)?;
        let packing = Packing {
            packed: attributes.iter().any(|a| a.name == "packed"),
            align: self.aligned(&attributes, span)?,
            limit: self.pack_limit(span.end),
        };
        let mut members = Vec::new();
        let varied = std::mem::take(&mut self.prototype_varies);
        for declaration in declarations {
            match &declaration.node {
                ast::StructDeclaration::StaticAssert(a) => self.static_assert(a)?,
                ast::StructDeclaration::Field(field) => self.members(field, &mut members)?,
            }
        }
        if std::mem::replace(&mut self.prototype_varies, varied) {
            return self.unsupported(span, "a record with members of variable length in a prototype");
        }
        let (members, quals): (Vec<Member>, Vec<Quals>) = members.into_iter().unzip();
        self.check_members(&members, span)?;
        // Unnamed bit-fields are no members of the layout.
        let is_field = |member: &Member| member.width.is_none() || member.name.is_some();
        let fields = members.iter().zip(quals).filter(|(member, _)| is_field(member));
        for (index, (_, quals)) in fields.enumerate().filter(|(_, (_, quals))| *quals != Quals::NONE) {
            self.field_quals.insert((id, index as u32), quals);
        }
        self.types.records[id.index()].span = span;
        let layout = match lay_out(&self.types, self.types.record(id), members, packing) {
            Ok(layout) => layout,
            Err(Unplaceable::Incomplete) => return self.constraint(span, "a member has an incomplete type"),
            Err(Unplaceable::VariableBits) => {
                return self.unsupported(span, "a bit-field in a record with members of variable length");
            }
            Err(Unplaceable::TooLarge) => return self.constraint(span, "the size of the record is too large"),
        };
        if layout.fields.iter().any(|field| field.bits.is_some_and(|bits| bits.unit() > BitField::MAX_UNIT)) {
            return self.unsupported(span, "a bit-field that lies in more than 16 bytes");
        }
        self.types.records[id.index()].layout = Some(layout);
        Ok(ty)
    }

    fn pack_limit(&self, at: u32) -> Option<u64> {
        let regimes = &self.prepared.packs;
        let last = regimes.partition_point(|r| r.0 <= at).checked_sub(1)?;
        regimes[last].1
    }

    fn members(&mut self, node: &'a Node<ast::StructField>, out: &mut Vec<(Member, Quals)>) -> Result<()> {
        let span = self.span(node);
        let field = &node.node;
        let first = field.declarators.first().map_or(span.end, |d| d.span.start as u32);
        let base = self.specifier_qualifiers(&field.specifiers, span, field.declarators.is_empty())?;
        let mut shared = Vec::new();
        if !self.prepared.attributes.is_empty() {
            let records: Vec<Span> = field
                .specifiers
                .iter()
                .filter_map(|s| match &s.node {
                    ast::SpecifierQualifier::TypeSpecifier(t) => match &t.node {
                        ast::TypeSpecifier::Struct(_) | ast::TypeSpecifier::Enum(_) => Some(self.span(t)),
                        _ => None,
                    },
                    _ => None,
                })
                .collect();
            shared = self.specifier_attributes(span.start, first, &records);
        }
        let base = DeclType { ty: self.apply_mode(base.ty, &shared, span)?, ..base };
        if field.declarators.is_empty() {
            // An anonymous struct or union; anything else declares nothing.
            if let Type::Record(id) = *self.types.get(base.ty) {
                let inline = self.types.record(id).tag.is_none();
                let defined = field.specifiers.iter().any(|s| {
                    matches!(&s.node, ast::SpecifierQualifier::TypeSpecifier(t)
                        if matches!(&t.node, ast::TypeSpecifier::Struct(s) if s.node.declarations.is_some()))
                });
                if inline && defined {
                    let align = self.aligned(&shared, span)?;
                    let packed = shared.iter().any(|a| a.name == "packed");
                    let quals = base.quals;
                    out.push((
                        Member { name: None, ty: base.ty, type_align: base.align, align, packed, width: None },
                        quals,
                    ));
                }
            }
            return Ok(());
        }
        for (i, declarator) in field.declarators.iter().enumerate() {
            let at = self.span(declarator);
            let mut attributes = shared.clone();
            let declared = match &declarator.node.declarator {
                Some(d) => {
                    attributes.extend(self.declarator_attributes(d, i == 0));
                    // After the width of a bit-field.
                    attributes.extend(
                        self.prepared
                            .attributes
                            .iter()
                            .filter(|a| declarator.node.bit_width.is_some() && a.previous == at.end),
                    );
                    Some(self.declarator(base, d)?)
                }
                None => None,
            };
            self.refuse_odd_attributes(&attributes, at)?;
            let (name, mut ty) = declared.map_or((None, base), |d| (d.name, d.ty));
            ty.ty = self.apply_mode(ty.ty, &attributes[shared.len()..], at)?;
            if matches!(self.types.get(ty.ty), Type::Function(_)) {
                return self.constraint(at, "member of function type");
            }
            let width = match &declarator.node.bit_width {
                Some(e) => Some(self.bit_width(e, ty.ty)?),
                None => None,
            };
            let member = Member {
                name: name.map(Into::into),
                ty: ty.ty,
                type_align: ty.align,
                align: self.aligned(&attributes, at)?,
                packed: attributes.iter().any(|a| a.name == "packed"),
                width,
            };
            out.push((member, ty.quals));
        }
        Ok(())
    }

    fn bit_width(&mut self, e: &'a Node<ast::Expression>, ty: TypeId) -> Result<u32> {
        let span = self.span(e);
        let width = self.unsigned_constant(e)?;
        match self.types.bits_of(ty) {
            Some(bits) if self.types.int_kind(ty).is_some() && width <= u64::from(bits) => Ok(width as u32),
            _ => self.constraint(span, format!("bit-field of width {width} and type {}", self.types.display(ty))),
        }
    }

    fn check_members(&self, members: &[Member], span: Span) -> Result<()> {
        let mut names = rustc_hash::FxHashSet::default();
        for member in members {
            if let Some(name) = &member.name
                && !names.insert(name.clone())
            {
                return self.constraint(span, format!("two members are named `{name}`"));
            }
            let flexible = matches!(self.types.get(member.ty), Type::Array { length: ArrayLength::Unknown, .. });
            if !flexible && self.types.size_of(member.ty).is_none() && !self.types.is_variable(member.ty) {
                let name = member.name.as_deref().unwrap_or("<anonymous>");
                return self.constraint(span, format!("member `{name}` has an incomplete type"));
            }
        }
        Ok(())
    }

    pub(super) fn enum_specifier(&mut self, node: &'a Node<ast::EnumType>, span: Span) -> Result<TypeId> {
        let tag = node.node.identifier.as_ref().map(|i| self.name_of(i));
        if node.node.enumerators.is_empty() {
            let Some(tag) = tag else { return self.constraint(span, "empty enumeration") };
            if let Some(ty) = self.lookup_tag(tag) {
                return match self.types.get(ty) {
                    Type::Enum { .. } => Ok(ty),
                    _ => self.constraint(span, format!("`{tag}` is another kind of tag")),
                };
            }
            let underlying = self.enum_base(span)?.unwrap_or(IntKind::UInt);
            let ty = self.types.intern(Type::Enum { name: Some(tag.into()), underlying });
            self.bind_tag(tag, ty);
            return Ok(ty);
        }
        let mut values: Vec<(&'a str, i128)> = Vec::with_capacity(node.node.enumerators.len());
        // `None` past the greatest number there is.
        let mut next = Some(0i128);
        for enumerator in &node.node.enumerators {
            let at = self.span(enumerator);
            if let Some(e) = &enumerator.node.expression {
                let value = self.rvalue(e)?;
                next = self.eval_int(&value);
                if next.is_none() {
                    return self.constraint(at, "the value of an enumerator is not an integer constant");
                }
            }
            let Some(value) = next else { return self.constraint(at, "overflow in enumeration values") };
            let name = self.name_of(&enumerator.node.identifier);
            values.push((name, value));
            // Later enumerators may refer to this one; its final type is known only at the end.
            let ty = self.enumerator_type(value);
            self.bind(name, Entity::Enumerator(value, ty));
            next = value.checked_add(1);
        }
        let brace = self.find_byte(b'{', span.start);
        let attributes = self.tag_attributes(span, brace);
        let packed = attributes.iter().any(|a| a.name == "packed");
        let underlying = match self.enum_base(span)? {
            Some(base) => base,
            None => self.underlying(&values, packed),
        };
        let ty = self.types.intern(Type::Enum { name: tag.map(Into::into), underlying });
        if let Some(tag) = tag {
            self.bind_tag(tag, ty);
        }
        for (name, value) in values {
            let fits = i32::try_from(value).is_ok();
            let constant = if fits { self.common.int } else { self.types.int(underlying) };
            self.bind(name, Entity::Enumerator(value, constant));
        }
        Ok(ty)
    }

    fn enumerator_type(&mut self, value: i128) -> TypeId {
        if i32::try_from(value).is_ok() {
            return self.common.int;
        }
        let kind = self.underlying(&[("", value)], false);
        self.types.int(kind)
    }

    /// gcc's choice: `unsigned` unless a value is negative, wider only where needed, narrower only when packed.
    fn underlying(&self, values: &[(&str, i128)], packed: bool) -> IntKind {
        let low = values.iter().map(|v| v.1).min().unwrap_or(0);
        let high = values.iter().map(|v| v.1).max().unwrap_or(0);
        let narrow: &[IntKind] = match (packed, low < 0) {
            (true, true) => &[IntKind::SChar, IntKind::Short],
            (true, false) => &[IntKind::UChar, IntKind::UShort],
            _ => &[],
        };
        let wide: &[IntKind] = if low < 0 {
            &[IntKind::Int, IntKind::Long, IntKind::LongLong]
        } else {
            &[IntKind::UInt, IntKind::ULong, IntKind::ULongLong]
        };
        let fits = |kind: IntKind| {
            let bits = kind.size(self.types.model) * 8;
            if kind.is_signed() {
                low >= -(1i128 << (bits - 1)) && high < 1i128 << (bits - 1)
            } else {
                high < 1i128 << bits
            }
        };
        narrow.iter().chain(wide).copied().find(|k| fits(*k)).unwrap_or(IntKind::LongLong)
    }

    /// The type after `enum E :`.
    fn enum_base(&mut self, span: Span) -> Result<Option<IntKind>> {
        let Some((_, text)) = self.prepared.enum_bases.iter().find(|b| b.0 == span.start) else { return Ok(None) };
        let kind = self.type_by_text(text).and_then(|ty| self.types.int_kind(ty));
        match kind {
            Some(kind) => Ok(Some(kind)),
            None => self.unsupported(span, format!("enumeration over `{text}`")),
        }
    }

    /// Fields from a path of indices, outermost first.
    pub(super) fn field(&self, ty: TypeId, index: u32) -> Option<&Field> {
        self.types.layout_of(ty)?.fields.get(index as usize)
    }
}
