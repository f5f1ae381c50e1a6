#!/usr/bin/env bash
# The first minutes with a wheel, with an empty HOME and the system's own PATH: install it, emit a core, paste the README's instance,
# lint it and simulate. Then the same without Verilator. What it needs: python3 with venv, verilator and iverilog.
set -euo pipefail

wheel=$(realpath "$1")
readme=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../README.md")
data=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../tests/data")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir home
export HOME=$work/home PATH=/usr/local/bin:/usr/bin:/bin
unset RUNEGATE_CACHE XDG_CACHE_HOME

# What the user does by hand: the instance in a module with its wires.
paste_instance() {
    echo "module top ("
    echo "    input wire clk, input wire rst,"
    echo "    input wire bytes_tvalid, output wire bytes_tready, input wire [7:0] bytes_tdata, input wire bytes_tkeep, input wire bytes_tlast,"
    echo "    output wire events_tvalid, input wire events_tready, output wire [31:0] events_tdata, output wire [3:0] events_tkeep,"
    echo "    output wire events_tlast, output wire [5:0] events_tuser"
    echo ");"
    awk '/^```verilog/ { on = 1; next } /^```/ { on = 0 } on' "$readme"
    echo "endmodule"
}

start=$SECONDS
run() { echo "newcomer: $*"; "$@"; }
run python3 -m venv v
run v/bin/pip install --quiet --disable-pip-version-check --no-index "$wheel"
run v/bin/runegate --version
run v/bin/runegate emit --out rtl
paste_instance >top.v
run verilator --lint-only -Wall --top-module top top.v rtl/utf8_decode_w1.v
run iverilog -g2005 -Wall -s top -o top.vvp top.v rtl/utf8_decode_w1.v
run v/bin/runegate sim "$data/many_scripts.txt" "$data/broken.bin"
echo "newcomer: $((SECONDS - start)) seconds"

# Without Verilator: only Python and the tool.
mkdir bare
ln -s "$work/v/bin/runegate" bare/runegate
said=$(PATH=$work/bare runegate sim "$data/broken.bin" 2>&1)
echo "$said"
grep -q 'Verilator is not installed' <<<"$said"
grep -q '0 mismatches' <<<"$said"
