//! Text of typed syntax, C-like with every conversion visible: for tests and for people who debug.

use std::fmt::Write;

use super::syntax::*;
use super::types::{FloatKind, Type, TypeId};

/// Writes one unit; `body` is the function whose names are in scope.
struct Dump<'u> {
    unit: &'u Unit,
    body: Option<&'u FunctionBody>,
    out: String,
    depth: usize,
}

/// All defined globals and functions.
pub fn unit(unit: &Unit) -> String {
    let mut dump = Dump { unit, body: None, out: String::new(), depth: 0 };
    for global in &unit.globals {
        let Some(definition) = &global.definition else { continue };
        let read_only = if definition.read_only { "const " } else { "" };
        let ty = unit.types.display(global.ty);
        let init = definition.init.as_ref().map(|i| format!(" = {}", dump.init(i))).unwrap_or_default();
        let align = definition.align.map(|a| format!(" aligned {a}")).unwrap_or_default();
        dump.line(&format!("{read_only}{ty} {}{align}{init}", global.name));
    }
    for function in &unit.functions {
        if let Some(body) = &function.body {
            dump.body = Some(body);
            let noreturn = if function.noreturn { "noreturn " } else { "" };
            dump.line(&format!("{noreturn}{}: {}", function.name, unit.types.display(function.ty)));
            dump.nested(|d| d.stmts(&body.block));
        }
    }
    dump.out
}

