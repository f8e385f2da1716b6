//! What the program's structures are made of: for people, and for C text about memory. No op depends on it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::ir::Scalar;
use crate::c::types::{ArrayLength, IntKind, Type, TypeId, Types};

/// Scalars of one structure that are listed; elements of one array.
const MOST_MEMBERS: usize = 256;
const MOST_ELEMENTS: u64 = 64;

/// The structures and unions that have a name which is theirs alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    by_name: BTreeMap<Arc<str>, Record>,
    /// Size and offset, see [`Records::is_beside_array`].
    beside_arrays: BTreeSet<(u64, u64)>,
    /// See [`Records::text_at`]: size, beginning, end.
    texts: BTreeSet<(u64, u64, u64)>,
}

/// A structure or union.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    /// Bytes.
    pub size: u64,
    /// Where the text defines it: names of members mean nothing before.
    pub from: u32,
    /// Its scalars, those of structures and arrays in it included, in order of declaration.
    pub members: Vec<Member>,
}

/// A scalar in a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// How it is selected: `next`, `pair.first`, `cell[3]`.
    pub path: String,
    /// Bytes from the structure's start.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// Its C type as text.
    pub c_type: String,
    /// `None` where bits and values are not the same thing.
    pub scalar: Option<Scalar>,
}

impl Records {
    /// Those of a table of types.
    pub fn new(types: &Types) -> Self {
        let mut by_name: BTreeMap<Arc<str>, Record> = BTreeMap::new();
        let mut ambiguous: Vec<Arc<str>> = Vec::new();
        let mut beside_arrays = BTreeSet::new();
        let mut texts = BTreeSet::new();
        for record in &types.records {
            let Some(layout) = &record.layout else { continue };
            let mut members = Vec::new();
            let add_text = &mut |offset: u64, bytes: u64| texts.extend([(layout.size, offset, offset + bytes)]);
            layout.fields.iter().for_each(|field| each_text(types, field.ty, field.offset, add_text));
            for field in layout.fields.iter().filter(|field| field.bits.is_none()) {
                add(types, field.ty, field.name.as_deref().unwrap_or_default(), field.offset, &mut members);
            }
            members.truncate(MOST_MEMBERS);
            let (cells, single): (Vec<&Member>, Vec<&Member>) = members.iter().partition(|member| member.is_cell());
            if !cells.is_empty() {
                // What a union puts over an array is no scalar beside it.
                let is_beside = |member: &&&Member| !cells.iter().any(|cell| cell.overlaps(member));
                beside_arrays.extend(single.iter().filter(is_beside).map(|member| (layout.size, member.offset)));
            }
            let Some(tag) = &record.tag else { continue };
            let name: Arc<str> = format!("{} {tag}", if record.is_union { "union" } else { "struct" }).into();
            let record = Record { size: layout.size, from: record.span.start, members };
            if by_name.insert(name.clone(), record).is_some() {
                ambiguous.push(name);
            }
        }
        by_name.retain(|name, _| !ambiguous.contains(name));
        Self { by_name, beside_arrays, texts }
    }

    /// The structure of this name (`struct node`).
    pub fn get(&self, c_type: &str) -> Option<&Record> {
        self.by_name.get(c_type)
    }

    /// The structures of the program itself (other names are reserved), with their names.
    pub fn own(&self) -> impl Iterator<Item = (&str, &Record)> {
        self.by_name.iter().map(|(name, record)| (&**name, record)).filter(|(name, _)| !name.contains(" _"))
    }

    /// Whether some structure of the program itself has two pointers to itself.
    pub fn may_branch(&self) -> bool {
        self.own().any(|(name, record)| {
            let is_own = |member: &&Member| member.c_type.strip_suffix('*').is_some_and(|to| to.trim_end() == name);
            record.members.iter().filter(is_own).count() >= 2
        })
    }

    /// Whether some structure of the program itself of `size` bytes has another pointer of the type of that at `offset`, and may be a
    /// node: what these point to may lead back to one of its kind. (The first and the last node in a list's header do not.)
    pub fn has_other_link(&self, size: u64, offset: u64) -> bool {
        self.own().filter(|(_, record)| record.size == size).any(|(_, record)| {
            let link = record.members.iter().find(|member| member.offset == offset);
            link.is_some_and(|link| {
                let is_like = |member: &Member| member.c_type == link.c_type && member.offset != offset;
                let is_link = link.c_type.ends_with('*') && self.may_lead_back(&link.c_type, record);
                is_link && record.members.iter().any(is_like)
            })
        })
    }

