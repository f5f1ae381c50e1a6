"""Frames that break one rule each, and of which therefore no text is judged. Every length is wrong by a byte, and by each of its bits."""

from itertools import product

from scapy.layers.inet import GRE, ICMP, IP, TCP, UDP
from scapy.layers.inet6 import ICMPv6EchoRequest, IPv6
from scapy.layers.l2 import Ether
from scapy.packet import Raw

from bench import LANES, OPEN
from frames_cases import CHAINS, DESTINATION, FRAGMENT, HOP, KINDS, ROUTING, STACKS, Maker, flips, is_wanted

FULL = [kinds for kinds in CHAINS if len(kinds) == 4]
# IPv4's flags of a fragment that is not the last: without and with the reserved one.
MORE = (1, 5)
# Some protocols that carry no text of their own: ICMP, IGMP, tunnels, ESP, AH, ICMPv6, none, mobility, SCTP, UDP-Lite.
OTHERS = {1, 2, 4, 41, 47, 50, 51, 58, 59, 135, 132, 136, 139, 140, 253, 255}


def beyond(right):
    """Lengths above the right one, in 16 bits."""
    return [right + (1 << bit) for bit in range(16) if right + (1 << bit) < 1 << 16]


class Faults(Maker):
    """Adds frames with faults."""

    def add_cut(self, name, layers, text, rest, reason="malformed"):
        """IP's payload ends some bytes after these layers but the last: before the end of the frame, or with it, but for some padding."""
        upper = layers.lastlayer()
        ip = layers[IP] if IP in layers else layers[IPv6]
        length = len(ip) - len(upper) + rest
        if IP in layers:
            ip.len = length
        else:
            ip.plen = length - 40
            # IPv6 of length 0, whatever follows.
            reason = reason if ip.plen else "malformed"
        self.add(name, layers, text, reason)
        end = len(layers) - len(ip) + length
        padding = self.noise(self.rng.choice([0, 0, self.rng.randrange(8), self.rng.randrange(2 * LANES)]))
        self.put(f"{name}, in the frame, too", bytes(layers / Raw(text))[:end] + padding, None, reason)

    def v4_faults(self):
        def add(name, ip, reason="malformed", **more):
            layers = self.link() / ip / (more.pop("upper", None) or self.udp())
            self.add(name, layers, more.pop("text", self.text()), reason, **more)

        for version in {*range(16)} - {4}:
            add("another version of IPv4", self.v4(version=version))
        # Wherever UDP's header would be, there is a length that can be.
        lengths = {"id": 17, "ttl": 0, "src": "0.17.0.17", "dst": "0.17.0.17"}
        for words in range(5):
            add("a short header of IPv4", self.v4(0, ihl=words, **lengths), upper=self.udp(sport=17), text=bytes(20))
        add("more header than packet", self.v4(0, ihl=15), text=b"A")
        for options in range(11):
            header = 20 + 4 * options
            for length in (0, header - 4, header - 1):
                add("a packet shorter than its header", self.v4(options, len=length))
        for options in (0, self.rng.randrange(1, 10), 10):
            header = 20 + 4 * options
            for rest in range(8):
                self.add_cut("a packet without all of UDP's header", self.link() / self.v4(options) / self.udp(), self.text(), rest)
            text = self.text()
            right = header + 8 + len(text)
            for length in beyond(right):
                add("a packet beyond the frame", self.v4(options, len=length), text=text, tail=b"", is_short=True)
            add("a packet beyond the padding", self.v4(options, len=right + 5), text=text, tail=self.noise(4), is_short=True)
            add("a packet that has the padding", self.v4(options, len=right + 4), None, text=text, tail=self.noise(4))
        for bit, flags in product(range(13), (0, 2, 4, *MORE)):
            add("a fragment of IPv4", self.v4(flags=flags, frag=1 << bit), "ip_fragment")
        for flags, upper in product(MORE, (self.udp(), self.tcp(), ICMP())):
            add("a first fragment of IPv4", self.v4(flags=flags), "ip_fragment", upper=upper)
            add("a last fragment of IPv4", self.v4(frag=185), "ip_fragment", upper=upper)
            add("a fragment beyond the frame", self.v4(flags=flags, frag=7, len=2000), upper=upper)
        numbers = {number for number, _ in flips([6, 17], 8)} | OTHERS | set(KINDS)
        for number in sorted(numbers):
            add("another protocol in IPv4", self.v4(proto=number), "other_protocol")
        for upper in (ICMP(), IP() / self.udp(), GRE() / IP() / self.udp(), IPv6() / self.udp()):
            add("another protocol in IPv4", self.v4(), "other_protocol", upper=upper)
        # Nothing after the header, in the frame, too.
        for number in (0, 1, 41, 255):
            add("another protocol in IPv4", self.v4(proto=number), "other_protocol", upper=Raw(), text=b"", tail=b"")
        add("an empty fragment of IPv4", self.v4(proto=17, frag=1), "ip_fragment", upper=Raw(), text=b"", tail=b"")

    def v6_faults(self):
        def add(name, layers, reason="malformed", tags=None, **more):
            layers = self.link(tags) / layers / (more.pop("upper", None) or self.udp())
            self.add(name, layers, more.pop("text", self.text()), reason, **more)

        def numbered(layers, number):
            layers.lastlayer().nh = number
            return layers

        for version in {*range(16)} - {6}:
            add("another version of IPv6", self.v6(version=version))
        for _ in range(2):
            for upper in (self.udp(), self.tcp(), ICMPv6EchoRequest()):
                add("IPv6 of length 0", self.v6((), plen=0), upper=upper)
            add("IPv6 of length 0", self.v6((), nh=59), upper=Raw(), text=b"", tail=b"")
            kinds, text = self.rng.choice(CHAINS), self.text()
            headers = self.v6(kinds)
            right = len(headers) - 40 + 8 + len(text)
            for length in beyond(right):
                headers.plen = length
                add("a packet beyond the frame", headers.copy(), text=text, tail=b"", is_short=True)
            for rest in range(8):
                self.add_cut("a packet without all of UDP's header", self.link() / self.v6() / self.udp(), self.text(), rest)
        numbers = sorted({number for number, _ in flips([6, 17, *KINDS], 8)} | OTHERS)
        for number in numbers:
            add("another protocol in IPv6", numbered(self.v6(()), number), "other_protocol")
            # In both halves of eight lanes.
            for tags in ((), (0x8100,)):
                layers = numbered(self.v6(self.rng.choice(CHAINS[1:])), number)
                add("another protocol in IPv6", layers, "other_protocol", tags)
        for number in (50, 58, 59):
            layers = numbered(self.v6(self.rng.choice(CHAINS[1:])), number)
            add("another protocol in IPv6", layers, "other_protocol", upper=Raw(), text=b"", tail=b"")
        uppers = [ICMPv6EchoRequest(), IPv6() / self.udp(), IP() / self.udp(), GRE() / IP() / self.udp()]
        for upper, kinds in product(uppers, ((), self.rng.choice(FULL))):
            add("another protocol in IPv6", self.v6(kinds), "other_protocol", upper=upper)
        for kinds in self.rng.sample(CHAINS[1:], 12) + self.rng.sample(FULL, 4):
            late = numbered(self.v6(kinds), HOP) / self.extension(HOP, nh=17)
            add("late hop-by-hop options", late, "other_protocol")
        self.chains(add, numbered)
        self.cut_extensions(add)
        for before, bit in product(range(4), range(13)):
            # Whatever follows the fragment header.
            number = self.rng.choice([6, 17, 59, *KINDS])
            fragment = self.extension(FRAGMENT, offset=1 << bit, m=self.rng.randrange(2), nh=number)
            add("a fragment of IPv6", self.v6(self.chain(before)) / fragment, "ip_fragment")
        for before, number in product(range(4), (6, 17, 43, 59)):
            fragment = self.extension(FRAGMENT, m=1, nh=number)
            add("a first fragment of IPv6", self.v6(self.chain(before)) / fragment, "ip_fragment")
            layers = self.v6(self.chain(before)) / fragment
            add("an empty fragment of IPv6", layers, "ip_fragment", upper=Raw(), text=b"", tail=b"")

    def chain(self, count):
        return self.rng.choice([kinds for kinds in CHAINS if len(kinds) == count])

    def chains(self, add, numbered):
        """Chains that are too long, and some that are as long as can be."""
        for kind in (ROUTING, FRAGMENT, DESTINATION):
            for _ in range(3):
                add("a fifth extension header", self.v6(self.rng.choice(FULL)) / self.extension(kind), "too_deep")
            # Nothing is there of it, or it is a fragment's.
            full = self.v6(self.rng.choice(FULL))
            add("a fifth extension header", numbered(full, kind), "too_deep", upper=Raw(), text=b"", tail=b"")
        last = self.extension(FRAGMENT, offset=1, m=1)
        add("a fifth extension header", self.v6(self.rng.choice(FULL)) / last, "too_deep")
        for size in (5, 6, 40, 300):
            kinds = [*self.rng.choices([ROUTING, FRAGMENT, DESTINATION], k=size), 17]
            rest = b"".join(bytes(self.extension(kind, 1, nh=after)) for kind, after in zip(kinds, kinds[1:]))
            add("a chain without end", self.v6((), nh=kinds[0]) / Raw(rest), "too_deep")
        for units in ((256,) * 4, (17, 33, 128, 64), (64, 3, 18, 33, 1)):
            layers = self.v6(())
            for size in units:
                layers /= self.extension(DESTINATION, size)
            add("long extension headers", layers, "too_deep" if len(units) > 4 else None)

    def cut_extensions(self, add):
        """Extension headers that are longer than what is left."""
        for before, kind in product(range(4), KINDS):
            if kind == HOP and before:
                continue
            lower = self.v6(self.chain(before))
            units = 1 if kind == FRAGMENT else 3
            layers = lower / self.extension(kind, units)
            for rest in {0, self.rng.randrange(1, 7), 7, 8 * units - 1}:
                self.add_cut("a cut extension header", self.link() / layers, self.text(), rest)
            if kind == FRAGMENT:
                continue
            text = self.text()
            rest = 8 * units + 8 + len(text)
            for length in (rest // 8, rest // 8 + (1 << self.rng.randrange(7)), 255):
                broken = lower / self.extension(kind, units, len=length)
                add("an extension header beyond the packet", broken, text=text)

    def udp_faults(self):
        for _ in range(5):
            text, extra = self.text(), self.noise(self.rng.randrange(9))
            lower = self.lower()
            for length in (*range(8), *beyond(8 + len(text + extra))):
                self.add("UDP's length", lower / self.udp(len=length), text, "malformed", extra)

    def tcp_faults(self):
        """What is wrong in TCP, of which a core without open edges reads nothing."""
        reason = "malformed" if OPEN else "other_protocol"
        for _ in range(3 if OPEN else 1):
            lower = self.lower()
            for offset in range(5):
                self.add("TCP's offset", lower / self.tcp(dataofs=offset), self.text(), reason)
            for options in range(10):
                text = bytes(self.rng.randrange(4))
                offset = self.rng.randrange(options + 6, 16)
                self.add("TCP's offset", lower / self.tcp(options, dataofs=offset), text, reason)
                self.add("TCP's offset", lower / self.tcp(options, dataofs=options + 6), text, reason)
                to_end = lower / self.tcp(options, dataofs=options + 6) / Raw(bytes(4))
                self.add("nothing in TCP", to_end, b"", None)
            for rest in range(20):
                self.add_cut("a packet without all of TCP's header", self.lower() / self.tcp(), self.text(), rest, reason)

    def short_frames(self):
        """Frames without the last byte of IP's payload: that is what is wrong, whatever else they have."""
        more = self.extension(FRAGMENT, m=1, nh=17)
        fifth = self.v6(self.rng.choice(FULL)) / self.extension(ROUTING) / self.udp()
        lowers = [fifth, self.v4(flags=MORE[0]) / self.udp(), self.v6(()) / more / self.udp()]
        lowers += [self.v4() / upper for upper in (ICMP(), self.tcp(), self.udp(len=8))]
        lowers += [self.v6() / upper for upper in (ICMPv6EchoRequest(), self.tcp(), self.udp(len=3))]
        for layers in lowers:
            layers, text = self.link() / layers, self.text()
            # Its text was one until the frame's end.
            has_begun = OPEN and TCP in layers and is_wanted(layers)
            octets = bytes(layers / Raw(text))[:-1]
            self.put("a missing byte", octets, text, "malformed", len(layers), has_begun)
        for lower in (self.v4(), self.v6()):
            layers, text = self.link() / lower / self.udp(), self.text()
            octets = bytes(layers / Raw(text))[:-1]
            self.put("a missing byte", octets, text, "malformed", len(layers), is_wanted(layers))
        for _ in range(40):
            layers = self.link() / self.v6(self.rng.choice(CHAINS[1:]), plen=0xFFFF)
            cut = self.rng.randrange(len(layers) - len(layers[IPv6]) + 20, len(layers))
            self.put("a chain that the frame cuts", bytes(layers)[:cut], None, "malformed")

    def cuts(self):
        """Frames that are cut after each of their bytes: nothing is judged unless only padding is cut."""
        headers = [
            ((), self.v4(2), self.udp()),
            ((0x8100,), self.v6((ROUTING,)), self.udp()),
            ((0x88A8, 0x9100), self.v4(0), self.tcp(3)),
        ]
        for tags, lower, upper in headers:
            layers = self.link(tags) / lower / upper
            text = b"".join(self.text() for _ in range(40))[: 110 - len(layers)]
            frame = bytes(layers / Raw(text)) + self.noise(20)
            first = len(layers)
            for length in range(131):
                reason = "not_ip" if length < 14 + 4 * len(tags) else "malformed" if length < 110 else None
                if TCP in layers and not OPEN:
                    reason = reason or "other_protocol"
                elif not is_wanted(layers):
                    reason = reason or "port"
                has_begun = (UDP in layers or OPEN) and length > first and is_wanted(layers)
                self.put(f"cut to {length} bytes", frame[:length], text, reason, first, has_begun)
        for tags in ((*STACKS[8], 0x9100), (*STACKS[6], 0x88A8)):
            frame = bytes(self.link(tags) / self.v4() / self.udp())
            for length in range(len(frame)):
                self.put("a cut third tag", frame[:length], None, "not_ip" if length < 22 else "too_deep")
