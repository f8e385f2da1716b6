//! C files that show a finding: the memory that the function needs to get there, and a call.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use super::contracts::object_text;
use crate::cfa::Bits;
use crate::open::{CellText, Expr, Finding, Formula, ValueText};

/// The function that a harness calls.
pub struct Called<'a> {
    /// The C file that defines it, as the harness finds it.
    pub file: &'a str,
    /// The function's.
    pub name: &'a str,
    /// The C types of its parameters.
    pub params: Vec<Arc<str>>,
    /// The file has a `main` of its own.
    pub has_main: bool,
    /// Bits.
    pub pointer: u32,
}

/// Numbers that variables are tried with, and how many combinations of them.
const NUMBERS: [u128; 8] = [0, 1, 64, 8, 16, 2, 1024, 4];
/// The same for sizes of blocks: what lies behind a small one is something else to AddressSanitizer.
const SIZES: [u128; 8] = [64, 1024, 256, 16, 8, 4, 1, 0];
const MAX_TRIES: usize = 60_000;
/// Bytes of a block at most.
const MAX_SIZE: u128 = 1 << 20;

/// The text of a C file in which the error happens, for AddressSanitizer to show; `None` where its memory cannot be built
/// this way: lists with nodes, places that no variable leads to, literals, parameters that are no scalars.
pub fn harness(finding: &Finding, called: &Called) -> Option<String> {
    let is_scalar = |ty: &Arc<str>| {
        let starts = |word: &str| ty.starts_with(word);
        ty.contains('*') || !(starts("struct ") || starts("union ") || ty.contains("float") || ty.contains("double"))
    };
    if called.params.len() > finding.vars.len() || !called.params.iter().all(is_scalar) {
        return None;
    }
    let plan = Plan::new(&finding.pre, &finding.vars, called.pointer)?;
    let place = format!("{}:{}", finding.file, finding.line).replace("*/", "* /");
    let mut text = format!("/* {}: {} at {place}.\n", called.name, finding.kind.name());
    if let Some(object) = &finding.object {
        let _ = writeln!(text, "   Object: {}.", object_text(object).replace("*/", "* /"));
    }
    let model = if called.pointer == 32 { " -m32" } else { "" };
    let _ = writeln!(text, "   Compile with -g -fsanitize=address -fno-builtin{model} and run. */");
    if called.has_main {
        text.push_str("#define main original_main\n");
    }
    let _ = writeln!(text, "#include \"{}\"\n#undef main\n", called.file);
    text.push_str("typedef __UINTPTR_TYPE__ word;\n");
    text.push_str("static void set(word at, unsigned __int128 value, int size)\n{\n");
    text.push_str("    for (int i = 0; i < size; i++)\n        ((unsigned char *)at)[i] = (unsigned char)(value >> 8 * i);\n}\n\n");
    text = if called.pointer == 32 { text.replace("unsigned __int128", "unsigned long long") } else { text };
    // What a lost block's address leaves on the stack would keep it from being lost.
    text.push_str("static __attribute__((noinline)) void run(void)\n{\n");
    for line in plan.statements(&finding.pre)? {
        let _ = writeln!(text, "    {line};");
    }
    let args: Vec<String> = called.params.iter().enumerate().map(|(n, ty)| format!("({ty})v{n}")).collect();
    let _ = writeln!(text, "    (void){}({});\n}}\n", called.name, args.join(", "));
    text.push_str("static __attribute__((noinline)) void wipe(void)\n{\n");
    text.push_str("    volatile char stack[65536];\n    for (unsigned i = 0; i < sizeof stack; i++)\n        stack[i] = 0;\n}\n\n");
    text.push_str("int main(void)\n{\n    run();\n    wipe();\n    return 0;\n}\n");
    Some(text)
}

/// Values for the variables: memory for those that are addresses, numbers for the others.
struct Plan {
    widths: Vec<u32>,
    pointer: u32,
    /// By variable: the bytes before and behind its address that there must be, and the exact size of a block.
    places: BTreeMap<u32, Place>,
    numbers: BTreeMap<u32, u128>,
    /// Lists without a node: the first one's address is the next one's.
    same: Vec<(u32, Expr)>,
}

#[derive(Clone, Copy, Default)]
struct Place {
    before: u128,
    behind: u128,
    block: Option<u128>,
}

/// An address as a variable, or nothing where it is an object, and an offset.
fn split(at: &Expr) -> Option<(Option<u32>, i64)> {
    match at {
        Expr::Var(n) => Some((Some(*n), 0)),
        Expr::Static(_) => Some((None, 0)),
        Expr::Op(parts) if parts.0 == "add" => {
            let (base, offset) = split(&parts.1)?;
            let Expr::Const { .. } = &parts.2 else { return None };
            Some((base, offset + i64::try_from(parts.2.evaluate(&|_| None)?.signed()).ok()?))
        }
        _ => None,
    }
}

