//! lang-c's tree → typed syntax: names, types and every implicit conversion resolved.

mod attributes;
mod builtins;
mod calls;
mod constants;
mod conversions;
mod declarations;
mod declarators;
mod expressions;
mod fill;
mod functions;
mod initialisers;
mod library;
mod literals;
mod nested;
mod numeric;
mod operators;
mod quals;
mod recasts;
mod records;
mod scopes;
mod small;
mod specifiers;
mod statements;
mod symbols;
mod vectors;

use lang_c::ast;
use lang_c::span::Node;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

use crate::base::error::{Error, ErrorKind, Result};
use crate::base::span::Span;
use crate::task::DataModel;

use super::prepass::Prepared;
use super::source::SourceText;
use super::syntax::{Expr, Function, FunctionId, Global, GlobalId, Place, Unit};
use super::types::{FloatKind, IntKind, RecordId, Type, TypeId, Types};

use functions::FunctionState;
use quals::Quals;
use scopes::{Entity, Scope};

/// What an expression denotes before the context decides whether its value or its place is wanted.
enum Operand {
    Value(Expr),
    Place(Place),
    Function(FunctionId, Span),
}

/// A type with what declarations know besides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DeclType {
    ty: TypeId,
    /// The alignment that a typedef's `aligned` attribute gave it (in place of the natural one).
    align: Option<u64>,
    quals: Quals,
}

impl DeclType {
    fn plain(ty: TypeId) -> Self {
        Self { ty, align: None, quals: Quals::NONE }
    }
}

/// Ids of the types that are needed all the time.
struct Common {
    void: TypeId,
    bool_: TypeId,
    char_: TypeId,
    int: TypeId,
    uint: TypeId,
    double: TypeId,
    size: TypeId,
    ptrdiff: TypeId,
    wchar: TypeId,
    char16: TypeId,
    char32: TypeId,
    void_ptr: TypeId,
    char_ptr: TypeId,
}

impl Common {
    fn new(types: &mut Types) -> Self {
        let (size, ptrdiff, wchar) = match types.model {
            DataModel::Ilp32 => (IntKind::UInt, IntKind::Int, IntKind::Long),
            DataModel::Lp64 => (IntKind::ULong, IntKind::Long, IntKind::Int),
        };
        let void = types.void();
        let char_ = types.int(IntKind::Char);
        Self {
            void,
            bool_: types.int(IntKind::Bool),
            char_,
            int: types.int(IntKind::Int),
            uint: types.int(IntKind::UInt),
            double: types.intern(Type::Float(FloatKind::Double)),
            size: types.int(size),
            ptrdiff: types.int(ptrdiff),
            wchar: types.int(wchar),
            char16: types.int(IntKind::UShort),
            char32: types.int(IntKind::UInt),
            void_ptr: types.pointer_to(void),
            char_ptr: types.pointer_to(char_),
        }
    }
}

/// The state of typing one unit; `'a` is the syntax tree's life.
struct Typer<'a> {
    prepared: &'a Prepared,
    types: Types,
    common: Common,
    globals: Vec<Global>,
    functions: Vec<Function>,
    warnings: Vec<(Span, String)>,
    /// The first is the file's.
    scopes: Vec<Scope<'a>>,
    /// Names with linkage, wherever they were declared.
    linkage: FxHashMap<&'a str, Entity>,
    /// Functions of the library that were needed without a declaration, by name and type.
    implicit: FxHashMap<(Arc<str>, TypeId), FunctionId>,
    strings: FxHashMap<(Vec<u8>, TypeId), GlobalId>,
    function: Option<FunctionState<'a>>,
    /// The functions that the one at hand is nested in, outermost first.
    enclosing: Vec<nested::Enclosing<'a>>,
    /// Functions within functions.
    nested: FxHashSet<FunctionId>,
    // Qualifiers of what was declared with any.
    global_quals: FxHashMap<GlobalId, Quals>,
    function_quals: FxHashMap<FunctionId, Quals>,
    field_quals: FxHashMap<(RecordId, u32), Quals>,
    /// Some operator asks for qualifiers: what an operand has takes some looking.
    asks_for_quals: bool,
    /// Some file of the program came before the one at hand.
    is_further_file: bool,
    inline_functions: FxHashSet<FunctionId>,
    /// Functions whose definition stands in for another one to come (`extern inline` as gcc once had it).
    gnu_inline: FxHashSet<FunctionId>,
    /// Objects that are `constexpr`.
    constants: FxHashSet<GlobalId>,
    /// See `recasts`.
    recast_types: FxHashSet<TypeId>,
    /// Within a parameter list: lengths of variable arrays are not evaluated there.
    in_prototype: u32,
    /// A dimension that is not constant was met in a prototype.
    prototype_varies: bool,
    file_start: symbols::FileStart,
}

