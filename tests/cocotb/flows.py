"""A core with flows between a source and sinks of cocotbext-axi, against CPython's own decoder.

Of every core with flows, in the place of the tests of bench.py: beats of many flows interleave in any order, fragments are cut anywhere,
messages begin anew and are forgotten, and beats between them have to be refused. What is known with each beat, and every verdict, is
compared with what CPython says of the flow's bytes so far. RUNEGATE_SEED makes others.
"""

import random
from collections import defaultdict
from typing import NamedTuple

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import AxiStreamFrame

from bench import CONFIG, LANES, PIECES, PORTS, SEED, SHARES, Bench, check_verdict, split

FLOWS = CONFIG["flows"]
# The commands of a beat, in the lowest bits of s_axis_tuser.
MORE, OPEN, FORGET = 1, 2, 4
COMMANDS = 3
# The result of a beat, in m_axis_flow_tdata.
BAD, REFUSED = 1, 2
BEATS = 1200 if LANES <= 16 else 400


class Beat(NamedTuple):
    """A beat at the pins, tuser in its two parts."""

    flow: int
    data: bytes
    keep: list
    last: bool
    command: int
    dest: int
    user: int

    def content(self):
        return bytes(byte for byte, keep in zip(self.data, self.keep) if keep)

    def is_null(self):
        return not any(self.keep) and not self.last

    def is_refused(self):
        count = sum(self.keep)
        has_hole = self.keep != low(count)
        return self.flow >= FLOWS or has_hole or (count < LANES and not self.last)


class Given(NamedTuple):
    """What a beat gives: what is known with it, and the flow's message so far, which may end with it."""

    beat: Beat
    word: int
    message: bytes
    ends: bool
    taken: int  # bytes of the beat
    pieces: list  # that are known with it


def low(count):
    """The lowest lanes."""
    return [1] * count + [0] * (LANES - count)


def known(message, ends):
    """The pieces of a message so far: what is unfinished is judged with the next byte, or at the end."""
    pieces = split(message)
    if pieces and not ends and pieces[-1][3] == "unexpected end of data":
        pieces.pop()
    return pieces


def judged(beats):
    """What each beat gives, in their order."""
    messages = defaultdict(bytes)
    for beat in beats:
        if beat.is_null():
            continue
        if beat.is_refused():
            yield Given(beat, REFUSED, b"", False, 0, [])
            continue
        before = b"" if beat.command & OPEN else messages[beat.flow]
        message = before + beat.content()
        forgets = bool(beat.command & FORGET)
        ends = beat.last and not beat.command & MORE and not forgets
        pieces = known(message, ends)
        word = BAD if any(reason for *_, reason in pieces) else 0
        yield Given(beat, word, message, ends, sum(beat.keep), pieces[len(known(before, False)) :])
        messages[beat.flow] = b"" if ends or forgets else message


