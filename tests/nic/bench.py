"""Frames into the simulated card's pins, and what has to come back: bench.py PROGRAM BLOCK.json [FRAMES]

PROGRAM is the card in Verilator with wire.cpp, BLOCK.json the description of the block in it, and csr.csv is in the working folder. The
exit code is 0 if all that came back is what the protocols ask for, and if the block's registers, read over the network, count what was
sent.
"""

import json
import sys
from collections import Counter
from pathlib import Path

from host import GAP, LONGEST, Host, Socket, Wire
from litex.tools.remote.comm_udp import CommUDP
from traffic import CARD_IP, ECHO_PORT, ETHERBONE_PORT, OTHER_IP, Maker, Model, arp, ping, udp

GOOD, BAD = "good: \u00e9 \u20ac \U0001f600".encode(), b"bad: \xff"


class Registers:
    """The block's registers and LiteX's, as LiteX's own tool has them over the network."""

    def __init__(self, host, block):
        self.host = host
        self.tool = CommUDP(server=CARD_IP, csr_csv="csr.csv")
        self.tool.socket = Socket(host)
        self.fields = {each["name"]: each for each in json.loads(Path(block).read_text())["registers"]}

    def address(self, name):
        return self.tool.mems.block.base + self.fields[name]["offset"]

    def read(self, name):
        return self.tool.read(self.address(name))

    def write(self, name, *values):
        self.tool.write(self.address(name), list(values))
        self.host.settle()

    def counters(self):
        """A snapshot of all counters of the block, and what they should be."""
        self.write("command", 1)
        expected = Counter(self.host.model.counts)
        names = [name for name, field in self.fields.items() if field["bits"] == 64]
        words = [self.tool.read(self.address(name), 2) for name in names]
        return {name: low | high << 32 for name, (low, high) in zip(names, words)}, expected


def count(registers):
    """The counters must be those of the frames that were sent; of the kinds of errors only their presence is known."""
    found, expected = registers.counters()
    kinds = {"stray_continuation", "invalid_byte", "overlong", "surrogate", "too_large", "truncated", "truncated_at_end"}
    for name, value in found.items():
        if name not in kinds:
            assert value == expected[name], f"{name} is {value}, and should be {expected[name]}"
    assert bool(expected["bad_packets"]) == any(found[kind] for kind in kinds)
    return found


def main():
    program, block, *frames = sys.argv[1:]
    frames = int(frames[0]) if frames else 1500
    wire = Wire(program)
    host = Host(wire, Model())
    registers = Registers(host, block)
    maker = Maker(1)
    marked = 0

    # After a reset the table of ports is empty: nothing is judged. A wrong check sequence is dropped all the same.
    while host.run(1000) is False:
        pass
    host.send(arp())
    host.settle()
    for octets in (b"1", b"ping " * 11):
        host.send(ping(octets))
        host.settle()
    assert host.came == {"arp": 1, "ping": 2, "arp request": 1}, host.came
    for text in (GOOD, BAD):
        wrong = udp(text)
        wrong.is_marked = True
        for frame in (udp(text), wrong):
            host.send(frame)
        marked += 1
    host.settle()
    assert host.came["echo"] == 2
    assert registers.tool.probe(CARD_IP, ETHERBONE_PORT)
    assert registers.read("id").to_bytes(4, "big") == b"RUNE"
    count(registers)

    # UDP to the echo's port, and nothing else.
    registers.write("port_0_range", ECHO_PORT << 16 | ECHO_PORT, 1 | 8)
    host.model.has_ports = True
    table = [registers.read(name) for name in ("port_0_range", "port_0_match", "ports")]
    assert table == [ECHO_PORT << 16 | ECHO_PORT, 9, 0], table

    # All sorts of frames, back to back.
    sorts = Counter()
    for index in range(frames):
        for frame in maker.any():
            marked += frame.is_marked
            sorts[frame.name] += 1
            host.send(frame, idle=GAP, carrier=index % 4)
        if index % 20 == 0:
            host.run(20 * 336)
    host.settle(most=400)
    count(registers)
    print(f"nic: {dict(sorts)} at random")

    # Minimum frames back to back, two thirds of them good.
    came, good = host.came["echo"], 0
    for index in range(frames):
        (frame,) = maker.good(18) if index % 3 else maker.bad(18)
        good += index % 3 > 0
        host.send(frame)
    host.settle(most=400)
    assert host.came["echo"] == came + good

    # Of a host that does not answer ARP the echo keeps 64 datagrams, or one or two more on their way, and drops the others whole. The card
    # receives meanwhile, and answers ARP itself.
    host.answers_arp = False
    answered = host.came["arp"]
    for _ in range(100):
        host.send(udp(GOOD, host=OTHER_IP))
    host.send(arp())
    while not host.run(LONGEST):
        pass
    host.run(LONGEST)
    assert host.came["arp"] == answered + 1 and host.came["arp request"] == 2
    host.answers_arp = True
    host.answer_arp(OTHER_IP)
    lost = host.settle(loses=("echo",))
    assert 33 <= lost <= 36, lost
    found = count(registers)

    assert host.asked_again * 10 <= host.came["arp"], f"{host.asked_again} of {host.came['arp']} ARP requests were sent again"
    litex = registers.tool.regs
    errors, preambles = litex.mac_core_rx_datapath_crc_errors.read(), litex.mac_core_rx_datapath_preamble_errors.read()
    assert (errors, preambles) == (marked, 0), (errors, marked, preambles)
    print(f"nic: {found['packets']} frames into the pins; {dict(host.came)} came back, none that should not")
    print(f"nic: {host.asked_again} ARP requests were sent twice; {lost} datagrams found no room in the echo")
    print(f"nic: {found['judged']} texts judged, {found['bad_packets']} bad; {found['dropped_packets']} frames dropped")
    print(f"nic: most words of the block's memory in use: {registers.read('most_words')}; least gap: {2 * wire.least_gap} bit times")
    wire.close()


if __name__ == "__main__":
    main()
