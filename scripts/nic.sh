#!/usr/bin/env bash
# A network card of LiteX's parts with a core of Runegate's in its receive path: frames go through the simulated card, and the card
# becomes a bitstream for an ECP5 board. `make nic` and `make evidence` call it with the tool; tests/nic is the card.
#
#   scripts/nic.sh RUNEGATE
#
# What is made is in target/nic. Exit codes: 0 all that came back was right and all clocks are met, others: not so, or a program is missing.
set -euo pipefail

runegate=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
nic=$PWD/tests/nic

rm -rf target/nic
mkdir -p target/nic
cd target/nic
"$runegate" emit --quiet --for litex --config "$nic/block.toml" --module block --package package
card() { env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make --no-print-directory -f "$nic/Makefile" PACKAGE=package "$@"; }
echo "nic: simulation"
card simulation FRAMES=1500
echo "nic: bitstream"
card bitstream
