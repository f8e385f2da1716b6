//! Code without a `main`: what becomes a function, a stub, a refusal.

use std::path::Path;

use super::super::{
    Callee, Content, Function, FunctionId, HaltKind, LowerOptions, NondetKind, Op, OpenProgram, lower_open, validate,
};
use crate::base::error::ErrorKind;
use crate::c::{self, SourceText};
use crate::task::DataModel;

fn open(text: &str) -> OpenProgram {
    let lowered = c::with_big_stack(|| {
        let unit = c::parse(&SourceText::from_text("t.c", text, DataModel::Lp64)).expect("the text is C");
        lower_open(&unit, &LowerOptions::default())
    });
    let open = lowered.expect("nothing stops open lowering");
    assert_eq!(validate(&open.program), Ok(()));
    open
}

fn function<'o>(open: &'o OpenProgram, name: &str) -> &'o Function {
    open.program.function(open.program.function_named(name).unwrap_or_else(|| panic!("there is no `{name}`")))
}

fn names(open: &OpenProgram, ids: &[FunctionId]) -> Vec<String> {
    ids.iter().map(|&id| open.program.function(id).name.to_string()).collect()
}

fn ops(function: &Function) -> impl Iterator<Item = &Op> {
    function.locations.iter().flat_map(|location| &location.edges).map(|edge| &edge.op)
}

/// The functions that `caller` calls by name, and whether a value comes back.
fn calls(open: &OpenProgram, caller: &str) -> Vec<(String, bool)> {
    let calls = ops(function(open, caller)).filter_map(|op| match op {
        Op::Call { dst, callee: Callee::Direct(id), .. } => {
            Some((open.program.function(*id).name.to_string(), dst.is_some()))
        }
        _ => None,
    });
    calls.collect()
}

/// What was refused: the name, the place, the reason.
fn refusals(open: &OpenProgram) -> Vec<String> {
    open.refused.iter().map(|(name, error)| format!("{name}: {error}")).collect()
}

#[test]
fn every_function_with_a_body_is_lowered() {
    let text = "struct node { struct node *next; int value; };
                static inline struct node *second(struct node *n) { return n->next->next; }
                int later(void);
                static int unused(int x) { return x + 1; }
                int later(void) { return unused(2); }
                int (*table[])(void) = { later };";
    let open = open(text);
    assert_eq!(names(&open, &open.functions), ["second", "unused", "later"]);
    assert!(open.functions.iter().all(|&id| !open.program.function(id).is_stub()));
    assert!(open.externs.is_empty() && open.refused.is_empty());
    assert_eq!(calls(&open, "later"), [("unused".to_string(), true)]);
    let start = open.program.function(open.program.start);
    assert!(matches!(ops(start).collect::<Vec<_>>()[..], [Op::Halt(HaltKind::Vanish)]));
}

#[test]
fn the_order_is_the_one_of_the_text() {
    let open = open("int b(void); int a(void) { return b(); } int c(void) { return 1; } int b(void) { return c(); }");
    assert_eq!(names(&open, &open.functions), ["a", "c", "b"]);
}

/// `static` holds for all that follows a declaration with it.
#[test]
fn functions_of_this_file_alone_are_reported() {
    let text = "static int a(void); int a(void) { return 1; } static inline int b(void) { return a(); }
                int c(void) { int b(void); return b(); } extern int d(void) { return c(); }
                inline int e(void) { return d(); } static int elsewhere(void);";
    let open = open(text);
    assert_eq!(names(&open, &open.functions), ["a", "b", "c", "d", "e"]);
    assert_eq!(names(&open, &open.exported), ["c", "d", "e"]);
}

#[test]
fn a_main_is_a_function_like_others() {
    let open = open("void f(void) { } int main(int argc, char **argv) { f(); }");
    assert_eq!(names(&open, &open.functions), ["f", "main"]);
    assert_eq!(calls(&open, "start"), []);
    assert_eq!(calls(&open, "main"), [("f".to_string(), false)]);
}

