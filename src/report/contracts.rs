//! Contracts as people read them.

use std::fmt::Write;

use crate::open::{
    BOUNDED_ROUNDS, CellText, Contract, Expr, Formula, FunctionReport, Held, Object, Part, Root, SegmentText, Shape,
    Status, Sum, ValueText,
};

/// Contracts of a function, and postconditions of a contract, that are printed where there are many.
const MOST_SHOWN: usize = 5;

/// What is printed of a function.
#[derive(Clone, Copy, Debug, Default)]
pub struct Detail {
    /// Errors that callers can keep clear of, too.
    pub latent: bool,
    /// All contracts, however many.
    pub all: bool,
}

/// How many of so many are shown: a single one that is left out would take the line that says so.
fn shown(of: usize, all: bool) -> usize {
    if all || of <= MOST_SHOWN + 1 { of } else { MOST_SHOWN }
}

/// All that is known of a function.
pub fn contracts_text(report: &FunctionReport, detail: Detail) -> String {
    let file = &report.file;
    let mut text = String::new();
    let status = match report.status {
        Status::Complete => "complete".to_owned(),
        Status::Bounded => format!("complete for up to {BOUNDED_ROUNDS} rounds of each loop"),
        Status::Partial => "partial".to_owned(),
        Status::None => format!("no contract: {}", without_contract(report)),
        Status::NotAnalysed => "not analysed".to_owned(),
    };
    let _ = writeln!(text, "{}({})  {file}:{}  [{status}]", report.name, report.params.join(", "), report.line);
    let all = report.contracts.len();
    let shown = shown(all, detail.all);
    for contract in &report.contracts[..shown] {
        text.push_str(&contract_text(report, contract, detail.all));
    }
    if shown < all {
        let _ = writeln!(text, "  … and {} more contracts (--all shows them)", all - shown);
    }
    text.push_str(&findings_text(report, detail.latent));
    let latent = report.findings.iter().filter(|finding| !finding.manifest).count();
    if report.status == Status::None && latent > 0 && !detail.latent {
        let _ = writeln!(text, "  {}", hidden_latent(latent));
    }
    for (why, line) in &report.stuck {
        let _ = writeln!(text, "  stuck at {file}:{line}: {why}");
    }
    if !report.assumed.is_empty() {
        let _ = writeln!(text, "  assuming that {} change no memory", report.assumed.join(", "));
    }
    text
}

/// Why a function has none.
fn without_contract(report: &FunctionReport) -> &'static str {
    match (report.findings.is_empty(), report.stuck.is_empty()) {
        (_, true) => "each path has an error",
        (true, false) => "no path could be followed to its end",
        (false, false) => "no path without an error could be followed to its end",
    }
}

/// That there are so many latent errors.
pub(super) fn hidden_latent(count: usize) -> String {
    format!(
        "{count} latent error{} (--latent shows {})",
        if count == 1 { "" } else { "s" },
        if count == 1 { "it" } else { "them" }
    )
}

/// The errors of a function under its name; nothing where there are none to be shown.
pub fn errors_text(report: &FunctionReport, latent: bool) -> String {
    let findings = findings_text(report, latent);
    if findings.is_empty() {
        return findings;
    }
    format!("{}({})  {}:{}\n{findings}", report.name, report.params.join(", "), report.file, report.line)
}

fn findings_text(report: &FunctionReport, latent: bool) -> String {
    let mut text = String::new();
    for finding in report.findings.iter().filter(|finding| finding.manifest || latent) {
        let sort = if finding.manifest { "manifest" } else { "latent" };
        let _ = writeln!(
            text,
            "  {sort} error: {} at {}:{}:{}: {}",
            finding.kind.name(),
            finding.file,
            finding.line,
            finding.column,
            finding.detail
        );
        let names = Names { params: &report.params };
        if !finding.pre.pure.is_empty() || !finding.pre.cells.is_empty() {
            let _ = writeln!(text, "    when  {}", names.formula(&finding.pre));
        }
        if !finding.avoid.is_empty() {
            let ways: Vec<String> = finding.avoid.iter().map(|way| names.expr(way)).collect();
            let _ = writeln!(text, "    not when  {}", ways.join(" or "));
        }
        if let Some(object) = &finding.object {
            let _ = writeln!(text, "    object  {}", object_text(object));
        }
        for call in &finding.calls {
            let _ = writeln!(text, "    in the call of {} at {}:{}", call.function, call.file, call.line);
        }
        if !finding.also.is_empty() {
            let _ = writeln!(text, "    found in {}, too", finding.also.join(", "));
        }
    }
    text
}

