"""Mixed traffic through the core in Corundum's application block or in OpenNIC's user box: exactly the bad texts of syslog and HTTP are
marked, or with RUNEGATE_DROPS missing, and nothing else is changed.

The frames are scapy's, and each is what its protocol sends. `tests/shells/corundum.v` is the block, with one port, and
`tests/shells/opennic.v` the box, around the template of a package for the ports udp:514 and tcp:80-81. CPython decides which texts are bad.
"""

import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource
from scapy.layers.dhcp import BOOTP, DHCP
from scapy.layers.dns import DNS, DNSQR
from scapy.layers.inet import GRE, ICMP, IP, TCP, UDP, fragment
from scapy.layers.inet6 import ICMPv6ND_NS, IPv6, IPv6ExtHdrDestOpt
from scapy.layers.l2 import ARP, Dot1AD, Dot1Q, Ether
from scapy.layers.ntp import NTP
from scapy.layers.vxlan import VXLAN
from scapy.packet import Raw

GOOD = "<34>1 su: caf\u00e9 \u20ac \U0001f600\n".encode()
BAD = b"<34>1 su: caf\xe9 \xc0\xaf \xff\n"
# A handshake of TLS, a packet of QUIC and a greeting of SSH; each has bytes that are no text.
HELLO = bytes.fromhex("16030102000100 01fc0303") + bytes(range(128, 256))
QUIC = bytes.fromhex("c300000001088394c8f03e515708") + bytes(range(256))
SSH = b"SSH-2.0-OpenSSH_9.6\r\n" + bytes(range(200, 256))


def is_bad(text):
    """Whether a segment is bad. A character that its ends cut is no error: other bytes before or after it would complete it."""
    heads = [b"", b"\xc2", b"\xe1", b"\xe1\x80", b"\xf1", b"\xf1\x80", b"\xf1\x80\x80"]
    tails = [b"", b"\x80", b"\x80\x80", b"\x80\x80\x80", b"\xa0\x80", b"\x90\x80\x80"]

    def is_text(octets):
        try:
            return octets.decode() is not None
        except UnicodeDecodeError:
            return False

    return not any(is_text(head + text + tail) for head in heads for tail in tails)


def others():
    """What carries no text on these ports, all of it with bytes that UTF-8 does not have."""
    ip, ip6 = IP(src="10.0.0.1", dst="10.0.0.2"), IPv6(src="fd00::1", dst="fd00::2")
    bad = Raw(BAD)
    inner = IP() / UDP(sport=514, dport=514) / bad
    yield ARP(op=2, psrc="255.254.253.252")
    yield ip / ICMP() / bad
    yield ip6 / ICMPv6ND_NS(tgt="fd00::ff")
    yield Raw(bytes([2, 7, 4, 0xFF, 0xC0, 0x80, 0xFE]))
    yield ip / UDP(sport=0xC0FF, dport=53) / DNS(id=0xFFFE, qd=DNSQR(qname="example.org"))
    yield ip / UDP(sport=123, dport=123) / NTP()
    yield ip / UDP(sport=68, dport=67) / BOOTP(chaddr=b"\xff" * 6) / DHCP(options=[("message-type", "discover"), "end"])
    for port, octets in ((443, HELLO), (22, SSH), (8080, BAD), (79, BAD), (82, BAD)):
        yield ip / TCP(sport=50000, dport=port, flags="PA") / Raw(octets)
        yield ip6 / TCP(sport=port, dport=50000, flags="PA") / Raw(octets)
    for port, octets in ((443, QUIC), (513, BAD), (515, BAD), (80, BAD), (81, BAD)):
        yield ip / UDP(sport=50000, dport=port) / Raw(octets)
    yield ip / TCP(sport=50000, dport=514, flags="PA") / bad
    yield ip / TCP(sport=50000, dport=80, flags="S", options=[("MSS", 1460)])
    yield from fragment(ip / UDP(sport=514, dport=514) / Raw(BAD * 4), fragsize=64)
    yield ip / GRE() / inner
    yield ip / UDP(sport=4789, dport=4789) / VXLAN() / Ether() / inner
    yield ip / ip / UDP(sport=514, dport=514) / bad