#[test]
fn a_function_that_is_refused_leaves_a_stub() {
    let text = "struct pair { long a, b; };
                long good(long x) { return x; }
                struct pair bad(int x, struct pair p, ...) {
                    __asm__ volatile (\"cpuid\" ::: \"memory\"); return p; }
                long caller(void) { struct pair p = { 1, 2 }; return bad(3, p, 4).a + good(5); }";
    let open = open(text);
    assert_eq!(names(&open, &open.functions), ["good", "bad", "caller"]);
    let [refused] = refusals(&open).try_into().expect("one refusal");
    assert!(refused.starts_with("bad: t.c:4:21: inline assembler"), "{refused}");
    assert!(function(&open, "bad").is_stub() && !function(&open, "good").is_stub());
    assert_eq!(calls(&open, "caller"), [("bad".to_string(), false), ("good".to_string(), true)]);
    // The result's address, the number, the record's address, the other arguments.
    let bad = function(&open, "bad");
    let widths: Vec<u32> = bad.params.iter().map(|reg| bad.regs[reg.index()].width).collect();
    assert_eq!(widths, [64, 32, 64, 64]);
    assert_eq!(bad.result_width, None);
}

#[test]
fn calls_of_functions_that_are_defined_elsewhere_can_be_seen() {
    let text = "struct pair { long a, b; };
                extern char *find(const char *name, unsigned char how, struct pair p);
                extern struct pair make(void);
                extern void note(int);
                extern void never(void) __attribute__((noreturn));
                int use(void) { note(1); return *find(\"x\", 300, make()); }
                void (*hook)(int) = note;
                void last(int x) { if (x) never(); hook(x); }";
    let open = open(text);
    assert_eq!(names(&open, &open.externs), ["note", "make", "find", "never"]);
    assert!(open.externs.iter().all(|&id| open.program.function(id).is_stub()));
    assert!(open.program.assumed.is_empty() && open.refused.is_empty());
    let expected = [("note", false), ("make", false), ("find", true)].map(|(name, value)| (name.to_string(), value));
    assert_eq!(calls(&open, "use"), expected);
    let find = function(&open, "find");
    let widths: Vec<u32> = find.params.iter().map(|reg| find.regs[reg.index()].width).collect();
    assert_eq!((widths, find.result_width), (vec![64, 8, 64], Some(64)));
    assert_eq!(function(&open, "make").params.len(), 1);
    // Nothing comes after a function that does not return.
    assert!(ops(function(&open, "last")).any(|op| matches!(op, Op::Halt(HaltKind::Abort))));
}

/// Where no prototype says what a call has to fit, nothing changes: the call is taken to do nothing.
#[test]
fn calls_without_a_prototype_stay_as_they_are() {
    let open = open("int old(); int many(const char *, ...); int f(void) { return old(1, 2) + many(\"\", 3); }");
    assert!(open.externs.is_empty());
    assert_eq!(calls(&open, "f"), []);
    let assumed: Vec<&str> = open.program.assumed.iter().map(|name| &**name).collect();
    assert_eq!(assumed, ["many", "old"]);
    let external = |op: &&Op| matches!(op, Op::Nondet { kind: NondetKind::External(_), .. });
    assert_eq!(ops(function(&open, "f")).filter(external).count(), 2);
}

/// The call stands before the prototype: its arguments were not converted, and their number may be wrong.
#[test]
fn calls_before_the_prototype_fit_it_all_the_same() {
    let open = open("int early(void) { return late(1) + late(); } int late(int, long);");
    assert_eq!(names(&open, &open.externs), ["late"]);
    assert_eq!(calls(&open, "early").len(), 2);
}

#[test]
fn the_library_is_there_and_what_it_lacks_is_a_stub() {
    let text = "typedef unsigned long size_t;
                char *strdup(const char *); size_t strlen(const char *);
                long fnmatch(char **line, size_t *size, void *stream); int fscanf_s(char **to, const char *form, ...);
                size_t known(const char *s) { return strlen(strdup(s)); }
                long line(char **to, void *from) { size_t n = 0; return fnmatch(to, &n, from); }
                void *address(void) { return fnmatch; }
                int form(char **to) { return fscanf_s(to, \"\"); }";
    let open = open(text);
    assert!(!function(&open, "strlen").is_stub() && function(&open, "strlen").library);
    assert_eq!(calls(&open, "line"), [("fnmatch".to_string(), true)]);
    assert!(function(&open, "fnmatch").is_stub() && !function(&open, "line").is_stub());
    assert!(open.externs.is_empty());
    let expected = [
        "fnmatch: t.c:5:73: the library function `fnmatch`",
        // Variable arguments: the caller itself is refused.
        "form: t.c:7:46: the library function `fscanf_s`",
    ];
    assert_eq!(refusals(&open), expected);
    assert!(function(&open, "form").is_stub() && !function(&open, "address").is_stub());
}

#[test]
fn a_global_that_is_refused_holds_anything() {
    let text = "int next(void); int number = next(); int other = 3; int f(void) { return number + other; }";
    let open = open(text);
    let content =
        |name: &str| open.program.globals.iter().find(|global| &*global.name == name).map(|global| &global.content);
    assert!(matches!(content("number"), Some(Content::Unknown)));
    assert!(matches!(content("other"), Some(Content::Initialised(writes)) if writes.len() == 1));
    assert!(refusals(&open)[0].starts_with("number: t.c:1:"), "{:?}", refusals(&open));
    assert_eq!(open.refused[0].1.kind, ErrorKind::Unsupported);
    assert!(!function(&open, "f").is_stub());
}

/// A use that no run reaches must not make the function one that does nothing.
#[test]
fn what_was_met_in_dead_code_first_is_a_stub_nevertheless() {
    let open = open("void ext(int); void f(void) { return; void (*p)(int) = ext; p(1); } void g(void) { ext(2); }");
    assert_eq!(names(&open, &open.externs), ["ext"]);
    assert!(function(&open, "ext").is_stub());
    assert_eq!(calls(&open, "g"), [("ext".to_string(), false)]);
}

/// `benchmarks/open` is lowered whole, and its expectations name the functions of each file, with their lines.
#[test]
fn own_open_code_is_lowered_and_its_expectations_name_its_functions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/open");
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let files: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "c")).collect();
    assert!(files.len() >= 10, "{files:?}");
    for path in files {
        let expected = std::fs::read_to_string(path.with_extension("expected")).expect("its expectations");
        let listed: Vec<&str> = expected
            .lines()
            .filter_map(|line| line.trim().strip_prefix("- {name: ")?.split_once(", expected: "))
            .map(|(listed, _)| listed)
            .collect();
        let lowered = c::with_big_stack(|| {
            let unit = c::parse(&c::load(&path, DataModel::Lp64)?)?;
            lower_open(&unit, &LowerOptions::default())
        });
        let open = lowered.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(refusals(&open), [""; 0], "{}", path.display());
        assert_eq!((&open.externs[..], &open.program.assumed[..]), (&[][..], &[][..]), "{}", path.display());
        let functions = open.functions.iter().map(|&id| open.program.function(id));
        let positions = functions.map(|function| (function, open.program.source.pos(function.span.start)));
        let found: Vec<String> = positions
            .filter(|(_, pos)| Path::new(&*pos.file) == path)
            .map(|(function, pos)| format!("{}, line: {}", function.name, pos.line))
            .collect();
        assert_eq!(found, listed, "{}", path.display());
    }
}