/// The object of an error: where it was allocated, or how a caller comes to it.
pub(super) fn object_text(object: &Object) -> String {
    match object {
        Object::Made { what, file: Some(file), line: Some(line) } => {
            let what = what.split(" at line ").next().unwrap_or_default();
            format!("{what} at {file}:{line}")
        }
        Object::Made { what, .. } => format!("{what} in a function that it calls"),
        Object::Given { root, offsets } => {
            let (root, is_value) = match root {
                Root::Parameter(name) => (name.to_string(), true),
                Root::Global(name) => (format!("&{name}"), false),
            };
            let way = offsets.iter().fold(root.clone(), |way, offset| match offset {
                0 => format!("[{way}]"),
                _ => format!("[{way}{offset:+}]"),
            });
            if offsets.is_empty() && !is_value { root[1..].to_owned() } else { format!("what {way} leads to") }
        }
    }
}

/// A contract with its precondition, a line, and its postconditions: `all` of them, or a few where there are many.
pub(super) fn contract_text(report: &FunctionReport, contract: &Contract, all: bool) -> String {
    let names = Names { params: &report.params };
    let mut text = format!("  {{ {} }}\n", names.formula(&contract.pre));
    let shown = shown(contract.posts.len(), all);
    for (n, post) in contract.posts[..shown].iter().enumerate() {
        let or = if n == 0 { "  " } else { "| " };
        if post.ends {
            let _ = writeln!(text, "    {or}the program ends");
            continue;
        }
        let result = post.result.as_ref().map(|result| format!("result = {}; ", names.expr(result)));
        let _ = writeln!(text, "    {or}{{ {}{} }}", result.unwrap_or_default(), names.formula(&post.formula));
    }
    if shown < contract.posts.len() {
        let _ = writeln!(text, "    | … and {} more (--all shows them)", contract.posts.len() - shown);
    }
    text
}

/// Writes expressions and heaps with the names of a function's parameters.
pub(super) struct Names<'a> {
    pub params: &'a [std::sync::Arc<str>],
}

