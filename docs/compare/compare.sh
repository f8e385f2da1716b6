#!/usr/bin/env bash
# Runs Margay and other tools on the programs of this folder and prints the table of docs/compare.md:
#   docs/compare/compare.sh [MARGAY]
# A tool that is not installed has a dash. A report counts as the planted mistake if it is at its line; reports at one line are one.
set -euo pipefail

margay=$(realpath "$(command -v "${1:-margay}")")
cd "$(dirname "${BASH_SOURCE[0]}")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The programs, each with the line where its planted mistake happens, or - where it is right.
programs="queue - queue_bug 23 words - words_bug 16 matrix - matrix_bug 9 cleanup - cleanup_bug 38 average - average_bug 24"

gcc_lines() { gcc -fanalyzer -O1 -c "$1" -o "$work/out.o" 2>&1 | sed -n 's/^[^:]*:\([0-9]*\):.* warning: .*/\1/p'; }
clang_lines() { clang --analyze --analyzer-output text "$1" 2>&1 | sed -n 's/^[^:]*:\([0-9]*\):.* warning: .*/\1/p'; }
cppcheck_lines() { cppcheck -q --enable=warning,portability --template='{line}' --template-location='' "$1" 2>&1 | sed -n 's/^\([0-9]*\)$/\1/p'; }
frama_c_lines() { frama-c -machdep x86_64 -eva -eva-precision 5 -eva-no-print "$1" 2>&1 | sed -n 's/^\[eva:alarm\] [^:]*:\([0-9]*\): .*/\1/p'; }
cbmc_lines() {
    cbmc --unwind 12 --malloc-may-fail --malloc-fail-null --bounds-check --pointer-check --signed-overflow-check --memory-leak-check "$1" |
        sed -n 's/^\[.*line \([0-9]*\) .*: FAILURE$/\1/p'
}

# verdict LINE: what the lines on standard input mean, where the mistake is at LINE.
verdict() {
    local lines others
    lines=$(sort -nu)
    others=$(grep -vxc -e "$1" <<<"$lines" || true)
    [[ -n $lines ]] || others=0
    if grep -qx -e "$1" <<<"$lines"; then
        echo "**found**$([[ $others == 0 ]] || echo ", $others more")"
    elif [[ $others == 0 ]]; then
        echo "nothing"
    elif [[ $1 == - ]]; then
        echo "$others false"
    else
        echo "$others elsewhere"
    fi
}

# timed COMMAND…: its output, then how long it took.
timed() {
    local start=$EPOCHREALTIME output
    output=$("$@")
    LC_ALL=C awk -v output="$output" -v start="$start" -v end="$EPOCHREALTIME" 'BEGIN { printf "%s (%.1f s)", output, end - start }'
}

other() { "${1//-/_}_lines" "$2" | verdict "$3"; }

own() {
    local property=valid-memsafety
    [[ $1 != average* ]] || property=no-overflow
    local report answer line
    report=$("$margay" verify --no-witness --malloc-may-fail --timeout 120s --property "$property" "$1") || true
    answer=$(sed -n 's/^Verification result: //p' <<<"$report")
    line=$(sed -n '0,/-->/s/.*--> [^:]*:\([0-9]*\):.*/\1/p' <<<"$report")
    case $answer in
        TRUE) echo "proved" ;;
        FALSE*) verdict "$2" <<<"$line" ;;
        *) echo "$answer" ;;
    esac
}

echo "| program | margay | gcc | clang | cppcheck | frama-c | cbmc |"
echo "| --- | --- | --- | --- | --- | --- | --- |"
set -- $programs
while [[ $# -gt 0 ]]; do
    row="| [$1](compare/$1.c) | $(timed own "$1.c" "$2")"
    for tool in gcc clang cppcheck frama-c cbmc; do
        if command -v "$tool" >/dev/null; then
            row+=" | $(timed other "$tool" "$1.c" "$2")"
        else
            row+=" | –"
        fi
    done
    echo "$row |"
    shift 2
done
