#!/usr/bin/env -S python3 -B
"""Judges the frames of public captures by golden model, hardware and tshark. `make captures` calls it.

    tests/captures/judge.py [--runegate PROGRAM] [--target FOLDER] [--lanes N]... [--package NAME]...

The tool compares the hardware with the model at every output in every clock. Its verdicts are compared here with those that follow
from tshark's fields of each frame and from CPython's decoder. Every difference is in a class of classes.py, or the run fails.

Exit codes: 0 all agree but for the listed classes; 1 a frame differs, core and model differ, or a class has no frame; 2 the
captures or a tool cannot be had.
"""

import argparse
import json
import sys
import time
import tomllib
from collections import Counter
from pathlib import Path

import classes
import fetch
import reader
import text
import tshark

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LEAST = 10_000
# Frames that differ are printed up to this number.
SHOWN = 20
# Frames of a run: what is kept of them fits into memory.
MOST = 20_000


class Differ(Exception):
    """What needs no frame to be shown: exit code 1."""


class Count:
    """What the table is made of."""

    def __init__(self, lanes):
        self.lanes = lanes
        self.files = self.frames = self.cut = self.damaged = self.bytes = 0
        self.links, self.texts, self.classes = Counter(), Counter(), Counter()
        self.wrong = []
        self.engine = ""


def collect(package, target, count):
    """The Ethernet frames of a package's captures, and where each is from."""
    frames, origins = [], []
    for path in fetch.captures(package, target):
        read = reader.Frames(path)
        count.files += 1
        count.damaged += read.is_damaged
        for number, link, frame, is_whole in read.frames:
            if link == reader.ETHERNET:
                count.cut += not is_whole
                frames.append(frame)
                origins.append((package["name"], path.name, number))
            else:
                count.links[link] += 1
    count.frames += len(frames)
    return frames, origins


def simulate(program, capture, lanes):
    """The tool's document, after it has compared the core with the model."""
    arguments = [program, "sim", "--core", "validate", "--frames", "--edges", "open", "--lanes", str(lanes)]
    arguments += ["--pcap", str(capture), "--json"]
    done = fetch.start(arguments)
    if done.returncode == 1:
        raise Differ(f"core and model differ in {capture} with {lanes} lanes:\n{done.stderr}".strip())
    if done.returncode:
        raise fetch.Refused(f"{' '.join(arguments)} failed with exit code {done.returncode}:\n  {done.stderr.strip()}")
    return json.loads(done.stdout)


def verdicts(document, frames):
    """The core's verdicts, one for each frame."""
    packets = document["packets"]
    if [packet["frame"] for packet in packets] != list(range(1, frames + 1)):
        raise Differ(f"there are {frames} frames, but {len(packets)} verdicts: {document['capture']}")
    return packets


def opinion(fields):
    """The payload that tshark has, or None, and the verdict that follows."""
    try:
        payload = tshark.text(fields)
    except tshark.Unjudged as reason:
        return None, text.unjudged(str(reason))
    return payload, text.judge(payload)


def compare(dissected, packets, origins, lanes, count):
    """Each frame's two verdicts. The first core's texts are counted."""
    for fields, packet, origin in zip(dissected, packets, origins, strict=True):
        payload, expected = opinion(fields)
        if lanes == count.lanes[0]:
            judged = "bad" if packet["bad"] else "good"
            count.texts[packet.get("unjudged", judged)] += 1
            count.bytes += packet["bytes"]
        if classes.agrees(packet, expected):
            continue
        known = classes.class_of(fields, payload, packet)
        if known:
            count.classes[lanes, known.name] += 1
        else:
            count.wrong.append((origin, lanes, fields, expected, packet))


