//! Symbolic heaps as conjunctions of predicates.

use std::collections::{BTreeMap, BTreeSet};

use super::lists::Lists;
use super::places::{Base, Kind, Named, lvalue, tight};
use super::terms::{Scope, constant};
use crate::open::{CellText, Expr, Formula, SegmentText, ValueText};

/// One conjunct.
#[derive(Clone, Debug)]
pub struct Stated {
    pub text: String,
    /// Declarations of the quantified variables in it.
    pub bound: BTreeSet<String>,
}

/// What a heap comes to.
#[derive(Default)]
pub struct Heap {
    pub stated: Vec<Stated>,
    /// It says more than `said` does.
    pub unsaid: bool,
    /// The bytes of cells and lists, as sets of addresses.
    pub regions: Vec<Stated>,
    /// Bases of `regions`: regions of one base are separate anyway.
    bases: BTreeSet<String>,
}

/// How a heap is written.
pub struct Writer<'a> {
    pub scope: Scope<'a>,
    /// By variable, the declaration of the quantified variable that stands for it.
    pub bound: &'a BTreeMap<u32, String>,
    /// Before the names of quantified sets.
    pub prefix: &'a str,
    /// Addresses that stand for what callers pass by value, by variable: nothing is to be said of the memory itself.
    pub values: &'a BTreeMap<u32, Base>,
    /// `\valid` or `\valid_read`.
    pub valid: &'a str,
}

/// An address as the variable it starts from and its constant offset.
pub fn base_var(at: &Expr) -> Option<(u32, i64)> {
    match at {
        Expr::Var(n) => Some((*n, 0)),
        Expr::Op(parts) if parts.0 == "add" => {
            let (var, offset) = base_var(&parts.1)?;
            Some((var, offset.checked_add(constant(&parts.2, true)?.parse().ok()?)?))
        }
        _ => None,
    }
}

/// The number of bytes that a constant says.
fn bytes(size: &Expr) -> Option<u64> {
    constant(size, false)?.parse().ok()
}

