#!/usr/bin/env bash
# What a Bender project gets from the packages that it depends on: Bender lists exactly the cores' Verilog, and Verilator lints what the
# list names. `make evidence` calls it with the tool; what it needs: cargo, python3, verilator.
#
#   scripts/bender.sh RUNEGATE
#
# Bender is compiled from crates.io, once, into target/bender. Exit codes: 0 the lists are right, 1 they are not or a program is missing.
set -euo pipefail

BENDER=0.32.1

runegate=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tools=$PWD/target/bender
bender=$tools/bin/bender
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [[ $("$bender" --version 2>/dev/null) != "bender $BENDER" ]]; then
    # Its parser of SystemVerilog is not needed, and is a large C++ program.
    cargo install --quiet --locked --force --version "$BENDER" --no-default-features --root "$tools" --target-dir "$tools/build" bender
    rm -rf "$tools/build"
fi
"$bender" --version

cd "$work"
# Two packages in one project; the second one's name is what YAML would read as a truth.
"$runegate" emit --quiet --lanes 2 --package decoder
"$runegate" emit --quiet --core validate --csr --module on --package registers
mkdir design
cp decoder/templates/instance.v design/decoder.v
cp registers/templates/instance.v design/registers.v
cat >design/Bender.yml <<'END'
package:
  name: design
dependencies:
  utf8_decode_w2: {path: ../decoder}
  "on": {path: ../registers}
sources:
  - files: [decoder.v, registers.v]
END

fails() { echo "bender: $*" >&2; exit 1; }

cd design
# The first call also reports the packages that it finds; the second one has only warnings to report.
"$bender" update >found 2>&1 || fails "no dependencies: $(<found)"
"$bender" script flist >list 2>warnings || fails "no list: $(<warnings)"
[[ ! -s warnings ]] || fails "a warning: $(<warnings)"
expected=$(realpath ../decoder/rtl/utf8_decode_w2.v ../registers/rtl/on.v decoder.v registers.v | sort)
[[ $(xargs realpath <list | sort) == "$expected" ]] || fails "not the list of the design: $(<list)"

lint() {
    "$bender" script verilator >list.f && verilator --lint-only -Wall -Wno-DECLFILENAME --top-module "$1" -f list.f
}
for top in utf8_decode_w2_instance on_instance; do
    lint "$top" || fails "$top does not lint"
    echo "bender: Verilator lints $top"
done

# A manifest that names another file is seen.
sed -i 's|rtl/on.v|rtl/other.v|' ../registers/Bender.yml
if lint on_instance >/dev/null 2>&1; then fails "a missing file is not seen"; fi
echo "bender: a manifest with a wrong file is seen"
