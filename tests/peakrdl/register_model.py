"""The register model that PeakRDL-python makes of a package's SystemRDL, on the core.

The names, addresses and fields are the model's; the accesses are those of cocotbext-axi's AXI4-Lite master; the counts are of CPython's
decoder (registers.py).
"""

import cocotb
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiResp, AxiStreamFrame
from core_regs.lib import AsyncCallbackSet
from core_regs.reg_model.core_regs import core_regs_cls

from bench import frame, packets
from registers import COUNTERS, MAP, Registers, counts


class Refused(Exception):
    """The core has answered SLVERR."""


class Model:
    """A bench with the register model on its bus."""

    def __init__(self, dut):
        self.bench = Registers(dut)
        callbacks = AsyncCallbackSet(read_callback=self.read, write_callback=self.write)
        self.registers = core_regs_cls(callbacks=callbacks)

    async def read(self, addr, width, accesswidth):
        assert accesswidth == 32
        bus = self.bench.registers
        answer = await self.bench.access(bus.read(addr, width // 8))
        if answer.resp != AxiResp.OKAY:
            assert answer.resp == AxiResp.SLVERR and not any(answer.data)
            raise Refused(hex(addr))
        return int.from_bytes(answer.data, "little")

    async def write(self, addr, width, accesswidth, data):
        assert accesswidth == 32
        bus = self.bench.registers
        answer = await self.bench.access(bus.write(addr, data.to_bytes(width // 8, "little")))
        if answer.resp != AxiResp.OKAY:
            assert answer.resp == AxiResp.SLVERR
            raise Refused(hex(addr))

    async def counters(self):
        """All counters, as a snapshot has them now."""
        await self.registers.command.snapshot.write(1)
        return {name: await getattr(self.registers, name).read() for name in COUNTERS}


async def begun(dut):
    model = Model(dut)
    await model.bench.reset()
    return model


@cocotb.test()
async def the_core_is_identified_by_name(dut):
    registers = (await begun(dut)).registers
    assert (await registers.id.id.read()).to_bytes(4, "big") == b"RUNE"
    # By the names of SystemRDL: `config.pass` is another name in Python, where `pass` is a keyword.
    found = {
        register.inst_name: {field.inst_name: await field.read() for field in register.readable_fields}
        for register in registers.get_readable_registers()
    }
    for name in COUNTERS:
        assert found.pop(name) == {name: 0}
    assert found == {
        name: {field["name"]: field["reset"] for field in register["fields"]}
        for name, register in MAP.items()
        if name not in COUNTERS
    }


@cocotb.test()
async def control_keeps_what_is_written(dut):
    control = (await begun(dut)).registers.control
    for value in (0, 1, 0):
        await control.enable.write(value)
        assert await control.enable.read() == value
    await control.write(1)
    assert await control.read() == 1


@cocotb.test()
async def counters_have_names(dut):
    model = await begun(dut)
    sent = list(packets())
    for packet in sent:
        model.bench.source.send_nowait(frame(packet, 0))
    await model.bench.drain()
    expected = counts(sent)
    assert await model.counters() == expected
    # Commands read as 0, and a clear leaves the snapshot alone.
    assert await model.registers.command.read() == 0
    await model.registers.command.clear.write(1)
    assert await model.registers.bytes.bytes.read() == expected["bytes"] > 0
    assert await model.counters() == counts([])


@cocotb.test()
async def a_beat_error_stays_until_it_is_cleared(dut):
    model = await begun(dut)
    status = model.registers.status.beat_error
    model.bench.source.send_nowait(frame(b"good", 0))
    await model.bench.drain()
    assert await status.read() == 0
    model.bench.source.send_nowait(AxiStreamFrame(b"hole", tkeep=[1, 0, 1, 1], tid=0, tuser=0))
    model.bench.source.send_nowait(frame(b"good", 0))
    await model.bench.drain()
    assert await status.read() == 1
    assert await status.read() == 1
    await model.registers.command.clear.write(1)
    assert await status.read() == 0


async def is_refused(access):
    try:
        await access
    except Refused:
        return
    raise AssertionError("SLVERR was expected")


@cocotb.test()
async def what_the_model_does_not_have_is_refused(dut):
    model = await begun(dut)
    registers = model.registers
    for name, register in MAP.items():
        node = getattr(registers, name)
        is_written = register["access"] != "read"
        assert hasattr(node, "write") == is_written, name
        if not is_written:
            await is_refused(model.write(node.address, node.width, node.accesswidth, 1))
    await is_refused(model.read(registers.size, 32, 32))
    await is_refused(model.write(registers.size, 32, 32, 1))
    await ClockCycles(dut.clk, 4)
    await registers.control.enable.write(1)
