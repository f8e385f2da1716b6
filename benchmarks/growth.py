#!/usr/bin/env python3
"""How the cost of a proof grows with the program: generated programs, CPU time, states of the proof, memory.

    benchmarks/growth.py target/release/margay docs/images/growth.svg
    benchmarks/growth.py --rounds target/release/margay docs/images/rounds.svg

Writes the drawing and prints a table of docs/book/src/growth.md. Every program is correct, and the property is valid-memcleanup. With
--rounds loops of more and more rounds are followed by the precise exploration, and drawn is the CPU time.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HEAD = """extern void *malloc(unsigned long);
extern void free(void *);
extern int __VERIFIER_nondet_int(void);
"""


def types(depth):
    """One type of node for each level."""
    text = ""
    for level in range(depth, 0, -1):
        below = f" struct n{level + 1} *below;" if level < depth else ""
        text += f"struct n{level} {{ struct n{level} *next;{below} }};\n"
    return text


def functions(depth):
    """Functions that build and free lists of each level."""
    text = ""
    for level in range(depth, 0, -1):
        build = f"        n->below = build{level + 1}();\n" if level < depth else ""
        drop = f"        drop{level + 1}(list->below);\n" if level < depth else ""
        text += f"""static struct n{level} *build{level}(void)
{{
    struct n{level} *list = 0;
    while (__VERIFIER_nondet_int()) {{
        struct n{level} *n = malloc(sizeof *n);
        n->next = list;
{build}        list = n;
    }}
    return list;
}}
static void drop{level}(struct n{level} *list)
{{
    while (list) {{
        struct n{level} *next = list->next;
{drop}        free(list);
        list = next;
    }}
}}
"""
    return text


def main_of(body):
    return "int main(void)\n{\n" + body + "    return 0;\n}\n"


def by_calls(lists, depth=2):
    """All lists exist before the first one is freed."""
    body = "".join(f"    struct n1 *list{i} = build1();\n" for i in range(lists))
    body += "".join(f"    drop1(list{i});\n" for i in range(lists))
    return HEAD + types(depth) + functions(depth) + main_of(body)


def by_loops(lists):
    """The same without functions: two loops in one another for each list."""
    body = ""
    for i in range(lists):
        body += f"""    struct n1 *list{i} = 0;
    while (__VERIFIER_nondet_int()) {{
        struct n1 *n = malloc(sizeof *n);
        n->below = 0;
        while (__VERIFIER_nondet_int()) {{
            struct n2 *m = malloc(sizeof *m);
            m->next = n->below;
            n->below = m;
        }}
        n->next = list{i};
        list{i} = n;
    }}
"""
    for i in range(lists):
        body += f"""    while (list{i}) {{
        struct n1 *n = list{i};
        list{i} = n->next;
        while (n->below) {{
            struct n2 *m = n->below;
            n->below = m->next;
            free(m);
        }}
        free(n);
    }}
"""
    return HEAD + types(2) + main_of(body)


def in_one_loop(lists):
    """One loop gives each node to one of the lists."""
    body = "".join(f"    struct n1 *list{i} = 0;\n" for i in range(lists))
    body += "    while (__VERIFIER_nondet_int()) {\n        struct n1 *n = malloc(sizeof *n);\n"
    body += "        switch (__VERIFIER_nondet_int()) {\n"
    for i in range(lists):
        body += f"        case {i}:\n            n->next = list{i};\n            list{i} = n;\n            break;\n"
    body += "        default:\n            free(n);\n        }\n    }\n"
    for i in range(lists):
        body += f"    while (list{i}) {{\n        struct n1 *n = list{i}->next;\n        free(list{i});\n        list{i} = n;\n    }}\n"
    return HEAD + types(1) + main_of(body)


def many_functions(count):
    """Each list has functions of its own."""
    text, body = HEAD + types(1), ""
    for i in range(count):
        text += functions(1).replace("build1", f"build1_{i}").replace("drop1", f"drop1_{i}")
        body += f"    struct n1 *list{i} = build1_{i}();\n    drop1_{i}(list{i});\n"
    return text + main_of(body)


def list_of_rounds(rounds):
    """A list built, read and freed."""
    return HEAD + f"""struct n {{ int key; struct n *next; }};
int main(void)
{{
    struct n *list = 0;
    int sum = 0;
    for (int i = 0; i < {rounds}; i++) {{
        struct n *n = malloc(sizeof *n);
        n->key = i % 7;
        n->next = list;
        list = n;
    }}
    for (struct n *n = list; n; n = n->next)
        sum += n->key;
    if (sum != {sum(i % 7 for i in range(rounds))})
        sum = *(int *)0;
    while (list) {{
        struct n *n = list;
        list = n->next;
        free(n);
    }}
    return 0;
}}
"""


def table_of_rounds(rounds):
    """A hash table with lists, filled and emptied."""
    return HEAD + f"""struct n {{ int key; struct n *next; }};
int main(void)
{{
    struct n *table[64] = {{0}};
    int count = 0;
    for (int i = 0; i < {rounds}; i++) {{
        struct n *n = malloc(sizeof *n);
        n->key = i * 31 % 1009;
        n->next = table[n->key % 64];
        table[n->key % 64] = n;
    }}
    for (int i = 0; i < 64; i++) {{
        while (table[i]) {{
            struct n *n = table[i];
            table[i] = n->next;
            count++;
            free(n);
        }}
    }}
    if (count != {rounds})
        count = *(int *)0;
    return 0;
}}
"""


def array_of_rounds(rounds):
    """An array filled and summed up."""
    return HEAD + f"""int a[{rounds}];
