//! `effects.tsv` says of every library function that is not refused what it reads and writes, where its result comes from, and whether it
//! tells of failures in `errno` or depends on earlier calls. The models must do just that.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use rustc_hash::FxHashMap;

use super::super::ir::{BinOp, Callee, Expr, FunctionId, NondetKind, Object, Op, Program};
use super::super::{LowerOptions, lower};
use super::coverage_tests::{Fate, fate};
use super::names::listed;
use super::table::{may_fail, plain_data};
use super::{FILES, INEXACT, Known, known, parse};
use crate::c::types::Type;
use crate::c::{self, SourceText};
use crate::task::DataModel;

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cfa/library/effects.tsv");
const HEAD: &str = "function\treads\twrites\tresult\terrno\tkeeps\n";

/// Where a result, or what is written, comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// From the arguments and from earlier calls.
    Computed,
    /// From outside of the program as well, within bounds: what the proof takes is what a run may meet.
    Input,
    /// The arguments decide more than the model does: no violation may rest on it.
    Free,
}

/// What a call does. Arguments have numbers from 1 on; one that a pointer in the object of argument n leads to counts as n.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Effects {
    reads: BTreeSet<u32>,
    writes: BTreeSet<u32>,
    result: Source,
    /// A failure may be reported in `errno`.
    errno: bool,
    /// There is a state between calls.
    keeps: bool,
}

impl Display for Effects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |set: &BTreeSet<u32>| match set.is_empty() {
            true => "-".to_owned(),
            false => set.iter().map(u32::to_string).collect::<Vec<_>>().join(" "),
        };
        let result = match self.result {
            Source::Computed => "computed",
            Source::Input => "input",
            Source::Free => "free",
        };
        let flag = |set, text| if set { text } else { "-" };
        let (errno, keeps) = (flag(self.errno, "errno"), flag(self.keeps, "keeps"));
        write!(f, "{}\t{}\t{result}\t{errno}\t{keeps}", list(&self.reads), list(&self.writes))
    }
}

/// Which arguments a pointer may lead to, as bits; besides these, objects of the library itself.
type Mask = u64;
const STATE: Mask = 1 << 62;
const ERRNO: Mask = 1 << 63;

fn numbers(mask: Mask) -> BTreeSet<u32> {
    (0..STATE.trailing_zeros()).filter(|bit| mask >> bit & 1 == 1).map(|bit| bit + 1).collect()
}

/// A flow of pointers through a model, whatever the order of its steps.
struct Flow<'p> {
    program: &'p Program,
    /// What the objects of the library hold.
    contents: FxHashMap<(Option<FunctionId>, Object), Mask>,
    results: FxHashMap<(FunctionId, Vec<Mask>), Mask>,
    open: Vec<(FunctionId, Vec<Mask>)>,
    reads: Mask,
    writes: Mask,
    has_input: bool,
    is_free: bool,
}