    /// Whether a pointer of this type leads to such a record, or to one with a pointer to it, as far as its type is known.
    fn may_lead_back(&self, c_type: &str, record: &Record) -> bool {
        let is_record = |to: &Record| std::ptr::eq(to, record);
        self.pointed(c_type).is_none_or(|to| {
            let mut next = to.members.iter().filter_map(|member| self.pointed(&member.c_type));
            is_record(to) || next.any(is_record)
        })
    }

    /// Whether some structure of the program itself of `size` bytes has pointers of one type at all of these offsets. (Headers have
    /// structures of many sizes.)
    pub fn has_links(&self, size: u64, offsets: &[u64]) -> bool {
        self.own().any(|(_, record)| record.size == size && record.has_links(offsets))
    }

    /// Whether all structures of the program itself of `size` bytes have.
    pub fn all_have_links(&self, size: u64, offsets: &[u64]) -> bool {
        self.own().all(|(_, record)| record.size != size || record.has_links(offsets))
    }

    /// Whether blocks of `size` bytes may have links of one kind at all of these offsets, as far as types say.
    pub fn may_be_links(&self, size: u64, offsets: &[u64]) -> bool {
        self.with_links(size, offsets).is_none() || self.has_links(size, offsets)
    }

    /// A structure of the program itself of `size` bytes that has pointers at all of these offsets, of one type if there is such a
    /// one, with its name.
    pub fn with_links(&self, size: u64, offsets: &[u64]) -> Option<(&str, &Record)> {
        let has_all = |record: &Record| offsets.iter().all(|offset| record.pointer(*offset).is_some());
        let fitting = || self.own().filter(|(_, record)| record.size == size && has_all(record));
        fitting().find(|(_, record)| record.has_links(offsets)).or_else(|| fitting().next())
    }

    /// Whether some structure of `size` bytes has an array, and at `offset` a scalar that is in none.
    pub fn is_beside_array(&self, size: u64, offset: u64) -> bool {
        self.beside_arrays.contains(&(size, offset))
    }

    /// Whether structures of `size` bytes have arrays, and what is at `offset` is beside none of them.
    pub fn is_in_array(&self, size: u64, offset: u64) -> bool {
        let has_array = self.beside_arrays.range((size, 0)..=(size, u64::MAX)).next().is_some();
        has_array && !self.is_beside_array(size, offset)
    }

    /// Where the smallest array of characters begins and ends that structures of `size` bytes may have at `offset`.
    pub fn text_at(&self, size: u64, offset: u64) -> Option<(u64, u64)> {
        let texts = self.texts.range((size, 0, 0)..=(size, offset, u64::MAX)).map(|(_, from, to)| (*from, *to));
        texts.filter(|(_, to)| offset < *to).min_by_key(|(from, to)| to - from)
    }

    /// Whether structures of `size` bytes have an array of characters.
    pub fn has_text(&self, size: u64) -> bool {
        self.texts.range((size, 0, 0)..=(size, u64::MAX, u64::MAX)).next().is_some()
    }

    /// What a pointer of this type (`struct node*`) points to.
    pub fn pointed(&self, c_type: &str) -> Option<&Record> {
        self.get(c_type.strip_suffix('*')?)
    }
}

impl Member {
    /// Whether it is in an array.
    fn is_cell(&self) -> bool {
        self.path.contains('[')
    }

    /// Whether some byte belongs to both.
    fn overlaps(&self, other: &Self) -> bool {
        self.offset < other.offset + other.size && other.offset < self.offset + self.size
    }
}

impl Record {
    /// Whether there are pointers of one type at all of these offsets.
    pub fn has_links(&self, offsets: &[u64]) -> bool {
        let types: Option<Vec<&str>> = offsets.iter().map(|offset| Some(&*self.pointer(*offset)?.c_type)).collect();
        types.is_some_and(|types| types.windows(2).all(|pair| pair[0] == pair[1]))
    }