/// Types a whole tree.
pub fn unit(tree: &ast::TranslationUnit, prepared: &Prepared, source: &SourceText) -> Result<Unit> {
    let mut types = Types::new(source.model);
    let common = Common::new(&mut types);
    let mut typer = Typer {
        prepared,
        types,
        common,
        globals: Vec::new(),
        functions: Vec::new(),
        warnings: Vec::new(),
        scopes: vec![Scope::default()],
        linkage: FxHashMap::default(),
        implicit: FxHashMap::default(),
        strings: FxHashMap::default(),
        function: None,
        enclosing: Vec::new(),
        nested: FxHashSet::default(),
        global_quals: FxHashMap::default(),
        function_quals: FxHashMap::default(),
        field_quals: FxHashMap::default(),
        asks_for_quals: ["_Generic", "types_compatible_p"].iter().any(|operator| prepared.text.contains(operator)),
        is_further_file: false,
        inline_functions: FxHashSet::default(),
        gnu_inline: FxHashSet::default(),
        constants: FxHashSet::default(),
        recast_types: FxHashSet::default(),
        in_prototype: 0,
        prototype_varies: false,
        file_start: Default::default(),
    };
    for node in &tree.0 {
        match &node.node {
            ast::ExternalDeclaration::Declaration(d) => typer.file_declaration(d)?,
            ast::ExternalDeclaration::StaticAssert(a) => typer.static_assert(a)?,
            ast::ExternalDeclaration::FunctionDefinition(f) => typer.function_definition(f)?,
        }
    }
    typer.complete_tentative_definitions()?;
    typer.mark_recast_functions();
    typer.mark_constants();
    typer.resolve_symbols();
    let acting = typer.name_acting(&source.acting)?;
    typer.rename_undefined();
    Ok(Unit {
        types: typer.types,
        globals: typer.globals,
        functions: typer.functions,
        entry: "main".into(),
        acting,
        source: prepared.map.clone(),
        warnings: typer.warnings,
    })
}

impl<'a> Typer<'a> {
    /// The span of a node without trailing white space.
    fn span<T>(&self, node: &Node<T>) -> Span {
        self.trim(node.span.start, node.span.end)
    }

    fn trim(&self, start: usize, end: usize) -> Span {
        let text = self.prepared.text.as_bytes();
        let mut end = end.min(text.len());
        while end > start && text[end - 1].is_ascii_whitespace() {
            end -= 1;
        }
        Span::new(start as u32, end as u32)
    }

    /// What follows stands in another file: names mean nothing there but through external linkage.
    fn next_file(&mut self) {
        self.resolve_symbols();
        self.note_weak_definitions();
        self.scopes = vec![Scope::default()];
        let (functions, globals) = (&self.functions, &self.globals);
        self.linkage.retain(|_, entity| match entity {
            Entity::Function(id) => !functions[id.index()].is_static,
            Entity::Global(id) => !globals[id.index()].is_static,
            _ => false,
        });
        self.is_further_file = true;
    }

    /// The name as the programmer wrote it.
    fn written(&self, name: &'a str) -> &'a str {
        if self.prepared.renames.is_empty() {
            return name;
        }
        self.prepared.renames.get(name).map_or(name, |written| written)
    }

    fn name_of(&self, identifier: &'a Node<ast::Identifier>) -> &'a str {
        self.written(&identifier.node.name)
    }

    fn error(&self, kind: ErrorKind, span: Span, message: impl Into<String>) -> Error {
        Error::at(kind, message, self.prepared.map.pos(span.start))
    }

    fn constraint<T>(&self, span: Span, message: impl Into<String>) -> Result<T> {
        Err(self.error(ErrorKind::Constraint, span, message))
    }

    fn unsupported<T>(&self, span: Span, message: impl Into<String>) -> Result<T> {
        Err(self.error(ErrorKind::Unsupported, span, message))
    }

    fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.warnings.push((span, message.into()));
    }

    /// Offset of the first `byte` at or after `from`; `from` itself when there is none.
    fn find_byte(&self, byte: u8, from: u32) -> u32 {
        let text = self.prepared.text.as_bytes();
        let from = from as usize;
        text.get(from..).and_then(|t| t.iter().position(|b| *b == byte)).map_or(from as u32, |n| (from + n) as u32)
    }
}
