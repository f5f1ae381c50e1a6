"""A core that takes whole Ethernet frames, between a source and sinks of cocotbext-axi, against scapy and CPython's own decoder.

Of every core with frames, in the place of the tests of bench.py: the frames of frames_cases.py and frames_faults.py, in any order, with
null beats, shares of idles and of stalls. The verdict of each, and each byte and mark that passes or is repaired, is compared with what
CPython says of the text that scapy put into the frame. Of frames that are dropped nothing comes out but the verdict. Lanes without a byte
hold values that would change the result. RUNEGATE_SEED makes others.
"""

import random
from itertools import product

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge

from bench import (
    CONFIG,
    CORE,
    LANES,
    OPEN,
    PORTS,
    SEED,
    SHARES,
    TABLE,
    WATCHES,
    Bench,
    add_sidebands,
    check_passed,
    check_verdict,
    frame,
    ident_of,
    lost_clocks,
    repaired,
)
from frames_faults import Faults

# Bits of a verdict.
WELL_FORMED, UNJUDGED, REASON = 128, 130, 140


def made():
    """All frames, shuffled; of the widest cores, which are simulated slowly, a sample."""
    maker = Faults(SEED)
    maker.headers()
    maker.ends()
    maker.other_types()
    maker.v4_faults()
    maker.v6_faults()
    maker.udp_faults()
    maker.tcp_faults()
    maker.short_frames()
    maker.cuts()
    maker.rng.shuffle(maker.frames)
    return maker.frames[: 1600 if LANES > 32 else None]


def giants():
    """A text of 65,000 bytes with an error in the last of them, and a short frame after it."""
    maker = Faults(SEED)
    text = "\U0001f600".encode() * 16249 + b"abc\xff"
    maker.add("a giant", maker.lower() / maker.udp(), text)
    maker.add("a frame after a giant", maker.lower() / maker.udp(), maker.text())
    return maker.frames


FRAMES = made()


def send(bench, frames, seed):
    """Sends frames, every fifth of them with null beats."""
    rng = random.Random(f"{SEED} {seed}")
    for index, each in enumerate(frames):
        add_sidebands(each, rng, rng.randrange(1, 3 + len(each) // LANES // 2) if rng.random() < 0.2 else 0)
        bench.source.send_nowait(frame(each, ident_of(index)))


def check_frame_verdict(frame, ident, got):
    """The verdict of a frame: that of its text alone, or nothing but the reason for which there is none."""
    if frame.reason is None:
        check_verdict(frame, ident, got)
        word = int.from_bytes(bytes(got.tdata), "little")
        assert OPEN or word >> REASON & 0xF == 0, "a reason"
        return
    word = int.from_bytes(bytes(got.tdata), "little")
    expected = 1 << WELL_FORMED | 1 << UNJUDGED | CORE["reasons"].index(frame.reason) << REASON
    assert word == expected, f"{word:x}, not {expected:x}"
    if "m_axis_verdict_tid" in PORTS:
        assert set(got.tid) == {ident}


def check_frame_repaired(frame, ident, got):
    """The frame as it came, but for its text."""
    octets, end = bytes(frame), (frame.first or 0) + len(frame.repairable)
    expected = octets[: frame.first or 0] + repaired(frame.repairable) + octets[end:]
    assert bytes(byte for byte, keep in zip(got.tdata, got.tkeep) if keep) == expected
    if "m_axis_tid" in PORTS:
        assert set(got.tid) == {ident}


CHECKS = {
    "m_axis": check_frame_repaired if CONFIG["core"] == "sanitise" else check_passed,
    "m_axis_verdict": check_frame_verdict,
}


async def started(dut, idle=0.0, stall=0.0):
    """The bench after a reset."""
    bench = Bench(dut, idle, stall)
    await bench.reset()
    return bench


@cocotb.test()
@cocotb.parametrize(idle=SHARES, stall=SHARES)
async def each_frame_is_as_scapy_made_it(dut, idle, stall):
    """A fifth of all frames, another one with each share of idles and stalls, and two fifths without any."""
    bench = await started(dut, idle, stall)
    lost = []
    if stall == 0 and "s_axis_tready" in PORTS and not WATCHES:
        await RisingEdge(dut.clk)
        cocotb.start_soon(lost_clocks(dut, lost))
    part = 2 * SHARES.index(idle) + SHARES.index(stall)
    frames = FRAMES[part::5] + (FRAMES[4::5] if part == 0 else [])
    send(bench, frames, f"{idle} {stall}")
    await bench.compare(frames, CHECKS)
    assert not lost, f"the source was held up in {len(lost)} clocks"


@cocotb.test()
async def texts_begin_in_every_lane_that_they_can(_):
    """And all reasons but those of other options occur. Nothing is simulated."""
    lanes = {frame.name: set() for frame in FRAMES}
    for frame in FRAMES:
        if frame.text:
            lanes[frame.name].add(frame.first % LANES)
    every = {*range(2, LANES, 4)}
    assert set().union(*lanes.values()) == every
    # Of wide cores a kind of headers alone does not reach all of them.
    if LANES <= 16:
        wanted = {protocol.upper() for protocol, *_ in TABLE} or {"UDP", "TCP"}
        for version, transport in product(("IPv4", "IPv6"), wanted if OPEN else wanted - {"TCP"}):
            assert lanes[f"{version}, {transport}"] == every
    others = {"none", "no_window"} if TABLE else {"none", "no_window", "port"}
    assert {frame.reason for frame in FRAMES} | others == {*CORE["reasons"], None}


@cocotb.test()
async def texts_are_as_long_as_can_be(dut):
    bench = await started(dut)
    frames = giants()
    send(bench, frames, "giants")
    await bench.compare(frames, CHECKS)


@cocotb.test()
async def a_reset_drops_what_is_on_its_way(dut):
    """A reset at any time of a run: nothing from before it comes out after it, and what follows is a frame's first beat."""
    bench = await started(dut)
    rng = random.Random(SEED)
    for turn in range(8):
        send(bench, rng.sample(FRAMES, 60), turn)
        await ClockCycles(dut.clk, rng.randrange(30, 250))
        bench.source.clear()
        await bench.reset()
        for sink in bench.sinks.values():
            sink.clear()
        frames = rng.sample(FRAMES, 20)
        send(bench, frames, f"after {turn}")
        await bench.compare(frames, CHECKS)
