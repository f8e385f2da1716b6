#!/usr/bin/env python3
"""Verifies C programs and reports the answers: what the GitHub action and the pre-commit hook of this project run.

Each file is one program: C text with a `main`, or a task definition (.yml). Files without a `main` are skipped. Without files, those
that git lists as changed since --changed-since are taken. Writes OUTPUT/margay.sarif (the violations) and OUTPUT/summary.md, which is
also added to the file that GITHUB_STEP_SUMMARY names.

Exit code: 0 no violation was found, 1 a property is violated, 2 a file was refused or the usage is wrong.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FAILED = {"FALSE": 1, "refused": 2}
NO_MAIN = "there is no function `main`"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--margay", default="margay", metavar="PROGRAM", help="the executable [default: %(default)s]")
    parser.add_argument("--property", default="valid-memsafety", metavar="NAMES",
                        help="properties, each asked of each file [default: %(default)s]")
    parser.add_argument("--arguments", default="", metavar="TEXT", help="further arguments of `margay verify`")
    parser.add_argument("--changed-since", metavar="COMMIT", help="verify the C files changed since this commit")
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="folder for the reports [default: none are written]")
    given = parser.parse_args()
    if given.changed_since and given.files:
        parser.error("files and --changed-since exclude each other")
    return given


def changed(commit):
    """The C files that differ from those of the commit and still exist."""
    command = ["git", "diff", "--name-only", "-z", "--diff-filter=d", "--relative", commit, "--", "*.c", "*.i"]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(2)  # git has said why
    return [name for name in result.stdout.split("\0") if name]


def verify(margay, file, name, further):
    """The answer about one program and property: its verdict, what was printed, and its SARIF, if there is one."""
    with tempfile.TemporaryDirectory() as work:
        sarif = Path(work) / "answer.sarif"
        command = [margay, "verify", "--no-witness", "--exit-code", "--property", name, "--sarif", sarif, *further, "--", file]
        start = time.monotonic()
        try:
            result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        except OSError as error:
            print(f"cannot run {margay}: {error.strerror}", file=sys.stderr)
            sys.exit(2)
        lines = result.stdout.splitlines()
        verdicts = [line.removeprefix("Verification result: ") for line in lines if line.startswith("Verification result: ")]
        if verdicts:
            verdict = verdicts[-1]
        elif any(NO_MAIN in line for line in lines):
            verdict = "skipped (no main)"
        else:
            verdict = "refused (" + next((line for line in lines if line), f"exit code {result.returncode}") + ")"
        found = json.loads(sarif.read_text(encoding="utf-8")) if sarif.exists() else None
    return {"file": file, "property": name, "verdict": verdict, "text": result.stdout, "sarif": found,
            "seconds": time.monotonic() - start}


def united(lists, key):
    """The entries of several lists, one for each key."""
    entries = {entry[key]: entry for entries in lists for entry in entries}
    return [entries[key] for key in sorted(entries)]


def merged(answers):
    """One SARIF document with one run: services that show alerts take one run of a tool, and show what passed as an alert, too."""
    documents = [answer["sarif"] for answer in answers if answer["sarif"]]
    if not documents:
        driver = {"name": "Margay", "rules": []}
        return {"version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": []}]}
    runs = [run for document in documents for run in document["runs"]]
    whole = next((run for run in runs if "taxonomies" in run), runs[0])
    whole["tool"]["driver"]["rules"] = united((run["tool"]["driver"].get("rules", []) for run in runs), "id")
    for taxonomy in whole.get("taxonomies", []):
        taxonomy["taxa"] = united((other["taxa"] for run in runs for other in run.get("taxonomies", [])), "id")
    whole["results"] = [result for run in runs for result in run["results"] if result["kind"] == "fail"]
    return documents[0] | {"runs": [whole]}


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def summary(answers):
    """The answers as a table in Markdown, with the report of each violation."""
    lines = ["## Margay", ""]
    if not answers:
        return "\n".join(lines + ["No C file to verify.", ""])
    lines += ["| program | property | answer | seconds |", "| --- | --- | --- | ---: |"]
    for answer in answers:
        lines.append(f"| {cell(answer['file'])} | {answer['property']} | {cell(answer['verdict'])} | {answer['seconds']:.1f} |")
    for answer in answers:
        if answer["verdict"].startswith(tuple(FAILED)):
            fence = "`" * max(3, longest_run(answer["text"], "`") + 1)
            lines += ["", "<details>", f"<summary>{answer['file']}: {answer['property']}</summary>", ""]
            lines += [fence + "text", answer["text"].rstrip(), fence, "", "</details>"]
    return "\n".join(lines) + "\n"


def longest_run(text, letter):
    longest = length = 0
    for other in text:
        length = length + 1 if other == letter else 0
        longest = max(longest, length)
    return longest


def write(path, text):
    """Writes to a temporary name first, so that no half of a file is ever read."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_text(text, encoding="utf-8")
    partial.rename(path)


def main():
    given = arguments()
    files = changed(given.changed_since) if given.changed_since else given.files
    further, names = shlex.split(given.arguments), given.property.split()
    answers = []
    for file in files:
        for name in names:
            answer = verify(given.margay, file, name, further)
            answers.append(answer)
            print(f"{file}: {name}: {answer['verdict']} ({answer['seconds']:.1f} s)", flush=True)
            if answer["verdict"].startswith(tuple(FAILED)):
                print(answer["text"], flush=True)
    text = summary(answers)
    if given.output:
        given.output.mkdir(parents=True, exist_ok=True)
        write(given.output / "margay.sarif", json.dumps(merged(answers), indent=2, sort_keys=True) + "\n")
        write(given.output / "summary.md", text)
    if os.environ.get("GITHUB_STEP_SUMMARY"):
        with open(os.environ["GITHUB_STEP_SUMMARY"], "a", encoding="utf-8") as file:
            file.write(text)
    codes = [code for answer in answers for start, code in FAILED.items() if answer["verdict"].startswith(start)]
    return min(codes, default=0)


if __name__ == "__main__":
    sys.exit(main())
