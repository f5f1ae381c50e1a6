#!/usr/bin/env bash
# Runs a part of the tests.
#
#   scripts/test.sh NAME [OPTION...]          the tests of tests/NAME.rs or tests/NAME/mod.rs, or the program of tests NAME
#   scripts/test.sh NAME::PART [OPTION...]    those of them whose names begin with PART
#
# The options are those of the test runner: scripts/test.sh prove --nocapture. `make test-NAME` calls it.
# Exit codes: 0 passed, 2 there is no such test, others are Cargo's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[[ $# -ge 1 ]] || { echo "usage: scripts/test.sh NAME[::PART] [OPTION...]" >&2; exit 2; }
filter=$1 name=${1%%::*}
shift

# A program that is linked with all cores has many files of tests as modules: its own file lists them.
program=$(grep -lx "mod $name;" tests/{commands,hardware,tools}.rs || true)
if [[ -n $program ]]; then
    [[ $filter == *::* ]] || filter+=::
    program=$(basename "$program" .rs)
else
    files=("tests/$name.rs" "tests/$name/main.rs" ./*/"tests/$name.rs" ./*/"tests/$name/main.rs")
    # The ones that exist.
    found=$(ls "${files[@]}" 2>/dev/null || true)
    if [[ -z $found ]] || { [[ -e tests/$name.rs ]] && ! grep -q "^path = \"tests/$name.rs\"" Cargo.toml; }; then
        echo "no program of tests has the module $name: add 'mod $name;' to tests/commands.rs, tests/hardware.rs or tests/tools.rs" >&2
        exit 2
    fi
    program=$name
    [[ $filter == *::* ]] && filter=${filter#*::} || filter=""
fi
run=(cargo test --workspace --locked --no-fail-fast --test "$program" -- ${filter:+"$filter"})
if ! "${run[@]}" --list --format terse | grep ': test$' >/dev/null; then
    echo "no test's name begins with $filter in the program $program" >&2
    exit 2
fi
exec "${run[@]}" "$@"
