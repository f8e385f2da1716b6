//! How a program uses its pointers, whatever the path: what a caller of a function can be taken to hand over.

use std::collections::{BTreeMap, BTreeSet};

use super::walk::{Visitor, statements};
use crate::c::syntax::{
    BinaryOp, Callee, CompareOp, Expr, ExprKind, FunctionId, GlobalId, LocalId, Place, PlaceKind, Unit,
};
use crate::c::types::{RecordId, Type, TypeId};

/// Where a value is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holder {
    /// A parameter or variable of a function.
    Local(FunctionId, LocalId),
    /// A static object.
    Global(GlobalId),
    /// A member of any structure of this type.
    Member(RecordId, u32),
    /// Any memory of this type that only a pointer leads to.
    Behind(TypeId),
    /// What a function returns.
    Result(FunctionId),
}

/// What becomes of a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// A pointer is compared with null.
    pub tested: bool,
    /// A pointer is moved, or elements behind the first one are used.
    pub indexed: bool,
    /// Bytes are written where it leads to, as many as something else says.
    pub filled: bool,
    /// A number is compared with another one, or counted down: it may bound something.
    pub compared: bool,
    /// A pointer without a type becomes one of these.
    pub types: BTreeSet<u32>,
}

/// Library functions that write as many bytes as their other arguments say to where the first argument leads.
const FILLING: [&str; 14] = [
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "sprintf",
    "snprintf",
    "memcpy",
    "memmove",
    "memset",
    "stpcpy",
    "gets",
    "fgets",
    "vsprintf",
    "vsnprintf",
];

/// Library functions whose pointers lead to more than one element.
fn indexes(name: &str) -> bool {
    name.starts_with("str") || name.starts_with("mem") || FILLING.contains(&name)
}

/// Of all values that a program keeps.
pub struct Uses {
    found: BTreeMap<Holder, Use>,
    calls: BTreeSet<(FunctionId, FunctionId)>,
    releasing: BTreeSet<FunctionId>,
}

impl Uses {
    /// Of all functions of the text.
    pub fn of(unit: &Unit) -> Self {
        let mut gathering = Gathering {
            unit,
            function: FunctionId(0),
            found: BTreeMap::new(),
            flows: BTreeSet::new(),
            calls: BTreeSet::new(),
            releasing: BTreeSet::new(),
        };
        for (index, function) in unit.functions.iter().enumerate() {
            let Some(body) = &function.body else { continue };
            gathering.function = FunctionId(index as u32);
            statements(&body.block, &mut gathering);
        }
        let Gathering { mut found, flows, calls, releasing, .. } = gathering;
        // What is done with a value where it goes to is done with it where it comes from.
        loop {
            let mut changed = false;
            for (from, to) in &flows {
                let Some(there) = found.get(to).cloned() else { continue };
                let here = found.entry(*from).or_default();
                let before = here.clone();
                here.tested |= there.tested && is_asked(*from, *to);
                here.indexed |= there.indexed;
                here.filled |= there.filled;
                here.compared |= there.compared;
                here.types.extend(there.types);
                changed |= *here != before;
            }
            if !changed {
                return Self { found, calls, releasing };
            }
        }
    }

    /// Whether `function`, or what it calls by name, frees or resizes blocks.
    pub fn releases(&self, function: FunctionId) -> bool {
        let mut seen = BTreeSet::from([function]);
        let mut open = vec![function];
        while let Some(next) = open.pop() {
            let callees = self.calls.range((next, FunctionId(0))..=(next, FunctionId(u32::MAX)));
            open.extend(callees.map(|(_, callee)| *callee).filter(|callee| seen.insert(*callee)));
        }
        seen.iter().any(|function| self.releasing.contains(function))
    }

    /// Of one of them.
    pub fn get(&self, holder: Holder) -> Use {
        self.found.get(&holder).cloned().unwrap_or_default()
    }
}

/// Whether who keeps a value in `from` may keep null there because null is asked for in `to`: what a function puts elsewhere, it need not
/// accept itself.
fn is_asked(from: Holder, to: Holder) -> bool {
    match (from, to) {
        (_, Holder::Local(..)) => true,
        (Holder::Local(..), _) => false,
        (_, Holder::Result(_)) => true,
        (_, Holder::Global(_) | Holder::Member(..) | Holder::Behind(_)) => false,
    }
}

struct Gathering<'u> {
    unit: &'u Unit,
    function: FunctionId,
    found: BTreeMap<Holder, Use>,
    flows: BTreeSet<(Holder, Holder)>,
    calls: BTreeSet<(FunctionId, FunctionId)>,
    releasing: BTreeSet<FunctionId>,
}

