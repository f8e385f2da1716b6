#!/usr/bin/env python3
"""Tasks rewritten so that their verdicts stay: the answer to the rewritten task must not contradict the verdict of the task.

    benchmarks/variants.py target/release/margay 10s KIND [FOLDER…]     (default: trees, skiplists, operations, lists-unbounded)

A folder is one of those beside this script, or the path of any other with task definitions in it or below. KIND is `all`, or
    wrap     malloc and free are called through functions of the program
    count    these functions count the blocks that live
    log      these functions keep a list of what was allocated
    calloc   blocks are zero at first (tasks where the property holds)
    pad      every structure gets one more member, at its beginning
    swap     the members of every structure in the opposite order
    nest     main is called by another main
    flip     the other data model (tasks where the property holds)
A task is skipped where it cannot be told that a rewriting keeps its verdict. JOBS=n in the environment is how many answers are
looked for at a time (default: 2). Needs gcc, for 32 bits too. Ends with 1 where an answer is wrong; `open` are those not found.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
SIZE = {"ILP32": "unsigned int", "LP64": "unsigned long"}
OTHER = {"ILP32": "LP64", "LP64": "ILP32"}
PROPERTIES = {"unreach-call", "unreach-label", "assertions", "valid-memsafety", "valid-memcleanup", "no-overflow"}
OF_HEADERS = re.compile(r"__|_(IO|G)_|pthread|sig|(timespec|timeval|random_data|drand48_data|tm|lconv|stat|dirent)$")
Question = collections.namedtuple("Question", "task source model property holds subproperty")


# What the rewriting reads of a program


def bare(text):
    """The text with blanks in place of comments, what is in literals, and lines for the preprocessor; all at the same places."""
    blank = lambda part: re.sub(r"[^\n]", " ", part)
    literal = r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    code = re.sub(
        rf"/\*.*?\*/|//[^\n]*|{literal}",
        lambda m: m[0][0] + blank(m[0][1:-1]) + m[0][-1] if m[0][0] in "\"'" else blank(m[0]),
        text,
        flags=re.DOTALL,
    )
    return re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", lambda m: blank(m[0]), code, flags=re.MULTILINE)


def depth(code, place):
    """How many braces are open at a place."""
    return code.count("{", 0, place) - code.count("}", 0, place)


def edited(text, edits):
    """The text with parts replaced: (start, end, new)."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def calls(code, name):
    """Where a function of this name is called: places of the name. Declarations and members of this name are left out."""
    for match in re.finditer(rf"\b{name}\s*\(", code):
        before = code[max(0, match.start() - 60) : match.start()]
        word = re.search(r"(\w+)\s*$", before)
        declared = word and word[1] not in ("return", "else", "do") or re.search(r"\b(void|char)\s*\*\s*$", before)
        if depth(code, match.start()) > 0 and not declared and not re.search(r"(\.|->)\s*$", before):
            yield match


def argument(code, match):
    """What is between the parentheses of a call."""
    depth = 1
    for place in range(match.end(), len(code)):
        depth += {"(": 1, ")": -1}.get(code[place], 0)
        if depth == 0:
            return code[match.end() : place]
    return ""


def bodies(code, kind):
    """The structures, or unions, that are not from headers: match of the head, place where the body ends. Nested ones too."""
    for match in re.finditer(rf"\b{kind}\b\s*(\w*)\s*\{{", code):
        opened, end = 1, match.end()
        while opened and end < len(code):
            opened += {"{": 1, "}": -1}.get(code[end], 0)
            end += 1
        members = code[match.end() : end]
        if not OF_HEADERS.match(match[1]) and not re.search(r"\b__(?!extension__|attribute__)\w|\bquot\b", members):
            yield match, end - 1


# Whether the layout of structures matters


SCALAR = r"\b(?:unsigned|signed|char|short|int|long|float|double)\b"
OFFSET = re.compile(r"offsetof\b|\*\s*\)\s*\(?0\)*\s*(->|\.)")  # where the offset of a member is computed