    /// The pointer at `offset`.
    pub fn pointer(&self, offset: u64) -> Option<&Member> {
        self.members.iter().find(|member| member.offset == offset && member.c_type.ends_with('*'))
    }

    /// The scalar of `size` bytes at `offset`.
    pub fn member(&self, offset: u64, size: u64) -> Option<&Member> {
        self.members.iter().find(|member| member.offset == offset && member.size == size)
    }
}

/// Adds the scalars of an object of type `ty` that is selected by `path` at `offset`.
fn add(types: &Types, ty: TypeId, path: &str, offset: u64, members: &mut Vec<Member>) {
    if members.len() >= MOST_MEMBERS {
        return;
    }
    match types.get(ty) {
        Type::Record(_) => {
            let Some(layout) = types.layout_of(ty).filter(|layout| layout.variable.is_none()) else { return };
            for field in layout.fields.iter().filter(|field| field.bits.is_none()) {
                let name = field.name.as_deref().unwrap_or_default();
                // What stands in an unnamed structure is selected as if it stood around it.
                let dot = if path.is_empty() || name.is_empty() { "" } else { "." };
                add(types, field.ty, &format!("{path}{dot}{name}"), offset + field.offset, members);
            }
        }
        Type::Array { element, length: ArrayLength::Known(length) } => {
            let Some(size) = types.size_of(*element) else { return };
            for index in 0..(*length).min(MOST_ELEMENTS) {
                add(types, *element, &format!("{path}[{index}]"), offset + index * size, members);
            }
        }
        Type::Array { .. } | Type::Void | Type::Function(_) => {}
        scalar => {
            let Some(size) = types.size_of(ty) else { return };
            let scalar = match scalar {
                Type::Int(kind) | Type::Enum { underlying: kind, .. } if *kind != IntKind::Bool && size <= 8 => {
                    Some(if kind.is_signed() { Scalar::Signed } else { Scalar::Unsigned })
                }
                Type::Pointer(_) => Some(Scalar::Pointer),
                _ => None,
            };
            members.push(Member { path: path.into(), offset, size, c_type: types.display(ty), scalar });
        }
    }
}