impl Flow<'_> {
    fn of(program: &Program, function: FunctionId, args: Vec<Mask>) -> Effects {
        let mut flow = Flow {
            program,
            contents: FxHashMap::default(),
            results: FxHashMap::default(),
            open: Vec::new(),
            reads: 0,
            writes: 0,
            has_input: false,
            is_free: false,
        };
        // What is stored late may be loaded early.
        for _ in 0..4 {
            flow.results.clear();
            flow.call(function, args.clone());
        }
        let result = match (flow.is_free, flow.has_input) {
            (true, _) => Source::Free,
            (_, true) => Source::Input,
            _ => Source::Computed,
        };
        let (reads, writes) = (numbers(flow.reads), numbers(flow.writes));
        let (errno, keeps) = (flow.writes & ERRNO != 0, (flow.reads | flow.writes) & STATE != 0);
        Effects { reads, writes, result, errno, keeps }
    }

    /// What the function returns; a call within itself returns nothing new.
    fn call(&mut self, id: FunctionId, args: Vec<Mask>) -> Mask {
        let key = (id, args);
        if let Some(known) = self.results.get(&key) {
            return *known;
        }
        if self.open.contains(&key) {
            return 0;
        }
        self.open.push(key.clone());
        let function = self.program.function(id);
        let is_about_errno = matches!(&*function.name, "failed" | "may_have_failed");
        let (has_input, is_free) = (self.has_input, self.is_free);
        let mut regs: Vec<Mask> = vec![0; function.regs.len()];
        for (reg, mask) in function.params.iter().zip(&key.1) {
            regs[reg.index()] = *mask;
        }
        let mut returned = 0;
        let mut before = None;
        while before.as_ref() != Some(&(regs.clone(), self.contents.clone())) {
            before = Some((regs.clone(), self.contents.clone()));
            for edge in function.locations.iter().flat_map(|location| &location.edges) {
                returned |= self.op(id, &edge.op, &mut regs);
            }
        }
        if is_about_errno {
            (self.has_input, self.is_free) = (has_input, is_free);
        }
        self.open.pop();
        self.results.insert(key, returned);
        returned
    }

    fn op(&mut self, id: FunctionId, op: &Op, regs: &mut [Mask]) -> Mask {
        let pointer = self.program.model.pointer_bits();
        match op {
            Op::Assign { dst, value } => regs[dst.index()] |= self.mask(value, regs),
            Op::Load { dst, addr } => {
                let read = self.read(id, addr, regs);
                if self.program.function(id).regs[dst.index()].width == pointer {
                    regs[dst.index()] |= read;
                }
            }
            Op::Store { addr, value } => {
                let held = if value.width() == pointer { self.mask(value, regs) } else { 0 };
                self.write(id, addr, held, regs);
            }
            Op::Copy { dst, src, .. } => {
                let read = self.read(id, src, regs);
                self.write(id, dst, read, regs);
            }
            Op::Set { dst, .. } => self.write(id, dst, 0, regs),
            Op::Havoc { dst, size, .. } if *size != Expr::constant(0, size.width()) => {
                self.has_input = true;
                self.write(id, dst, 0, regs);
            }
            Op::Free { addr } => self.writes |= self.mask(addr, regs),
            Op::BlockSize { addr, .. } | Op::Number { addr, .. } => self.reads |= self.mask(addr, regs),
            Op::Find { addr, beside, .. } => {
                let beside = beside.as_ref().map_or(0, |beside| self.mask(beside, regs));
                self.reads |= self.mask(addr, regs) | beside;
            }
            Op::Nondet { kind: NondetKind::External(name) | NondetKind::Number(name), .. } => match &**name {
                INEXACT => self.is_free = true,
                _ => self.has_input = true,
            },
            // What a function of the program does with what it is given is its own affair.
            Op::Call { callee: Callee::Indirect(_), args, .. } => {
                self.reads |= args.iter().fold(0, |all, arg| all | self.mask(arg, regs));
            }
            Op::Call { dst, callee: Callee::Direct(callee), args } => {
                let args = args.iter().map(|arg| self.mask(arg, regs)).collect();
                let returned = self.call(*callee, args);
                if let Some(dst) = dst {
                    regs[dst.index()] |= returned;
                }
            }
            Op::Return { value: Some(value) } => return self.mask(value, regs),
            _ => {}
        }
        0
    }

    /// Looks at memory; which arguments a pointer leads to that was found there.
    fn read(&mut self, id: FunctionId, addr: &Expr, regs: &[Mask]) -> Mask {
        let direct = self.mask(addr, regs);
        self.reads |= direct;
        let mut found = direct & !(STATE | ERRNO);
        addr.for_objects(&mut |object| {
            found |= self.contents.get(&key(id, object)).copied().unwrap_or(0);
        });
        found
    }

    fn write(&mut self, id: FunctionId, addr: &Expr, held: Mask, regs: &[Mask]) {
        self.writes |= self.mask(addr, regs);
        let mut objects = Vec::new();
        addr.for_objects(&mut |object| objects.push(object));
        for object in objects {
            *self.contents.entry(key(id, object)).or_default() |= held;
        }
    }

    /// Where a value may lead to. Differences of pointers lead nowhere, and neither do truths.
    fn mask(&self, expr: &Expr, regs: &[Mask]) -> Mask {
        match expr {
            Expr::Reg(reg, _) => regs[reg.index()],
            Expr::Address(Object::Global(global), _) => {
                let global = &self.program.globals[global.index()];
                match &*global.name {
                    "errno" => ERRNO,
                    _ if global.read_only => 0,
                    _ => STATE,
                }
            }
            Expr::Binary(BinOp::Sub, left, right) => match (self.mask(left, regs), self.mask(right, regs)) {
                (left, right) if left & right != 0 => 0,
                (left, right) => left | right,
            },
            Expr::Binary(BinOp::And | BinOp::Or | BinOp::Add, left, right) => {
                self.mask(left, regs) | self.mask(right, regs)
            }
            Expr::Ite(_, then, other) => self.mask(then, regs) | self.mask(other, regs),
            Expr::Convert(_, _, inner) => self.mask(inner, regs),
            _ => 0,
        }
    }
}

/// Slots belong to their functions.
fn key(id: FunctionId, object: Object) -> (Option<FunctionId>, Object) {
    (matches!(object, Object::Slot(_)).then_some(id), object)
}

