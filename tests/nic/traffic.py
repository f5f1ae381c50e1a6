"""Frames for the card, each with what has to come of it: its text or the reason for which it is not judged, and the reply.

The texts are judged by CPython. A reply is what the protocol's RFC asks for, with the fields that LiteEth leaves at fixed values.
"""

import random
from collections import Counter
from dataclasses import dataclass

from scapy.layers.dns import DNS, DNSQR
from scapy.layers.inet import ICMP, IP, TCP, UDP, fragment
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.packet import Raw

CARD_MAC, CARD_IP = "02:00:00:00:00:50", "192.168.1.50"
HOST_MAC, HOST_IP, OTHER_IP = "02:00:00:00:00:01", "192.168.1.1", "192.168.1.2"
ECHO_PORT, ETHERBONE_PORT = 6000, 1234
LINK = Ether(dst=CARD_MAC, src=HOST_MAC)
BACK = Ether(dst=HOST_MAC, src=CARD_MAC)
# The longest text of a datagram in one frame.
MOST = 1472


@dataclass
class Frame:
    name: str
    octets: bytes
    # The text that the block has to judge, or why it has none. A text's port decides, once the table names one.
    text: bytes = b""
    reason: str = ""
    is_of_port: bool = True
    kind: str = ""
    reply: bytes = b""
    # Sent with a wrong check sequence.
    is_marked: bool = False


def padded(octets):
    return octets + bytes(max(0, 60 - len(octets)))


def is_text(octets):
    try:
        return octets.decode() is not None
    except UnicodeDecodeError:
        return False


class Model:
    """What the block counts, and which frames come through it."""

    def __init__(self):
        self.has_ports = False
        self.counts = Counter()

    def reason(self, frame):
        """Why the block does not judge a frame; an empty text is one reason, after the ports."""
        if frame.reason:
            return frame.reason
        if not (self.has_ports and frame.is_of_port):
            return "port"
        return "" if frame.text else "no_payload"

    def is_bad(self, frame):
        return not self.reason(frame) and not is_text(frame.text)

    def is_answered(self, frame):
        return bool(frame.kind) and not frame.is_marked and not self.is_bad(frame)

    def count(self, frame):
        counts, reason = self.counts, self.reason(frame)
        text = b"" if reason else frame.text
        counts["packets"] += 1
        counts[f"unjudged_{reason}" if reason else "judged"] += 1
        counts["bytes"] += len(text)
        # One for each character, whatever is between them.
        counts["scalars"] += len(text.decode(errors="ignore"))
        counts["bad_packets"] += self.is_bad(frame)
        if self.is_bad(frame) or frame.is_marked:
            counts["dropped_packets"] += 1
            counts["dropped_bytes"] += len(text)


def lower(**fields):
    return IP(**{"src": HOST_IP, "dst": CARD_IP, **fields})


def echo_reply(sport, text, host=HOST_IP):
    return bytes(BACK / IP(src=CARD_IP, dst=host, id=0, ttl=128) / UDP(sport=ECHO_PORT, dport=sport, chksum=0) / Raw(text))


def udp(text, sport=40000, host=HOST_IP):
    octets = bytes(LINK / lower(src=host, id=sport) / UDP(sport=sport, dport=ECHO_PORT) / Raw(text))
    name = f"UDP, {'good' if is_text(text) else 'bad'}"
    return Frame(name, padded(octets), text, kind="echo", reply=echo_reply(sport, text, host))


def etherbone(octets, is_answered):
    frame = LINK / lower() / UDP(sport=ETHERBONE_PORT, dport=ETHERBONE_PORT) / Raw(octets)
    return Frame("Etherbone", padded(bytes(frame)), octets, is_of_port=False, kind="etherbone" if is_answered else "")


def etherbone_reply(length):
    layers = IP(src=CARD_IP, dst=HOST_IP, id=0, ttl=128) / UDP(sport=ETHERBONE_PORT, dport=ETHERBONE_PORT, chksum=0)
    return BACK / layers / Raw(bytes(length))


def arp_answer(address):
    layers = ARP(op=2, hwsrc=HOST_MAC, psrc=address, hwdst=CARD_MAC, pdst=CARD_IP)
    return Frame("ARP, an answer", padded(bytes(LINK / layers)), reason="not_ip")


def arp(target=CARD_IP):
    asks = ARP(op=1, hwsrc=HOST_MAC, psrc=HOST_IP, pdst=target)
    says = ARP(op=2, hwsrc=CARD_MAC, psrc=CARD_IP, hwdst=HOST_MAC, pdst=HOST_IP)
    octets = padded(bytes(Ether(dst="ff:ff:ff:ff:ff:ff", src=HOST_MAC) / asks))
    return Frame("ARP", octets, reason="not_ip", kind="arp" if target == CARD_IP else "", reply=bytes(BACK / says))


def ping(octets, sequence=1):
    asks = lower() / ICMP(type=8, id=7, seq=sequence) / Raw(octets)
    says = IP(src=CARD_IP, dst=HOST_IP, id=0, ttl=128) / ICMP(type=0, id=7, seq=sequence) / Raw(octets)
    return Frame("ping", padded(bytes(LINK / asks)), reason="other_protocol", kind="ping", reply=bytes(BACK / says))


