"""An encoder between a source and sinks of cocotbext-axi, against CPython's own codecs.

Of every encoder, in the place of the tests of bench.py: packets of words, the empty one included, of well-formed and of ill-formed words
mixed, in full beats and in beats with words in any lanes. All bytes, the lanes that they are in and every verdict are compared with
what CPython decodes and encodes. RUNEGATE_SEED makes others.
"""

import random
from typing import NamedTuple

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiStreamFrame

from bench import CONFIG, CORE, LANES, PORTS, SEED, SHARES, Bench, ident_of, lost_clocks

ENCODING = {"utf32": "utf-32-le", "utf16le": "utf-16-le", "utf16be": "utf-16-be"}[CONFIG["from"]]
OCTETS = 4 if ENCODING == "utf-32-le" else 2
# CPython's name for what the core does with ill-formed words.
ERRORS = {"replace": "replace", "omit": "ignore"}[CONFIG["on_error"]]

# What packets are made of: characters at the bounds of each number of bytes, then ill-formed words.
TEXT = [char.encode(ENCODING) for char in "A\x7f\x80\u00e9\u07ff\u0800\u20ac\ud7ff\ue000\ufeff\uffff\U00010000\U0001f600\U0010ffff"]
ILL_FORMED = {
    "utf-32-le": [0xD800, 0xDFFF, 0x110000, 0x80000041, 0xFFFFFFFF],
    "utf-16-le": [0xD800, 0xDBFF, 0xDC00, 0xDFFF],
    "utf-16-be": [0xD800, 0xDBFF, 0xDC00, 0xDFFF],
}[ENCODING]
ILL_FORMED = [word.to_bytes(OCTETS, "big" if ENCODING.endswith("be") else "little") for word in ILL_FORMED]
# In UTF-16 the two halves of a pair; else a word of four bytes, and a surrogate.
HIGH, LOW = "\U0001f600".encode(ENCODING)[:OCTETS], ILL_FORMED[-1]
# The kind that each of CPython's reasons stands for (Objects/unicodeobject.c, PyUnicode_DecodeUTF32Stateful and ...UTF16Stateful).
REASONS = {
    "code point in surrogate code point range(0xd800, 0xe000)": "surrogate",
    "code point not in range(0x110000)": "too_large",
    "illegal encoding": "unpaired_low",
    "illegal UTF-16 surrogate": "unpaired_high",
    "unexpected end of data": "unpaired_high_at_end",
}


class Packet(NamedTuple):
    """Beats, each of which has a word or None for each lane."""

    beats: list

    def hex(self, between):
        """The packet as text, a hyphen for a lane without a word."""
        beats = [between.join(word.hex() if word else "-" for word in beat) for beat in self.beats]
        return f"{between}|{between}".join(beats)


def runs(beats):
    """The words of a packet: of UTF-16 those that no empty lane separates, joined, and of each run whether the packet ends with it.

    The lanes above a packet's last word separate nothing, and neither do beats without any word.
    """
    lanes = [word for beat in beats if any(beat) for word in beat]
    while lanes and any(beats[-1]) and lanes[-1] is None:
        lanes.pop()
    run = b""
    for word in lanes:
        if word is None:
            yield run, False
            run = b""
        else:
            run += word
    yield run, True


def encoded(beats):
    """The bytes, as CPython has them."""
    return "".join(run.decode(ENCODING, ERRORS) for run, _ in runs(beats)).encode()


def faults(beats):
    """The number of words before each ill-formed one, and its kind."""
    before = 0
    for run, ends in runs(beats):
        at = 0
        while at < len(run):
            try:
                run[at:].decode(ENCODING)
                break
            except UnicodeDecodeError as error:
                kind = REASONS[error.reason]
                if kind == "unpaired_high_at_end" and not ends:
                    kind = "unpaired_high"
                yield (before + at + error.start) // OCTETS, kind
                at += error.end
        before += len(run)


def cut(words, rng):
    """Words in full beats but the last, or in any lanes; some of these beats have none."""
    left = list(words)
    beats = []
    is_sparse = rng.random() < 0.5
    while left or not beats or (is_sparse and rng.random() < 0.2):
        lanes = [not is_sparse or rng.random() < 0.7 for _ in range(LANES)]
        beats.append([left.pop(0) if lane and left else None for lane in lanes])
    return Packet(beats)


