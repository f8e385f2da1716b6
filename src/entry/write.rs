//! The text of a harness.

mod types;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::uses::{Holder, Use, Uses};
use crate::c::syntax::{FunctionId, LocalId, Unit};
use crate::c::types::{ArrayLength, Field, FloatKind, IntKind, RecordId, Type, TypeId};
use types::{CAPACITIES, LAST, LENGTHS, is_named};

/// Text and what it takes for granted.
pub struct Written {
    pub text: String,
    pub assumed: Vec<String>,
    /// The function frees blocks: it answers for the nodes that it is given.
    pub releases: bool,
}

/// Elements and characters at most: more than memory has, and few enough that sizes do not overflow.
const MOST: &str = "0x10000000";

/// Returns pointers of which nothing is known.
pub const UNKNOWN: &str = "margay_unknown";

/// How the nodes of a structure that leads to itself are linked.
enum Links {
    /// By these members: forward, and back.
    List(u32, Option<u32>),
    /// To both sides, and up.
    Tree(u32, u32, Option<u32>),
}

/// The harness of `function`, which is defined and begins at `start`.
pub fn harness(unit: &Unit, function: FunctionId, start: &str) -> Written {
    let writer = Writer {
        unit,
        uses: Uses::of(unit),
        makers: String::new(),
        declared: String::new(),
        names: BTreeMap::new(),
        open: BTreeSet::new(),
        inputs: BTreeSet::new(),
        lasts: BTreeSet::new(),
        assumed: Vec::new(),
    };
    writer.harness(function, start)
}

struct Writer<'u> {
    unit: &'u Unit,
    uses: Uses,
    makers: String,
    declared: String,
    /// Functions that make nodes and single objects.
    names: BTreeMap<RecordId, String>,
    /// Those being written.
    open: BTreeSet<RecordId>,
    inputs: BTreeSet<(&'static str, &'static str)>,
    /// Lists whose last node is asked for.
    lasts: BTreeSet<RecordId>,
    assumed: Vec<String>,
}

