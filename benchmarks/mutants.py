#!/usr/bin/env python3
"""Mutated programs against AddressSanitizer: a program that has a bug when it runs must never be answered TRUE.

    benchmarks/mutants.py target/release/margay 1000 [FOLDER…]     (default: trees, skiplists, operations, lists-unbounded)

Each mutant is a correct task with one small change. It is compiled with gcc's sanitizers and run on many inputs; where a run
shows a bug of memory safety, the verifier is asked. Needs gcc with libasan, 32-bit too. Ends with 1 where an answer is TRUE.
"""
import collections
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RUNS = 25
OPTIONS = "detect_leaks=1:detect_stack_use_after_return=1:allocator_may_return_null=0"
BUG = re.compile(r"AddressSanitizer|LeakSanitizer: detected|runtime error: .*(null pointer|misaligned)")


def fields_of(text):
    """Names of pointer fields of the structures in a program."""
    names = set()
    for body in re.findall(r"struct\s+\w+\s*\{([^}]*)\}", text):
        names.update(re.findall(r"\*\s*(\w+)\s*[;,\[]", body))
    return sorted(names)


def changes(text):
    """All mutants of one change each: what was done, and the text."""
    lines = text.split("\n")
    fields = fields_of(text)
    for number, line in enumerate(lines):
        code = line.strip()
        if not line.startswith((" ", "\t")) or code.startswith(("//", "/*", "*", "struct", "extern")):
            continue
        edits = []
        if re.match(r"(?!return|break|continue|goto)[\w>\[\]*().-]+(\s*=[^=].*|\(.*\));$", code) and "reach_error" not in code:
            edits.append(("statement left out", re.sub(r"\S.*", ";", line)))
            edits.append(("statement twice", line + " " + code))
        for field in fields:
            for match in re.finditer(rf"->{field}\b", line):
                for other in fields:
                    if other != field:
                        edits.append(("other field", line[: match.start()] + f"->{other}" + line[match.end() :]))
        match = re.search(r"\b(if|while) \((.*)\)( \{)?$", line)
        if match and "__VERIFIER" not in line:
            before, after = line[: match.start(2)], line[match.end(2) :]
            edits.append(("condition negated", f"{before}!({match[2]}){after}"))
            edits += [("condition holds", f"{before}1{after}")] if match[1] == "if" else []
            edits += [("condition fails", f"{before}0{after}")] if match[1] == "if" else []
        match = re.search(r" = (NULL|0|\(void \*\)\s*0);$", line)
        if match:
            edits.append(("not initialised", line[: match.start()] + ";"))
        match = re.search(r"\b(\w+) = (\w+->\w+);$", line)
        if match:
            edits.append(("step left out", line[: match.start(2)] + match[1] + ";"))
            edits.append(("null in its place", line[: match.start(2)] + "0;"))
        for what, edited in edits:
            yield f"line {number + 1}: {what}", "\n".join(lines[:number] + [edited] + lines[number + 1 :])


def tasks(folders):
    """The correct tasks on memory: source and bits."""
    for folder in folders:
        for task in sorted((HERE / folder).glob("*_safe.yml")):
            text = task.read_text()
            if "mem" in text:
                source = re.search(r"input_files:\s*'?([^'\n]+)", text)[1]
                yield task.parent / source, 32 if "ILP32" in text else 64


def has_bug(source, bits, work):
    """Whether a run under the sanitizers shows a bug; None: it does not compile."""
    flags = [f"-m{bits}", "-g", "-O0", "-w", "-fno-builtin", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    stubs, program = work / f"stubs{bits}.o", work / "mutant"
    if not stubs.exists():
        subprocess.run(["gcc", f"-m{bits}", "-w", "-c", HERE / "verifier_stubs.c", "-o", stubs], check=True)
    built = ["gcc", *flags, "-Dmain=task_main", "-c", source, "-o", work / "mutant.o"]
    linked = ["gcc", *flags, work / "mutant.o", stubs, "-lm", "-o", program]
    for command in (built, linked):
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            return None
    for seed in range(RUNS):
        environment = {**os.environ, "VERIFIER_SEED": str(seed), "ASAN_OPTIONS": OPTIONS}
        try:
            run = subprocess.run([program], env=environment, capture_output=True, timeout=5, check=False)
        except subprocess.TimeoutExpired:
            continue
        if BUG.search(run.stderr.decode(errors="replace")):
            return True
    return False


def main():
    margay, wanted = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    folders = sys.argv[3:] or ["trees", "skiplists", "operations", "lists-unbounded"]
    everything = [(source, bits, *change) for source, bits in tasks(folders) for change in changes(source.read_text())]
    random.Random(1).shuffle(everything)
    counts, wrong = collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "p.prp").write_text("".join(f"CHECK( init(main()), LTL(G {p}) )\n" for p in ("valid-free", "valid-deref", "valid-memtrack")))
        for source, bits, what, text in everything:
            if counts["made"] == wanted:
                break
            mutant = work / "mutant.c"
            mutant.write_text(text)
            bug = has_bug(mutant, bits, work)
            counts["made"] += bug is not None
            if not bug:
                continue
            model = "ILP32" if bits == 32 else "LP64"
            command = [margay, "verify", "-p", work / "p.prp", "-d", model, "-t", "20s", mutant]
            answer = subprocess.run(command, capture_output=True, text=True, cwd=work, check=False).stdout
            said = re.search(r"result: (TRUE|FALSE|UNKNOWN)", answer)
            counts[said[1] if said else "no answer"] += 1
            if not said or said[1] != "FALSE":
                print(f"{source.name} {what}: {said[1] if said else answer}", flush=True)
                if said and said[1] == "TRUE":
                    wrong.append(f"{source.name} {what}")
    bugs = sum(counts[key] for key in ("TRUE", "FALSE", "UNKNOWN", "no answer"))
    print(f"{counts['made']} mutants of {len(everything)} compiled, {bugs} with a bug that a run shows: "
          + ", ".join(f"{counts[key]} {key}" for key in ("FALSE", "UNKNOWN", "TRUE", "no answer")))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
