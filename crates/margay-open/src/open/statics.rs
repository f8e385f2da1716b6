//! Objects with static storage duration by name, within a file and between files.
//!
//! Contracts name them. Within a file every object has a name of its own; what a file tells others names its own objects
//! together with the file, so that two files' `static int count` stay two.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::contract::{Contract, Expr};
use super::heap::Static;
use super::report::Status;
use crate::cfa::{Content, Expr as Value, FunctionId, Global, OpenProgram};

/// Bytes of a literal that its name shows.
const SHOWN: usize = 24;
/// Before the name of an object of all files that has the name of one of this file's own.
const OUTSIDE: &str = "::";

/// The objects of a file, by the index of their global; no two have the same name.
pub(super) fn statics(open: &OpenProgram) -> Vec<Static> {
    let program = &open.program;
    let mut seen: BTreeSet<Arc<str>> =
        open.exported_globals.iter().map(|global| program.globals[global.index()].name.clone()).collect();
    let mut statics = Vec::new();
    for (index, global) in program.globals.iter().enumerate() {
        let literal = literal(global);
        let is_exported = open.exported_globals.iter().any(|exported| exported.index() == index);
        let plain = if global.read_only { literal_name(global) } else { global.name.clone() };
        let mut name = plain.clone();
        let mut number = 1;
        while !is_exported && !seen.insert(name.clone()) {
            number += 1;
            name = format!("{plain}'{number}").into();
        }
        statics.push(Static { name, size: global.size, literal });
    }
    statics
}

/// What the contracts of a file call its objects, by the index of their global.
#[cfg(any(test, feature = "testing"))]
pub fn static_names(open: &OpenProgram) -> Vec<Arc<str>> {
    statics(open).into_iter().map(|object| object.name).collect()
}

/// What a literal holds: offset, bytes and value, ascending.
fn literal(global: &Global) -> Option<Vec<(u64, u32, u128)>> {
    let Content::Initialised(writes) = &global.content else { return None };
    let constant = |value: &Value| match value {
        Value::Const(bits) => Some((bits.width.div_ceil(8), bits.value)),
        _ => None,
    };
    let written = |(offset, value): &(u64, Value)| constant(value).map(|(bytes, value)| (*offset, bytes, value));
    let mut content: Vec<(u64, u32, u128)> =
        if global.read_only { writes.iter().map(written).collect::<Option<_>>()? } else { return None };
    content.sort_unstable();
    Some(content)
}

/// A name that says what is in it, and does not depend on what else is in the file.
fn literal_name(global: &Global) -> Arc<str> {
    let Some(content) = literal(global) else { return global.name.clone() };
    let mut text = String::from("\"");
    for (offset, bytes, value) in content.iter().take(SHOWN) {
        match (bytes, u8::try_from(*value)) {
            (1, Ok(0)) if offset + 1 == global.size => {}
            (1, Ok(byte)) => text.extend(byte.escape_ascii().map(char::from)),
            _ => text.push_str(&format!("\\x{value:x}")),
        }
    }
    text.push_str(if content.len() > SHOWN { "…\"" } else { "\"" });
    text.into()
}

/// What files know of each other: contracts of functions that other files can call, in names that mean the same everywhere.
#[derive(Clone, Default)]
pub struct Linked {
    contracts: BTreeMap<Arc<str>, Arc<[Contract]>>,
    /// Of functions whose contracts do not cover all of their paths.
    gaps: BTreeMap<Arc<str>, Status>,
    /// Functions of which more may be found.
    unfinished: BTreeSet<Arc<str>>,
    statics: BTreeMap<Arc<str>, Static>,
}

/// What a file knows of functions that other files define.
#[derive(Default)]
pub(super) struct Known {
    pub contracts: BTreeMap<FunctionId, Arc<[Contract]>>,
    pub gaps: BTreeMap<FunctionId, Status>,
}

impl Linked {
    /// Takes what is known of the functions of a file; `false` where nothing is new. `file` names it among the others.
    pub fn add(&mut self, open: &OpenProgram, file: &str, found: &[(Arc<str>, Vec<Contract>)]) -> bool {
        let program = &open.program;
        let all = statics(open);
        let is_exported = |index: usize| open.exported_globals.iter().any(|global| global.index() == index);
        let own: BTreeSet<&Arc<str>> =
            all.iter().enumerate().filter(|(index, _)| !is_exported(*index)).map(|(_, object)| &object.name).collect();
        let outside = |name: &Arc<str>| match name.strip_prefix(OUTSIDE) {
            Some(plain) => Arc::from(plain),
            None if own.contains(name) => format!("{name}@{file}").into(),
            None => name.clone(),
        };
        let is_own = |name: &Arc<str>| {
            open.functions.iter().any(|id| !open.exported.contains(id) && program.function(*id).name == *name)
        };
        let function = |name: &Arc<str>| if is_own(name) { format!("{name}@{file}").into() } else { name.clone() };
        for object in &all {
            let name = outside(&object.name);
            self.statics.entry(name.clone()).or_insert_with(|| Static { name, ..object.clone() });
        }
        let mut news = false;
        for (name, contracts) in found {
            if !open.exported.iter().any(|id| program.function(*id).name == *name) {
                continue;
            }
            let mut contracts = contracts.clone();
            contracts.iter_mut().for_each(|contract| contract.rename(&outside, &function));
            let contracts: Arc<[Contract]> = contracts.into();
            let before = self.contracts.insert(name.clone(), contracts.clone());
            news |= before.is_none_or(|before| before != contracts);
        }
        news
    }