def without_casts(text):
    """The program without casts to pointers: gcc then tells of each that changes a type. Those stay that lead from a member to
    the structure around it."""
    kept = [r"\(\s*[\w ]+\*\s*\)\s*\(*\s*0\b"]
    if OFFSET.search(text):
        byte = r"\(\s*(?:const\s+|unsigned\s+)*(?:char|void)\s*(?:const\s*)?\*\s*\)"
        kept.append(rf"(?:\([^()]*\*\s*\)\s*\(+\s*)?{byte}(?=\s*\(*\w+\)*\s*-)")
    for pattern in kept:
        text = re.sub(pattern, lambda m: m[0].replace("(", "\1").replace(")", "\2"), text)
    names = re.findall(r"\btypedef\s+struct[^;{}]*(?:\{[^{}]*\})?[^;{}]*\*\s*(\w+)\s*[;,]", text)
    names.append(r"(?:(?:const|volatile|unsigned|signed|struct)\s+)*\w+\s*(?:const\s*)?\*[\s*]*(?:const\s*)?")

    def strip(match):
        before = match.string[max(0, match.start() - 60) : match.start()]
        word = re.search(r"(\w+)\s*$", before)
        if word and word[1] not in ("return", "else", "do") or re.search(r"\(\s*\*\s*\w*\s*\)\s*$", before):
            return match[0]  # parameters, or what sizeof is of
        return match[0] if re.fullmatch(r"\(\s*(const\s+)?void\s*\*\s*\)", match[0]) else " "

    text = re.sub(rf"\(\s*(?:{'|'.join(names)})\s*\)(?=\s*[\w(&*\1])", strip, text)
    return text.replace("\1", "(").replace("\2", ")")


def members_for_structures(text, code):
    """Whether the address of a member may be taken for the one of its structure: by free, or in a variable of another type."""
    parts = [code[match.end() : end] for match, end in bodies(code, "struct")]
    pointers = {name for part in parts for name in re.findall(r"\*\s*(?:const\s+)?(\w+)\s*[;,]", part)}
    arrays = {name for part in parts for name in re.findall(r"(\w+)\s*\[", part)}
    for match in re.finditer(r"(?<!&)&\s*\(*\w[\w.>()-]*(?:->|\.)\s*(\w+)\s*\)*(?![\w.(\[]|\s*->)", code):
        statement = re.split(r"[;{}]", code[max(0, match.start() - 200) : match.start()])[-1]
        if match[1] not in pointers and not OFFSET.search(text) or re.search(r"\b(void|free)\b", statement):
            return True
    freed = [re.search(r"(?:->|\.)\s*(\w+)\s*$", argument(code, match)) for match in calls(code, "free")]
    return any(member and member[1] in arrays for member in freed)


def layout_matters(code):
    """Whether the verdict may depend on where members are and how large structures are, as far as the text tells."""
    special = r"\w\s*:\s*\w+\s*[;,]|\[\s*0?\s*\]\s*;"  # bit-fields, flexible arrays
    if any(bodies(code, "union")) or any(re.search(special, code[match.end() : end]) for match, end in bodies(code, "struct")):
        return True
    size = r"\bsizeof\s*(\([^()]*\)|\**\w+)"
    compared = rf"{size}\s*[=!<>]|[=!]=\s*sizeof|[<>]\s*sizeof|offsetof[^;]*[=!<>]="
    if re.search(rf"\*\s*\)\s*\(*[\w>.-]+\)*\s*[-+]\s*\d|{compared}", code):
        return True
    for match in calls(code, r"\w*alloca?\w*"):
        given, before = argument(code, match), code[max(0, match.start() - 80) : match.start()]
        if re.search(r"\+|-(?!>)|\*\s*\)" if "sizeof" in given else r"\d", given):
            return True
        if re.search(rf"sizeof\s*\(\s*{SCALAR}", given) and not re.search(rf"{SCALAR}[\w\s]*\*[\s*]*(\)\s*|\w+\s*=\s*)$", before):
            return True
    moves = calls(code, r"(?:__builtin_)?(?:mem(?:set|cpy|move|cmp)|bcopy|bzero)")
    return any("sizeof" not in argument(code, match) for match in moves)


def compiles(text, question, *flags):
    """Whether gcc takes the program."""
    form, bits = "cpp-output" if question.source.suffix == ".i" else "c", 32 if question.model == "ILP32" else 64
    command = ["gcc", "-fsyntax-only", "-std=gnu11", f"-m{bits}", "-I", question.source.parent, *flags, "-x", form, "-"]
    return subprocess.run(command, input=text.encode("latin-1"), capture_output=True, check=False).returncode == 0


def layout_is_free(text, question):
    """Whether members may move, as the text tells, and gcc when initialisers must name members and casts are gone."""
    code = bare(text)
    if layout_matters(code) or members_for_structures(text, code):
        return False
    marks = [(match.start() + 6, match.start() + 6, " __attribute__((designated_init))") for match, _ in bodies(code, "struct")]
    errors = [f"-Werror={what}" for what in ("designated-init", "incompatible-pointer-types", "int-conversion")]
    return compiles(without_casts(edited(text, marks)), question, *errors)


# The rewritings: the text for a question, or None


