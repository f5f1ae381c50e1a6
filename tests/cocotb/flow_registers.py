"""The registers of a core with flows: counters that go on with each beat, and what `enable` and a soft reset do to the flows.

For every core with flows and registers, in addition to flows.py and registers.py.
"""

import random
from collections import Counter

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge

from bench import SEED, SHARES
from flows import BAD, beats, compare, judged, send
from registers import COUNTERS, SETTLED, Registers, kind


def after_each(given):
    """All counters before these beats, and after each of them."""
    total = Counter(dict.fromkeys(COUNTERS, 0))
    yield dict(total)
    for each in given:
        bad = [piece for piece in each.pieces if piece[3]]
        total.update(bytes=each.taken, scalars=len(each.pieces) - len(bad))
        total.update(packets=each.ends, bad_packets=each.ends and each.word == BAD)
        total.update(kind(each.message, start, end, reason) for start, end, _, reason in bad)
        yield dict(total)


def counts(given):
    """All counters after these beats."""
    return list(after_each(given))[-1]


async def is_ready(bench):
    while not bench.dut.flows_ready.value:
        await RisingEdge(bench.dut.clk)


@cocotb.test()
@cocotb.parametrize(idle=SHARES, stall=SHARES)
async def counters_are_those_of_whole_beats(dut, idle, stall):
    """Copied at any time while beats come: the counters are those of the beats so far, none of them in part."""
    bench = Registers(dut, idle, stall, bus=idle)
    await bench.reset()
    # There is time for some copies.
    sent = list(beats(random.Random(SEED), 1600))
    expected = list(after_each(judged(sent)))
    send(bench, sent)
    at = copies = 0
    while not bench.source.idle():
        found = await bench.snapshot()
        assert found in expected[at:], found
        at = expected.index(found, at)
        copies += 1
    await ClockCycles(dut.clk, SETTLED)
    assert await bench.snapshot() == expected[-1]
    assert copies > 2, copies


@cocotb.test()
async def flows_are_forgotten_while_the_core_is_not_enabled(dut):
    bench = Registers(dut)
    await bench.reset()
    rng = random.Random(SEED)
    first, lost, last = (list(beats(rng, 100)) for _ in range(3))
    send(bench, first)
    await bench.drain()
    await bench.set("control")
    assert dut.flows_ready.value == 0
    for sink in bench.sinks.values():
        sink.clear()
    send(bench, lost)
    await bench.drain()
    await bench.set("control", "enable")
    await is_ready(bench)
    send(bench, last)
    await compare(bench, judged(last))
    assert await bench.snapshot() == counts([*judged(first), *judged(last)])


@cocotb.test()
async def a_soft_reset_forgets_every_flow(dut):
    bench = Registers(dut)
    await bench.reset()
    rng = random.Random(SEED)
    first, last = (list(beats(rng, 100)) for _ in range(2))
    send(bench, first)
    await bench.drain()
    await bench.set("command", "soft_reset")
    # The registers are as they were.
    assert await bench.value("control") == 1
    for sink in bench.sinks.values():
        sink.clear()
    await is_ready(bench)
    send(bench, last)
    await compare(bench, judged(last))
    assert await bench.snapshot() == counts([*judged(first), *judged(last)])