    /// Takes how much is known of a function of a file, of which [`Self::add`] knows the contracts; `false` where that is nothing
    /// new.
    pub fn set_status(&mut self, name: &Arc<str>, status: Status, is_finished: bool) -> bool {
        if is_finished {
            self.unfinished.remove(name)
        } else {
            self.unfinished.insert(name.clone())
        };
        match status {
            Status::Complete => self.gaps.remove(name).is_some(),
            _ => self.gaps.insert(name.clone(), status) != Some(status),
        }
    }

    /// Whether all is known of the function that will be.
    pub(super) fn is_finished(&self, name: &Arc<str>) -> bool {
        !self.unfinished.contains(name)
    }

    /// What is known of the functions that a file calls and does not define, in its names; objects that it does not name are
    /// added to `statics`.
    pub(super) fn for_file(&self, open: &OpenProgram, statics: &mut Vec<Static>) -> Known {
        let program = &open.program;
        let shared: BTreeSet<Arc<str>> =
            open.exported_globals.iter().map(|global| program.globals[global.index()].name.clone()).collect();
        let own: BTreeSet<Arc<str>> =
            statics.iter().map(|object| object.name.clone()).filter(|name| !shared.contains(name)).collect();
        let inside = |name: &Arc<str>| {
            if own.contains(name) { format!("{OUTSIDE}{name}").into() } else { name.clone() }
        };
        let function = |name: &Arc<str>| match program.function_named(name) {
            Some(id) if open.functions.contains(&id) && !open.exported.contains(&id) => {
                format!("{OUTSIDE}{name}").into()
            }
            _ => name.clone(),
        };
        let mut known = Known::default();
        let mut added: BTreeSet<Arc<str>> = shared.clone();
        for (index, decl) in program.functions.iter().enumerate() {
            let id = FunctionId::from_index(index);
            let Some(contracts) = self.contracts.get(&decl.name) else { continue };
            if open.functions.contains(&id) {
                continue;
            }
            let mut contracts = contracts.to_vec();
            let mut named: BTreeSet<Arc<str>> = BTreeSet::new();
            for contract in &contracts {
                contract.exprs().for_each(|expr| expr.statics(&mut named));
            }
            for name in named {
                let new = inside(&name);
                if added.insert(new.clone())
                    && let Some(object) = self.statics.get(&name)
                {
                    statics.push(Static { name: new, ..object.clone() });
                }
            }
            contracts.iter_mut().for_each(|contract| contract.rename(&inside, &function));
            known.contracts.insert(id, contracts.into());
            known.gaps.extend(self.gaps.get(&decl.name).map(|gap| (id, *gap)));
        }
        known
    }
}

type Rename<'a> = &'a dyn Fn(&Arc<str>) -> Arc<str>;

impl Contract {
    pub(super) fn exprs(&self) -> impl Iterator<Item = &Expr> {
        let posts = self.posts.iter().flat_map(|post| post.formula.exprs().chain(&post.result));
        self.pre.exprs().chain(posts)
    }

    fn rename(&mut self, object: Rename, function: Rename) {
        let posts = self.posts.iter_mut().flat_map(|post| post.formula.exprs_mut().chain(&mut post.result));
        self.pre.exprs_mut().chain(posts).for_each(|expr| expr.rename(object, function));
    }
}

impl Expr {
    pub(super) fn statics(&self, found: &mut BTreeSet<Arc<str>>) {
        if let Expr::Static(name) = self {
            found.insert(name.clone());
        }
        self.parts().into_iter().for_each(|part| part.statics(found));
    }

    /// The numbers of the variables in it.
    pub fn variables(&self, found: &mut BTreeSet<u32>) {
        if let Expr::Var(n) = self {
            found.insert(*n);
        }
        self.parts().into_iter().for_each(|part| part.variables(found));
    }

    fn parts(&self) -> Vec<&Expr> {
        match self {
            Expr::Const { .. } | Expr::Var(_) | Expr::Static(_) | Expr::Function(_) => Vec::new(),
            Expr::Not(of) | Expr::Extract { of, .. } | Expr::ZeroExtend { of, .. } | Expr::SignExtend { of, .. } => {
                vec![of.as_ref()]
            }
            Expr::Op(parts) => vec![&parts.1, &parts.2],
            Expr::Ite(parts) => vec![&parts.0, &parts.1, &parts.2],
        }
    }

    fn rename(&mut self, object: Rename, function: Rename) {
        match self {
            Expr::Static(name) => *name = object(name),
            Expr::Function(name) => *name = function(name),
            Expr::Const { .. } | Expr::Var(_) => {}
            Expr::Not(of) | Expr::Extract { of, .. } | Expr::ZeroExtend { of, .. } | Expr::SignExtend { of, .. } => {
                of.rename(object, function);
            }
            Expr::Op(parts) => [&mut parts.1, &mut parts.2].into_iter().for_each(|part| part.rename(object, function)),
            Expr::Ite(parts) => {
                let (condition, yes, no) = parts.as_mut();
                [condition, yes, no].into_iter().for_each(|part| part.rename(object, function));
            }
        }
    }
}