impl Dump<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", self.depth * 2);
    }

    fn nested(&mut self, f: impl FnOnce(&mut Self)) {
        self.depth += 1;
        f(self);
        self.depth -= 1;
    }

    fn ty(&self, ty: TypeId) -> String {
        self.unit.types.display(ty)
    }

    fn local(&self, id: LocalId) -> String {
        let Some(local) = self.body.and_then(|b| b.locals.get(id.index())) else { return format!("local{}", id.0) };
        // Shadowed names are distinguished by their number.
        let same = |l: &Local| l.name == local.name;
        match self.body.map(|b| b.locals.iter().filter(|l| same(l)).count()) {
            Some(0 | 1) | None => local.name.to_string(),
            Some(_) => format!("{}#{}", local.name, id.0),
        }
    }

    fn stmts(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn sub(&mut self, stmt: &Stmt) {
        self.nested(|d| match &stmt.kind {
            StmtKind::Block(block) => d.stmts(block),
            _ => d.stmt(stmt),
        });
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Expr(e) => self.line(&self.expr(e)),
            StmtKind::Block(block) => {
                self.line("block");
                self.nested(|d| d.stmts(block));
            }
            StmtKind::Declare { local, init } => {
                let ty = self.body.and_then(|b| b.locals.get(local.index())).map(|l| self.ty(l.ty));
                let init = init.as_ref().map(|i| format!(" = {}", self.init(i))).unwrap_or_default();
                self.line(&format!("declare {} {}{init}", ty.unwrap_or_default(), self.local(*local)));
            }
            StmtKind::VlaLength { index, length } => self.line(&format!("length {index} = {}", self.expr(length))),
            StmtKind::If { condition, then, otherwise } => {
                self.line(&format!("if {}", self.expr(condition)));
                self.sub(then);
                if let Some(otherwise) = otherwise {
                    self.line("else");
                    self.sub(otherwise);
                }
            }
            StmtKind::While { condition, body } => {
                self.line(&format!("while {}", self.expr(condition)));
                self.sub(body);
            }
            StmtKind::DoWhile { body, condition, .. } => {
                self.line("do");
                self.sub(body);
                self.line(&format!("while {}", self.expr(condition)));
            }
            StmtKind::For { init, condition, step, body } => {
                self.line("for");
                self.nested(|d| {
                    d.stmts(init);
                    let text = |e: &Option<Expr>| e.as_ref().map(|e| d.expr(e)).unwrap_or_default();
                    let head = format!("; {}; {}", text(condition), text(step));
                    d.line(head.trim_end());
                });
                self.sub(body);
            }
            StmtKind::Switch { value, body } => {
                self.line(&format!("switch {}", self.expr(value)));
                self.sub(body);
            }
            StmtKind::Case { low, high, body } => {
                self.line(&if low == high { format!("case {low}:") } else { format!("case {low} ... {high}:") });
                self.sub(body);
            }
            StmtKind::Default { body } => {
                self.line("default:");
                self.sub(body);
            }
            StmtKind::Label { label, body } => {
                self.line(&format!("{}:", self.label(*label)));
                self.sub(body);
            }
            StmtKind::Goto(label) => self.line(&format!("goto {}", self.label(*label))),
            StmtKind::GotoComputed(e) => self.line(&format!("goto *{}", self.expr(e))),
            StmtKind::Break => self.line("break"),
            StmtKind::Continue => self.line("continue"),
            StmtKind::Return(e) => {
                let value = e.as_ref().map(|e| format!(" {}", self.expr(e))).unwrap_or_default();
                self.line(&format!("return{value}"));
            }
            StmtKind::Cleanup { call, .. } => self.line(&format!("at the end: {}", self.expr(call))),
            StmtKind::Asm { template, outputs, inputs, clobbers_memory, .. } => {
                let outputs: Vec<String> = outputs.iter().map(|p| self.place(p)).collect();
                let inputs: Vec<String> = inputs.iter().map(|e| self.expr(e)).collect();
                let memory = if *clobbers_memory { " memory" } else { "" };
                self.line(&format!("asm {template:?} ({}) ({}){memory}", outputs.join(", "), inputs.join(", ")));
            }
            StmtKind::Empty => self.line(";"),
        }
    }

    fn label(&self, id: LabelId) -> String {
        self.body.and_then(|b| b.labels.get(id.index())).map_or_else(|| format!("label{}", id.0), ToString::to_string)
    }

    fn expr(&self, e: &Expr) -> String {
        let list = |args: &[Expr]| args.iter().map(|a| self.expr(a)).collect::<Vec<_>>().join(", ");
        match &e.kind {
            ExprKind::Int(value) => match self.ty(e.ty).as_str() {
                "int" => value.to_string(),
                ty => format!("{value}:{ty}"),
            },
            ExprKind::Float(bits) => match self.unit.types.get(e.ty) {
                Type::Float(FloatKind::Double) => format!("{:?}", f64::from_bits(*bits as u64)),
                Type::Float(FloatKind::Single) => format!("{:?}f", f32::from_bits(*bits as u32)),
                _ => format!("{bits:#x}:{}", self.ty(e.ty)),
            },
            ExprKind::Use(place) => self.place(place),
            ExprKind::AddressOf(place) => format!("&{}", self.place(place)),
            ExprKind::ArrayDecay(place) => format!("decay({})", self.place(place)),
            ExprKind::FunctionAddress(id) => format!("&{}", self.unit.functions[id.index()].name),
            ExprKind::LabelPlace(id) => format!("place of {}", self.label(*id)),
            ExprKind::LabelAddress(id) => format!("&&{}", self.label(*id)),
            ExprKind::Convert(inner) => format!("({}){}", self.ty(e.ty), self.expr(inner)),
            ExprKind::Unary(UnaryOp::Negate, inner) => format!("-{}", self.expr(inner)),
            ExprKind::Unary(UnaryOp::Complement, inner) => format!("~{}", self.expr(inner)),
            ExprKind::Binary(op, l, r) => format!("({} {} {})", self.expr(l), binary(*op), self.expr(r)),
            ExprKind::Compare(op, l, r) => format!("({} {} {})", self.expr(l), compare(*op), self.expr(r)),
            ExprKind::PointerAdd { pointer, index, subtract } => {
                let op = if *subtract { "-" } else { "+" };
                format!("({} {op}p {})", self.expr(pointer), self.expr(index))
            }
            ExprKind::PointerDiff(l, r) => format!("({} -pp {})", self.expr(l), self.expr(r)),
            ExprKind::LogicalNot(inner) => format!("!{}", self.expr(inner)),
            ExprKind::LogicalAnd(l, r) => format!("({} && {})", self.expr(l), self.expr(r)),
            ExprKind::LogicalOr(l, r) => format!("({} || {})", self.expr(l), self.expr(r)),
            ExprKind::Conditional { condition, then, otherwise, .. } => {
                let then = then.as_ref().map(|t| self.expr(t)).unwrap_or_default();
                format!("({} ? {then} : {})", self.expr(condition), self.expr(otherwise))
            }
            ExprKind::Comma(l, r) => format!("({}, {})", self.expr(l), self.expr(r)),
            ExprKind::Assign { place, value } => format!("{} = {}", self.place(place), self.expr(value)),
            ExprKind::CompoundAssign { op, place, value, compute } => {
                format!("{} {}=[{}] {}", self.place(place), binary(*op), self.ty(*compute), self.expr(value))
            }
            ExprKind::Increment { place, decrement, postfix } => {
                let op = if *decrement { "--" } else { "++" };
                if *postfix { format!("{}{op}", self.place(place)) } else { format!("{op}{}", self.place(place)) }
            }
            ExprKind::Call { callee: Callee::Direct(id), args, .. } => {
                format!("{}({})", self.unit.functions[id.index()].name, list(args))
            }
            ExprKind::Call { callee: Callee::Indirect(f), args, .. } => format!("(*{})({})", self.expr(f), list(args)),
            ExprKind::Statement { block, result } => {
                let mut inner = Dump { unit: self.unit, body: self.body, out: String::new(), depth: 0 };
                inner.stmts(block);
                let mut parts: Vec<String> = inner.out.lines().map(|l| l.trim().to_owned()).collect();
                parts.extend(result.as_ref().map(|e| format!("-> {}", self.expr(e))));
                format!("({{{}}})", parts.join("; "))
            }
            ExprKind::VaArg(list) => format!("va_arg({}, {})", self.place(list), self.ty(e.ty)),
            ExprKind::VaStart(list) => format!("va_start({})", self.place(list)),
            ExprKind::VaEnd(list) => format!("va_end({})", self.place(list)),
            ExprKind::VaCopy { to, from } => format!("va_copy({}, {})", self.place(to), self.place(from)),
            ExprKind::SizeofVla(ty) => format!("sizeof({})", self.ty(*ty)),
            ExprKind::CheckedArithmetic { op, left, right, result, result_type } => {
                let target = result.as_ref().map(|r| self.expr(r)).unwrap_or_default();
                let (l, r) = (self.expr(left), self.expr(right));
                format!("checked[{}]({l} {} {r} -> {target})", self.ty(*result_type), binary(*op))
            }
            ExprKind::Unreachable => "unreachable".into(),
            ExprKind::Unsupported(what) => format!("unsupported({what})"),
        }
    }

    fn place(&self, place: &Place) -> String {
        match &place.kind {
            PlaceKind::Local(id) => self.local(*id),
            PlaceKind::Global(id) => {
                let global = &self.unit.globals[id.index()];
                match global.definition.as_ref().and_then(|d| d.init.as_ref()) {
                    Some(Init::Bytes(bytes)) if [STRING, FUNCTION_NAME].contains(&&*global.name) => {
                        format!("{:?}", String::from_utf8_lossy(bytes))
                    }
                    _ => global.name.to_string(),
                }
            }
            PlaceKind::Deref(e) => format!("*{}", self.expr(e)),
            PlaceKind::Member { base, field } => {
                let layout = self.unit.types.layout_of(base.ty);
                let name = layout.and_then(|l| l.fields.get(*field as usize)).map(|f| f.name.as_deref());
                format!("{}.{}", self.place(base), name.flatten().unwrap_or("<anonymous>"))
            }
            PlaceKind::CompoundLiteral { init, .. } => format!("literal {} {}", self.ty(place.ty), self.init(init)),
            PlaceKind::Temporary(e) => format!("temporary({})", self.expr(e)),
            PlaceKind::Unsupported(what) => format!("unsupported({what})"),
        }
    }

    fn init(&self, init: &Init) -> String {
        match init {
            Init::Expr(e) => self.expr(e),
            Init::Bytes(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
            Init::List(entries) => {
                let entries: Vec<String> = entries
                    .iter()
                    .map(|entry| {
                        let bits = entry.bits.map(|b| format!(":{}+{}", b.shift, b.width)).unwrap_or_default();
                        format!("{}{bits}: {}", entry.offset, self.init(&entry.value))
                    })
                    .collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
    }
}

fn compare(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Equal => "==",
        CompareOp::NotEqual => "!=",
        CompareOp::Less => "<",
        CompareOp::LessEqual => "<=",
        CompareOp::Greater => ">",
        CompareOp::GreaterEqual => ">=",
    }
}