impl Names<'_> {
    fn formula(&self, formula: &Formula) -> String {
        let mut parts: Vec<String> = formula.pure.iter().map(|condition| self.expr(condition)).collect();
        parts.extend(formula.blocks.iter().map(|block| {
            let (start, size) = (self.expr(&block.start), self.expr(&block.size));
            if block.live { format!("block({start}, {size})") } else { format!("freed({start})") }
        }));
        parts.extend(formula.cells.iter().map(|cell| self.cell(cell)));
        parts.extend(formula.segments.iter().map(|segment| self.segment(segment)));
        if parts.is_empty() { "emp".to_owned() } else { parts.join(" * ") }
    }

    pub fn cell(&self, cell: &CellText) -> String {
        let at = self.expr(&cell.at);
        let size = self.expr(&cell.size);
        match &cell.value {
            ValueText::Is(value) => format!("{at} ↦ {}", self.expr(value)),
            ValueText::Each(byte) => format!("{at} ↦ {}[{size}]", self.expr(byte)),
            ValueText::Any => format!("{at} ↦ ⊤[{size}]"),
        }
    }

    pub fn segment(&self, segment: &SegmentText) -> String {
        let plus = if segment.nonempty { "+" } else { "" };
        let mut args: Vec<String> = vec![self.expr(&segment.first)];
        if let Some((last, prev)) = &segment.back {
            args.extend([self.expr(prev), self.expr(last)]);
        }
        args.push(self.expr(&segment.next));
        args.extend(segment.args.iter().map(|arg| self.expr(arg)));
        let name = if segment.back.is_some() { "dls" } else { "sls" };
        format!("{name}{plus}{}({})", shape(&segment.shape), args.join(", "))
    }

    pub fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Const { value, width } => match value.parse::<u128>() {
                // Large numbers are mostly small negative ones.
                Ok(number) if *width > 1 && number >> (width - 1) == 1 => {
                    let negative = if *width == 128 { number as i128 } else { number as i128 - (1i128 << width) };
                    negative.to_string()
                }
                _ => value.clone(),
            },
            Expr::Var(n) => match self.params.get(*n as usize) {
                Some(name) => name.to_string(),
                None => format!("v{n}"),
            },
            Expr::Static(name) => format!("&{name}"),
            Expr::Function(name) => name.to_string(),
            Expr::Not(inner) => match inner.as_ref() {
                Expr::Op(parts) if parts.0 == "eq" => format!("{} ≠ {}", self.expr(&parts.1), self.expr(&parts.2)),
                other => format!("¬({})", self.expr(other)),
            },
            Expr::Op(parts) => {
                let (name, a, b) = parts.as_ref();
                if let "ult" | "ule" = name.as_str() {
                    let sign = if name == "ult" { "<" } else { "≤" };
                    return format!("{} {sign} {}", self.unsigned(a), self.unsigned(b));
                }
                let sign = match name.as_str() {
                    "add" => match b {
                        Expr::Const { .. } if self.expr(b).starts_with('-') => {
                            return format!("{}{}", self.expr(a), self.expr(b));
                        }
                        _ => "+",
                    },
                    "mul" => "·",
                    "eq" => " = ",
                    "slt" => " < ",
                    "sle" => " ≤ ",
                    "and" => " & ",
                    "or" => " | ",
                    "xor" => " ^ ",
                    "concat" => " ∘ ",
                    other => return format!("{other}({}, {})", self.expr(a), self.expr(b)),
                };
                format!("{}{sign}{}", self.operand(a), self.operand(b))
            }
            Expr::Extract { of, high, low } => format!("{}[{low}..{high}]", self.operand(of)),
            Expr::ZeroExtend { of, .. } | Expr::SignExtend { of, .. } => self.operand(of),
            Expr::Ite(parts) => {
                let (c, a, b) = parts.as_ref();
                format!("({} ? {} : {})", self.expr(c), self.expr(a), self.expr(b))
            }
        }
    }

    fn unsigned(&self, expr: &Expr) -> String {
        match expr {
            Expr::Const { value, .. } => value.clone(),
            other => self.operand(other),
        }
    }

    fn operand(&self, expr: &Expr) -> String {
        match expr {
            Expr::Op(parts) if !matches!(parts.0.as_str(), "add" | "mul") => format!("({})", self.expr(expr)),
            _ => self.expr(expr),
        }
    }
}

fn shape(shape: &Shape) -> String {
    let mut parts: Vec<String> = Vec::new();
    for cell in &shape.cells {
        let value = match cell.value {
            Held::Is(value) => sum(value),
            Held::Each(byte) => format!("{byte}[{}]", sum(cell.size)),
            Held::Unknown => "_".to_owned(),
            Held::Any => format!("⊤[{}]", sum(cell.size)),
        };
        parts.push(format!("{}↦{value}", sum(cell.at)));
    }
    parts.extend(shape.blocks.iter().map(|block| format!("block({}, {})", sum(block.start), sum(block.size))));
    parts.extend(shape.segments.iter().map(|segment| format!("list at {}", sum(segment.first))));
    format!("⟨{}⟩", parts.join(" "))
}

fn sum(Sum(part, offset): Sum) -> String {
    let base = match part {
        Part::Zero => return offset.to_string(),
        Part::Node => "x".to_owned(),
        Part::Next => "next".to_owned(),
        Part::Prev => "prev".to_owned(),
        Part::Arg(n) => format!("a{n}"),
        Part::Local(n) => format!("l{n}"),
    };
    match offset {
        0 => base,
        _ => format!("{base}{offset:+}"),
    }
}
