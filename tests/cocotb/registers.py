"""The registers of a validator, over the AXI4-Lite master of cocotbext-axi, against CPython's own decoder.

For every core with registers, in addition to bench.py: what is read, what is refused, the bus's orders and pauses, and that the counters
are those of whole packets whenever they are copied. RUNEGATE_SEED sets other packets and pauses.
"""

import random
from collections import Counter

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge, gather, with_timeout
from cocotbext.axi import AxiResp

from bench import CONFIG, CORE, FRAMES, LANES, LIMIT, OPEN, PORTS, SEED, SHARES, WINDOW as HAS_WINDOW
from bench import Bench, beats_of, frame, is_dropped, judge, packets, pauses, pieces_of, text_of

MAP = {register["name"]: register for register in CORE.get("registers", [])}
COUNTERS = [name for name, register in MAP.items() if register["bits"] == 64]
WINDOW = 1 << 12
# The same, those together that have no other address between them.
NEIGHBOURS = []
for name in COUNTERS:
    if NEIGHBOURS and MAP[NEIGHBOURS[-1][-1]]["offset"] + 8 == MAP[name]["offset"]:
        NEIGHBOURS[-1].append(name)
    else:
        NEIGHBOURS.append([name])
# The counter of each class, by its bit.
FORBIDDEN = [
    (entry["bit"], f"forbidden_{entry['name'].replace('-', '_')}")
    for entry in CORE.get("forbid", {}).get("classes", [])
]
# With flows, flow_registers.py has its own tests of what there is no packet's end to wait for.
FLOWS = "flows" in CONFIG
# The number of clocks within which an accepted packet is counted.
SETTLED = 100


def kind(packet, start, end, reason):
    """The kind of an ill-formed piece, from CPython's reason and the bytes that it is about."""
    lead = packet[start]
    if reason == "unexpected end of data":
        return "truncated_at_end"
    if reason == "invalid start byte":
        if lead < 0xC0:
            return "stray_continuation"
        return "overlong" if lead < 0xC2 else "too_large" if lead < 0xF8 else "invalid_byte"
    refused = {0xE0: "overlong", 0xED: "surrogate", 0xF0: "overlong", 0xF4: "too_large"}
    if end == start + 1 and 0x80 <= packet[end] < 0xC0:
        return refused[lead]
    return "truncated"


def after_each(sent):
    """All counters before these packets, and after each of them."""
    total = Counter(dict.fromkeys(COUNTERS, 0))
    yield dict(total)
    for packet in sent:
        text = text_of(packet) or b""
        pieces = pieces_of(packet)
        bad = [piece for piece in pieces if piece[3]]
        is_bad, met, _ = judge(packet)
        total.update(packets=1, bad_packets=is_bad, bytes=len(text))
        total.update(scalars=len(pieces) - len(bad))
        total.update(kind(text, start, end, reason) for start, end, _, reason in bad)
        total.update(name for bit, name in FORBIDDEN if met >> bit & 1)
        total.update(judged_or_not(packet))
        if LIMIT:
            is_gone = is_dropped(packet)
            is_long = len(beats_of(packet)) > LIMIT
            total.update(dropped_packets=is_gone, dropped_bytes=is_gone * len(text), long_packets=is_long)
        yield dict(total)


def judged_or_not(packet):
    """The counter of the packets that are judged, or that of the reason why this one is not."""
    if FRAMES:
        # What is no frame of scapy's has a type that is not IP's, or none.
        reason = getattr(packet, "reason", "not_ip")
        return [f"unjudged_{reason}" if reason else "judged"]
    if HAS_WINDOW:
        return ["unjudged_no_window" if text_of(packet) is None else "judged"]
    return []


def counts(sent):
    """All counters after these packets."""
    return list(after_each(sent))[-1]