/// A program that calls the model of library file number `file`.
fn caller(file: usize, model: &str) -> (String, Vec<bool>, bool) {
    let unit = parse(file, DataModel::Lp64).unwrap_or_else(|e| panic!("{}: {e}", FILES[file].0));
    let found = unit.functions.iter().find(|function| &*function.name == model && function.body.is_some());
    let function = found.unwrap_or_else(|| panic!("{model} is not in {}", FILES[file].0));
    let Type::Function(signature) = unit.types.get(function.ty) else { panic!("{model} is no function") };
    let mut types = Vec::new();
    let mut pointers = Vec::new();
    for &ty in &signature.params {
        let is_pointer = matches!(unit.types.get(ty), Type::Pointer(_));
        types.push(if is_pointer { "void *".to_owned() } else { unit.types.display(ty) });
        pointers.push(is_pointer);
    }
    let is_record = matches!(unit.types.get(signature.result), Type::Record(_));
    let result = match unit.types.get(signature.result) {
        Type::Record(_) => "struct { long a, b; }".to_owned(),
        Type::Pointer(_) => "void *".to_owned(),
        _ => unit.types.display(signature.result),
    };
    let locals: String = types.iter().enumerate().map(|(i, ty)| format!("  {ty} a{i};\n")).collect();
    let names: Vec<String> = (0..types.len()).map(|i| format!("a{i}")).collect();
    let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
    // Models keep errors of streams where a program asks for them.
    let text = format!(
        "extern int *__errno_location(void);\nint ferror(void *);\n{result} {model}({types});\nint main(void) {{\n{locals}  {model}({});\n  return ferror(0);\n}}\n",
        names.join(", ")
    );
    (text, pointers, is_record)
}

fn of_model(file: usize, model: &str) -> Effects {
    let (text, pointers, is_record) = caller(file, model);
    let unit = c::parse(&SourceText::from_text("caller.c", &text, DataModel::Lp64));
    let unit = unit.unwrap_or_else(|e| panic!("{model}: {e}\n{text}"));
    let program = lower(&unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{model}: {e}\n{text}"));
    let function = program.functions.iter().position(|f| &*f.name == model && f.library);
    let function = FunctionId::from_index(function.unwrap_or_else(|| panic!("{model} is not called\n{text}")));
    let own = pointers.iter().enumerate().map(|(i, &is)| if is { 1 << i } else { 0 });
    let args = is_record.then_some(0).into_iter().chain(own).collect();
    Flow::of(&program, function, args)
}

/// The effects of a function; `None` where the format of its arguments says them.
fn effects(name: &str) -> Option<Effects> {
    let known = known(name)?;
    if let Known::Model { file, model } = known {
        return Some(of_model(file, model));
    }
    let (reads, writes, result) = plain_data(known)?;
    let result = match result {
        None => Source::Computed,
        Some(false) => Source::Input,
        Some(true) => Source::Free,
    };
    let errno = may_fail(known) || matches!(known, Known::Float(_));
    Some(Effects { reads: numbers(reads), writes: numbers(writes), result, errno, keeps: false })
}

/// All functions of the standard that are not refused.
fn functions() -> BTreeSet<&'static str> {
    listed().map(|(_, name)| name).filter(|name| fate(name) != Fate::Refused).collect()
}

/// The part of the page that says effects, functions with the same ones in one row.
pub(super) fn page() -> String {
    let table = std::fs::read_to_string(TABLE).expect("the table is there");
    let mut rows: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, effects) in table.lines().skip(1).filter_map(|line| line.split_once('\t')) {
        rows.entry(effects).or_default().push(name);
    }
    let mut text = String::from(PAGE_HEAD);
    for (effects, names) in rows {
        text.push_str(&format!("| {} | {} |\n", effects.replace('\t', " | "), names.join(" ")));
    }
    text
}

const PAGE_HEAD: &str = "## Effects

What calls do to memory: the arguments, by number, whose objects they read and write (and whatever pointers there lead to); where
results, and what is written, come from: *computed* from arguments and earlier calls, *input* from outside within the bounds that a real
run keeps, *free* where the arguments decide more than is computed, so that no violation rests on it; whether a failure may be reported in
`errno`; and whether there is a state between calls (streams, environment, static buffers, clocks, seeds). Allocations that fail are reported
in `errno` as well. Functions with formats are left out: their arguments say what they do. The models are held against this table.

| reads | writes | result | errno | state | functions |
| --- | --- | --- | --- | --- | --- |
";

#[test]
fn models_have_the_effects_that_the_table_says() {
    let found: BTreeMap<&str, String> = c::with_big_stack(|| {
        let all = functions().into_iter();
        all.filter_map(|name| Some((name, effects(name)?.to_string()))).collect()
    });
    let table = std::fs::read_to_string(TABLE).unwrap_or_default();
    if std::env::var_os("MARGAY_REWRITE").is_some() {
        let rows: String = found.iter().map(|(name, effects)| format!("{name}\t{effects}\n")).collect();
        std::fs::write(TABLE, format!("{HEAD}{rows}")).expect("the table can be written");
        return;
    }
    let stated: BTreeMap<&str, &str> = table.lines().skip(1).filter_map(|line| line.split_once('\t')).collect();
    let wrong = |name: &&str| found.get(name).map(String::as_str) != stated.get(name).copied();
    let names: BTreeSet<&str> = found.keys().copied().chain(stated.keys().copied()).collect();
    let wrong: Vec<String> = names
        .into_iter()
        .filter(wrong)
        .map(|name| format!("{name}: the table says {:?}, the model {:?}", stated.get(name), found.get(name)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(stated.len() > 500, "{} functions", stated.len());
}