/// Visits the arrays of characters in an object of type `ty` at `offset`: where each begins, and how many bytes it has.
fn each_text(types: &Types, ty: TypeId, offset: u64, visit: &mut dyn FnMut(u64, u64)) {
    match types.get(ty) {
        Type::Record(_) => {
            let Some(layout) = types.layout_of(ty).filter(|layout| layout.variable.is_none()) else { return };
            layout.fields.iter().for_each(|field| each_text(types, field.ty, offset + field.offset, visit));
        }
        Type::Array { element, length: ArrayLength::Known(length) } => match types.get(*element) {
            Type::Int(kind) if *kind != IntKind::Bool && types.size_of(*element) == Some(1) => visit(offset, *length),
            _ => {
                let Some(size) = types.size_of(*element) else { return };
                for index in 0..(*length).min(MOST_ELEMENTS) {
                    each_text(types, *element, offset + index * size, visit);
                }
            }
        },
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::{SourceText, parse};
    use crate::task::DataModel;

    #[test]
    fn members_are_named_as_c_selects_them() {
        let text = "struct pair { int first; long second; };\n\
                    struct node { struct node *next; struct pair both[2]; union { char c; int i; }; int bit : 3; };\n\
                    struct open; int main(void) { struct node n; return n.i; }\n";
        let unit = parse(&SourceText::from_text("t.c", text, DataModel::Lp64)).unwrap();
        let records = Records::new(&unit.types);
        let node = records.pointed("struct node*").unwrap();
        let established: Vec<(&str, u64, u64, &str)> =
            node.members.iter().map(|m| (&*m.path, m.offset, m.size, &*m.c_type)).collect();
        let expected = [
            ("next", 0, 8, "struct node*"),
            ("both[0].first", 8, 4, "int"),
            ("both[0].second", 16, 8, "long"),
            ("both[1].first", 24, 4, "int"),
            ("both[1].second", 32, 8, "long"),
            ("c", 40, 1, "char"),
            ("i", 40, 4, "int"),
        ];
        assert_eq!(established, expected);
        assert_eq!(node.member(40, 4).unwrap().path, "i");
        assert!(records.get("struct open").is_none() && records.pointed("int*").is_none());
    }

    #[test]
    fn scalars_beside_arrays_are_distinguished_from_cells() {
        let text = "typedef struct { int top; int stack[4]; char *name; } machine; struct plain { int a, b; };\n\
                    union over { int all[10]; struct { int a, b; } few; };\n\
                    int main(void) { machine m; struct plain p; m.top = p.a = 0; return m.top; }\n";
        let unit = parse(&SourceText::from_text("t.c", text, DataModel::Lp64)).unwrap();
        let records = Records::new(&unit.types);
        let beside: Vec<u64> = (0..40).filter(|offset| records.is_beside_array(32, *offset)).collect();
        assert_eq!(beside, [0, 24]);
        assert!((0..40).all(|offset| records.is_in_array(32, offset) != beside.contains(&offset)));
        assert!((0..40).all(|offset| !records.is_in_array(8, offset)));
        assert!((0..40).all(|offset| !records.is_beside_array(8, offset) && !records.is_beside_array(40, offset)));
    }

    #[test]
    fn texts_are_arrays_of_characters() {
        let text = "struct name { char first[12], last[8]; int age; }; struct pair { struct name of[2]; char note[4]; };\n\
                    int main(void) { struct pair p; return p.note[0]; }\n";
        let unit = parse(&SourceText::from_text("t.c", text, DataModel::Lp64)).unwrap();
        let records = Records::new(&unit.types);
        let found = |size: u64, offsets: &[u64]| -> Vec<Option<(u64, u64)>> {
            offsets.iter().map(|offset| records.text_at(size, *offset)).collect()
        };
        assert_eq!(
            found(24, &[0, 11, 12, 19, 20]),
            [Some((0, 12)), Some((0, 12)), Some((12, 20)), Some((12, 20)), None]
        );
        assert_eq!(found(52, &[30, 44, 47, 48]), [Some((24, 36)), None, None, Some((48, 52))]);
        assert_eq!(records.text_at(20, 0), None);
    }

    #[test]
    fn links_are_pointers_of_one_type() {
        let text = "struct tree { struct tree *left, *right; }; struct item { struct item *below; struct tree *top; };\n\
                    struct lone { struct lone *next; long key; }; int main(void) { struct item i; i.below = 0; return 0; }\n";
        let unit = parse(&SourceText::from_text("t.c", text, DataModel::Lp64)).unwrap();
        let records = Records::new(&unit.types);
        assert!(records.has_links(16, &[0, 8]) && !records.all_have_links(16, &[0, 8]));
        assert!(records.all_have_links(16, &[0]) && !records.has_links(24, &[0]));
        assert_eq!(records.with_links(16, &[0, 8]).unwrap().0, "struct tree");
        assert_eq!(records.with_links(16, &[0]).unwrap().0, "struct item");
    }

    #[test]
    fn pointers_of_a_header_are_no_links_of_nodes() {
        let has = |text: &str, size, offset| {
            let text = format!("{text} int main(void) {{ return 0; }}");
            let unit = parse(&SourceText::from_text("t.c", &text, DataModel::Lp64)).unwrap();
            Records::new(&unit.types).has_other_link(size, offset)
        };
        let node = "struct node { struct node *next; };";
        assert!(!has(&format!("{node} struct list {{ struct node *first, *last; }};"), 16, 8));
        assert!(has("struct tree { struct tree *left, *right; };", 16, 8));
        assert!(!has("struct lone { struct lone *next; long key; };", 16, 0));
        // By way of another structure, and where the type does not say.
        assert!(has("struct b; struct a { struct b *x, *y; }; struct b { struct a *z; };", 16, 8));
        assert!(has("struct any { void *left, *right; };", 16, 0));
    }

    #[test]
    fn names_of_several_structures_mean_none() {
        let text = "struct s { int a; };\nint main(void) { struct s { long b; } t; t.b = 0; return t.b; }\n";
        let unit = parse(&SourceText::from_text("t.c", text, DataModel::Lp64)).unwrap();
        assert_eq!(Records::new(&unit.types).get("struct s"), None);
    }
}
