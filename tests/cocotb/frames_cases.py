"""Ethernet frames that scapy builds, each with the text that has to be judged, or with the reason for which no text is.

The reason is that of the rule which a case breaks; no parser computes it. In frames with a text scapy's own dissection has to find the
same text. Every field that may have any value is made of bytes that UTF-8 does not have, or not there: they must not be judged.
"""

import random
from ipaddress import ip_address
from itertools import product

from scapy.config import conf
from scapy.layers.inet import IP, TCP, UDP, IPOption
from scapy.layers.inet6 import (
    HBHOptUnknown,
    IPv6,
    IPv6ExtHdrDestOpt,
    IPv6ExtHdrFragment,
    IPv6ExtHdrHopByHop,
    IPv6ExtHdrRouting,
)
from scapy.layers.l2 import ARP, Dot1AD, Dot1Q, Ether
from scapy.packet import Raw, bind_bottom_up
from scapy.utils import str2mac

from bench import LANES, OPEN, PIECES, TABLE

# A frame that scapy cannot read is an error of this file.
conf.debug_dissector = True
TAGS = {0x8100: Dot1Q, 0x88A8: Dot1AD, 0x9100: Dot1Q}
# The S-tag from before 802.1ad, which scapy does not know.
for below in (Ether, Dot1Q, Dot1AD):
    bind_bottom_up(below, Dot1Q, type=0x9100)
# Whatever the ports are, the payload is a text.
for transport in (UDP, TCP):
    transport.payload_guess.clear()
STACKS = [tags for count in range(3) for tags in product(TAGS, repeat=count)]
HOP, ROUTING, FRAGMENT, DESTINATION = 0, 43, 44, 60
KINDS = [HOP, ROUTING, FRAGMENT, DESTINATION]
# Hop-by-hop options are only directly after the fixed header.
CHAINS = [kinds for count in range(5) for kinds in product(KINDS, repeat=count) if HOP not in kinds[1:]]


# Ports at the borders of the table's entries, and another.
BORDERS = [0xFF80, *(max(0, min(0xFFFF, port)) for _, _, low, high in TABLE for port in (low - 1, low, high, high + 1))]


def is_wanted(layers, table=TABLE):
    """Whether the table has a port of these layers."""
    transport = layers[UDP] if UDP in layers else layers[TCP]
    protocol = "udp" if UDP in layers else "tcp"
    ports = {"src": transport.sport, "dst": transport.dport}
    return not table or any(
        name == protocol and low <= ports[side] <= high for name, sides, low, high in table for side in sides
    )


class Frame(bytes):
    """A frame with its text, or with the reason for which it has none."""

    name = ""
    text = None
    reason = None
    # The position of the text, also in a frame that ends too early.
    first = None
    # The bytes there that may be changed.
    repairable = b""

    def hex(self, between):
        """The frame, after what it is, for messages."""
        return f"{self.name} ({self.reason or 'judged'}), {super().hex(between)}"


def flips(numbers, bits):
    """The numbers that differ in one bit from one of these, each with that one, and are none of them."""
    near = {number ^ 1 << bit: number for number in numbers for bit in range(bits)}
    return sorted((number, of) for number, of in near.items() if number not in numbers)


def dissected(octets):
    """The payload of UDP or TCP, as scapy finds it; what follows it is of another class."""
    frame = Ether(octets)
    transport = frame[UDP] if UDP in frame else frame[TCP]
    return transport[Raw].load if Raw in transport else b""