def judge(package, program, target, count):
    frames, origins = collect(package, target, count)
    capture = target / f"{package['name']}.pcap"
    settings = tshark.settings(target / "wireshark")
    clocks, start = Counter(), time.monotonic()
    for first in range(0, len(frames), MOST):
        part = slice(first, first + MOST)
        reader.write(capture, frames[part])
        dissected = list(tshark.dissect(capture, settings))
        for lanes in count.lanes:
            document = simulate(program, capture, lanes)
            compare(dissected, verdicts(document, len(frames[part])), origins[part], lanes, count)
            clocks[lanes] += document["cycles"]
            count.engine = document["engine_version"]
    said = " and ".join(f"{clocks[lanes]} clocks of {lanes} lanes" for lanes in count.lanes)
    print(
        f"captures: {package['name']} {package['version']}: {len(frames)} frames of {sum(map(len, frames))} bytes, {said} "
        f"without a mismatch of core and model, {time.monotonic() - start:.0f} s",
        flush=True,
    )


def show(count):
    """The frames that differ."""
    for (package, name, number), lanes, fields, expected, packet in count.wrong[:SHOWN]:
        differing = [key for key in ["unjudged", *expected] if packet.get(key) != expected.get(key)]
        print(f"captures: {package}, {name}, frame {number}, {lanes} lanes:", file=sys.stderr)
        print(f"  core:   {json.dumps({key: packet.get(key) for key in differing})}", file=sys.stderr)
        print(f"  tshark: {json.dumps({key: expected.get(key) for key in differing})}", file=sys.stderr)
        print(f"  fields: {json.dumps({k: v for k, v in fields.items() if not k.endswith('.payload')})}", file=sys.stderr)
    print(f"captures: {len(count.wrong)} frames differ and are in no class", file=sys.stderr)


def table(count, program):
    """The result, as docs/src/frames.md has it."""
    yield "captures", count.files
    yield "  damaged, or of another format", count.damaged
    yield "frames", count.frames
    yield "  cut when they were captured", count.cut
    yield "judged, good", count.texts["good"]
    yield "judged, bad", count.texts["bad"]
    yield "  bytes of texts", count.bytes
    for reason, number in sorted(count.texts.items()):
        if reason not in ("good", "bad"):
            yield f"not judged: {reason}", number
    for each in classes.CLASSES:
        yield f"differ: {each.name}", " and ".join(str(count.classes[lanes, each.name]) for lanes in count.lanes)
    yield "left out: not Ethernet", count.links.total()
    for link, number in count.links.most_common():
        yield f"  link type {link}", number
    yield "tshark", tshark.version()
    yield "runegate", fetch.run([program, "--version"]).split(" ", 1)[1].strip()
    yield "simulator", count.engine


def judge_all(packages, program, target, lanes):
    """The exit code."""
    count = Count(lanes)
    target.mkdir(parents=True, exist_ok=True)
    try:
        for package in packages:
            judge(package, program, target, count)
        rows = list(table(count, program))
    except fetch.Refused as refused:
        print(f"captures: {refused}", file=sys.stderr)
        return 2
    except Differ as differ:
        print(f"captures: {differ}", file=sys.stderr)
        return 1
    for name, value in rows:
        print(f"{name:<36} {value}")
    if count.wrong:
        show(count)
        return 1
    for each in classes.CLASSES:
        if not all(count.classes[lanes, each.name] for lanes in count.lanes):
            print(f"captures: no frame is in the class {each.name!r}; remove it", file=sys.stderr)
            return 1
    if count.frames < LEAST:
        print(f"captures: {count.frames} frames are fewer than {LEAST}", file=sys.stderr)
        return 1
    classed = sum(count.classes[lanes[0], each.name] for each in classes.CLASSES)
    print(f"captures: golden model, hardware and tshark agree on {count.frames} frames but for {classed} of the listed classes")
    return 0


def packages(names):
    """The list, or only the packages of these names."""
    listed = tomllib.loads((HERE / "captures.toml").read_text())["package"]
    return [package for package in listed if not names or package["name"] in names]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runegate", default=str(ROOT / "target/release/runegate"))
    parser.add_argument("--target", type=Path, default=ROOT / "target/captures")
    parser.add_argument("--lanes", type=int, action="append")
    names = [package["name"] for package in packages(None)]
    parser.add_argument("--package", action="append", choices=names)
    given = parser.parse_args()
    return judge_all(packages(given.package), given.runegate, given.target, given.lanes or [64, 8])


if __name__ == "__main__":
    sys.exit(main())
