//! What the linker sees of declarations: assembler names, other names of one thing, weak symbols.

use std::sync::Arc;

use lang_c::ast;
use lang_c::span::Node;

use super::library::library_signature;
use super::{Entity, Typer};
use crate::base::error::{Error, ErrorKind, Result};
use crate::c::prepass::{Attribute, SymbolPragma};
use crate::c::syntax::{Function, FunctionId, GlobalId, Linkage};
use crate::c::types::{Type, TypeId};

/// The attributes that are about symbols.
const ATTRIBUTES: [&str; 8] = ["asm", "alias", "weakref", "weak", "const", "pure", "constructor", "destructor"];

/// Constructors that name no number come last, destructors first.
const NO_PRIORITY: u32 = 65_535;

/// Where the functions and globals of the file at hand begin: `static` ones of earlier files have no name here.
#[derive(Clone, Copy, Default)]
pub(super) struct FileStart {
    pub(super) functions: usize,
    pub(super) globals: usize,
}

/// A symbol with the definition it may have.
struct Row<'t, Id> {
    id: Id,
    name: &'t str,
    link: &'t Linkage<Id>,
    is_defined: bool,
    /// Names outside of the file mean something else.
    is_local: bool,
}

impl<Id: Copy + PartialEq> Row<'_, Id> {
    fn symbol(&self) -> &str {
        self.link.symbol.as_deref().unwrap_or(self.name)
    }
}

impl<'a> Typer<'a> {
    /// Notes what attributes and an assembler name say of the symbol that `entity` stands for.
    pub(super) fn note_symbol(
        &mut self,
        entity: Entity,
        start: u32,
        declarator: &'a Node<ast::Declarator>,
        is_first: bool,
    ) {
        if self.prepared.attributes.is_empty() {
            return;
        }
        let before = self.specifier_attributes(start, declarator.span.start as u32, &[]);
        let own = self.declarator_attributes(declarator, is_first);
        let attributes = before.into_iter().chain(own).filter(|a| ATTRIBUTES.contains(&a.name.as_str()));
        for attribute in attributes {
            match entity {
                Entity::Function(id) if matches!(&*attribute.name, "const" | "pure") => {
                    self.functions[id.index()].is_const = true;
                }
                Entity::Function(id) if matches!(&*attribute.name, "constructor" | "destructor") => {
                    let number = attribute.argument.as_deref().and_then(|text| self.small_constant(text));
                    let priority = Some(number.and_then(|n| u32::try_from(n).ok()).unwrap_or(NO_PRIORITY));
                    let function = &mut self.functions[id.index()];
                    match &*attribute.name {
                        "constructor" => function.constructor = priority,
                        _ => function.destructor = priority,
                    }
                }
                Entity::Function(id) => note(&mut self.functions[id.index()].link, attribute),
                Entity::Global(id) => note(&mut self.globals[id.index()].link, attribute),
                _ => {}
            }
        }
    }

    /// What pragmas say of symbols, by the names in the text.
    fn apply_symbol_pragmas(&mut self) {
        for pragma in &self.prepared.symbol_pragmas {
            let (name, link): (&str, _) = match pragma {
                SymbolPragma::Weak { name, target } => {
                    (name, Linkage { target: target.clone(), is_weak: true, ..Linkage::<()>::default() })
                }
                SymbolPragma::Rename { name, symbol } => {
                    (name, Linkage { symbol: Some(symbol.clone()), ..Linkage::default() })
                }
            };
            for function in self.functions.iter_mut().filter(|f| !f.is_static && *f.name == *name) {
                add(&mut function.link, &link);
            }
            for global in self.globals.iter_mut().filter(|g| g.has_linkage && !g.is_static && *g.name == *name) {
                add(&mut global.link, &link);
            }
        }
    }