class Maker:
    """Makes frames at random: of all sorts, and those that are judged with good and bad texts."""

    PIECES = ["a", "é", "€", "\U0001f600", "\x00", "\x7f", "\u0800", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"]
    ERRORS = [b"\xff", b"\x80", b"\xc0\xaf", b"\xe9", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf0\x9f\x98", b"\xe0\x9f\xbf"]

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.sorts = [
            (6, self.good), (6, self.bad), (1, self.empty), (1, self.other_port), (1, self.from_the_port),
            (1, self.other_host), (2, self.tagged), (1, self.tcp), (2, self.ipv6), (1, self.fragments),
            (1, lambda: [arp()]), (1, lambda: [arp("192.168.1.99")]), (1, self.ping), (1, self.dns), (1, self.other_type),
            (2, self.wrong_check), (1, self.cut),
        ]  # fmt: skip

    def text(self, is_good=True, most=None):
        """A text of any length, or with an error somewhere in it."""
        most = most or self.rng.choice([18, 18, 18, 64, 300, MOST])
        text = b""
        while len(text) < most:
            text += self.rng.choice(self.PIECES).encode()
        text = text[:most].decode(errors="ignore").encode()
        if self.rng.random() < 0.5:
            text = text[: self.rng.randrange(1, most + 1)].decode(errors="ignore").encode()
        if not is_good:
            place = self.rng.randrange(len(text) + 1)
            text = (text[:place] + self.rng.choice(self.ERRORS) + text[place:])[:most]
            if is_text(text):
                return self.text(is_good, most)
        return text or b"a"

    def any_text(self):
        return self.text(self.rng.random() < 0.5)

    def port(self):
        return self.rng.randrange(1, 1 << 16)

    def good(self, most=None):
        return [udp(self.text(most=most), self.port())]

    def bad(self, most=None):
        return [udp(self.text(False, most), self.port())]

    def empty(self):
        return [udp(b"", self.port())]

    def plain(self, name, layers, text=b"", reason="", is_of_port=True):
        return [Frame(name, padded(bytes(layers)), text, reason, is_of_port)]

    def other_port(self):
        text = self.any_text()
        port = self.rng.choice([ECHO_PORT - 1, ECHO_PORT + 1, ECHO_PORT ^ 0x8000, 514])
        return self.plain("another port", LINK / lower() / UDP(sport=9, dport=port) / Raw(text), text, is_of_port=False)

    def from_the_port(self):
        text = self.any_text()
        return self.plain("from the port", LINK / lower() / UDP(sport=ECHO_PORT, dport=9) / Raw(text), text, is_of_port=False)

    def other_host(self):
        text = self.any_text()
        layers = lower(dst="192.168.1.51") / UDP(sport=9, dport=ECHO_PORT) / Raw(text)
        return self.plain("to another host", LINK / layers, text)

    def tagged(self):
        """The block reads tags, LiteEth does not."""
        text = self.text(self.rng.random() < 0.5, 300)
        tags = self.rng.choice([Dot1Q(vlan=7), Dot1Q(vlan=7) / Dot1Q(vlan=9)])
        return self.plain("VLAN", LINK / tags / lower() / UDP(sport=9, dport=ECHO_PORT) / Raw(text), text)

    def tcp(self):
        layers = lower() / TCP(sport=9, dport=ECHO_PORT, flags=self.rng.choice(["S", "PA"])) / Raw(self.any_text()[:1400])
        return self.plain("TCP", LINK / layers, reason="other_protocol")

    def ipv6(self):
        text = self.text(self.rng.random() < 0.5, 300)
        layers = IPv6(src="fd00::1", dst="fd00::50") / UDP(sport=9, dport=ECHO_PORT) / Raw(text)
        return self.plain("IPv6", LINK / layers, text)

    def fragments(self):
        """Of a bad text or a good one; its bytes are those of no port that the card has."""
        octets = (self.any_text() * 200)[:1000]
        parts = fragment(lower(id=5) / UDP(sport=9, dport=ECHO_PORT) / Raw(octets), fragsize=400)
        return [each for part in parts for each in self.plain("a fragment", LINK / part, reason="ip_fragment")]

    def ping(self):
        size = self.rng.choice([0, 1, 18, 56, 56, 1472])
        return [ping(self.rng.randbytes(size), self.port())]

    def dns(self):
        layers = lower() / UDP(sport=53, dport=53) / DNS(id=0xFFFE, qd=DNSQR(qname="example.org"))
        return self.plain("DNS", LINK / layers, bytes(layers[UDP].payload), is_of_port=False)

    def other_type(self):
        link = Ether(dst="01:80:c2:00:00:0e", src=HOST_MAC, type=0x88CC)
        return self.plain("another type", link / Raw(self.rng.randbytes(50)), reason="not_ip")

    def wrong_check(self):
        """Any frame, and a bit of its check sequence is wrong."""
        frame = self.rng.choice([udp(self.text()), udp(self.text(False)), arp(), ping(b"ping")])
        frame.is_marked = True
        return [frame]

    def cut(self):
        """The beginning of a frame, as a collision leaves it: what is missing are at least the last four bytes of IP's payload."""
        frame = udp(self.text(most=300))
        text = len(frame.octets.rstrip(b"\0"))
        octets = frame.octets[: self.rng.randrange(34, max(35, min(text, 42 + len(frame.text)) - 4))]
        return [Frame("cut", octets, reason="malformed", is_marked=True)]

    def any(self):
        weights, sorts = zip(*self.sorts)
        return self.rng.choices(sorts, weights)[0]()
