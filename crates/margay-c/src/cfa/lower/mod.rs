//! Typed syntax → control-flow automaton.
//!
//! [`Builder`] holds what the whole program shares and lowers functions and globals as they turn out to be reachable from
//! `main`; [`function::Lowerer`] does one function.

mod arithmetic;
mod assembler;
mod atomics;
mod builtins;
mod calls;
mod conditions;
mod conversions;
mod expressions;
mod extents;
pub(super) mod finish;
mod formats;
mod function;
mod globals;
mod initialisers;
mod instructions;
mod jumps;
mod kinds;
mod mathematics;
mod open;
mod order;
mod overflow;
mod places;
mod printing;
mod prologue;
mod purity;
mod returns;
mod rows;
mod scanning;
mod scopes;
mod start;
mod statements;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::ir::{Content, Function, FunctionId, Global, GlobalId, Program};
use super::library;
use super::records::Records;
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::span::Span;
use crate::c::syntax::{self, Unit};
use crate::task::DataModel;

pub use open::{OpenProgram, lower_open};

/// What the automaton shall make explicit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LowerOptions {
    /// A check before each signed operation that can leave its range.
    pub overflow_checks: bool,
    /// Allocation functions may return null.
    pub malloc_may_fail: bool,
    /// Only reachability is asked: what the text does not show (assembler, objects of unknown size) is taken in the benign way, and
    /// named among what is assumed.
    pub open_world: bool,
    /// Failing assertions are errors.
    pub assertions: bool,
    /// The program is run for its own sake: it has standard streams.
    pub world: bool,
}

/// Lowers everything that `main` can reach; call it inside [`crate::c::with_big_stack`].
///
/// # Errors
/// No `main`, or a construct in a reachable function (or a used global) that is not supported.
pub fn lower(unit: &Unit, options: &LowerOptions) -> Result<Program> {
    lower_main(unit, options, false)
}

/// The same with edges of their own for everything a witness may speak of: each call's beginning and end, and every branching,
/// those on constants and within pure expressions included.
///
/// # Errors
/// As [`lower`].
pub fn lower_with_landmarks(unit: &Unit, options: &LowerOptions) -> Result<Program> {
    lower_main(unit, options, true)
}

fn lower_main(unit: &Unit, options: &LowerOptions, landmarks: bool) -> Result<Program> {
    let library: [OnceCell<Unit>; library::FILES.len()] = Default::default();
    let mut builder = Builder::new(unit, &library, *options);
    builder.landmarks = landmarks;
    let main = unit.functions.iter().position(|f| f.name == unit.entry && f.body.is_some());
    let Some(main) = main.map(syntax::FunctionId::from_index) else {
        return Err(Error::new(ErrorKind::NoMain, format!("there is no function `{}` to start at", unit.entry)));
    };
    let start = builder.reserve();
    builder.function(UnitId::User, main);
    let constructors = builder.reach_constructors()?;
    builder.drain()?;
    builder.start(start, main, &constructors)?;
    builder.finish(start)
}

/// Which translation unit something belongs to: the user's, or one of the library's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum UnitId {
    User,
    Library(usize),
}

/// What a function name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Defined(UnitId, syntax::FunctionId),
    Known(library::Known),
    Undefined,
}

enum Pending {
    Function(UnitId, syntax::FunctionId, FunctionId),
    /// A function without body whose address is taken.
    Stub(UnitId, syntax::FunctionId, FunctionId),
    Global(UnitId, syntax::GlobalId, GlobalId),
}

pub(super) struct Builder<'u> {
    pub options: LowerOptions,
    /// See [`lower_with_landmarks`].
    pub landmarks: bool,
    pub model: DataModel,
    user: &'u Unit,
    library: &'u [OnceCell<Unit>; library::FILES.len()],
    functions: Vec<Option<Function>>,
    function_ids: FxHashMap<(UnitId, syntax::FunctionId), FunctionId>,
    globals: Vec<Global>,
    global_ids: FxHashMap<(UnitId, syntax::GlobalId), GlobalId>,
    /// Addresses of weak functions that no file defines, by name.
    absent: FxHashMap<Arc<str>, GlobalId>,
    pending: Vec<Pending>,
    pub warnings: Vec<(Span, String)>,
    warned: FxHashSet<Arc<str>>,
    /// Names of functions without a definition that are taken to change nothing.
    assumed: BTreeSet<Arc<str>>,
    locks: BTreeSet<Arc<str>>,
    /// Type names, for register declarations.
    names: FxHashMap<(UnitId, crate::c::types::TypeId), Arc<str>>,
    /// The library function that runs the handlers, once `atexit` turned out to be used.
    pub exit_handlers: Option<FunctionId>,
    /// Functions of the program that are called at its end, behind the handlers.
    pub destructors: Vec<FunctionId>,
    /// What is left open, where that is no error.
    open: Option<open::Open>,
    /// The program can read `errno`.
    pub sees_errno: bool,
    /// The program can jump out of calls.
    pub sees_jumps: bool,
    /// What calls touch, see [`order`].
    footprints: FxHashMap<(UnitId, syntax::FunctionId), std::rc::Rc<order::Footprint>>,
}