def message(rng):
    """Of up to three beats or so, the empty one included; of every second one nothing but its end can be ill-formed."""
    choice = PIECES[:4] if rng.random() < 0.5 else PIECES
    text = b"".join(rng.choices(choice, k=rng.randrange(LANES + LANES // 2 + 2)))
    text = text[:-1] if rng.random() < 0.2 else text
    return "\ufeff".encode() + text if rng.random() < 0.1 else text


def beat(rng, flow, content, keep, last, command):
    """A beat; lanes without a byte hold values that would change the result if the core read them."""
    data = content + bytes(rng.choices(b"\x80\x9f\xbf\xc3\xe1\xf1a", k=LANES))
    dest, user = (rng.getrandbits(64) & (1 << CONFIG[width]) - 1 for width in ("dest_width", "user_width"))
    return Beat(flow, data[:LANES], keep, last, command, dest, user)


def stray(rng, flow):
    """A beat with anything: most are refused, some are null, the others are as good as any."""
    flow = rng.choice([flow, rng.randrange(1 << CONFIG["id_width"])])
    keep = rng.choice([low(rng.randrange(LANES + 1)), rng.choices([0, 1], k=LANES)])
    return beat(rng, flow, b"", keep, rng.random() < 0.5, rng.randrange(8))


def beats(rng, count=BEATS):
    """Beats of up to eight flows, those of one flow often in consecutive clocks; the last one ends its packet."""
    flows = [FLOWS - 1, *rng.sample(range(FLOWS - 1), min(FLOWS - 1, 7))]
    left = defaultdict(bytes)
    flow = flows[0]
    for _ in range(count):
        if rng.random() < 0.5:
            flow = rng.choice(flows)
        if rng.random() < 0.125:
            yield stray(rng, flow)
            continue
        text = left[flow] or message(rng)
        cut = rng.random() < 0.25
        ends = len(text) <= LANES and not cut
        number = rng.randrange(min(LANES, len(text)) + 1) if cut else min(LANES, len(text))
        # Only a packet's last beat is asked whether there is more.
        command = MORE if cut or (not ends and rng.random() < 0.5) else 0
        command |= OPEN * (rng.random() < 0.1) | FORGET * (rng.random() < 0.05)
        yield beat(rng, flow, text[:number], low(number), cut or ends, command)
        left[flow] = text[number:]
    yield beat(rng, flow, b"", low(0), True, 0)


def frames(sent):
    """Beats as the source sends them: up to each that ends a packet, of whatever flows they are."""

    def of_each_byte(values):
        return [value for value in values for _ in range(LANES)]

    run = []
    for each in sent:
        run.append(each)
        if each.last:
            yield AxiStreamFrame(
                b"".join(each.data for each in run),
                tkeep=[bit for each in run for bit in each.keep],
                tid=of_each_byte(each.flow for each in run),
                tdest=of_each_byte(each.dest for each in run),
                tuser=of_each_byte(each.command | each.user << COMMANDS for each in run),
            )
            run = []


def send(bench, sent):
    for each in frames(sent):
        bench.source.send_nowait(each)


def check_beside(prefix, beat, got):
    """The sidebands of a beat."""
    for signal, value in (("tid", beat.flow), ("tdest", beat.dest), ("tuser", beat.user)):
        if f"{prefix}_{signal}" in PORTS:
            assert set(getattr(got, signal)) == {value}, signal


async def compare(bench, given):
    """What comes out with each beat, and the verdict of each message in the clock of its last one."""
    flow, verdict = (bench.sinks[f"m_axis_{name}"] for name in ("flow", "verdict"))
    for index, each in enumerate(given):
        got = await with_timeout(flow.recv(compact=False), 200, "us")
        try:
            assert got.tdata[0] == each.word, f"m_axis_flow_tdata is {got.tdata[0]}, not {each.word}"
            check_beside("m_axis_flow", each.beat, got)
            if each.ends:
                end = await with_timeout(verdict.recv(compact=False), 1, "us")
                check_verdict(each.message, each.beat.flow, end)
                check_beside("m_axis_verdict", each.beat, end)
                assert end.sim_time_start == got.sim_time_start, "the verdict is not with its beat"
        except AssertionError as error:
            raise AssertionError(f"beat {index}, {each}: {error}") from error
    await ClockCycles(bench.dut.clk, 100)
    assert flow.empty() and verdict.empty(), "more came out than was sent"


@cocotb.test()
@cocotb.parametrize(idle=SHARES, stall=SHARES)
async def each_message_is_as_cpython_decodes_it(dut, idle, stall):
    bench = Bench(dut, idle, stall)
    await bench.reset()
    sent = list(beats(random.Random(f"{SEED} {idle} {stall}")))
    given = list(judged(sent))
    seen = {(each.word, each.ends) for each in given}
    assert {(word, ends) for word in (0, BAD) for ends in (False, True)} <= seen, seen
    send(bench, sent)
    await compare(bench, given)


@cocotb.test()
async def a_reset_forgets_every_flow(dut):
    """A reset at any time of a run: no beat from before it comes out after it, and the beats that follow begin new messages."""
    bench = Bench(dut, 0, 0)
    await bench.reset()
    rng = random.Random(SEED)
    for _ in range(5):
        send(bench, beats(rng, 200))
        await ClockCycles(dut.clk, rng.randrange(30, 150))
        bench.source.clear()
        await bench.reset()
        for sink in bench.sinks.values():
            sink.clear()
        sent = list(beats(rng, 30))
        send(bench, sent)
        await compare(bench, judged(sent))


@cocotb.test()
async def no_beat_is_taken_before_the_flows_are_ready(dut):
    bench = Bench(dut, 0, 0)
    await bench.reset()
    sent = list(beats(random.Random(SEED), FLOWS + 100))
    dut.rst.value = 1
    await ClockCycles(dut.clk, 3)
    dut.rst.value = 0
    send(bench, sent)
    early = 0
    await RisingEdge(dut.clk)
    while not dut.flows_ready.value:
        ready = "s_axis_tready" not in PORTS or dut.s_axis_tready.value == 1
        early += dut.s_axis_tvalid.value == 1 and ready
        await RisingEdge(dut.clk)
    assert early or FLOWS < 4
    await compare(bench, judged(sent[early:]))
