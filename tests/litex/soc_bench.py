"""The SoC of soc.py, with a core in its stream, against CPython's decoder.

The packets of a package's own bench (bench.py) go through the SoC, with idles and stalls, and everything that comes out is compared. Of a
core with registers, these are read over the SoC's bus: what it is, and the counters while packets come and after them.
"""

import json
import os
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp, AxiStreamBus, AxiStreamSink, AxiStreamSource

from bench import (
    CONFIG,
    CORE,
    PORTS,
    SHARES,
    WATCHES,
    check_events,
    check_passed,
    check_verdict,
    frame,
    ident_of,
    packets,
    pauses,
)

# Of an encoder, what is sent are packets of words.
if CONFIG["core"] == "encode":
    import words
    from words import frame, packets

SOC = json.loads(Path(os.environ["RUNEGATE_SOC"]).read_text())
HAS_REGISTERS = "registers" in CORE
# After this number of clocks everything that was on its way has come out and has been counted.
SETTLED = 200


def check_unchanged(packet, ident, got):
    """The stream that a core looks at is as it came."""
    assert bytes(byte for byte, keep in zip(got.tdata, got.tkeep) if keep) == packet


def checks():
    """What comes out of the SoC, by the prefix of its pins."""
    if CONFIG["core"] == "encode":
        return words.CHECKS
    if CONFIG["core"] == "decode":
        return {"m_axis": check_events}
    through = check_unchanged if WATCHES else check_passed
    return {"m_axis": through, "m_axis_verdict": check_verdict}


class Bench:
    """The SoC, a source and sinks of its streams, and a master of its bus."""

    def __init__(self, dut, idle, stall):
        self.dut = dut
        cocotb.start_soon(Clock(dut.clk, 4, "ns").start())
        ends = {"clock": dut.clk, "reset": dut.rst}
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), **ends)
        self.source.set_pause_generator(pauses(idle, 1))
        self.checks = checks()
        self.sinks = {
            prefix: AxiStreamSink(AxiStreamBus.from_prefix(dut, prefix), **ends) for prefix in self.checks
        }
        # What comes out of the core without a `tready` waits for none, whatever LiteX's streams have.
        waits = {"m_axis"} if WATCHES else {name.removesuffix("_tready") for name in PORTS}
        for seed, (prefix, sink) in enumerate(self.sinks.items()):
            if prefix in waits:
                sink.set_pause_generator(pauses(stall, 2 + seed))
        if HAS_REGISTERS:
            self.bus = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "bus"), dut.clk, dut.rst)
            # The master begins with X, and LiteX's decoder answers `ready` by the address, be it valid or not.
            dut.bus_awaddr.value = 0
            dut.bus_araddr.value = 0

    async def reset(self):
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 4)
        self.dut.rst.value = 0
        # LiteX's reset has a register, and its FIFO takes beats during a reset.
        await ClockCycles(self.dut.clk, 2)

    def send(self, sent):
        for index, packet in enumerate(sent):
            self.source.send_nowait(frame(packet, ident_of(index)))

    async def compare(self, sent):
        for index, packet in enumerate(sent):
            for prefix, sink in self.sinks.items():
                got = await with_timeout(sink.recv(compact=False), 100, "us")
                try:
                    self.checks[prefix](packet, ident_of(index), got)
                except AssertionError as error:
                    raise AssertionError(f"{prefix}, packet {index}, {packet.hex(' ')}: {error}") from error
        await ClockCycles(self.dut.clk, SETTLED)
        assert all(sink.empty() for sink in self.sinks.values()), "more came out than was sent"

    async def read(self, address, length):
        """Bytes of the SoC's address space."""
        read = await with_timeout(self.bus.read(address, length), 50, "us")
        assert read.resp == AxiResp.OKAY, hex(address)
        return read.data

    async def snapshot(self):
        """Copies all counters, and reads them at one go."""
        command = MAP["command"]
        (bit,) = [field["offset"] for field in command["fields"] if field["name"] == "snapshot"]
        word = (1 << bit).to_bytes(4, "little")
        written = await with_timeout(self.bus.write(SOC["base"] + command["offset"], word), 50, "us")
        assert written.resp == AxiResp.OKAY
        first = min(MAP[name]["offset"] for name in COUNTERS)
        words = await self.read(SOC["base"] + first, 8 * len(COUNTERS))
        at = {name: MAP[name]["offset"] - first for name in COUNTERS}
        return {name: int.from_bytes(words[at : at + 8], "little") for name, at in at.items()}


@cocotb.test()
@cocotb.parametrize(share=SHARES)
async def the_soc_gives_what_cpython_decodes(dut, share):
    bench = Bench(dut, share, share)
    await bench.reset()
    sent = list(packets())
    bench.send(sent)
    await bench.compare(sent)


if HAS_REGISTERS:
    from registers import COUNTERS, MAP, after_each, many_packets

    @cocotb.test()
    async def the_bus_of_the_soc_reaches_the_registers(dut):
        bench = Bench(dut, 0.5, 0)
        await bench.reset()
        assert (await bench.read(SOC["base"], 4))[::-1] == b"RUNE"
        # A register that LiteX itself has, on the same bus: the SoC's scratch register, with its value after a reset.
        assert (await bench.read(SOC["scratch"], 4))[::-1] == bytes.fromhex("12345678")
        sent = many_packets()[:200]
        expected = list(after_each(sent))
        bench.send(sent)
        seen = set()
        while not bench.source.idle():
            found = await bench.snapshot()
            assert found == expected[found["packets"]], found
            seen.add(found["packets"])
        assert len(seen) > 2, seen
        await ClockCycles(dut.clk, SETTLED)
        assert await bench.snapshot() == expected[-1]
        await bench.compare(sent)