def many_packets():
    """Those of bench.py, or scapy's frames, again and again, until there is time for some copies."""
    if FRAMES:
        from frames import FRAMES as pool

        return random.Random(SEED).choices(pool, k=300 * max(1, LANES // 16))
    pool = list(packets())
    return random.Random(SEED).choices(pool, k=700)


def field(register, name):
    return next(field for field in MAP[register]["fields"] if field["name"] == name)


class Registers(Bench):
    """A bench with names for what is at the addresses, and for what the core has taken."""

    def __init__(self, dut, idle=0, stall=0, bus=0):
        super().__init__(dut, idle, stall)
        reads, writes = self.registers.read_if, self.registers.write_if
        self.channels = [
            reads.ar_channel,
            reads.r_channel,
            writes.aw_channel,
            writes.w_channel,
            writes.b_channel,
        ]
        for seed, channel in enumerate(self.channels):
            channel.set_pause_generator(pauses(bus, 100 * SEED + seed))
        self.beats = 0
        self.in_packet = False
        cocotb.start_soon(self.watch())

    async def watch(self):
        """Beats that the core has taken, and whether a packet is under way."""
        while True:
            await RisingEdge(self.dut.clk)
            ready = "s_axis_tready" not in PORTS or self.dut.s_axis_tready.value == 1
            if self.dut.s_axis_tvalid.value == 1 and ready:
                self.beats += 1
                self.in_packet = self.dut.s_axis_tlast.value == 0

    async def pause_within_a_packet(self):
        """Stops the source with a packet under way. Returns the beats of it that the core has."""
        before = self.beats
        while self.beats < before + 3:
            await RisingEdge(self.dut.clk)
        self.source.clear_pause_generator()
        self.source.pause = True
        await ClockCycles(self.dut.clk, 4)
        assert self.in_packet
        return self.beats - before

    async def access(self, operation):
        return await with_timeout(operation, 50, "us")

    async def put(self, register, value):
        """Writes a register, and reads it back."""
        address = MAP[register]["offset"]
        written = self.registers.write(address, int(value).to_bytes(4, "little"))
        assert (await self.access(written)).resp == AxiResp.OKAY
        assert await self.word(address) == value

    async def word(self, address):
        """The word at an address."""
        read = await self.access(self.registers.read(address, 4))
        assert read.resp == AxiResp.OKAY, hex(address)
        return int.from_bytes(read.data, "little")

    async def value(self, name):
        register = MAP[name]
        words = [await self.word(register["offset"] + at) for at in range(0, register["bits"] // 8, 4)]
        return sum(word << 32 * place for place, word in enumerate(words))

    async def set(self, register, *fields):
        """Writes ones to these fields, and zeros to the others."""
        word = sum(1 << field(register, name)["offset"] for name in fields)
        written = self.registers.write(MAP[register]["offset"], word.to_bytes(4, "little"))
        assert (await self.access(written)).resp == AxiResp.OKAY

    async def snapshot(self, *others):
        """Copies all counters, and reads them at one go."""
        await self.set("command", "snapshot", *others)
        found = {}
        for names in NEIGHBOURS:
            read = await self.access(self.registers.read(MAP[names[0]]["offset"], 8 * len(names)))
            assert read.resp == AxiResp.OKAY
            words = [read.data[at : at + 8] for at in range(0, len(read.data), 8)]
            found |= {name: int.from_bytes(word, "little") for name, word in zip(names, words)}
        return found

    async def drain(self):
        while not self.source.idle():
            await RisingEdge(self.dut.clk)
        await ClockCycles(self.dut.clk, SETTLED)


@cocotb.test()
async def registers_say_what_the_core_is(dut):
    bench = Registers(dut)
    await bench.reset(all_ports=False)
    for name, register in MAP.items():
        word = await bench.value(name)
        for part in register.get("fields", []):
            found = word >> part["offset"] & (1 << part["width"]) - 1
            assert found == part["reset"], f"{name}.{part['name']} is {found:#x}"
        if name in COUNTERS:
            assert word == 0, name
    config = await bench.value("config")
    assert config & 0xFF == LANES and config >> 8 & 0xFF == CONFIG["counter_width"]
    assert config >> 16 & 1 == (CONFIG["mode"] != "snoop")
    assert config >> 17 & 1 == (CONFIG["form"] == "free")
    widths = await bench.value("widths")
    stated = [CONFIG["id_width"], CONFIG["dest_width"], CONFIG["user_width"]]
    assert list(widths.to_bytes(4, "little")) == [*stated, CONFIG["verdict_width"] // 8]


@cocotb.test(skip=FLOWS)
@cocotb.parametrize(idle=SHARES, stall=SHARES)
async def counters_are_those_of_whole_packets(dut, idle, stall):
    """Copied at any time while packets come: the counters are those of the packets so far, none of them in part."""
    bench = Registers(dut, idle, stall, bus=idle)
    await bench.reset()
    sent = many_packets()
    expected = list(after_each(sent))
    for packet in sent:
        bench.source.send_nowait(frame(packet, 0))
    seen = set()
    while not bench.source.idle():
        found = await bench.snapshot()
        assert found == expected[found["packets"]], found
        seen.add(found["packets"])
    await ClockCycles(dut.clk, SETTLED)
    found = await bench.snapshot()
    assert found == expected[-1], found
    assert found["bytes"] == sum(len(text_of(packet) or b"") for packet in sent) and found["packets"] == len(sent)
    # A copy stays until the next one is made.
    bench.source.send_nowait(frame(b"more", 0))
    await bench.drain()
    assert {name: await bench.value(name) for name in COUNTERS} == found
    assert len(seen) > 2, seen


@cocotb.test()
async def nothing_is_lost_between_clears(dut):
    bench = Registers(dut, idle=0.2)
    await bench.reset()
    sent = many_packets()
    for packet in sent:
        bench.source.send_nowait(frame(packet, 0))
    total = Counter(dict.fromkeys(COUNTERS, 0))
    while not bench.source.idle():
        total.update(await bench.snapshot("clear"))
    await ClockCycles(dut.clk, SETTLED)
    total.update(await bench.snapshot("clear"))
    assert dict(total) == counts(sent)
    # By itself it clears too, and leaves the copy alone.
    bench.source.send_nowait(frame(b"\xffmore", 0))
    await bench.drain()
    found = await bench.snapshot()
    assert found == counts([b"\xffmore"])
    await bench.set("command", "clear")
    assert await bench.value("bytes") == (0 if FRAMES else 5)
    assert await bench.snapshot() == counts([])


@cocotb.test()
async def what_is_not_in_the_map_is_refused(dut):
    bench = Registers(dut)
    await bench.reset(all_ports=False)
    words = {
        register["offset"] + at: register
        for register in MAP.values()
        for at in range(0, register["bits"] // 8, 4)
    }
    near = [*range(0, 0x208, 4), 0x400, 0x800, WINDOW - 4]
    outside = [address for address in near if address not in words]
    within = [address + byte for address in words for byte in (1, 2, 3)]
    for address in outside + within:
        length = 4 - address % 4
        read = await bench.access(bench.registers.read(address, length))
        assert read.resp == AxiResp.SLVERR and not any(read.data), hex(address)
        written = await bench.access(bench.registers.write(address, bytes(length)))
        assert written.resp == AxiResp.SLVERR, hex(address)
    for address, register in words.items():
        if register["access"] == "read":
            written = await bench.access(bench.registers.write(address, b"\xff" * 4))
            assert written.resp == AxiResp.SLVERR, register["name"]
    await registers_are_reset(bench)


async def registers_are_reset(bench):
    for name, register in MAP.items():
        reset = sum(part["reset"] << part["offset"] for part in register.get("fields", []))
        assert await bench.value(name) == reset, name


@cocotb.test()
async def bytes_that_are_not_strobed_stay(dut):
    bench = Registers(dut)
    await bench.reset()
    bench.source.send_nowait(frame(b"\xff", 0))
    await bench.drain()
    writes = bench.registers.write_if

    async def strobed(name, word, strobes):
        aw, w = writes.aw_channel._transaction_obj(), writes.w_channel._transaction_obj()
        aw.awaddr, aw.awprot, w.wdata, w.wstrb = MAP[name]["offset"], 0, word, strobes
        await writes.aw_channel.send(aw)
        await writes.w_channel.send(w)
        answer = await bench.access(writes.b_channel.recv())
        assert int(answer.bresp) == AxiResp.OKAY

    # The master's own coroutine would take the answers.
    writes._process_write_resp_cr.cancel()
    for strobes in (0b1110, 0b0000):
        await strobed("control", 0, strobes)
        assert await bench.value("control") == 1
        await strobed("command", 0xFFFFFFFF, strobes)
        assert await bench.value("packets") == 0
    await strobed("control", 0xFFFFFFFE, 0b0001)
    assert await bench.value("control") == 0
    await strobed("command", 1 << field("command", "snapshot")["offset"], 0b0001)
    assert await bench.value("packets") == 1


@cocotb.test()
@cocotb.parametrize(pauses_of_the_bus=[0.0, 0.5, 0.9])
async def accesses_of_any_order_are_each_answered(dut, pauses_of_the_bus):
    """Reads and writes at once and back to back, addresses before and after their data, answers that wait for ready."""
    bench = Registers(dut, bus=pauses_of_the_bus)
    await bench.reset()
    rng = random.Random(SEED)
    control = MAP["control"]["offset"]

    async def writes():
        for _ in range(40):
            word = rng.getrandbits(1)
            written = await bench.access(bench.registers.write(control, bytes([word, 0, 0, 0])))
            assert written.resp == AxiResp.OKAY
            assert await bench.word(control) == word

    async def reads():
        for _ in range(40):
            name = rng.choice(["id", "version", "config", "widths"])
            expected = sum(part["reset"] << part["offset"] for part in MAP[name]["fields"])
            assert await bench.value(name) == expected

    # Eight words of one request: the master has two of each channel on their way.
    async def bursts():
        for _ in range(10):
            read = await bench.access(bench.registers.read(MAP["packets"]["offset"], 32))
            assert read.resp == AxiResp.OKAY and not any(read.data)

    await gather(writes(), reads(), bursts())


@cocotb.test(skip=FLOWS)
async def a_soft_reset_drops_what_is_in_the_core(dut):
    bench = Registers(dut)
    await bench.reset()
    await bench.set("control", "enable")
    whole = b"before\xff"
    bench.source.send_nowait(frame(whole, 0))
    await bench.drain()
    # If the rest is good, what a memory kept of it would come out before that.
    cut = bytes((b"A" if LIMIT else b"\xc3") * 20 * LANES)
    bench.source.send_nowait(frame(cut, 0))
    beats = await bench.pause_within_a_packet()
    await bench.set("command", "soft_reset")
    # The bus and the registers are as they were, and it is over.
    assert await bench.value("command") == 0 and await bench.value("control") == 1
    assert await bench.snapshot() == counts([whole])
    bench.source.pause = False
    await bench.drain()
    sent = [whole, cut[beats * LANES :]]
    assert await bench.snapshot() == counts(sent)
    bench.source.send_nowait(frame(b"after", 0))
    await bench.drain()
    assert await bench.snapshot() == counts([*sent, b"after"])
    if LIMIT >= 20:
        # Nothing of the cut packet was out when the reset came, and only its rest comes out later.
        for packet in [*sent, b"after"]:
            if not is_dropped(packet):
                got = await bench.access(bench.sinks["m_axis"].recv())
                assert bytes(got.tdata) == packet
        assert bench.sinks["m_axis"].empty()


@cocotb.test(skip=FLOWS)
async def enable_is_of_packets_that_begin(dut):
    bench = Registers(dut)
    await bench.reset()
    longs = [bytes([byte]) * 20 * LANES for byte in b"\xff\xfe\xfd"]
    bench.source.send_nowait(frame(longs[0], 0))
    await bench.pause_within_a_packet()
    await bench.set("control")
    bench.source.pause = False
    await bench.drain()
    # The one under way was judged, the next one is not.
    assert await bench.snapshot() == counts(longs[:1])
    bench.source.send_nowait(frame(b"\xffshort", 0))
    await bench.drain()
    bench.source.send_nowait(frame(longs[1], 0))
    await bench.pause_within_a_packet()
    await bench.set("control", "enable")
    bench.source.pause = False
    await bench.drain()
    assert await bench.snapshot() == counts(longs[:1])
    bench.source.send_nowait(frame(longs[2], 0))
    await bench.drain()
    assert await bench.snapshot() == counts([longs[0], longs[2]])
    # A packet that was not judged has no verdict, and passes unchanged.
    verdicts = bench.sinks["m_axis_verdict"]
    assert verdicts.count() == 2
    if "m_axis" in bench.sinks:
        is_bad = int(judge(longs[0])[0])
        for packet, mark in ((longs[0], is_bad), (b"\xffshort", 0), (longs[1], 0), (longs[2], is_bad)):
            # What was not judged is not dropped, either.
            if mark and is_dropped(packet):
                continue
            got = await bench.access(bench.sinks["m_axis"].recv(compact=False))
            assert bytes(b for b, keep in zip(got.tdata, got.tkeep) if keep) == packet
            assert got.tuser[-1] & 1 == mark
        assert bench.sinks["m_axis"].empty()


if FRAMES and "ports" in CONFIG:

    @cocotb.test()
    async def ports_are_judged_while_the_table_has_them(dut):
        """All ports while the register says so; else those of the entries, each of which has a protocol, sides and a range."""
        from frames_faults import Faults

        bench = Registers(dut)
        await bench.reset()
        maker = Faults(SEED)
        for _ in range(40):
            maker.add("ports", maker.lower() / maker.udp(sport=maker.rng.randrange(4), dport=maker.rng.randrange(4)), maker.text())
            if OPEN:
                maker.add("ports", maker.lower() / maker.tcp(sport=maker.rng.randrange(4), dport=maker.rng.randrange(4)), maker.text())
        found = await bench.snapshot()
        for turn in range(12):
            rows = {}
            for index in random.Random(turn).sample(range(16), turn % 4):
                low, high, bits = (maker.rng.randrange(size) for size in (4, 4, 16))
                rows[index] = (bits, low, high)
            is_all = turn % 5 == 0
            for index in range(16):
                bits, low, high = rows.get(index, (0, 0, 0))
                await bench.put(f"port_{index}_range", high << 16 | low)
                await bench.put(f"port_{index}_match", bits)
            await bench.put("ports", is_all)
            for packet in maker.frames:
                bench.source.send_nowait(frame(packet, 0))
            await bench.drain()
            now = await bench.snapshot()
            judged = sum(is_all or is_in(rows.values(), *ports_of(packet)) for packet in maker.frames)
            assert now["judged"] - found["judged"] == judged, (rows, is_all)
            assert now["unjudged_port"] - found["unjudged_port"] == len(maker.frames) - judged
            found = now


if "drop_unjudged" in MAP and FRAMES:

    @cocotb.test()
    async def what_is_not_judged_is_dropped_while_the_register_says_so(dut):
        """Of each reason by itself, then of all: the frames that are not judged for it do not come out, and all else does."""
        from frames_faults import Faults

        bench = Registers(dut)
        await bench.reset()
        maker = Faults(SEED)
        maker.other_types()
        maker.v4_faults()
        maker.udp_faults()
        # After a reset the table has no port.
        if "ports" in MAP:
            await bench.put("ports", 1)
        maker.rng.shuffle(maker.frames)
        every = {None: [], **{reason: [] for reason in CORE["reasons"]}}
        for packet in maker.frames:
            if len(packet) <= LIMIT * LANES:
                every[packet.reason].append(packet)
        sent = [packet for some in every.values() for packet in some[:6]]
        maker.rng.shuffle(sent)
        reasons = {CORE["reasons"][field["offset"] + 1]: field["name"] for field in MAP["drop_unjudged"]["fields"]}
        met = {packet.reason for packet in sent} - {None}
        assert len(met) > 3
        for closed in [{reason} for reason in sorted(met)] + [met, set()]:
            await bench.set("drop_unjudged", *(reasons[reason] for reason in closed))
            before = await bench.snapshot()
            for packet in sent:
                bench.source.send_nowait(frame(packet, 0))
            await bench.drain()
            dropped = [packet.reason in closed or is_dropped(packet) for packet in sent]
            for packet, is_gone in zip(sent, dropped):
                if not is_gone:
                    got = await bench.access(bench.sinks["m_axis"].recv(compact=False))
                    assert bytes(b for b, keep in zip(got.tdata, got.tkeep) if keep) == packet, packet.hex(" ")
                    assert not got.tuser[-1] & 1
            assert bench.sinks["m_axis"].empty()
            now = await bench.snapshot()
            assert now["dropped_packets"] - before["dropped_packets"] == sum(dropped)
            assert now["bad_packets"] - before["bad_packets"] == sum(judge(packet)[0] for packet in sent)


def ports_of(octets):
    """Whether a frame has TCP, and its ports, as scapy finds them."""
    from scapy.layers.inet import TCP, UDP
    from scapy.layers.l2 import Ether

    packet = Ether(octets)
    transport = packet[TCP] if TCP in packet else packet[UDP]
    return TCP in packet, transport.sport, transport.dport


def is_in(rows, is_tcp, source, destination):
    """Whether an entry (bits of UDP, TCP, source and destination, and a range) has one of a packet's ports."""
    return any(
        bits >> is_tcp & 1 and (bits & 4 and low <= source <= high or bits & 8 and low <= destination <= high)
        for bits, low, high in rows
    )


if FORBIDDEN:

    @cocotb.test()
    async def a_class_counts_while_the_register_has_it(dut):
        """A packet is looked at for the classes that the register has when it begins; others do not make it bad."""
        bench = Registers(dut)
        await bench.reset()
        register = MAP["forbid"]["offset"]
        classes = [1 << bit for bit, _ in FORBIDDEN]
        sent = [text for text in many_packets() if judge(text)[1]]
        expected = Counter()
        for mask in [0, *classes, 0xFF]:
            written = bench.registers.write(register, mask.to_bytes(4, "little"))
            assert (await bench.access(written)).resp == AxiResp.OKAY
            assert await bench.word(register) == mask & sum(classes)
            for packet in sent:
                bench.source.send_nowait(frame(packet, 0))
                met = judge(packet)[1] & mask
                is_ill = any(reason for _, _, _, reason in pieces_of(packet))
                is_rejected = CONFIG.get("signature") == "reject" and packet.startswith(b"\xef\xbb\xbf")
                expected["bad_packets"] += bool(met or is_ill or is_rejected)
                expected.update(name for bit, name in FORBIDDEN if met >> bit & 1)
            await bench.drain()
        found = await bench.snapshot()
        assert {name: found[name] for name in expected} == expected
        assert all(expected[name] for _, name in FORBIDDEN)
        # A packet under way keeps the classes that it began with.
        text = max(sent, key=len)
        met = judge(text)[1]
        for mask, judged in [(0, 0xFF), (0xFF, 0)]:
            long = text if FRAMES else b"-" * 20 * LANES + text
            bench.source.send_nowait(frame(long, 0))
            await bench.pause_within_a_packet()
            written = bench.registers.write(register, mask.to_bytes(4, "little"))
            assert (await bench.access(written)).resp == AxiResp.OKAY
            bench.source.pause = False
            await bench.drain()
            now = await bench.snapshot()
            for bit, name in FORBIDDEN:
                assert now[name] - found[name] == (met & judged) >> bit & 1, name
            found = now


@cocotb.test()
async def a_reset_drops_a_transaction(dut):
    """In every clock of a write and of a read: no answer comes, all is reset, and the next transaction is as any other."""
    bench = Registers(dut)
    await bench.reset()
    control = MAP["control"]["offset"]
    for clocks in range(1, 28):
        await bench.set("control")
        cocotb.start_soon(bench.registers.write(control, bytes(4)))
        cocotb.start_soon(bench.registers.read(control, 4))
        await ClockCycles(dut.clk, clocks)
        dut.rst.value = 1
        await ClockCycles(dut.clk, 2)
        dut.rst.value = 0
        for _ in range(40):
            await RisingEdge(dut.clk)
            assert dut.s_axil_bvalid.value == 0 and dut.s_axil_rvalid.value == 0, clocks
        await registers_are_reset(bench)