impl Writer<'_> {
    /// The declarations of what is quantified in some expressions.
    fn bound(&self, exprs: &[&Expr]) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        exprs.iter().for_each(|expr| expr.variables(&mut found));
        found.iter().filter_map(|var| self.bound.get(var).cloned()).collect()
    }

    /// Where a cell stands.
    pub fn place(&self, at: &Expr) -> Option<(Base, i64)> {
        match base_var(at) {
            Some((var, offset)) if self.values.contains_key(&var) => Some((self.values[&var].clone(), offset)),
            _ => self.scope.place(at),
        }
    }

    /// Whether a cell belongs to what is passed by value.
    pub fn is_value(&self, at: &Expr) -> bool {
        base_var(at).is_some_and(|(var, _)| self.values.contains_key(&var))
    }

    /// The object that a cell is, where one has its size.
    pub fn object(&self, cell: &CellText) -> Option<Named> {
        let (base, offset) = self.place(&cell.at)?;
        lvalue(&self.scope.unit.types, &base, offset, bytes(&cell.size)?)
    }

    /// The bytes of a cell as a set of addresses.
    pub fn region(&self, cell: &CellText) -> Option<Stated> {
        let bound = self.bound(&[&cell.at, &cell.size]);
        if let Some(object) = self.object(cell) {
            // The address of what a pointer points to is the pointer.
            let text = object.text.strip_prefix('*').map_or_else(|| format!("&{}", object.text), str::to_owned);
            return Some(Stated { text, bound });
        }
        let (base, offset) = self.place(&cell.at)?;
        let last = match bytes(&cell.size) {
            Some(size) => (size.checked_sub(1)?).to_string(),
            None => format!("{} - 1", self.scope.number(&cell.size, false)?),
        };
        Some(Stated { text: format!("{} + (0 .. {last})", base.at(offset)), bound })
    }

    /// What stands in a cell; nothing where that is `own`, a variable named by the cell itself.
    fn content(&self, cell: &CellText, is_own: bool) -> Option<Option<Stated>> {
        match &cell.value {
            ValueText::Any => Some(None),
            ValueText::Is(_) if is_own => Some(None),
            ValueText::Is(value) => {
                let object = self.object(cell)?;
                let text = self.scope.is(&object, value)?;
                Some(Some(Stated { text, bound: self.bound(&[&cell.at, value]) }))
            }
            ValueText::Each(byte) => {
                let (base, offset) = self.place(&cell.at).filter(|(base, _)| base.is_in_memory())?;
                let (size, byte_text) = (self.scope.number(&cell.size, false)?, self.scope.number(byte, false)?);
                let text = format!(
                    "(\\forall integer i; 0 <= i < {size} ==> *((unsigned char *)({}) + i) == {byte_text})",
                    base.at(offset)
                );
                Some(Some(Stated { text, bound: self.bound(&[&cell.at, &cell.size, byte]) }))
            }
        }
    }

    /// All that can be said of a heap. `is_own` tells of cells whose value is what their variable is named by, `is_new` of
    /// those that are worth being called valid.
    pub fn heap(
        &self,
        formula: &Formula,
        lists: &mut Lists,
        is_own: &dyn Fn(usize) -> bool,
        is_new: &dyn Fn(&CellText) -> bool,
    ) -> Heap {
        let mut heap = Heap::default();
        let say = |stated: Option<Stated>, heap: &mut Heap| match stated {
            Some(stated) if stated.text == "\\true" => {}
            Some(stated) => heap.stated.push(stated),
            None => heap.unsaid = true,
        };
        for condition in &formula.pure {
            let stated = self.scope.holds(condition);
            say(stated.map(|text| Stated { text, bound: self.bound(&[condition]) }), &mut heap);
        }
        for block in formula.blocks.iter() {
            if !block.live {
                heap.unsaid = true;
                continue;
            }
            let start = self.scope.pointer(&block.start).map(|start| start.text);
            let bound = self.bound(&[&block.start]);
            say(start.clone().map(|start| Stated { text: format!("\\freeable({start})"), bound }), &mut heap);
            let text = start.and_then(|start| {
                let length = format!("\\block_length({start})");
                let size = self.scope.number(&block.size, false)?;
                Some(if length == size { "\\true".to_owned() } else { format!("{length} == {size}") })
            });
            say(text.map(|text| Stated { text, bound: self.bound(&[&block.start, &block.size]) }), &mut heap);
        }
        for (index, cell) in formula.cells.iter().enumerate() {
            if !self.is_value(&cell.at) {
                let region = self.region(cell);
                if let Some(region) = &region
                    && is_new(cell)
                {
                    let text = format!("{}({})", self.valid, region.text);
                    say(Some(Stated { text, bound: region.bound.clone() }), &mut heap);
                }
                match region {
                    Some(region) => {
                        let base = self.place(&cell.at).map(|(base, _)| base.bytes());
                        heap.bases.extend(base);
                        heap.regions.push(region);
                    }
                    None => heap.unsaid = true,
                }
            }
            match self.content(cell, is_own(index)) {
                Some(Some(stated)) => say(Some(stated), &mut heap),
                Some(None) => {}
                None => heap.unsaid = true,
            }
        }
        for (n, segment) in formula.segments.iter().enumerate() {
            let set = format!("{}s{n}", self.prefix);
            let nodes = format!("{}k{n}", self.prefix);
            match self.list(segment, lists, &nodes, &set) {
                Some(stated) => {
                    let bound = BTreeSet::from([format!("set<char *> {set}")]);
                    heap.regions.push(Stated { text: set.clone(), bound });
                    heap.bases.insert(set);
                    heap.stated.extend(stated);
                }
                None => heap.unsaid = true,
            }
        }
        heap
    }

    fn list(&self, segment: &SegmentText, lists: &mut Lists, nodes: &str, set: &str) -> Option<Vec<Stated>> {
        let name = lists.name(&segment.shape, self.scope.unit.types.model)?;
        let address = |expr: &Expr| {
            let pointer = self.scope.pointer(expr)?.text;
            Some(if pointer.starts_with("(char *)") || pointer == "\\null" {
                pointer
            } else {
                format!("(char *){}", tight(&pointer))
            })
        };
        let mut exprs = vec![&segment.first, &segment.next];
        let mut parts = vec![address(&segment.first)?];
        if let Some((last, prev)) = &segment.back {
            parts.extend([address(prev)?, address(last)?]);
            exprs.extend([last, prev]);
        }
        parts.push(address(&segment.next)?);
        for arg in &segment.args {
            parts.push(self.scope.number(arg, false)?);
            exprs.push(arg);
        }
        let mut bound = self.bound(&exprs);
        bound.extend([format!("integer {nodes}"), format!("set<char *> {set}")]);
        let mut stated =
            vec![Stated { text: format!("{name}({}, {nodes}, {set})", parts.join(", ")), bound: bound.clone() }];
        if segment.nonempty {
            stated.push(Stated { text: format!("{nodes} > 0"), bound: BTreeSet::from([format!("integer {nodes}")]) });
        }
        Some(stated)
    }
}

impl Heap {
    /// That no two regions have a byte in common, where that is worth a word.
    pub fn separated(&self) -> Option<Stated> {
        if self.bases.len() < 2 {
            return None;
        }
        let regions: Vec<&str> = self.regions.iter().map(|region| region.text.as_str()).collect();
        let bound = self.regions.iter().flat_map(|region| region.bound.clone()).collect();
        Some(Stated { text: format!("\\separated({})", regions.join(", ")), bound })
    }
}

/// What a cell is called, given what variables are called.
type Finder<'a> = &'a dyn Fn(&[Option<Named>], &CellText) -> Option<Named>;

/// Finds names for the variables that `may_name` tells: what C calls the cell that holds one.
pub fn name_cells(
    formula: &Formula,
    may_name: &dyn Fn(u32) -> bool,
    names: &mut [Option<Named>],
    own: &mut BTreeSet<usize>,
    object: Finder,
) {
    loop {
        let mut changed = false;
        for (index, cell) in formula.cells.iter().enumerate() {
            let ValueText::Is(value) = &cell.value else { continue };
            let Some((var, offset)) = base_var(value) else { continue };
            if names.get(var as usize).is_none_or(Option::is_some) || !may_name(var) {
                continue;
            }
            let Some(object) = object(names, cell) else { continue };
            let named = match (offset, object.kind) {
                (0, _) => {
                    own.insert(index);
                    object
                }
                // The cell holds an address within what the variable is the address of.
                (_, Kind::Pointer(_)) => {
                    own.insert(index);
                    let base = Base::Pointer { text: object.text, target: None };
                    Named { text: format!("({})", base.at(offset.wrapping_neg())), kind: Kind::Pointer(None) }
                }
                _ => continue,
            };
            names[var as usize] = Some(named);
            changed = true;
        }
        if !changed {
            return;
        }
    }
}