def wrap(text, question, before="", on_alloc="", on_free="", allocate="malloc(n)"):
    """Calls of malloc and free go through functions of the program."""
    code, size = bare(text), SIZE[question.model]
    own = [m for m in re.finditer(r"\b(malloc|free|calloc)\s*\([^;{}]*\)\s*\{", code) if depth(code, m.start()) == 0]
    if own or re.search(r"\*\s*(malloc|free)\s*\)|\bzz_", code) or re.search(r"#\s*define\s+(malloc|free|calloc)\b", text):
        return None
    allocs, frees = list(calls(code, "malloc")), list(calls(code, "free"))
    if not allocs:
        return None
    edits = [(m.start(), m.start() + 6, "zz_alloc") for m in allocs] + [(m.start(), m.start() + 4, "zz_free") for m in frees]
    head = f"{before}static void *zz_alloc({size} n);\n"
    tail = f"\nstatic void *zz_alloc({size} n)\n{{\n    void *p = {allocate};\n    if (!p)\n        for (;;)\n            ;\n"
    tail += f"{on_alloc}    return p;\n}}\n"
    if frees:
        head += "static void zz_free(void *p);\n"
        tail += f"static void zz_free(void *p)\n{{\n    if (p) {{\n{on_free}        free(p);\n    }}\n}}\n"
    return head + edited(text, edits) + tail


def count(text, question):
    """The functions that allocate and free count in a variable; it may overflow."""
    if question.property != "no-overflow":
        return wrap(text, question, "static int zz_live;\n", "    zz_live++;\n", "        zz_live--;\n")
    return None


def log(text, question):
    """All sizes asked for are in a list that a variable holds to the end, or, where no block may be left, another main frees."""
    before = "struct zz_log { struct zz_log *older; unsigned size; };\nstatic struct zz_log *zz_logs;\n"
    on_alloc = "    struct zz_log *l = malloc(sizeof *l);\n    l->older = zz_logs;\n    l->size = n;\n    zz_logs = l;\n"
    logged = wrap(text, question, before, on_alloc)
    if re.search(r"\b(pthread|thrd)_create\s*\(", text):
        return None
    if logged and question.property == "valid-memcleanup" and question.holds:
        if re.search(r"\b(_*exit|_Exit|quick_exit|abort|\w*assert\w*|reach_error|longjmp)\s*\(", bare(text)):
            return None
        logged += "static void zz_forget(void)\n{\n    while (zz_logs) {\n        struct zz_log *older = zz_logs->older;\n"
        logged += "        free(zz_logs);\n        zz_logs = older;\n    }\n}\n"
        return nest(logged, question, "    zz_forget();\n")
    return logged


def calloc(text, question):
    """Blocks are zero at first: one of the values they may have."""
    if question.holds:
        size = SIZE[question.model]
        declared = "" if re.search(r"\bcalloc\b|#\s*include\s*<stdlib", text) else f"extern void *calloc({size}, {size});\n"
        return wrap(text, question, declared, allocate="calloc(1, n)")
    return None


def pad(text, question):
    """Every structure gets one more member, at its beginning."""
    edits = [(match.end(), match.end(), " int zz_pad;") for match, _ in bodies(bare(text), "struct")]
    return edited(text, edits) if edits and layout_is_free(text, question) else None


def swap(text, question):
    """The members of structures in the opposite order, but where an array is among them: an index may lead to the next one."""
    code, edits = bare(text), []
    for match, end in bodies(code, "struct"):
        members = code[match.end() : end].rstrip().removesuffix(";").split(";")
        if len(members) > 1 and not re.search(r"[{\[]", code[match.end() : end]) and "#" not in text[match.end() : end]:
            edits.append((match.end(), end, ";".join(reversed(members)) + "; "))
    return edited(text, edits) if edits and layout_is_free(text, question) else None


def nest(text, question, after=""):
    """Main is called by another main. What its variables alone lead to is lost at its return, as it was."""
    code = bare(text)
    found = [m for m in re.finditer(r"\bmain\s*\(([^()]*)\)\s*\{", code) if depth(code, m.start()) == 0]
    if len(found) != 1 or "zz_main" in code:
        return None
    arity = 0 if found[0][1].strip() in ("", "void") else found[0][1].count(",") + 1
    parameters, given = {0: ("void", ""), 2: ("int argc, char **argv", "argc, argv")}.get(arity, (None, None))
    if parameters is None:
        return None
    text = edited(text, [(m.start(), m.end(), "zz_main") for m in re.finditer(r"\bmain\b(?=\s*\()", code)])
    return f"{text}\nint main({parameters})\n{{\n    zz_main({given});\n{after}    return 0;\n}}\n"


