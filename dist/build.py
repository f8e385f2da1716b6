"""Builds the archive that competitions and users unpack: one folder with the executable, its libz3, licences and a smoke test.

usage: build.py BINARY OUTPUT.zip      (`./run.sh dist` calls it with the release build)

The version becomes part of the name: `margay.zip` is written as `margay-0.1.0.zip`. The name is printed.
"""

import json
import os
import stat
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What stands in the repository and goes into the archive as it is.
FILES = [
    ("LICENSE", "LICENSE"),
    ("dist/README", "README"),
    ("dist/margay", "margay"),
    ("dist/smoketest.sh", "smoketest.sh"),
    ("dist/margay.yml", "margay.yml"),
    ("benchexec/README.md", "benchexec/README.md"),
    ("benchexec/margay.py", "benchexec/margay.py"),
    ("benchexec/margay.xml", "benchexec/margay.xml"),
]
FOLDERS = ["dist/examples", "property-files"]
PROGRAMS = ["margay", "lib/margay", "smoketest.sh"]
LICENCE_NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")

Z3_LICENCE = """\
Z3
Copyright (c) Microsoft Corporation
All rights reserved.
MIT License

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files
(the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge,
publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do
so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE
FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


def linked_packages():
    """The crates whose code is in the executable or wrote some of it (macros): what the package uses, but not to build or test."""
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", "x86_64-unknown-linux-gnu"]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = metadata["resolve"]["root"]
    found, queue = set(), [root]
    while queue:
        identifier = queue.pop()
        if identifier not in found:
            found.add(identifier)
            dependencies = nodes[identifier]["deps"]
            queue += [d["pkg"] for d in dependencies if any(kind["kind"] is None for kind in d["dep_kinds"])]
    linked = [package for package in metadata["packages"] if package["id"] in found]
    packages = [package for package in linked if package["id"] not in metadata["workspace_members"]]
    return sorted(packages, key=lambda package: (package["name"], package["version"]))


def licences():
    """One text with the licences of everything that is linked. Equal texts appear once."""
    packages = linked_packages()
    lines = ["Margay itself: Apache-2.0, see LICENSE.", "It contains the works below, under the licences named there.", ""]
    lines += ["libz3, https://github.com/Z3Prover/z3: MIT"]
    lines += ["the Rust standard library, https://github.com/rust-lang/rust: MIT OR Apache-2.0"]
    texts = {Z3_LICENCE: ["libz3"]}
    for package in packages:
        name = f"{package['name']} {package['version']}"
        source = f", {package['repository']}" if package["repository"] else ""
        lines.append(f"{name}{source}: {package['license']}")
        folder = Path(package["manifest_path"]).parent
        files = sorted(file for file in folder.iterdir() if file.is_file() and file.name.upper().startswith(LICENCE_NAMES))
        if not files:
            sys.exit(f"{name} comes without a licence file")
        for file in files:
            texts.setdefault(file.read_text(encoding="utf-8", errors="replace"), []).append(name)
    for text, names in texts.items():
        lines += ["", "=" * 100, ", ".join(dict.fromkeys(names)) + ":", "", text.strip()]
    return "\n".join(lines) + "\n"


def needed_libraries(binary):
    output = subprocess.run(["readelf", "-d", binary], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [line.split("[")[1].split("]")[0] for line in output.splitlines() if "(NEEDED)" in line]


def forget_build_folder(binary):
    """Leaves `$ORIGIN` as the only place of the archive's libraries: folders of the build mean nothing elsewhere."""
    data = bytearray(binary.read_bytes())
    header_offset, = struct.unpack_from("<Q", data, 32)
    header_size, header_count = struct.unpack_from("<HH", data, 54)
    segments = [struct.unpack_from("<IIQQQQQQ", data, header_offset + i * header_size) for i in range(header_count)]
    load, dynamic = 1, 2

    def offset_of(address):
        for kind, _, offset, start, _, size, _, _ in segments:
            if kind == load and start <= address < start + size:
                return offset + address - start
        sys.exit(f"{binary} has no segment at {address:#x}")

    table = next(segment for segment in segments if segment[0] == dynamic)
    entries = [struct.unpack_from("<QQ", data, table[2] + i) for i in range(0, table[5], 16)]
    values = dict(entries)
    strings, runpath = 5, 29
    if runpath not in values:
        return
    start = offset_of(values[strings]) + values[runpath]
    end = data.index(0, start)
    path = b"$ORIGIN"
    if end - start < len(path):
        sys.exit(f"{binary} does not look for libraries beside itself")
    data[start:end] = path.ljust(end - start, b"\0")
    binary.write_bytes(data)


# Where shells look for completions below a folder `share`.
COMPLETIONS = {
    "bash": "bash-completion/completions/margay",
    "zsh": "zsh/site-functions/_margay",
    "fish": "fish/vendor_completions.d/margay.fish",
}


def manual(binary, work):
    """Manual pages and completions, by their names in the archive."""
    pages = Path(work) / "man1"
    subprocess.run([binary, "man", pages], check=True)
    found = {f"share/man/man1/{page.name}": page.read_bytes() for page in pages.iterdir()}
    for shell, name in COMPLETIONS.items():
        script = subprocess.run([binary, "completions", shell], check=True, stdout=subprocess.PIPE).stdout
        found[f"share/{name}"] = script
    return found


def main(binary, output):
    binary, output = Path(binary), Path(output)
    z3 = next(name for name in needed_libraries(binary) if name.startswith("libz3"))
    with tempfile.TemporaryDirectory() as work:
        stripped = Path(work) / "margay"
        subprocess.run(["strip", "--strip-debug", "-o", stripped, binary], check=True)
        forget_build_folder(stripped)
        contents = {"lib/margay": stripped.read_bytes(), f"lib/{z3}": (binary.parent / "lib" / z3).read_bytes()}
        contents |= manual(binary, work)
    contents["LICENSES-OF-DEPENDENCIES"] = licences().encode()
    files = FILES + [
        (f"{folder}/{file.name}", f"{Path(folder).name}/{file.name}")
        for folder in FOLDERS
        for file in sorted((ROOT / folder).iterdir())
    ]
    for source, name in files:
        contents[name] = (ROOT / source).read_bytes()
    version = subprocess.run([binary, "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[1]
    top = f"margay-{version}"
    archive = output.with_name(f"{output.stem}-{version}{output.suffix}")
    when = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))[:6]
    archive.parent.mkdir(parents=True, exist_ok=True)
    partial = archive.with_name(f".{archive.name}.{os.getpid()}")
    with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as file:
        for name in sorted(contents):
            entry = zipfile.ZipInfo(f"{top}/{name}", when)
            mode = 0o755 if name in PROGRAMS else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(entry, contents[name])
    partial.rename(archive)
    print(archive)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