impl Plan {
    fn new(pre: &Formula, widths: &[u32], pointer: u32) -> Option<Self> {
        let mut plan = Self {
            widths: widths.to_vec(),
            pointer,
            places: BTreeMap::new(),
            numbers: BTreeMap::new(),
            same: Vec::new(),
        };
        for at in pre.cells.iter().map(|cell| &cell.at).chain(pre.blocks.iter().map(|block| &block.start)) {
            if let Some(var) = split(at)?.0 {
                plan.places.insert(var, Place::default());
            }
        }
        for segment in &pre.segments {
            let Expr::Var(first) = segment.first else { return None };
            if segment.nonempty || segment.back.is_some() || plan.places.contains_key(&first) {
                return None;
            }
            plan.same.push((first, segment.next.clone()));
        }
        let is_open = |var: &u32| !plan.places.contains_key(var) && !plan.same.iter().any(|(first, _)| first == var);
        let open: Vec<u32> = (0..widths.len() as u32).filter(is_open).collect();
        let is_size = |var: &u32| pre.blocks.iter().any(|block| block.size == Expr::Var(*var));
        let mut choice = vec![0; open.len()];
        for _ in 0..MAX_TRIES {
            let of = |var: &u32| if is_size(var) { SIZES } else { NUMBERS };
            plan.numbers = open.iter().zip(&choice).map(|(var, n)| (*var, of(var)[*n])).collect();
            if plan.fits(pre).is_some() {
                return Some(plan);
            }
            let next = choice.iter().position(|n| n + 1 < NUMBERS.len())?;
            choice[..next].fill(0);
            choice[next] += 1;
        }
        None
    }

    fn evaluate(&self, expr: &Expr) -> Option<Bits> {
        expr.evaluate(&|leaf| match leaf {
            Expr::Var(n) => {
                let width = *self.widths.get(*n as usize)?;
                if let Some((_, next)) = self.same.iter().find(|(first, _)| first == n) {
                    return self.evaluate(next);
                }
                // Places lie far from each other.
                let place = u128::from(*n + 1) << 24;
                Some(Bits::new(self.numbers.get(n).copied().unwrap_or(place), width))
            }
            _ => Some(Bits::new(1 << 23, self.pointer)),
        })
    }

    fn size(&self, expr: &Expr) -> Option<u128> {
        self.evaluate(expr).map(|size| size.value).filter(|size| *size <= MAX_SIZE)
    }

    /// Whether the numbers fit the conditions and the sizes; places become as large as they must.
    fn fits(&mut self, pre: &Formula) -> Option<()> {
        pre.pure.iter().all(|condition| self.evaluate(condition).is_some_and(|bits| bits.value == 1)).then_some(())?;
        let mut places: BTreeMap<u32, Place> = self.places.keys().map(|var| (*var, Place::default())).collect();
        for cell in &pre.cells {
            let size = i64::try_from(self.size(&cell.size)?).ok()?;
            let (base, offset) = split(&cell.at)?;
            if let Some(place) = base.and_then(|var| places.get_mut(&var)) {
                place.before = place.before.max(u128::from(offset.min(0).unsigned_abs()));
                place.behind = place.behind.max(u128::try_from((offset + size).max(0)).ok()?);
            }
        }
        for block in &pre.blocks {
            let size = self.size(&block.size)?;
            let (base, offset) = split(&block.start)?;
            let place = places.get_mut(&base?)?;
            // A block begins at most where its variable points.
            let before = u128::from((offset <= 0).then_some(offset.unsigned_abs())?);
            if place.block.is_some() || !block.live || place.before > before || place.behind + before > size {
                return None;
            }
            *place = Place { before, behind: place.behind, block: Some(size) };
        }
        self.places = places;
        Some(())
    }

    fn statements(&self, pre: &Formula) -> Option<Vec<String>> {
        let mut lines = Vec::new();
        for (var, place) in &self.places {
            let size = place.block.unwrap_or(place.before + place.behind);
            lines.push(format!("word v{var} = (word)__builtin_calloc(1, {size}) + {}", place.before));
        }
        for (var, number) in &self.numbers {
            let ty = match self.widths[*var as usize] {
                65.. => "unsigned __int128",
                _ => "unsigned long long",
            };
            lines.push(format!("{ty} v{var} = {number}u"));
        }
        for (var, next) in &self.same {
            lines.push(format!("word v{var} = {}", self.c(next)?));
        }
        lines.extend((0..self.widths.len()).map(|var| format!("(void)v{var}")));
        for CellText { at, size, value } in &pre.cells {
            let ValueText::Is(value) = value else { continue };
            let size = self.size(size)?;
            lines.push(format!("set({}, {}, {size})", self.c(at)?, self.c(value)?));
        }
        Some(lines)
    }

    /// An expression in C: an address with an offset, or a number.
    fn c(&self, expr: &Expr) -> Option<String> {
        match expr {
            Expr::Static(name) if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
                Some(format!("(word)&{name}"))
            }
            Expr::Function(name) => Some(format!("(word)&{name}")),
            Expr::Static(_) => None,
            Expr::Var(n) => Some(format!("v{n}")),
            Expr::Op(parts) if parts.0 == "add" && split(expr).is_some() => {
                let offset = parts.2.evaluate(&|_| None)?.signed();
                Some(format!("{} + ({offset})", self.c(&parts.1)?))
            }
            // What depends on where memory lies is not known here.
            _ => expr
                .evaluate(&|leaf| match leaf {
                    Expr::Var(n) => Some(Bits::new(*self.numbers.get(n)?, self.widths[*n as usize])),
                    _ => None,
                })
                .map(|bits| format!("{}u", bits.value)),
        }
    }
}