    /// Finds for each name of the file that has no definition of its own the one that its symbol has.
    pub(super) fn resolve_symbols(&mut self) {
        self.apply_symbol_pragmas();
        let first = self.file_start;
        let functions: Vec<_> = (self.functions.iter().enumerate())
            .map(|(i, function)| Row {
                id: FunctionId::from_index(i),
                name: &function.name,
                link: &function.link,
                is_defined: function.body.is_some(),
                is_local: function.is_static,
            })
            .collect();
        let same = same_as(&functions, first.functions);
        for (id, same) in same {
            self.functions[id.index()].link.same_as = Some(same);
        }
        let globals: Vec<_> = (self.globals.iter().enumerate().filter(|(_, global)| global.has_linkage))
            .map(|(i, global)| Row {
                id: GlobalId::from_index(i),
                name: &global.name,
                link: &global.link,
                is_defined: global.definition.is_some() && global.link.target.is_none(),
                is_local: global.is_static,
            })
            .collect();
        let same = same_as(&globals, first.globals);
        for (id, same) in same {
            self.globals[id.index()].link.same_as = Some(same);
        }
        self.file_start = FileStart { functions: self.functions.len(), globals: self.globals.len() };
    }

    /// Weak definitions give way to those of files to come.
    pub(super) fn note_weak_definitions(&mut self) {
        for function in self.functions.iter_mut().filter(|f| f.body.is_some()) {
            function.link.has_weak_definition |= std::mem::take(&mut function.link.is_weak);
        }
        for global in self.globals.iter_mut().filter(|g| g.definition.is_some()) {
            global.link.has_weak_definition |= std::mem::take(&mut global.link.is_weak);
        }
    }

    /// Names functions without a definition by the library functions that they are said to act like; which ones there are.
    pub(super) fn name_acting(&mut self, acting: &[(String, String)]) -> Result<Vec<(Arc<str>, Arc<str>)>> {
        let mut found = Vec::new();
        for (name, model) in acting {
            let Some(signature) = library_signature(model) else {
                let message =
                    format!("`{name}` cannot act like `{model}`, which is no library function of a known type");
                return Err(Error::new(ErrorKind::Usage, message));
            };
            let wanted = self.type_of_signature(signature);
            let is_it = |f: &Function| *f.name == **name && f.body.is_none() && f.link.same_as.is_none();
            for index in (0..self.functions.len()).filter(|&index| is_it(&self.functions[index])).collect::<Vec<_>>() {
                let Function { ty, span, .. } = self.functions[index];
                if !self.is_called_alike(ty, wanted) {
                    let (own, wanted) = (self.types.display(ty), self.types.display(wanted));
                    let message = format!("`{name}`, of type {own}, cannot act like `{model}`, of type {wanted}");
                    return self.constraint(span, message);
                }
                self.functions[index].name = model.as_str().into();
                self.functions[index].link.symbol = None;
                found.push((name.as_str().into(), model.as_str().into()));
            }
        }
        Ok(found)
    }

    /// Whether a function of type `own` can stand for one of type `model`: arguments and results are passed alike. What returns nothing
    /// and takes nothing may be given anything.
    fn is_called_alike(&self, own: TypeId, model: TypeId) -> bool {
        let (Type::Function(own), Type::Function(model)) = (self.types.get(own), self.types.get(model)) else {
            return false;
        };
        let is_alike = |a: TypeId, b: TypeId| match (self.types.get(a), self.types.get(b)) {
            (Type::Pointer(_), Type::Pointer(_)) => true,
            (a_type, b_type) => {
                let are_numbers = [a_type, b_type].iter().all(|ty| matches!(ty, Type::Int(_) | Type::Enum { .. }));
                a == b || are_numbers && self.types.size_of(a) == self.types.size_of(b)
            }
        };
        let takes_nothing = model.params.is_empty() && model.result == self.common.void;
        takes_nothing
            || own.prototyped
                && own.variadic == model.variadic
                && own.params.len() == model.params.len()
                && is_alike(own.result, model.result)
                && own.params.iter().zip(&model.params).all(|(a, b)| is_alike(*a, *b))
    }