impl<'u> Builder<'u> {
    fn new(user: &'u Unit, library: &'u [OnceCell<Unit>; library::FILES.len()], options: LowerOptions) -> Self {
        Self {
            options,
            landmarks: false,
            model: user.types.model,
            user,
            library,
            functions: Vec::new(),
            function_ids: FxHashMap::default(),
            globals: Vec::new(),
            global_ids: FxHashMap::default(),
            absent: FxHashMap::default(),
            pending: Vec::new(),
            warnings: user.warnings.clone(),
            warned: FxHashSet::default(),
            assumed: BTreeSet::new(),
            locks: BTreeSet::new(),
            names: FxHashMap::default(),
            exit_handlers: None,
            destructors: Vec::new(),
            open: None,
            footprints: FxHashMap::default(),
            sees_jumps: user
                .functions
                .iter()
                .any(|f| library::known(&f.name) == Some(library::Known::NotePlace) || &*f.name == "__margay_jump"),
            sees_errno: user.functions.iter().any(|f| matches!(&*f.name, "__errno_location" | "__error"))
                || user.globals.iter().any(|g| &*g.name == "errno" && g.definition.is_none()),
        }
    }

    pub fn unit(&self, id: UnitId) -> Result<&'u Unit> {
        match id {
            UnitId::User => Ok(self.user),
            UnitId::Library(index) => {
                let cell = &self.library[index];
                if let Some(unit) = cell.get() {
                    return Ok(unit);
                }
                let unit = library::parse(index, self.model)?;
                Ok(cell.get_or_init(|| unit))
            }
        }
    }

    pub fn syntax_function(&self, unit: UnitId, id: syntax::FunctionId) -> Result<&'u syntax::Function> {
        Ok(&self.unit(unit)?.functions[id.index()])
    }

    /// The function that has the definition of the symbol `id`.
    pub fn canonical(&self, unit: UnitId, id: syntax::FunctionId) -> Result<syntax::FunctionId> {
        Ok(self.syntax_function(unit, id)?.link.same_as.unwrap_or(id))
    }

    /// Whether the address of the function may be null: a weak symbol that no file defines.
    pub fn may_be_absent(&self, unit: UnitId, id: syntax::FunctionId) -> Result<bool> {
        let id = self.canonical(unit, id)?;
        let function = self.syntax_function(unit, id)?;
        Ok(function.link.is_weak && function.body.is_none())
    }

    /// What `id` stands for: its definition, or else what the library knows under its name.
    pub fn resolve(&self, unit: UnitId, id: syntax::FunctionId) -> Result<Target> {
        let id = self.canonical(unit, id)?;
        let function = self.syntax_function(unit, id)?;
        if function.body.is_some() {
            return Ok(Target::Defined(unit, id));
        }
        if let Some(target) = &function.link.target {
            let pos = self.unit(unit)?.source.pos(function.span.start);
            let message = format!("`{}` is another name of `{target}`, which is not defined", function.name);
            return Err(Error::at(ErrorKind::Unsupported, message, pos));
        }
        let world = if self.options.world && unit == UnitId::User { library::in_world(&function.name) } else { None };
        if let Some(model) = world {
            return self.model_function(library::WORLD, model);
        }
        if unit != UnitId::User && &*function.name == "__margay_failed" && !self.sees_errno {
            return Ok(Target::Known(library::Known::Nothing));
        }
        // Headers give functions labels for large files, which mean the same.
        let symbol = function.link.symbol.as_ref().unwrap_or(&function.name);
        let known = match library::known(symbol) {
            Some(library::Known::Unsupported) => library::known(&function.name).or(Some(library::Known::Unsupported)),
            known => known,
        };
        match known {
            Some(library::Known::Model { file, model }) => self.model_function(file, model),
            Some(known) => Ok(Target::Known(known)),
            // What the system's headers declare has effects that are known to the world.
            None if unit == UnitId::User && self.user.source.is_of_system(function.span.start) => {
                match library::in_header(&function.name) {
                    Some(library::Known::Model { file, model }) => self.model_function(file, model),
                    known => Ok(Target::Known(known.unwrap_or(library::Known::Unsupported))),
                }
            }
            None => Ok(Target::Undefined),
        }
    }

    fn model_function(&self, file: usize, name: &str) -> Result<Target> {
        let unit = UnitId::Library(file);
        let found = self.unit(unit)?.functions.iter().position(|f| &*f.name == name && f.body.is_some());
        match found {
            Some(index) => Ok(Target::Defined(unit, syntax::FunctionId::from_index(index))),
            None => Err(Error::new(ErrorKind::Unsupported, format!("the library model `{name}` is missing"))),
        }
    }

    /// The library's function `model`, to be called by the lowering itself.
    pub fn library_function(&mut self, file: usize, model: &str) -> Result<(UnitId, syntax::FunctionId)> {
        match self.model_function(file, model)? {
            Target::Defined(unit, id) => Ok((unit, id)),
            _ => Err(Error::new(ErrorKind::Unsupported, format!("the library model `{model}` is missing"))),
        }
    }

    /// The automaton's global for an object that a library file defines.
    pub fn library_global(&mut self, file: usize, name: &str) -> Result<GlobalId> {
        let unit = UnitId::Library(file);
        let found = self.unit(unit)?.globals.iter().position(|global| &*global.name == name);
        match found {
            Some(at) => self.global(unit, syntax::GlobalId::from_index(at)),
            None => Err(Error::new(ErrorKind::Unsupported, format!("the library object `{name}` is missing"))),
        }
    }

    fn reserve(&mut self) -> FunctionId {
        self.functions.push(None);
        FunctionId::from_index(self.functions.len() - 1)
    }

    /// The automaton of a defined function, to be lowered later if it is new.
    pub fn function(&mut self, unit: UnitId, id: syntax::FunctionId) -> FunctionId {
        if let Some(&known) = self.function_ids.get(&(unit, id)) {
            return known;
        }
        let new = self.reserve();
        self.function_ids.insert((unit, id), new);
        self.pending.push(Pending::Function(unit, id, new));
        self.note_exit_handlers(unit, id);
        new
    }

    /// Once `atexit` is used, every regular end of the program runs the handlers.
    fn note_exit_handlers(&mut self, unit: UnitId, id: syntax::FunctionId) {
        let is_atexit = unit == UnitId::Library(library::STDLIB)
            && self.syntax_function(unit, id).is_ok_and(|f| &*f.name == "atexit");
        if is_atexit && let Ok((unit, id)) = self.library_function(library::STDLIB, "run_exit_handlers") {
            self.exit_handlers = Some(self.function(unit, id));
        }
    }

    /// The function whose address `&id` is; one without body gets a stub that does what a call of it does.
    pub fn addressed_function(&mut self, unit: UnitId, id: syntax::FunctionId) -> Result<FunctionId> {
        if let Target::Defined(unit, id) = self.resolve(unit, id)? {
            return Ok(self.function(unit, id));
        }
        let id = self.canonical(unit, id)?;
        if let Some(&known) = self.function_ids.get(&(unit, id)) {
            return Ok(known);
        }
        let new = self.reserve();
        self.function_ids.insert((unit, id), new);
        self.pending.push(Pending::Stub(unit, id, new));
        Ok(new)
    }

    /// The automaton's global for a global of the syntax.
    pub fn global(&mut self, unit: UnitId, id: syntax::GlobalId) -> Result<GlobalId> {
        let id = self.unit(unit)?.globals[id.index()].link.same_as.unwrap_or(id);
        if let Some(&known) = self.global_ids.get(&(unit, id)) {
            return Ok(known);
        }
        if let Some((of, object)) = self.library_object(unit, id)? {
            let object = self.global(of, object)?;
            self.global_ids.insert((unit, id), object);
            return Ok(object);
        }
        let decl = self.declare_global(unit, id)?;
        let new = self.add_global(decl);
        self.global_ids.insert((unit, id), new);
        self.pending.push(Pending::Global(unit, id, new));
        Ok(new)
    }

    /// The library's object that a program without a definition of its own names, or the models of its world.
    fn library_object(&self, unit: UnitId, id: syntax::GlobalId) -> Result<Option<(UnitId, syntax::GlobalId)>> {
        let global = &self.unit(unit)?.globals[id.index()];
        let names_others = matches!(unit, UnitId::User | UnitId::Library(library::WORLD));
        let is_foreign = names_others && global.definition.is_none() && global.has_linkage;
        let Some(file) = library::object(&global.name).filter(|_| is_foreign) else {
            return Ok(None);
        };
        let of = UnitId::Library(file);
        let same = |object: &syntax::Global| object.name == global.name && object.definition.is_some();
        let found = self.unit(of)?.globals.iter().position(same).map(syntax::GlobalId::from_index);
        // A declaration of another size speaks of something else.
        let size = |unit: UnitId, id: syntax::GlobalId| -> Result<Option<u64>> {
            let unit = self.unit(unit)?;
            Ok(unit.types.size_of(unit.globals[id.index()].ty))
        };
        match found {
            Some(object) if size(of, object)? == size(unit, id)? => Ok(Some((of, object))),
            _ => Ok(None),
        }
    }

    pub fn add_global(&mut self, global: Global) -> GlobalId {
        self.globals.push(global);
        GlobalId::from_index(self.globals.len() - 1)
    }

    /// Says once per name what is assumed about it.
    pub fn warn_once(&mut self, name: &Arc<str>, span: Span, message: impl FnOnce() -> String) {
        if self.warned.insert(name.clone()) {
            self.warnings.push((span, message()));
        }
    }

    /// It is not known what the function `name` does: it is taken to return any value and to change nothing.
    pub fn assume_harmless(&mut self, name: &Arc<str>) {
        self.assumed.insert(name.clone());
    }

    /// The function `name`, of which that is assumed, returns nothing and is given no memory.
    pub fn has_hidden_effect(&mut self, name: &Arc<str>) {
        if name.split('_').any(|word| matches!(word, "lock" | "unlock")) {
            self.locks.insert(name.clone());
        }
    }

    /// The C text of a type.
    pub fn type_name(&mut self, unit: UnitId, ty: crate::c::types::TypeId) -> Arc<str> {
        if let Some(name) = self.names.get(&(unit, ty)) {
            return name.clone();
        }
        let name: Arc<str> = self.unit(unit).map_or_else(|_| "?".into(), |unit| unit.types.display(ty)).into();
        self.names.insert((unit, ty), name.clone());
        name
    }

    /// Lowers what is pending until nothing new turns up, in order of discovery.
    fn drain(&mut self) -> Result<()> {
        while !self.pending.is_empty() {
            for pending in std::mem::take(&mut self.pending) {
                match pending {
                    Pending::Function(unit, id, new) => {
                        let lowered = self.lower_function(unit, id);
                        let function = self.or_stub(unit, id, lowered)?;
                        self.functions[new.index()] = Some(function);
                    }
                    Pending::Stub(unit, id, new) => {
                        let lowered = self.lower_stub(unit, id);
                        let function = self.or_stub(unit, id, lowered)?;
                        self.functions[new.index()] = Some(function);
                    }
                    Pending::Global(unit, id, new) => {
                        let content = match self.lower_global(unit, id) {
                            Ok(Some(writes)) => Content::Initialised(writes),
                            Ok(None) => Content::Unknown,
                            Err(error) => {
                                self.note_refused(self.globals[new.index()].name.clone(), error)?;
                                Content::Unknown
                            }
                        };
                        self.globals[new.index()].content = content;
                    }
                }
            }
        }
        Ok(())
    }

    fn finish(mut self, start: FunctionId) -> Result<Program> {
        let at_exit: Vec<FunctionId> = self.exit_handlers.into_iter().chain(self.destructors).collect();
        let mut functions = Vec::with_capacity(self.functions.len());
        for (index, function) in std::mem::take(&mut self.functions).into_iter().enumerate() {
            let Some(mut function) = function else {
                return Err(Error::new(ErrorKind::Unsupported, "a function was not lowered"));
            };
            finish::call_before_exit(&mut function, &at_exit);
            finish::finish(&mut function, index == start.index());
            functions.push(function);
        }
        forget_unasked(&mut functions);
        let mut program = Program {
            addressed: Vec::new(),
            model: self.model,
            functions,
            globals: self.globals,
            start,
            source: self.user.source.clone(),
            assumed: self.assumed.into_iter().collect(),
            locks: self.locks.into_iter().collect(),
            known: Vec::new(),
            warnings: self.warnings,
            records: Arc::new(Records::new(&self.user.types)),
        };
        program.addressed = super::CallGraph::new(&program).addressed().to_vec();
        program.mark_handed_out();
        debug_assert_eq!(super::validate(&program), Ok(()));
        Ok(program)
    }
}

/// See [`library::KEPT_FOR`].
fn forget_unasked(functions: &mut [Function]) {
    for (keeps, asks) in library::KEPT_FOR {
        let is_model = |function: &Function, name: &str| function.library && &*function.name == name;
        if functions.iter().any(|function| is_model(function, asks)) {
            continue;
        }
        for function in functions.iter_mut().filter(|function| is_model(function, keeps)) {
            let edges = function.locations.iter_mut().flat_map(|location| &mut location.edges);
            edges.filter(|edge| matches!(edge.op, super::Op::Store { .. })).for_each(|edge| edge.op = super::Op::Skip);
        }
    }
}