class Maker:
    """Makes frames, and has those that it has made."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.frames = []

    def noise(self, count):
        """Bytes that make a text ill-formed, or that change it where it is cut."""
        return bytes(self.rng.choices(b"\xff\x80\xbf\xc3\xe2\xf0", k=count))

    def number(self, octets):
        return int.from_bytes(self.noise(octets), "big")

    def text(self, is_good=None):
        """Of a few characters or of some beats, well-formed or not."""
        is_good = self.rng.random() < 0.5 if is_good is None else is_good
        count = self.rng.choice([1, 2, 3, self.rng.randrange(1, LANES + 3)])
        while True:
            text = b"".join(self.rng.choices(PIECES[:4] if is_good else PIECES, k=count))
            # Those with errors may be cut anywhere, too.
            text = text if is_good else text[self.rng.randrange(3) : len(text) - self.rng.randrange(3)]
            if text and is_good == (text.decode(errors="ignore").encode() == text):
                return text

    def link(self, tags=None):
        """Addresses, and these tags or any."""
        tags = self.rng.choice(STACKS) if tags is None else tags
        addresses = self.noise(12)
        if self.rng.random() < 0.5:
            # As an extension header before UDP has them, for what may still wait for one.
            addresses = b"".join(addresses[at : at + 2] + b"\x11\x00" for at in (0, 4, 8))
        layers = Ether(dst=str2mac(addresses[:6]), src=str2mac(addresses[6:]))
        for kind in tags:
            layers.lastlayer().type = kind
            layers /= TAGS[kind](prio=7, dei=1, vlan=self.number(2) & 0xFFF)
        return layers

    def v4(self, options=None, **fields):
        """IPv4's header with some words of options; reserved and "don't fragment" are set."""
        options = self.rng.randrange(11) if options is None else options
        some = {name: self.number(octets) for name, octets in (("tos", 1), ("id", 2), ("ttl", 1), ("chksum", 2))}
        some.update((name, str(ip_address(self.noise(4)))) for name in ("src", "dst"))
        some["options"] = [IPOption(b"\xff\x80" + self.noise(4 * options - 2))] if options else []
        return IP(**{**some, "flags": 6, **fields})

    def v6(self, kinds=None, **fields):
        """IPv6's header with these extension headers, or any. The flow label is in the place of a further tag's type, and may be like one."""
        label = self.rng.choice([0x0800, 0x86DD, *TAGS, self.number(2)])
        some = {"tc": self.number(1), "fl": 0xF0000 | label, "hlim": self.number(1)}
        some.update((name, str(ip_address(self.noise(16)))) for name in ("src", "dst"))
        layers = IPv6(**{**some, **fields})
        for kind in self.rng.choice(CHAINS) if kinds is None else kinds:
            layers /= self.extension(kind)
        return layers

    def extension(self, kind, units=None, **fields):
        """An extension header of some units of 8 bytes; a fragment's is that of a whole packet."""
        if kind == FRAGMENT:
            some = {"res1": 0xFF, "res2": 3, "id": self.number(4)}
            return IPv6ExtHdrFragment(**{**some, **fields})
        units = units or self.rng.choice([1, 1, 1, 2, 3, 5])
        if kind == ROUTING:
            addresses = [str(ip_address(self.noise(16))) for _ in range(units // 2)]
            some = {"type": 0xFD, "segleft": 0xFF, "reserved": self.number(4), "addresses": addresses}
            return IPv6ExtHdrRouting(**{**some, **fields})
        left, options = 8 * units - 2, []
        while left:
            size = left if left < 258 else 250
            options.append(HBHOptUnknown(otype=0xBF, optdata=self.noise(size - 2)))
            left -= size
        return (IPv6ExtHdrHopByHop if kind == HOP else IPv6ExtHdrDestOpt)(options=options, **fields)

    def ports(self, protocol):
        """Any of the borders; of five pairs that the table has not, four are drawn again."""
        while True:
            sport, dport = self.rng.choices(BORDERS, k=2)
            layers = protocol(sport=sport, dport=dport)
            has_some = any(name == protocol.__name__.lower() for name, *_ in TABLE)
            if is_wanted(layers) or not has_some or self.rng.random() < 0.2:
                return {"sport": sport, "dport": dport}

    def udp(self, **fields):
        return UDP(**{**self.ports(UDP), "chksum": self.number(2), **fields})

    def tcp(self, options=0, **fields):
        some = {name: self.number(octets) for name, octets in (("seq", 4), ("ack", 4), ("window", 2), ("chksum", 2), ("urgptr", 2))}
        some["options"] = [(0xFF, self.noise(4 * options - 2))] if options else []
        return TCP(**{**self.ports(TCP), "reserved": 7, "flags": 0x1FF, **some, **fields})

    def lower(self):
        """Headers of either version, with anything that they may have."""
        return self.link() / (self.v4() if self.rng.random() < 0.4 else self.v6())

    def add(self, name, layers, text=b"", reason=None, extra=b"", tail=None, is_short=False):
        """Adds a frame: the headers, the text, more in IP's payload, and what pads the frame, as a rule some bytes.

        A short frame ends before IP's payload does, and nothing else is wrong with it."""
        frame = bytes(layers / Raw(text + extra))
        first = len(frame) - len(text + extra)
        if tail is None:
            pads = max(0, 60 - len(frame))
            tail = self.noise(self.rng.choice([0, pads, pads + 4, self.rng.randrange(1, 2 * LANES)]))
        if reason is None and TCP in layers and not OPEN:
            reason = "other_protocol"
        elif reason is None and not is_wanted(layers):
            reason = "port"
        elif reason is None and not text:
            reason = "no_payload"
        self.put(name, frame + tail, text, reason, first, is_short and is_wanted(layers))

    def put(self, name, octets, text, reason, first=None, has_begun=False):
        """Adds the bytes of a frame; of one that is judged, scapy has to find the same text. In a short frame the text may have begun."""
        frame = Frame(octets)
        frame.name, frame.reason = name, reason
        if reason is None or has_begun:
            frame.first, frame.repairable = first, octets[first : first + len(text)]
        if reason is None:
            frame.text = text
            assert dissected(octets) == text, frame.hex(" ")
        self.frames.append(frame)

    def tags(self, count):
        return self.rng.choices(list(TAGS), k=count)

    def headers(self):
        """Every combination of headers, around well-formed and ill-formed texts."""
        for count, options, is_good in product(range(3), range(11), (True, False)):
            self.add("IPv4, UDP", self.link(self.tags(count)) / self.v4(options) / self.udp(), self.text(is_good))
        for count, kinds in product(range(3), CHAINS):
            self.add("IPv6, UDP", self.link(self.tags(count)) / self.v6(kinds) / self.udp(), self.text())
        # A core that judges no segments needs fewer of them.
        step = 1 if OPEN else 8
        for place, (options, words) in enumerate([*product(range(11), range(11))][::step]):
            self.add("IPv4, TCP", self.link(self.tags(place % 3)) / self.v4(options) / self.tcp(words), self.text())
        for place, kinds in enumerate(CHAINS[:: step * 2]):
            upper = self.tcp(self.rng.randrange(11))
            self.add("IPv6, TCP", self.link(self.tags(place % 3)) / self.v6(kinds) / upper, self.text())

    def ends(self):
        """Texts that end before IP's payload does, and none."""
        for tags in STACKS:
            for lower in (self.v4(), self.v6()):
                text, extra = self.text(), self.noise(self.rng.randrange(1, 2 * LANES))
                self.add("nothing in UDP", self.link(tags) / lower / self.udp())
                self.add("nothing in UDP, and more", self.link(tags) / lower / self.udp(len=8), b"", extra=extra)
                self.add("nothing in TCP", self.link(tags) / lower / self.tcp(self.rng.randrange(11)))
                self.add("more after UDP", self.link(tags) / lower / self.udp(len=8 + len(text)), text, extra=extra)

    def other_types(self):
        known = [0x0800, 0x86DD, *TAGS]
        for (kind, of), count in product(flips(known, 16), range(3)):
            link = self.link(self.tags(count))
            link.lastlayer().type = kind
            inner = Dot1Q(vlan=0xF80) if of in TAGS else None
            lower = self.v6() if of == 0x86DD else self.v4()
            self.add("another type", (link / inner if inner else link) / lower / self.udp(), self.text(), "not_ip")
        for kind in (0, 46, 1500, 0x88CC, 0x8847, 0x8864, 0x88E5, 0xFFFF):
            link = self.link()
            link.lastlayer().type = kind
            self.add("another type", link / self.v4() / self.udp(), self.text(), "not_ip")
        for tags in STACKS:
            self.add("ARP", self.link(tags) / ARP(), b"", "not_ip")
            link = self.link(tags)
            link.lastlayer().type = 0x0806
            self.add("another type, and nothing", link, b"", "not_ip", tail=b"")
        for tags in product(TAGS, repeat=3):
            tags = [*tags, 0x8100] if self.rng.random() < 0.2 else tags
            self.add("a third tag", self.link(tags) / self.v4() / self.udp(), self.text(), "too_deep")