def flip(text, question):
    """The other data model, where no type but int, char and pointers is in sight, and no size is computed or a number."""
    code = bare(text)
    own = re.sub(r"\bextern\b[^;{}]*;|\btypedef\b[^;{}]*\b(size_t|wchar_t)\s*;", "", code)
    wide = r"\b(long|short|\w*int\w*_t|ptrdiff_t|s?size_t|off_t|time_t|wchar_t|float|double)\b"
    numbers = r"\(\s*((unsigned|signed|const)\s+)*(unsigned|signed|int|char)\s*\)|\*\s*\)\s*\(?-?\s*[1-9]"
    numbers += r"|\b\d+[uU]?[lL]|\d{9}|0[xX]\w{7}"
    whole = r"\s*(\d+\s*,\s*)?sizeof\s*(\([^()]*\)|\**\s*[\w>.-]+)\s*"
    if not question.holds or question.property == "no-overflow" or re.search(f"{wide}|{numbers}", own):
        return None
    sizes = [argument(code, match) for match in calls(code, r"\w*alloca?\w*")]
    if code.count("sizeof") != len(sizes) or not all(re.fullmatch(whole, given) for given in sizes):
        return None
    return text if layout_is_free(text, question) else None


KINDS = {rewrite.__name__: rewrite for rewrite in (wrap, count, log, calloc, pad, swap, nest, flip)}


# Asking


def questions(folders):
    """What the tasks ask: one for each property with an expected verdict."""
    for folder in folders:
        place = HERE / folder if (HERE / folder).is_dir() else Path(folder).resolve()
        for task in sorted(place.rglob("*.yml")):
            text = re.sub(r"^\s*#.*", "", task.read_text(), flags=re.MULTILINE)
            source = re.search(r"^input_files:\s*(?:-\s*)?['\"]?([^'\"\n]+?)['\"]?\s*$(?!\s*-)", text, re.MULTILINE)
            model = re.search(r"data_model:\s*['\"]?(ILP32|LP64)", text)
            for part in re.split(r"property_file:", text)[1:]:
                holds = re.search(r"expected_verdict:\s*(true|false)", part)
                broken = re.search(r"subproperty:\s*([\w-]+)", part)
                name = Path(part.split()[0].strip("'\"")).stem
                if source and model and holds and name in PROPERTIES and (task.parent / source[1]).suffix in (".c", ".i"):
                    yield Question(task, task.parent / source[1], model[1], name, holds[1] == "true", broken and broken[1])


def answer(margay, limit, kind, question, work):
    """What the verifier says to the rewritten task; None: it is skipped."""
    text = KINDS[kind](question.source.read_text(encoding="latin-1"), question)
    asked = question._replace(model=OTHER[question.model]) if kind == "flip" else question
    if text is None or not compiles(text, asked, "-w"):
        return None
    with tempfile.TemporaryDirectory(dir=work) as folder:
        variant = Path(folder, question.source.name)
        variant.write_text(text, encoding="latin-1")
        command = [margay, "verify", "--no-witness", "-p", question.property, "-d", asked.model, "-t", limit, variant]
        said = subprocess.run([*command, "-I", question.source.parent], capture_output=True, text=True, cwd=folder, check=False)
    result = re.search(r"^Verification result: (.*)$", said.stdout, re.MULTILINE)
    return result[1].strip() if result else f"no answer: {(said.stdout + said.stderr).strip()[-200:]}"


def main():
    if len(sys.argv) < 4 or sys.argv[3] not in ("all", *KINDS):
        sys.exit(__doc__)
    margay, limit, kinds = os.path.abspath(sys.argv[1]), sys.argv[2], list(KINDS) if sys.argv[3] == "all" else [sys.argv[3]]
    asked = list(questions(sys.argv[4:] or ["trees", "skiplists", "operations", "lists-unbounded"]))
    wrong = 0
    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(int(os.environ.get("JOBS", "2"))) as jobs:
        for kind in kinds:
            counts = collections.Counter()
            for question, said in zip(asked, jobs.map(lambda q: answer(margay, limit, kind, q, work), asked)):
                expected = "TRUE" if question.holds else f"FALSE({question.subproperty})" if question.subproperty else "FALSE"
                kept = said and (said == expected or said.split("(")[0] == expected)
                state = "skipped" if said is None else "right" if kept else "WRONG" if re.match("TRUE|FALSE", said) else "open"
                counts[state] += 1
                if state in ("WRONG", "open"):
                    name = f"{question.task.parent.name}/{question.task.stem}"
                    print(f"{state} {kind} {name} {question.property}: expected {expected}, got {said}", flush=True)
            wrong += counts["WRONG"]
            states = ", ".join(f"{counts[state]} {state}" for state in ("right", "open", "skipped", "WRONG"))
            print(f"{kind}: {len(asked)} verdicts: {states}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