int main(void)
{{
    int sum = 0;
    for (int i = 0; i < {rounds}; i++)
        a[i] = i * 7 % 13;
    for (int i = 0; i < {rounds}; i++)
        sum += a[i];
    if (sum != {sum(i * 7 % 13 for i in range(rounds))})
        sum = *(int *)0;
    return 0;
}}
"""


ROUNDS = [
    ("a list of n nodes", [(n, list_of_rounds(n)) for n in (100, 300, 1000, 3000, 10000)]),
    ("a table of n entries", [(n, table_of_rounds(n)) for n in (100, 300, 1000, 3000, 10000)]),
    ("an array of n cells", [(n, array_of_rounds(n)) for n in (100, 300, 1000, 3000, 10000)]),
]

FAMILIES = [
    ("k lists of lists, by calls", [(k, by_calls(k)) for k in range(1, 7)]),
    ("k lists of lists, by loops", [(k, by_loops(k)) for k in range(1, 7)]),
    ("k lists in one loop", [(k, in_one_loop(k)) for k in range(1, 7)]),
    ("a list of depth d", [(d, by_calls(1, d)) for d in range(1, 5)]),
    ("n pairs of functions", [(n, many_functions(n)) for n in (1, 2, 4, 8, 16, 32)]),
]


def measure(margay, text, options=()):
    """The answer, its CPU time in seconds, the number of states in its proof and the peak memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "program.c")
        source.write_text(text)
        command = [margay, "verify", "-p", "valid-memcleanup", "-t", "60s", "--cores", "1", "--stats", *options, source.name]
        run = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        output = run.stdout.read()
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    answer = re.search(r"^Verification result: (.*)$", output, re.MULTILINE)
    states = re.search(r"^proof check: .* s, (\d+) states", output, re.MULTILINE)
    return (
        answer[1] if answer else "no answer",
        usage.ru_utime + usage.ru_stime,
        int(states[1]) if states else 0,
        usage.ru_maxrss // 1024,
    )


COLOURS = ["#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#b8860b"]


def drawing(series, sizes, measured):
    """What is measured over the size of the program, both by the logarithm: what is a straight line is polynomial."""
    from math import log2

    width, height, left, bottom = 640, 400, 60, 50
    most_x = max(x for _, points in series for x, _ in points)
    most_y = max(y for _, points in series for _, y in points)
    place_x = lambda x: left + (width - left - 20) * log2(x) / log2(most_x)
    place_y = lambda y: height - bottom - (height - bottom - 20) * log2(max(y, 1)) / log2(most_y)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    ticks = [2**i for i in range(int(log2(most_y)) + 1)][::2]
    for y in ticks:
        out.append(f'<line x1="{left}" x2="{width - 20}" y1="{place_y(y):.1f}" y2="{place_y(y):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{place_y(y) + 4:.1f}" text-anchor="end">{y}</text>')
    for x in sorted({x for _, points in series for x, _ in points} if most_x > 64 else {2**i for i in range(int(log2(most_x)) + 1)}):
        out.append(f'<text x="{place_x(x):.1f}" y="{height - bottom + 18}" text-anchor="middle">{x}</text>')
    out.append(f'<text x="{width / 2}" y="{height - 12}" text-anchor="middle">{sizes}</text>')
    out.append(f'<text x="{left}" y="12">{measured}</text>')
    for number, (name, points) in enumerate(series):
        colour = COLOURS[number]
        line = " ".join(f"{place_x(x):.1f},{place_y(y):.1f}" for x, y in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{place_x(x):.1f}" cy="{place_y(y):.1f}" r="3" fill="{colour}"/>' for x, y in points]
        out.append(f'<text x="{width - 210}" y="{height - bottom - 90 + 16 * number}" fill="{colour}">{name}</text>')
    return "\n".join(out) + "\n</svg>\n"


def main():
    arguments = sys.argv[1:]
    by_rounds = arguments[:1] == ["--rounds"]
    if len(arguments) != 2 + by_rounds:
        sys.exit(__doc__)
    margay, picture = str(Path(arguments[-2]).resolve()), Path(arguments[-1])
    families, options = (ROUNDS, ("--members", "precise")) if by_rounds else (FAMILIES, ())
    series = []
    print("| program | size | answer | CPU time | states in the proof | memory |\n| --- | --- | --- | --- | --- | --- |")
    for name, programs in families:
        points = []
        for size, text in programs:
            answer, seconds, states, memory = measure(margay, text, options)
            print(f"| {name} | {size} | {answer} | {seconds:.2f} s | {states} | {memory} MB |", flush=True)
            points.append((size, round(1000 * seconds) if by_rounds else states))
        series.append((name, points))
    text = drawing(series, "n", "milliseconds") if by_rounds else drawing(series, "k, d or n", "states in the proof")
    picture.with_suffix(".tmp").write_text(text)
    picture.with_suffix(".tmp").rename(picture)


if __name__ == "__main__":
    main()