def texts(rng):
    """Syslog and HTTP in IPv4 and IPv6, with texts that are good, bad and cut."""
    ip, ip6 = IP(src="10.0.0.1", dst="10.0.0.2"), IPv6(src="fd00::1", dst="fd00::2")
    for text in (GOOD, BAD, GOOD[:15], GOOD[3:], GOOD[-4:], b"GET / HTTP/1.1\r\n\r\n", b"\xff"):
        for lower in (ip, ip6, ip6 / IPv6ExtHdrDestOpt()):
            for ports in ({"sport": 514, "dport": 50000}, {"sport": 50000, "dport": 514}):
                yield lower / UDP(**ports), text
            for ports in ({"sport": 80, "dport": 50000}, {"sport": 50000, "dport": 81}):
                yield lower / TCP(**ports, flags="PA", options=[("NOP", None)] * rng.randrange(9)), text
    # Nearly as long as Ethernet allows, and bad in the last byte.
    for text in (GOOD * 57, GOOD * 57 + b"\xff"):
        yield ip / UDP(sport=50000, dport=514), text


def traffic(rng):
    """The frames in any order, each with whether it has to be marked."""
    frames = []
    for layers in others():
        frames.append((layers, False))
    for layers, text in texts(rng):
        frames.append((layers / Raw(text), is_bad(text)))
    rng.shuffle(frames)
    for layers, bad in frames:
        link = Ether(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
        for tag in rng.choice([(), (), (Dot1Q(vlan=0xF80),), (Dot1AD(vlan=7), Dot1Q(vlan=9))]):
            link /= tag
        if isinstance(layers, Raw):
            link.lastlayer().type = 0x88CC
        octets = bytes(link / layers)
        # What pads a short frame must not be judged.
        yield octets + b"\xff" * max(0, 60 - len(octets)), bad


# If a frame is lost, the test fails, and does not wait for it for ever.
@cocotb.test(timeout_time=40_000, timeout_unit="step")
@cocotb.parametrize(stall=[False, True])
async def exactly_the_bad_texts_are_marked(dut, stall):
    opennic = hasattr(dut, "axil_aclk")
    if opennic:
        # The box's own reset is active low, and of another clock than the streams.
        clock, pin, reset, prefixes = dut.axis_aclk, dut.mod_rstn, dut.axil_aresetn, ("s_axis_adap_rx_250mhz", "m_axis_qdma_c2h")
        cocotb.start_soon(Clock(dut.axil_aclk, 10, "step").start())
    else:
        clock, pin, reset, prefixes = dut.clk, dut.rst, dut.rst, ("s_axis_sync_rx", "m_axis_sync_rx")
    cocotb.start_soon(Clock(clock, 4, "step").start())
    rng = random.Random(1 + stall)
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, prefixes[0]), clock, reset, not opennic)
    sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, prefixes[1]), clock, reset, not opennic)
    for model in (source, sink):
        model.log.setLevel("WARNING")
    pin.value = not opennic
    await ClockCycles(clock, 8)
    pin.value = opennic
    if stall:
        source.set_pause_generator(iter(lambda: rng.random() < 0.2, None))
        sink.set_pause_generator(iter(lambda: rng.random() < 0.4, None))
    sent = []
    for octets, bad in traffic(rng):
        if opennic:
            # The destination, the source and the size of the frame. No frame comes marked.
            user = (rng.getrandbits(32) << 16 | len(octets)) << 1
        else:
            # A frame that came marked stays so. Above the mark is a time stamp.
            user = rng.getrandbits(96) << 1 | (rng.random() < 0.1)
        sent.append((octets, user, bad))
        source.send_nowait(AxiStreamFrame(octets, tuser=user >> opennic))
    drops = "RUNEGATE_DROPS" in os.environ
    marked = 0
    for octets, user, bad in sent:
        marked += bad
        # A frame that comes with a mark is dropped, too.
        if drops and (bad or user & 1):
            continue
        got = await sink.recv()
        assert bytes(got.tdata) == octets
        users = got.tuser if isinstance(got.tuser, list) else [got.tuser]
        assert users[-1] == user | bad, (octets.hex(" "), bad)
        assert {one >> 1 for one in users} == {user >> 1}
    await ClockCycles(clock, 1000)
    assert sink.empty()
    # Each sort of header has bad texts and good ones.
    assert marked > 20 and len(sent) - marked > 60
