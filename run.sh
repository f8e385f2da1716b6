#!/usr/bin/env bash
# Builds Margay if needed and runs it:  ./run.sh ARGS…   (the same as `margay ARGS…`)
# Runs every check of the project:      ./run.sh test
# Those for while one works:            ./run.sh test quick   (some minutes when all is built)
# The archive that others unpack:       ./run.sh dist         (target/dist/margay-VERSION.zip)
# What is missing is installed with apt-get where that exists. Messages go to stderr; nothing is said when all is there.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
target=${CARGO_TARGET_DIR:-target}
[[ $target == /* ]] || target=$root/$target
export CARGO_TARGET_DIR=$target
PATH=$PATH:${CARGO_HOME:-${HOME:-/root}/.cargo}/bin

say() { echo "run.sh: $*" >&2; }
die() { say "$*"; exit 3; }
have() { command -v "$1" >/dev/null 2>&1; }

# apt PACKAGE… installs packages; false where that is not possible.
apt() {
    have apt-get || return 1
    local sudo=()
    if [[ $(id -u) != 0 ]]; then
        have sudo || return 1
        sudo=(sudo)
    fi
    say "installing $*"
    local install=(env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@")
    "${sudo[@]}" "${install[@]}" </dev/null >/dev/null 2>&1 && return 0
    "${sudo[@]}" apt-get update -qq </dev/null >&2 || true # the package lists may be missing or old
    "${sudo[@]}" "${install[@]}" </dev/null >&2
}

# What every build needs.
need_build_tools() {
    have cargo || die "cargo is missing: install Rust 1.89 or newer"
    if ! have gcc || ! have cpp; then
        apt gcc cpp libc6-dev || die "gcc and cpp are missing: please install them"
    fi
    if [[ -z ${MARGAY_Z3_LIB:-} && -z $(find "$target" -maxdepth 2 -path '*/z3-*/libz3.so*' -print -quit 2>/dev/null) ]]; then
        need_python
    fi
}

# Python unpacks libz3 from its wheel, pip downloads it.
need_python() {
    if ! have python3; then
        apt python3 || die "python3 is missing: please install it, or set MARGAY_Z3_LIB to a libz3.so"
    fi
    if [[ -z ${MARGAY_Z3_WHEEL:-} ]] && ! python3 -m pip --version >/dev/null 2>&1; then
        apt python3-pip || die "pip is missing: please install it, or set MARGAY_Z3_LIB to a libz3.so"
    fi
}

# What only the checks need.
need_test_tools() {
    cargo fmt --version >/dev/null 2>&1 || add_component rustfmt
    cargo clippy --version >/dev/null 2>&1 || add_component clippy
    # The tests compare with gcc for both data models; without 32-bit headers those of ILP32 are left out.
    echo 'int main(void) { return 0; }' | gcc -m32 -include stdlib.h -x c - -o /dev/null 2>/dev/null ||
        apt gcc-multilib || say "no gcc-multilib here: comparisons with gcc -m32 are skipped"
    # Generated programs to compare with gcc on.
    if ! have csmith || [[ ! -e /usr/include/csmith/safe_math.h ]]; then
        apt csmith libcsmith-dev || say "no csmith here: the comparison on its programs is left out"
    fi
    # Pages are shown in a browser; in CI it is installed, others may do without.
    if ! have chromium && ! have chromium-browser && ! have google-chrome; then
        if [[ -n ${CI:-} ]]; then
            apt chromium || die "chromium is missing: please install it"
        else
            say "no chromium here: pages are not shown in a browser (tests/witnesses/evidence.rs)"
        fi
    fi
    # BenchExec, under which Margay is tested, comes through pip.
    have python3 || apt python3 || die "python3 is missing: please install it"
    python3 -m pip --version >/dev/null 2>&1 || apt python3-pip || say "no pip here: the tests under BenchExec are left out"
}

add_component() {
    say "installing $1"
    rustup component add "$1" >&2 || die "cargo $1 is missing: please install it"
}

build() {
    [[ -x $target/release/margay ]] || say "building margay in release mode; the first time takes some minutes"
    # "Finished" is all cargo says when nothing had to be done.
    (cd "$root" && cargo build --release --locked --package margay --package margay-check 2>&1 >/dev/null) | { grep -v '^ *Finished ' >&2 || true; }
}

# What the quick checks run beside the unit tests: each takes a few seconds of CPU time at most. Comparisons with gcc, the
# tasks, the corpus and all that refines, draws or explores at length are left to the whole. Whole executables, and modules
# of others, as they lie in `tests/`.
quick_tests=(tidy cli_limits)
quick_modules=(
    analysis/{exploration,memories_agree,proofs}
    command_line/{cli,cli_bench,cli_input}
    language/robust_front
    witnesses/witness_schema
)

# run_quick_modules runs their tests. A name that is none selects nothing, so each must be that of a module.
run_quick_modules() {
    local executables=() modules=() module
    for module in "${quick_modules[@]}"; do
        [[ -e tests/$module.rs || -e tests/$module/mod.rs ]] || die "tests/$module is no module of tests"
        executables+=("--test=${module%/*}")
        modules+=("${module#*/}::")
    done
    cargo test --locked "${executables[@]}" -- "${modules[@]}"
}

# run_tests quick|all
run_tests() {
    cd "$root"
    say "formatting"
    cargo fmt --all --check
    say "lints"
    cargo clippy --locked --workspace --all-targets -- -D warnings
    if [[ $1 == all ]]; then
        say "tests"
        cargo test --locked --workspace
    else
        say "quick tests"
        cargo test --locked --workspace --lib
        cargo test --locked "${quick_tests[@]/#/--test=}"
        run_quick_modules
    fi
}

need_build_tools
if [[ ${1:-} == test ]]; then
    [[ $# == 1 || ($# == 2 && $2 == quick) ]] || die "usage: ./run.sh test [quick]"
    need_test_tools
    run_tests "${2:-all}"
elif [[ ${1:-} == dist ]]; then
    [[ $# == 1 ]] || die "usage: ./run.sh dist"
    need_python
    build || die "the build failed"
    exec python3 "$root/dist/build.py" "$target/release/margay" "$target/dist/margay.zip"
else
    build || die "the build failed"
    exec "$target/release/margay" "$@"
fi
