#!/usr/bin/env -S python3 -B
"""Shows that judge.py can fail: plants faults in verdicts, in tshark's fields, in the classes and in the captures.

    tests/captures/planted.py [--runegate PROGRAM] [--target FOLDER]

`make captures` calls it. Exit codes: 0 every fault is found, 1 one is not.
"""

import argparse
import contextlib
import io
import shutil
import sys
import tempfile
from pathlib import Path

import classes
import judge
import tshark

# The small packages, which are enough for it.
PACKAGES = ["pcap-parser", "tcpdump"]

simulate, dissect, known = judge.simulate, tshark.dissect, classes.CLASSES


def in_the_packets(change):
    """The list of verdicts is changed."""

    def changed(*arguments):
        document = simulate(*arguments)
        change(document["packets"])
        return document

    judge.simulate = changed


def in_a_verdict(holds, change):
    """The first verdict of which something holds is changed."""

    def changed(packets):
        found = [packet for packet in packets if holds(packet)]
        for packet in found[:1]:
            change(packet)

    in_the_packets(changed)


def in_the_fields(holds, change):
    """The first frame of which something holds gets other fields from tshark."""

    def changed(*arguments):
        is_changed = False
        for fields in dissect(*arguments):
            if not is_changed and holds(fields):
                change(fields)
                is_changed = True
            yield fields

    tshark.dissect = changed


def is_reason(reason):
    return lambda packet: packet.get("unjudged") == reason


def is_good(packet):
    return "unjudged" not in packet and packet["well_formed"]


def has_text(fields):
    return len(fields.get("udp.payload", [""])[0]) > 20


def is_fragment(fields):
    return fields.get("ip.flags.mf") == ["1"]


def is_bad(packet):
    return packet["bad"]


def first_byte_ff(fields):
    fields["udp.payload"][0] = "ff" + fields["udp.payload"][0][2:]


def no_fragment(fields):
    fields["ip.flags.mf"] = ["0"]


def is_short_text(packet):
    """In the class of a text that ends before IP's payload does: 160 bytes of 164."""
    return packet.get("scalars") == 137 and packet["bytes"] == 160


NOTHING = classes.Class("nothing", "", lambda *_: False)
DIFFER = "frames differ and are in no class"
# What is wrong, the line that says so, and how it gets there.
FAULTS = [
    ("another reason", DIFFER, lambda: in_a_verdict(is_reason("no_payload"), lambda p: p.update(unjudged="malformed"))),
    ("a fragment that is judged", DIFFER, lambda: in_a_verdict(is_reason("ip_fragment"), lambda p: p.pop("unjudged"))),
    ("a text that is not judged", DIFFER, lambda: in_a_verdict(is_good, lambda p: p.update(unjudged="not_ip"))),
    ("a good text that is bad", DIFFER, lambda: in_a_verdict(is_good, lambda p: p.update(bad=True))),
    ("a scalar value too many", DIFFER, lambda: in_a_verdict(is_good, lambda p: p.update(scalars=p["scalars"] + 1))),
    ("an error one byte later", DIFFER, lambda: in_a_verdict(is_bad, lambda p: p.update(valid_up_to=p["valid_up_to"] + 1))),
    ("a byte more than a class allows", DIFFER, lambda: in_a_verdict(is_short_text, lambda p: p.update(bytes=161))),
    ("verdicts in another order", "verdicts:", lambda: in_the_packets(lambda packets: packets.reverse())),
    ("a verdict that is lost", "verdicts:", lambda: in_the_packets(lambda packets: packets.pop(100))),
    ("another byte in tshark's payload", DIFFER, lambda: in_the_fields(has_text, first_byte_ff)),
    ("no payload in tshark's fields", DIFFER, lambda: in_the_fields(has_text, lambda f: f.pop("udp.payload"))),
    ("no fragment in tshark's fields", DIFFER, lambda: in_the_fields(is_fragment, no_fragment)),
    ("no classes", DIFFER, lambda: setattr(classes, "CLASSES", [])),
    ("a class without a frame", "no frame is in the class", lambda: setattr(classes, "CLASSES", [*known, NOTHING])),
]


def result(packages, program, target):
    """The exit code, and the last line that was printed."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        code = judge.judge_all(packages, program, target, [64])
    return code, said.getvalue().strip().splitlines()[-1]


def changed_byte(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runegate", default=str(judge.ROOT / "target/release/runegate"))
    parser.add_argument("--target", type=Path, default=judge.ROOT / "target/captures")
    given = parser.parse_args()
    packages = judge.packages(PACKAGES)
    results = []

    def judged(name, code, words, packages=packages, program=given.runegate, target=given.target):
        found, line = result(packages, program, target)
        is_found = found == code and words in line
        results.append(is_found)
        print(f"planted: {name}: exit code {found}, {line if not is_found else words}", flush=True)

    judged("nothing", 0, "agree on")
    for name, words, plant in FAULTS:
        plant()
        judged(name, 1, words)
        judge.simulate, tshark.dissect, classes.CLASSES = simulate, dissect, known
    judged("a tool that finds a mismatch", 1, "core and model differ", program="false")
    classes.CLASSES = []
    judged("too few frames", 1, "are fewer than", packages=packages[:1])
    classes.CLASSES = known
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "captures"
        for package in packages:
            name = f"{package['name']}-{package['version']}"
            shutil.copytree(given.target / name, copy / name)
            shutil.copy(given.target / f"{name}.archive", copy)
        changed_byte(next(copy.glob("*/ntp.pcap")))
        judged("a changed capture", 2, "unpack it again", target=copy)
        changed_byte(next(copy.glob("pcap-parser*.archive")))
        judged("a changed package", 2, "fetch it again", target=copy)
    faults = len(results) - 1
    print(f"captures: {sum(results[1:])} of {faults} planted faults found")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