def packets():
    """Packets of every number of words up to four beats and one more, twice or more often; every third one is well-formed."""
    rng = random.Random(SEED)
    lengths = [*range(4 * LANES + 2), 8 * LANES + 1] * max(2, 16 // LANES)
    for index, length in enumerate(lengths):
        choice = TEXT if index % 3 == 0 else TEXT + 2 * ILL_FORMED
        octets = b""
        while len(octets) < length * OCTETS:
            octets += rng.choice(choice)
        words = [octets[at : at + OCTETS] for at in range(0, length * OCTETS, OCTETS)]
        yield cut(words, rng)
    # A pair with a beat without any unit in it, and halves of pairs that the end of a packet separates, or one with an empty beat at its end.
    high, low, none = [HIGH] * LANES, [LOW] * LANES, [None] * LANES
    for beats in [[high, none, low], [low], [high], [low, high, none], [low]]:
        yield Packet(beats)


def frame(packet, ident):
    """The packet; lanes without a word hold one that would change the result if the core read it."""
    rng = random.Random(ident)
    words = [word for beat in packet.beats for word in beat]
    data = b"".join(word or rng.choice(ILL_FORMED + TEXT)[:OCTETS] for word in words)
    keep = [int(word is not None) for word in words for _ in range(OCTETS)]
    return AxiStreamFrame(data, tkeep=keep, tid=ident, tuser=0)


def check_bytes(packet, ident, got):
    """The bytes of a packet, in the lowest lanes of as few beats as there can be. If its last beat adds none to full beats, an empty one ends it."""
    expected = encoded(packet.beats)
    assert bytes(byte for byte, keep in zip(got.tdata, got.tkeep) if keep) == expected
    adds_none = len(expected) == len(encoded(packet.beats[:-1]))
    whole, part = divmod(len(expected), LANES)
    lanes = LANES * (whole + (part > 0 or adds_none))
    assert got.tkeep == [int(lane < len(expected)) for lane in range(lanes)], got.tkeep
    assert not any(byte for byte, keep in zip(got.tdata, got.tkeep) if not keep), "a lane without a byte is not zero"
    if "m_axis_tid" in PORTS:
        assert set(got.tid) == {ident}


def check_verdict(packet, ident, got):
    """The verdict of a packet, as CPython has it."""
    word = int.from_bytes(bytes(got.tdata), "little")
    fields = {
        field["name"]: word >> field["offset"] & (1 << field["width"]) - 1
        for field in CORE["verdict"]
    }
    words = sum(word is not None for beat in packet.beats for word in beat)
    found = list(faults(packet.beats))
    first, kind = found[0] if found else (words, "none")
    counts = {
        "bytes": len(encoded(packet.beats)),
        "valid_up_to": first,
        "words": words,
        "ill_formed": len(found),
    }
    most = (1 << CONFIG["counter_width"]) - 1
    for name, count in counts.items():
        assert fields[name] == min(count, most), name
        assert fields[f"{name}_saturated"] == (count > most), name
    assert fields["well_formed"] == (not found)
    assert CORE["kinds"][fields["kind"]] == kind
    known = sum((1 << field["width"]) - 1 << field["offset"] for field in CORE["verdict"])
    assert not word & ~known, "a bit that belongs to no field is set"
    if "m_axis_verdict_tid" in PORTS:
        assert set(got.tid) == {ident}


CHECKS = {"m_axis": check_bytes, "m_axis_verdict": check_verdict}


def send(bench, sent):
    for index, packet in enumerate(sent):
        bench.source.send_nowait(frame(packet, ident_of(index)))


@cocotb.test()
@cocotb.parametrize(idle=SHARES, stall=SHARES)
async def as_cpython_encodes_it(dut, idle, stall):
    bench = Bench(dut, idle, stall)
    await bench.reset()
    sent = list(packets())
    seen = {kind for packet in sent for _, kind in faults(packet.beats)}
    assert seen == {*CORE["kinds"]} - {None, "none"}, seen
    send(bench, sent)
    await bench.compare(sent, CHECKS)


@cocotb.test()
async def words_of_one_byte_are_never_held_up(dut):
    """As long as no beat has more bytes than lanes, the core accepts one in every clock."""
    bench = Bench(dut, 0, 0)
    await bench.reset()
    await RisingEdge(dut.clk)
    lost = []
    cocotb.start_soon(lost_clocks(dut, lost))
    rng = random.Random(SEED)
    sent = [cut(rng.choices(TEXT[:2], k=length), rng) for length in [1, LANES, 300 * LANES + 1, 3]]
    send(bench, sent)
    await bench.compare(sent, CHECKS)
    assert not lost, f"the source was held up in {len(lost)} clocks"


@cocotb.test()
async def a_reset_drops_what_is_on_its_way(dut):
    """Resets at several times: no byte from before comes out, and in UTF-16 no high unit from before pairs with a low one from after."""
    bench = Bench(dut, 0, 0)
    await bench.reset()
    rng = random.Random(SEED)
    for clocks in [2, 15, 40]:
        bench.source.send_nowait(frame(Packet([[HIGH] * LANES] * 80), 0))
        await ClockCycles(dut.clk, clocks)
        bench.source.clear()
        await bench.reset()
        for sink in bench.sinks.values():
            sink.clear()
        sent = [Packet([[LOW] * LANES]), cut([LOW, TEXT[0]], rng), cut(TEXT[:3], rng)]
        send(bench, sent)
        await bench.compare(sent, CHECKS)
