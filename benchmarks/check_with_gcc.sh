#!/usr/bin/env bash
# Checks the expected verdicts of tasks by running them under gcc's sanitizers on many inputs.
#   check_with_gcc.sh [task.yml | folder]...     (default: all folders beside this script)
# A task whose properties all hold must never show a violation; every property expected to be false
# must be shown violated, and by the subproperty named. Prints the tasks for which that fails.
# Lines read from a .yml beyond the standard ones:
#   # inputs that show it: 1 2 3      nondeterministic values to run the task on first
#   # text that shows it: one\ntwo     standard input for the task, with the escapes of printf
#   # not shown by gcc: why           the violation is one that the sanitizers cannot see
# Needs gcc with libasan and libubsan, 32-bit ones too (gcc-multilib) for ILP32 tasks.
set -u
here=$(cd "$(dirname "$0")" && pwd)
runs=${RUNS:-30}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:allocator_may_return_null=0
export UBSAN_OPTIONS=print_stacktrace=0

for bits in 32 64; do
    gcc -m$bits -g -c "$here/verifier_stubs.c" -o "$work/stubs$bits.o" || exit 2
done

# What the standard error of a run shows, one property a line.
shown() {
    local log=$1
    grep -q 'VERIFIER: reach_error' "$log" && echo reach
    grep -q 'Assertion `.*. failed' "$log" && echo assertions
    grep -q 'VERIFIER: blocks are live' "$log" && echo valid-memcleanup
    grep -q 'LeakSanitizer: detected memory leaks' "$log" && echo valid-memtrack
    if grep -Eq 'AddressSanitizer: (attempting|[^:]*(double-free|not malloc|bad-free))' "$log"; then
        echo valid-free
    elif grep -Eq '(SEGV|BUS) on unknown' "$log" && grep -Eq '#[0-5] .* in (__interceptor_)?(free|realloc)' "$log"; then
        echo valid-free
    elif grep -q 'ERROR: AddressSanitizer' "$log"; then
        echo valid-deref
    elif grep -Eq 'runtime error: (signed integer overflow|negation of|division of .* cannot be represented|left shift)' "$log"; then
        echo no-overflow
    elif grep -q 'runtime error:' "$log"; then
        echo valid-deref
    fi
}

check() {
    local yml=$1 dir input model bits expected listed silent inputs text
    dir=$(dirname "$yml")
    input=$(sed -n "s/^input_files: *'\(.*\)'.*/\1/p" "$yml")
    model=$(sed -n 's/^ *data_model: *//p' "$yml")
    bits=64; [ "$model" = ILP32 ] && bits=32
    # "property verdict subproperty" per listed property
    listed=$(awk '/property_file:/ { n = $NF; sub(".*/", "", n); sub(".prp", "", n); names[++k] = n }
                  /expected_verdict:/ { verdict[k] = $NF }
                  /subproperty:/ { sub_[k] = $NF }
                  END { for (i = 1; i <= k; i++) print names[i], verdict[i], sub_[i] }' "$yml")
    silent=$(grep -c '^# not shown by gcc' "$yml")
    inputs=$(sed -n 's/^# inputs that show it: *//p' "$yml")
    text=$(sed -n 's/^# text that shows it: *//p' "$yml")
    expected=$(while read -r name verdict sub; do
        [ "$verdict" = false ] || continue
        case $name in
        unreach-*) echo reach ;;
        valid-memsafety) echo "$sub" ;;
        *) echo "$name" ;;
        esac
    done <<<"$listed" | sort -u)
    local relevant="no-overflow valid-deref valid-free"
    grep -q unreach <<<"$listed" && relevant+=" reach"
    grep -q valid-memsafety <<<"$listed" && relevant+=" valid-memtrack"
    grep -q valid-memcleanup <<<"$listed" && relevant+=" valid-memcleanup"
    grep -q assertions <<<"$listed" && relevant+=" assertions"

    local warn=-w
    [ -z "$expected" ] && warn=-Wall
    if ! gcc -m$bits -g -O0 -std=gnu11 $warn -Dmain=task_main -finstrument-functions -fno-builtin \
        -ftrivial-auto-var-init=pattern -fsanitize=address,undefined -fno-sanitize-recover=undefined \
        -c "$dir/$input" -o "$work/task.o" 2>"$work/gcc.log" \
        || ! gcc -m$bits -fsanitize=address,undefined "$work/task.o" "$work/stubs$bits.o" -lm -o "$work/task" 2>>"$work/gcc.log"; then
        echo "$yml: does not compile"; sed 's/^/    /' "$work/gcc.log"; return 1
    fi
    [ -z "$expected" ] && grep 'warning:' "$work/gcc.log" | sed 's/^/    /'

    local seed all="" what
    for ((seed = 0; seed < runs; seed++)); do
        VERIFIER_SEED=$seed VERIFIER_INPUTS=$([ "$seed" = 0 ] && echo "$inputs") ASAN_OPTIONS=$ASAN_OPTIONS \
            timeout 10 "$work/task" >/dev/null 2>"$work/run.log" \
            < <(printf '%b' "${text:-7seventyseven some more words 12\n}")
        [ $? = 124 ] && { echo "$yml: seed $seed runs too long"; return 1; }
        for what in $(shown "$work/run.log"); do
            grep -qw -- "$what" <<<"$relevant" || continue
            if ! grep -qx -- "$what" <<<"$expected"; then
                echo "$yml: seed $seed shows $what, which is not expected"
                grep -E 'ERROR|runtime error|VERIFIER' "$work/run.log" | head -3 | sed 's/^/    /'
                return 1
            fi
            all+="$what"$'\n'
        done
        [ -n "$expected" ] && [ "$(sort -u <<<"${all%$'\n'}")" = "$expected" ] && break
    done
    if [ "$silent" = 0 ] && [ "$(sort -u <<<"${all%$'\n'}")" != "$expected" ]; then
        echo "$yml: no run of $runs shows" $expected; return 1
    fi
    return 0
}

[ $# = 0 ] && set -- "$here"/*/
good=0 bad=0
for place in "$@"; do
    while read -r yml; do
        if check "$yml"; then good=$((good + 1)); else bad=$((bad + 1)); fi
    done < <(if [ -d "$place" ]; then find "$place" -name '*.yml' | sort; else echo "$place"; fi)
done
echo "$good verdicts agree with gcc, $bad do not"
[ "$bad" = 0 ]