    /// What has no definition is known by its symbol from then on.
    pub(super) fn rename_undefined(&mut self) {
        for function in self.functions.iter_mut().filter(|f| f.body.is_none() && f.link.same_as.is_none()) {
            if function.link.is_weakref
                && let Some(target) = function.link.target.take()
            {
                (function.name, function.link.is_weak) = (target, true);
            }
            // Headers redirect to variants (`__isoc99_scanf`, `open64`), which are the function by its plain name.
            if let Some(symbol) = &function.link.symbol
                && !symbol.contains(&*function.name)
            {
                function.name = symbol.clone();
            }
        }
        for global in self.globals.iter_mut().filter(|g| g.definition.is_none() && g.link.same_as.is_none()) {
            if global.link.is_weakref
                && let Some(target) = global.link.target.take()
            {
                (global.name, global.link.is_weak) = (target, true);
            }
            if let Some(symbol) = &global.link.symbol {
                global.name = symbol.clone();
            }
        }
    }
}

fn note<Id>(link: &mut Linkage<Id>, attribute: &Attribute) {
    let text = attribute.argument.as_deref().and_then(joined);
    match (attribute.name.as_str(), text) {
        ("weak", _) => link.is_weak = true,
        ("weakref", text) => {
            link.is_weakref = true;
            link.target = text.map(Into::into).or(link.target.take());
        }
        // As gcc has it, the first name stays.
        ("asm", Some(text)) if link.symbol.is_none() => link.symbol = Some(text.into()),
        ("alias", Some(text)) => link.target = Some(text.into()),
        _ => {}
    }
}

fn add<Id>(link: &mut Linkage<Id>, stated: &Linkage<()>) {
    link.is_weak |= stated.is_weak;
    if link.symbol.is_none() {
        link.symbol = stated.symbol.clone();
    }
    if link.target.is_none() {
        link.target = stated.target.clone();
    }
}

/// The text of string literals in a row.
fn joined(literals: &str) -> Option<String> {
    let parts: Vec<&str> = literals.split('"').collect();
    // Between quotes are the odd parts.
    (parts.len() > 2).then(|| parts.iter().skip(1).step_by(2).copied().collect())
}

/// Pairs of what has no definition of its own and what defines its symbol.
fn same_as<Id: Copy + PartialEq + Index>(rows: &[Row<'_, Id>], first: usize) -> Vec<(Id, Id)> {
    if rows.iter().all(|row| row.link.symbol.is_none() && row.link.target.is_none()) {
        return Vec::new();
    }
    let in_file = |row: &Row<'_, Id>| !row.is_local || row.id.place() >= first;
    let definition = |symbol: &str| rows.iter().find(|row| row.is_defined && in_file(row) && row.symbol() == symbol);
    let mut found = Vec::new();
    for row in rows.iter().filter(|row| !row.is_defined && in_file(row)) {
        // Names of names: as many steps as there are names.
        let mut symbol = row.link.target.as_deref().unwrap_or(row.symbol());
        for _ in 0..rows.len() {
            let next = rows.iter().find(|other| in_file(other) && other.symbol() == symbol && !other.is_defined);
            match next.and_then(|other| other.link.target.as_deref()) {
                Some(target) if definition(symbol).is_none() => symbol = target,
                _ => break,
            }
        }
        let undefined = || rows.iter().find(|other| in_file(other) && other.symbol() == symbol);
        if let Some(other) = definition(symbol).or_else(undefined)
            && other.id != row.id
        {
            found.push((row.id, other.id));
        }
    }
    found
}

/// The place of an id in its table.
trait Index {
    fn place(self) -> usize;
}

impl Index for FunctionId {
    fn place(self) -> usize {
        self.index()
    }
}

impl Index for GlobalId {
    fn place(self) -> usize {
        self.index()
    }
}