impl Gathering<'_> {
    fn holder(&self, place: &Place) -> Option<Holder> {
        match &place.kind {
            PlaceKind::Local(local) => Some(Holder::Local(self.function, *local)),
            PlaceKind::Global(global) => Some(Holder::Global(*global)),
            PlaceKind::Member { base, field } => match self.unit.types.get(base.ty) {
                Type::Record(record) => Some(Holder::Member(*record, *field)),
                _ => None,
            },
            PlaceKind::Deref(_) => Some(Holder::Behind(place.ty)),
            PlaceKind::CompoundLiteral { .. } | PlaceKind::Temporary(_) | PlaceKind::Unsupported(_) => None,
        }
    }

    /// Where the value comes from, moved or not.
    fn sources(&self, expr: &Expr, found: &mut Vec<Holder>) {
        match &expr.kind {
            ExprKind::Use(place) | ExprKind::Increment { place, .. } | ExprKind::CompoundAssign { place, .. } => {
                found.extend(self.holder(place));
            }
            ExprKind::AddressOf(place) => {
                // `&p[i]` is `p` moved.
                if let PlaceKind::Deref(pointer) = &place.kind {
                    self.sources(pointer, found);
                }
            }
            ExprKind::Convert(inner) => self.sources(inner, found),
            ExprKind::PointerAdd { pointer, .. } => self.sources(pointer, found),
            ExprKind::Assign { place, value } => {
                found.extend(self.holder(place));
                self.sources(value, found);
            }
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, a, _) => self.sources(a, found),
            ExprKind::Conditional { then, otherwise, .. } => {
                then.iter().for_each(|then| self.sources(then, found));
                self.sources(otherwise, found);
            }
            ExprKind::Comma(_, b) => self.sources(b, found),
            ExprKind::Call { callee: Callee::Direct(function), .. } => found.push(Holder::Result(*function)),
            _ => {}
        }
    }

    fn note(&mut self, expr: &Expr, what: impl Fn(&mut Use)) {
        let mut sources = Vec::new();
        self.sources(expr, &mut sources);
        sources.into_iter().for_each(|holder| what(self.found.entry(holder).or_default()));
    }

    fn flow(&mut self, from: &Expr, to: Holder) {
        let mut sources = Vec::new();
        self.sources(from, &mut sources);
        self.flows.extend(sources.into_iter().map(|source| (source, to)));
    }

    fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.unit.types.get(ty), Type::Pointer(_))
    }

    fn is_void_pointer(&self, ty: TypeId) -> bool {
        matches!(self.unit.types.get(ty), Type::Pointer(to) if *self.unit.types.get(*to) == Type::Void)
    }

    fn call(&mut self, function: FunctionId, args: &[Expr]) {
        let callee = &self.unit.functions[function.index()];
        self.calls.insert((self.function, function));
        if callee.body.is_some() {
            for (index, arg) in args.iter().enumerate() {
                self.flow(arg, Holder::Local(function, LocalId(index as u32)));
            }
            return;
        }
        let name = callee.name.trim_start_matches("__builtin_").to_owned();
        if matches!(&*name, "free" | "realloc" | "reallocarray") {
            self.releasing.insert(self.function);
        }
        for arg in args.iter().filter(|_| indexes(&name)) {
            self.note(arg, |used| used.indexed = true);
        }
        if let Some(first) = args.first().filter(|_| FILLING.contains(&&*name)) {
            self.note(first, |used| used.filled = true);
        }
        for arg in args {
            self.note(arg, |used| used.compared = true);
        }
    }
}

fn is_zero(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(0) => true,
        ExprKind::Convert(inner) => is_zero(inner),
        _ => false,
    }
}

impl Visitor for Gathering<'_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::PointerAdd { pointer, index, .. } if !is_zero(index) => {
                self.note(pointer, |used| used.indexed = true);
            }
            ExprKind::Increment { place, .. } | ExprKind::CompoundAssign { place, .. } => {
                let is_pointer = self.is_pointer(place.ty);
                if let Some(holder) = self.holder(place) {
                    let used = self.found.entry(holder).or_default();
                    used.indexed |= is_pointer;
                    used.compared |= !is_pointer;
                }
            }
            ExprKind::Compare(op, a, b) => {
                let tests = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
                if self.is_pointer(a.ty) && tests {
                    if is_zero(b) {
                        self.note(a, |used| used.tested = true);
                    } else if is_zero(a) {
                        self.note(b, |used| used.tested = true);
                    }
                } else {
                    self.note(a, |used| used.compared = true);
                    self.note(b, |used| used.compared = true);
                }
            }
            ExprKind::Convert(inner) if self.is_void_pointer(inner.ty) => {
                if let Type::Pointer(to) = self.unit.types.get(expr.ty)
                    && *self.unit.types.get(*to) != Type::Void
                {
                    let to = to.0;
                    self.note(inner, |used| _ = used.types.insert(to));
                }
            }
            ExprKind::Assign { place, value } => {
                if let Some(holder) = self.holder(place) {
                    self.flow(value, holder);
                }
            }
            ExprKind::Call { callee: Callee::Direct(function), args, .. } => self.call(*function, args),
            _ => {}
        }
    }

    fn declared(&mut self, local: LocalId, value: &Expr) {
        self.flow(value, Holder::Local(self.function, local));
    }

    fn returned(&mut self, value: &Expr) {
        self.flow(value, Holder::Result(self.function));
    }

    fn condition(&mut self, value: &Expr) {
        self.note(value, |used| {
            used.tested = true;
            used.compared = true;
        });
    }
}