impl Writer<'_> {
    fn harness(mut self, function: FunctionId, start: &str) -> Written {
        let unit = self.unit;
        let declared = &unit.functions[function.index()];
        let (Type::Function(signature), Some(body)) = (unit.types.get(declared.ty), &declared.body) else {
            return Written { text: String::new(), assumed: Vec::new(), releases: false };
        };
        let mut objects = String::new();
        let mut lines = String::new();
        let params: Vec<(String, TypeId)> = (0..body.params as usize)
            .map(|index| {
                let local = &body.locals[index];
                let name = if local.name.is_empty() { format!("argument{index}") } else { local.name.to_string() };
                (name, local.ty)
            })
            .collect();
        let lengths: Vec<Option<usize>> =
            (0..params.len()).map(|index| self.length(function, &params, index)).collect();
        // Lengths first.
        let mut order: Vec<usize> = (0..params.len()).collect();
        order.sort_by_key(|index| !lengths.contains(&Some(*index)));
        for index in order {
            let (name, ty) = &params[index];
            let place = format!("margay_{name}");
            let c_type = self.name(*ty).unwrap_or_else(|| "void *".into());
            let _ = writeln!(objects, "static {c_type} {place};");
            let holder = Holder::Local(function, LocalId(index as u32));
            let extent = lengths[index].map(|length| format!("margay_{}", params[length].0));
            let length = lengths[index].map(|length| params[length].0.as_str());
            self.fill(&mut lines, "    ", (&place, name), *ty, holder, (extent.as_deref(), length));
            if lengths.contains(&Some(index)) {
                let _ = writeln!(lines, "    __VERIFIER_assume({place} >= 0 && {place} <= {MOST});");
                self.assume(format!("`{name}` is neither negative nor above {MOST}"));
            }
        }
        let args: Vec<String> = params.iter().map(|(name, _)| format!("margay_{name}")).collect();
        // What only the harness knows keeps no block from being lost.
        for id in &self.lasts {
            let _ = writeln!(lines, "    margay_last_{} = 0;", id.0);
        }
        let call = format!("{}({})", declared.name, args.join(", "));
        if *unit.types.get(signature.result) == Type::Void {
            let _ = writeln!(lines, "    {call};");
        } else {
            let c_type = self.name(signature.result).unwrap_or_else(|| "void *".into());
            let _ = writeln!(objects, "static {c_type} margay_result;");
            let _ = writeln!(lines, "    margay_result = {call};");
        }
        self.assume("nothing else leads to what arguments lead to".into());
        if unit.globals.iter().any(|global| global.definition.is_some() && !global.name.starts_with('.')) {
            self.assume("static objects have their initial values".into());
        }
        let size = if unit.types.model.pointer_bits() == 32 { "unsigned int" } else { "unsigned long" };
        let mut text = format!(
            "extern void __VERIFIER_assume(int);\nextern void *{UNKNOWN}(void);\nextern {size} __VERIFIER_nondet_size_t(void);\nextern _Bool __VERIFIER_nondet_bool(void);\n"
        );
        for (suffix, c_type) in self.inputs.iter().filter(|(suffix, _)| !matches!(*suffix, "size_t" | "bool")) {
            let _ = writeln!(text, "extern {c_type} __VERIFIER_nondet_{suffix}(void);");
        }
        let releases = self.uses.releases(function);
        let Self { declared, mut makers, assumed, names, lasts, .. } = self;
        for id in names.keys().filter(|id| !lasts.contains(id)) {
            let last = format!("margay_last_{}", id.0);
            let mentions =
                |line: &&str| line.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).any(|word| word == last);
            makers = makers.lines().filter(|line| !mentions(line)).fold(String::new(), |text, line| text + line + "\n");
        }
        let _ = write!(text, "{declared}{makers}\n{objects}\nvoid {start}(void)\n{{\n{lines}}}\n");
        Written { text, assumed, releases }
    }

    fn assume(&mut self, clause: String) {
        if !self.assumed.contains(&clause) {
            self.assumed.push(clause);
        }
    }

    /// Gives `place` any well-formed value. `what` is what people call it, `extent` the place and the name of a number of elements.
    fn fill(
        &mut self,
        lines: &mut String,
        indent: &str,
        (place, what): (&str, &str),
        ty: TypeId,
        holder: Holder,
        extent: (Option<&str>, Option<&str>),
    ) {
        match self.unit.types.get(ty) {
            Type::Int(kind) | Type::Enum { underlying: kind, .. } => {
                let number = self.number(*kind);
                let _ = writeln!(lines, "{indent}{place} = {number};");
            }
            Type::Float(FloatKind::Single) => {
                let number = self.input("float", "float");
                let _ = writeln!(lines, "{indent}{place} = {number};");
            }
            Type::Float(_) => {
                let number = self.input("double", "double");
                let _ = writeln!(lines, "{indent}{place} = {number};");
                if !matches!(self.unit.types.get(ty), Type::Float(FloatKind::Double)) {
                    self.assume(format!("`{what}` is a number of type double"));
                }
            }
            Type::Pointer(to) => self.pointer(lines, indent, (place, what), (ty, *to), holder, extent),
            Type::Record(id) => self.members(lines, indent, (&format!("{place}."), what), *id, &[]),
            Type::Array { element, length: ArrayLength::Known(count) } if *count > 0 => {
                if let Type::Int(IntKind::Char) = self.unit.types.get(*element) {
                    let _ = writeln!(lines, "{indent}{place}[{}] = 0;", count - 1);
                    self.assume(format!("`{what}` holds a text"));
                } else if self.has_pointers(*element) {
                    let index = format!("index{}", indent.len());
                    let _ = writeln!(lines, "{indent}for (int {index} = 0; {index} < {count}; {index}++) {{");
                    let (at, called) = (format!("{place}[{index}]"), format!("{what}[…]"));
                    let deeper = format!("{indent}    ");
                    self.fill(lines, &deeper, (&at, &called), *element, Holder::Behind(*element), (None, None));
                    let _ = writeln!(lines, "{indent}}}");
                }
            }
            Type::VaList | Type::Array { .. } | Type::Void | Type::Function(_) => {}
        }
    }

    /// Gives all members of a structure values, but those in `except`. `place` ends in a dot or an arrow.
    fn members(&mut self, lines: &mut String, indent: &str, (place, what): (&str, &str), id: RecordId, except: &[u32]) {
        let record = self.unit.types.record(id);
        let Some(layout) = &record.layout else { return };
        if record.is_union {
            // Which member is in use is not known.
            let words = layout.fields.iter().filter(|field| self.has_pointers(field.ty));
            let bytes = words.filter_map(|field| self.unit.types.size_of(field.ty)).max().unwrap_or(0);
            let word = u64::from(self.unit.types.model.pointer_bytes());
            let object = place.trim_end_matches('.').trim_end_matches("->");
            let address = if place.ends_with('.') { format!("&{object}") } else { object.to_owned() };
            for index in 0..bytes / word {
                let _ = writeln!(lines, "{indent}((void **){address})[{index}] = {UNKNOWN}();");
            }
            if bytes > 0 {
                self.assume(format!("what pointers in the union `{what}` lead to is not known"));
            }
            return;
        }
        let fields = &layout.fields;
        // Numbers first: pointers may depend on them.
        let is_pointer = |field: &Field| matches!(self.unit.types.get(field.ty), Type::Pointer(_));
        let mut order: Vec<usize> = (0..fields.len()).filter(|index| !except.contains(&(*index as u32))).collect();
        order.sort_by_key(|index| is_pointer(&fields[*index]));
        let mut bounded = BTreeSet::new();
        let mut chains: Vec<usize> = Vec::new();
        for index in order {
            let field = &fields[index];
            let Some(name) = &field.name else {
                // The members of a structure without a name are this one's; a union without a name has no address to be had.
                if let Type::Record(inner) = self.unit.types.get(field.ty) {
                    if self.unit.types.record(*inner).is_union {
                        self.nameless(lines, indent, (place, what), *inner);
                    } else {
                        self.members(lines, indent, (place, what), *inner, &[]);
                    }
                }
                continue;
            };
            let holder = Holder::Member(id, index as u32);
            let (at, called) = (format!("{place}{name}"), format!("{what}.{name}"));
            let used = self.uses.get(holder);
            let mut extent = None;
            if is_pointer(field) && (used.indexed || used.filled) {
                let number = |words: &[&str]| {
                    let is_such = |field: &&Field| {
                        field.bits.is_none()
                            && self.is_length_type(field.ty)
                            && field.name.as_deref().is_some_and(|name| is_named(name, words))
                    };
                    let found: Vec<&Field> = fields.iter().filter(is_such).collect();
                    match found[..] {
                        [only] => only.name.clone(),
                        _ => None,
                    }
                };
                let (capacity, length) = (number(&CAPACITIES), number(&LENGTHS));
                extent = capacity.clone().or_else(|| length.clone());
                if let Some(bound) = &extent
                    && bounded.insert(bound.clone())
                {
                    let _ =
                        writeln!(lines, "{indent}__VERIFIER_assume({place}{bound} >= 0 && {place}{bound} <= {MOST});");
                }
                if let (Some(capacity), Some(length)) = (&capacity, &length)
                    && bounded.insert(length.clone())
                {
                    let _ = writeln!(
                        lines,
                        "{indent}__VERIFIER_assume({place}{length} >= 0 && {place}{length} <= {place}{capacity});"
                    );
                    self.assume(format!("`{what}.{length}` is at most `{what}.{capacity}`"));
                }
            }
            // A second pointer into a list that another member begins.
            if let (Type::Pointer(to), true) = (self.unit.types.get(field.ty), is_named(name, &LAST))
                && let Type::Record(node) = self.unit.types.get(*to)
                && let Some(first) = chains.iter().find(|first| fields[**first].ty == field.ty)
                && self.is_linked(*node)
            {
                if !matches!(self.links(*node), Some(Links::List(..))) {
                    let _ = writeln!(lines, "{indent}{at} = {UNKNOWN}();");
                    self.assume(format!("what `{called}` leads to is not known"));
                    continue;
                }
                let first = fields[*first].name.as_deref().unwrap_or_default();
                let _ = writeln!(lines, "{indent}{at} = margay_last_{};", node.0);
                self.lasts.insert(*node);
                self.assume(format!(
                    "`{called}` leads to the last node from `{what}.{first}` on, and is null without one"
                ));
                continue;
            }
            chains.push(index);
            let bound = extent.as_ref().map(|name| format!("{place}{name}"));
            let named = extent.as_ref().map(|name| format!("{what}.{name}"));
            self.fill(lines, indent, (&at, &called), field.ty, holder, (bound.as_deref(), named.as_deref()));
        }
    }

    /// The pointers in a union without a name, of which nothing is known.
    fn nameless(&mut self, lines: &mut String, indent: &str, (place, what): (&str, &str), id: RecordId) {
        let fields = self.unit.types.record(id).layout.iter().flat_map(|layout| &layout.fields);
        for field in fields.filter(|field| self.has_pointers(field.ty)).collect::<Vec<_>>() {
            match (&field.name, self.unit.types.get(field.ty)) {
                (Some(name), Type::Pointer(_)) => {
                    let _ = writeln!(lines, "{indent}{place}{name} = {UNKNOWN}();");
                }
                (Some(name), Type::Record(inner)) => {
                    self.members(lines, indent, (&format!("{place}{name}."), &format!("{what}.{name}")), *inner, &[]);
                }
                (None, Type::Record(inner)) if self.unit.types.record(*inner).is_union => {
                    self.nameless(lines, indent, (place, what), *inner);
                }
                (None, Type::Record(inner)) => self.members(lines, indent, (place, what), *inner, &[]),
                _ => {}
            }
        }
        self.assume(format!("what pointers in a union of `{what}` lead to is not known"));
    }

    fn pointer(
        &mut self,
        lines: &mut String,
        indent: &str,
        (place, what): (&str, &str),
        (ty, to): (TypeId, TypeId),
        holder: Holder,
        extent: (Option<&str>, Option<&str>),
    ) {
        let used = self.uses.get(holder);
        let to = match (self.unit.types.get(to), used.types.first()) {
            (Type::Void, Some(only)) if used.types.len() == 1 => TypeId(*only),
            _ => to,
        };
        let made = self.made(to, &used, extent);
        let Some((expression, kind)) = made else {
            let _ = writeln!(lines, "{indent}{place} = margay_unknown();");
            let c_type = self.unit.types.display(ty);
            self.assume(format!("`{what}` is any value of type {c_type}: what it leads to is not known"));
            return;
        };
        let is_chain = kind.starts_with("begins") || kind.starts_with("is the root");
        if used.tested && !is_chain {
            let _ = writeln!(lines, "{indent}{place} = 0;\n{indent}if (__VERIFIER_nondet_bool())");
            let _ = writeln!(lines, "{indent}    {place} = {expression};");
            self.assume(format!("`{what}` is null or {kind}"));
        } else {
            let _ = writeln!(lines, "{indent}{place} = {expression};");
            if is_chain && !used.tested {
                let _ = writeln!(lines, "{indent}__VERIFIER_assume({place} != 0);");
                self.assume(format!("`{what}` {kind}, and is not null"));
            } else {
                self.assume(format!("`{what}` {kind}"));
            }
        }
    }

    /// An expression that makes what a pointer to `to` leads to, and what that is.
    fn made(&mut self, to: TypeId, used: &Use, extent: (Option<&str>, Option<&str>)) -> Option<(String, String)> {
        let types = &self.unit.types;
        let is_many = used.indexed || used.filled;
        if let (true, (Some(count), Some(called))) = (is_many, extent) {
            let maker = self.array(to)?;
            return Some((format!("{maker}({count})"), format!("leads to `{called}` elements")));
        }
        match types.get(to) {
            Type::Int(IntKind::Char) if !used.filled => {
                if !self.declared.contains("margay_text") {
                    self.declared += &format!(
                        "\n/* A text of any length. */\nstatic char *margay_text(void)\n{{\n    \
                         __typeof__(sizeof 0) length = __VERIFIER_nondet_size_t();\n    __VERIFIER_assume(length < {MOST});\n    \
                         char *text = __builtin_malloc(length + 1);\n    __VERIFIER_assume(text != 0);\n    text[length] = 0;\n    return text;\n}}\n"
                    );
                }
                Some(("margay_text()".into(), format!("leads to a text shorter than {MOST}")))
            }
            _ if is_many => None,
            Type::Record(id) => {
                let (name, kind) = self.record(*id, to)?;
                Some((format!("{name}()"), kind))
            }
            Type::Int(_) | Type::Float(_) | Type::Enum { .. } | Type::Pointer(_) => {
                let c_type = self.name(to)?;
                let name = format!("margay_one_{}", to.0);
                if !self.makers.contains(&format!("{name}(void)")) {
                    let mut body = String::new();
                    let target = self.unit.types.display(to);
                    self.fill(
                        &mut body,
                        "    ",
                        ("*object", &format!("*({target}*)")),
                        to,
                        Holder::Behind(to),
                        (None, None),
                    );
                    self.makers += &format!(
                        "\nstatic {c_type}*{name}(void)\n{{\n    {c_type}*object = __builtin_malloc(sizeof *object);\n    __VERIFIER_assume(object != 0);\n{body}    \
                         return object;\n}}\n"
                    );
                }
                Some((format!("{name}()"), format!("leads to one object of type {}", self.unit.types.display(to))))
            }
            Type::Function(signature) => {
                let params: Option<Vec<String>> = signature.params.iter().map(|param| self.name(*param)).collect();
                let (params, result) = (params?, self.name(signature.result)?);
                let returned = match types.get(signature.result) {
                    Type::Void => None,
                    Type::Int(kind) => Some(*kind),
                    _ => return None,
                };
                if signature.variadic {
                    return None;
                }
                let name = format!("margay_called_{}", to.0);
                if !self.declared.contains(&name) {
                    let body = returned.map_or(String::new(), |kind| format!("    return {};\n", self.number(kind)));
                    let params: Vec<String> =
                        params.iter().enumerate().map(|(index, param)| format!("{param}a{index}")).collect();
                    let params = if params.is_empty() { "void".into() } else { params.join(", ") };
                    self.declared += &format!("\nstatic {result}{name}({params})\n{{\n{body}}}\n");
                }
                Some((format!("(void *){name}"), "leads to a function that changes no memory".into()))
            }
            Type::Array { .. } if !self.has_pointers(to) => {
                let size = types.size_of(to)?;
                let name = format!("margay_array_{}", to.0);
                if !self.makers.contains(&name) {
                    self.makers += &format!(
                        "\nstatic void *{name}(void)\n{{\n    void *object = __builtin_malloc({size});\n    \
                         __VERIFIER_assume(object != 0);\n    return object;\n}}\n"
                    );
                }
                Some((format!("{name}()"), format!("leads to one object of type {}", types.display(to))))
            }
            Type::Void | Type::Array { .. } | Type::VaList => None,
        }
    }

    /// The function that makes so many elements.
    fn array(&mut self, element: TypeId) -> Option<String> {
        let types = &self.unit.types;
        let element = match types.get(element) {
            Type::Function(_) | Type::VaList | Type::Array { .. } => return None,
            Type::Record(id) if self.is_open_ended(*id) => return None,
            _ => element,
        };
        let size = types.size_of(element).unwrap_or(1);
        let c_type = self.name(element)?;
        let name = format!("margay_many_{}", element.0);
        if self.makers.contains(&format!("{name}(")) {
            return Some(name);
        }
        let mut body = String::new();
        if matches!(types.get(element), Type::Pointer(_) | Type::Record(_)) {
            let called = format!("elements of type {}", types.display(element));
            self.fill(
                &mut body,
                "        ",
                ("objects[index]", &called),
                element,
                Holder::Behind(element),
                (None, None),
            );
            body = format!("    for (__typeof__(sizeof 0) index = 0; index < count; index++) {{\n{body}    }}\n");
        }
        self.makers += &format!(
            "\nstatic {c_type}*{name}(__typeof__(sizeof 0) count)\n{{\n    {c_type}*objects = __builtin_malloc(count * {size});\n    __VERIFIER_assume(objects != 0);\n{body}    \
             return objects;\n}}\n"
        );
        Some(name)
    }

    /// The function that makes a structure, a list or a tree of them, and what that is.
    fn record(&mut self, id: RecordId, ty: TypeId) -> Option<(String, String)> {
        let types = &self.unit.types;
        let record = types.record(id);
        let layout = record.layout.as_ref()?;
        // Structures of the library are known to it alone.
        if record.tag.as_deref().is_some_and(|tag| tag.starts_with('_'))
            || record.is_union
            || layout.fields.is_empty()
            || self.is_open_ended(id)
        {
            return None;
        }
        let c_type = self.name(ty)?;
        let text = c_type.trim_end().to_owned();
        let kind = match self.links(id) {
            Some(Links::List(_, None)) => format!("begins a list of any number of {text} that ends with null"),
            Some(Links::List(..)) => {
                format!("begins a list, linked both ways, of any number of {text} that ends with null")
            }
            Some(Links::Tree(..)) => format!("is the root of a tree of any number of {text}"),
            None => format!("leads to one {text}"),
        };
        if let Some(name) = self.names.get(&id) {
            return Some((name.clone(), kind));
        }
        // What leads back to itself through others is not made.
        if !self.open.insert(id) {
            return None;
        }
        let name = format!("margay_{}_{}", if self.links(id).is_some() { "nodes" } else { "object" }, id.0);
        let field = |index: u32| layout.fields[index as usize].name.clone().unwrap_or_default();
        let mut body = String::new();
        let called = text.trim_start_matches("struct ").to_owned();
        let allocate = |indent: &str| {
            format!("{c_type}*object = __builtin_malloc(sizeof *object);\n{indent}__VERIFIER_assume(object != 0);\n")
        };
        let maker = match self.links(id) {
            Some(Links::List(next, back)) => {
                let except: Vec<u32> = [Some(next), back].into_iter().flatten().collect();
                self.members(&mut body, "        ", ("object->", &called), id, &except);
                let last = format!("margay_last_{}", id.0);
                let next = field(next);
                let back = back.map(field).map_or(String::new(), |back| {
                    format!(
                        "        object->{back} = 0;\n        if (first != 0)\n            first->{back} = object;\n"
                    )
                });
                format!(
                    "\nstatic {c_type}*{last};\nstatic {c_type}*{name}(void)\n{{\n    {c_type}*first = 0;\n    {last} = 0;\n    \
                     while (__VERIFIER_nondet_bool()) {{\n        {}{body}        object->{next} = first;\n{back}        \
                     if (first == 0) {last} = object;\n        first = object;\n    }}\n    return first;\n}}\n",
                    allocate("        ")
                )
            }
            Some(Links::Tree(left, right, up)) => {
                let except: Vec<u32> = [Some(left), Some(right), up].into_iter().flatten().collect();
                self.members(&mut body, "    ", ("object->", &called), id, &except);
                let mut links = String::new();
                for side in [left, right].map(field) {
                    let _ = writeln!(links, "    object->{side} = {name}();");
                    if let Some(up) = up.map(field) {
                        let _ = writeln!(links, "    if (object->{side} != 0)\n        object->{side}->{up} = object;");
                    }
                }
                let up = up.map(field).map_or(String::new(), |up| format!("    object->{up} = 0;\n"));
                format!(
                    "\nstatic {c_type}*{name}(void)\n{{\n    if (__VERIFIER_nondet_bool())\n        return 0;\n    \
                     {}{body}{up}{links}    return object;\n}}\n",
                    allocate("    ")
                )
            }
            None => {
                self.members(&mut body, "    ", ("object->", &called), id, &[]);
                format!("\nstatic {c_type}*{name}(void)\n{{\n    {}{body}    return object;\n}}\n", allocate("    "))
            }
        };
        self.open.remove(&id);
        self.makers += &maker;
        self.names.insert(id, name.clone());
        Some((name, kind))
    }
}
