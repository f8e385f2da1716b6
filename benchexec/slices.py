"""Cuts a benchmark definition into slices, so that each of many machines runs BenchExec on its own share of the tasks.

usage: slices.py DEFINITION.xml NUMBER FOLDER

FOLDER gets 0.xml, 1.xml, … and table.xml, which table-generator makes one table from when all have run and left their results
in `results/` beside FOLDER. Neighbouring tasks, which tend to be alike, go to different slices.
"""

import copy
import sys
import xml.etree.ElementTree as ET
from glob import glob
from pathlib import Path


def expanded(base, pattern):
    return sorted(glob(str(base / pattern.strip())))


def listed(base, pattern):
    """The tasks that a .set file names, one path or pattern a line."""
    found = []
    for name in expanded(base, pattern):
        lines = (line.strip() for line in Path(name).read_text().splitlines())
        for line in lines:
            if line and not line.startswith("#"):
                found += expanded(Path(name).parent, line)
    return found


def tasks_of(tag, base):
    """The tasks of a `<tasks>` tag, each once, without those it excludes."""
    found, without = {}, set()
    for name, files in (("include", expanded), ("includesfile", listed)):
        for child in tag.findall(name):
            found.update(dict.fromkeys(files(base, child.text)))
    for name, files in (("exclude", expanded), ("excludesfile", listed)):
        for child in tag.findall(name):
            without.update(files(base, child.text))
    return [task for task in found if task not in without]


def main(definition, number, folder):
    definition, number, folder = Path(definition).resolve(), int(number), Path(folder)
    base = definition.parent
    root = ET.parse(definition).getroot()
    for tag in root.iter("propertyfile"):
        tag.text = str((base / tag.text.strip()).resolve())
    slices = [copy.deepcopy(root) for _ in range(number)]
    dealt = 0
    for position, tag in enumerate(root.iter("tasks")):
        tasks = tasks_of(tag, base)
        for index, one in enumerate(slices):
            cut = list(one.iter("tasks"))[position]
            for name in ("include", "includesfile", "exclude", "excludesfile"):
                for child in cut.findall(name):
                    cut.remove(child)
            # Like cards: the next set goes on where this one ends, so that no slice has more than one task more than another.
            for task in tasks[(index - dealt) % number :: number]:
                ET.SubElement(cut, "include").text = task
        dealt += len(tasks)
        print(f"{tag.get('name', 'tasks')}: {len(tasks)} tasks", file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    for index, one in enumerate(slices):
        ET.ElementTree(one).write(folder / f"{index}.xml", encoding="unicode", xml_declaration=True)
    union = "".join(f'<result filename="../results/{index}.*.results.*.xml*"/>' for index in range(number))
    (folder / "table.xml").write_text(f'<?xml version="1.0"?>\n<table><union>{union}</union></table>\n')


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
