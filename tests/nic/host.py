"""A host at the other end of the card's wire: frames of scapy go in, and each frame that comes back must be one that is waited for."""

import subprocess
from collections import Counter, deque
from zlib import crc32

from scapy.layers.inet import ICMP, UDP
from scapy.layers.l2 import ARP, Ether

from traffic import CARD_IP, CARD_MAC, ECHO_PORT, ETHERBONE_PORT, arp_answer, etherbone, etherbone_reply, padded

PREAMBLE = b"\x55" * 7 + b"\xd5"
# 96 bit times, in clocks of two bits.
GAP = 48
# The longest frame with its preamble, check sequence and gap, in clocks.
LONGEST = 4 * (8 + 1514 + 4 + 12)


def check_sequence(octets):
    return crc32(octets).to_bytes(4, "little")


class Wire:
    """The simulated card's pins: bytes with preambles and check sequences."""

    def __init__(self, program):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen([program], **pipes)
        self.clocks = 0
        self.least_gap = None

    def send(self, frame, check, idle=GAP, carrier=0):
        self.process.stdin.write(f"send {idle} {carrier} {(PREAMBLE + frame + check).hex()}\n")

    def run(self, clocks):
        """Goes on for so long; returns the frames that have left, and whether all that was sent is in."""
        self.process.stdin.write(f"run {clocks}\n")
        self.process.stdin.flush()
        self.clocks += clocks
        frames = []
        for line in self.process.stdout:
            word, *rest = line.split()
            if word == "ran":
                return frames, rest == ["0"]
            frames.append(self.received(int(rest[0]), rest[1]))
        raise AssertionError("the simulation has ended")

    def received(self, gap, digits):
        """A frame without what the wire has around it, all of which must be as IEEE 802.3 has it."""
        assert "x" not in digits, f"a part of a byte: {digits}"
        octets = bytes.fromhex(digits)
        assert octets.startswith(PREAMBLE), f"no preamble: {digits}"
        frame, check = octets[len(PREAMBLE) : -4], octets[-4:]
        assert check == check_sequence(frame), f"a wrong check sequence: {digits}"
        assert 60 <= len(frame) <= 1514, f"{len(frame)} bytes: {digits}"
        assert gap >= GAP, f"a gap of {2 * gap} bit times before {digits}"
        self.least_gap = min(gap, self.least_gap or gap)
        return frame

    def close(self):
        self.process.stdin.close()
        assert self.process.wait() == 0


class Host:
    """Sends frames, answers ARP, and compares every frame that comes back."""

    def __init__(self, wire, model):
        self.wire, self.model = wire, model
        # What is waited for, in its order by protocol; and how many frames of each have come.
        self.waits = {kind: deque() for kind in ("arp", "ping", "echo", "etherbone")}
        self.came = Counter()
        self.answers_arp = True
        self.answers = deque()
        self.asked_again = 0

    def send(self, frame, **line):
        """Sends a frame, and waits for what has to come back."""
        self.model.count(frame)
        check = check_sequence(frame.octets)
        self.wire.send(frame.octets, bytes(octet ^ 0x20 for octet in check) if frame.is_marked else check, **line)
        if self.model.is_answered(frame):
            self.waits[frame.kind].append(frame)

    def run(self, clocks):
        frames, is_sent = self.wire.run(clocks)
        for octets in frames:
            self.receive(octets)
        return is_sent

    def receive(self, octets):
        frame = Ether(octets)
        if ARP in frame and frame[ARP].op == 1:
            self.came["arp request"] += 1
            asked = bytes(Ether(dst="ff:ff:ff:ff:ff:ff", src=CARD_MAC) / ARP(op=1, hwsrc=CARD_MAC, psrc=CARD_IP, pdst=frame[ARP].pdst))
            # LiteEth fills the field of the address that it asks for.
            assert octets[:32] == asked[:32] and octets[38:42] == asked[38:42], frame.show(dump=True)
            if self.answers_arp:
                self.answer_arp(frame[ARP].pdst)
            return
        kind = kind_of(frame)
        assert self.waits.get(kind), f"nothing is waited for: {frame.summary()} {octets[:80].hex(' ')}"
        waited = self.waits[kind].popleft()
        self.came[kind] += 1
        if kind == "etherbone":
            length = frame[UDP].len - 8
            assert octets[:42] == bytes(etherbone_reply(length))[:42], frame.show(dump=True)
            self.answers.append(octets[42 : 42 + length])
            return
        # What pads a frame may be anything.
        reply = waited.reply
        assert octets[: len(reply)] == reply and len(octets) == len(padded(reply)), (
            f"to {waited.name}, {len(reply)} bytes: {differ(octets, reply)}"
        )

    def answer_arp(self, address):
        self.send(arp_answer(address))

    def settle(self, most=40, loses=()):
        """Until nothing is on its way and nothing has come for a while; returns how many replies have not come of what may be lost."""
        quiet = 0
        while quiet < 3:
            before = self.came.total()
            is_sent = self.run(LONGEST)
            quiet = quiet + 1 if is_sent and self.came.total() == before else 0
            assert most > 0 or not is_sent, "the card does not stop"
            most -= is_sent
        # LiteEth leaves a request unanswered that comes while it answers another or looks an address up, and a host asks again.
        unanswered = list(self.waits["arp"])
        self.waits["arp"].clear()
        for request in unanswered:
            self.asked_again += 1
            self.send(request)
            for _ in range(3):
                self.run(LONGEST)
        left = {kind: len(frames) for kind, frames in self.waits.items() if frames}
        assert set(left) <= set(loses), f"these never came: {left}"
        for kind in left:
            self.waits[kind].clear()
        return sum(left.values())


class Socket:
    """The socket that LiteX's own tool sends Etherbone's packets to, and has the answers from."""

    def __init__(self, host):
        self.host = host

    def sendto(self, octets, address):
        assert address == (CARD_IP, ETHERBONE_PORT), address
        # A probe has an answer, and so has a record with reads.
        is_probe, reads = octets[2] & 1, octets[11]
        self.host.send(etherbone(bytes(octets), is_answered=bool(is_probe or reads)))

    def recvfrom(self, _):
        for _ in range(10):
            if self.host.answers:
                return self.host.answers.popleft(), (CARD_IP, ETHERBONE_PORT)
            self.host.run(LONGEST)
        raise TimeoutError("Etherbone does not answer")


def differ(octets, expected):
    """Where two frames differ first, and what there is in them."""
    pairs = enumerate(zip(octets, expected))
    at = next((at for at, (left, right) in pairs if left != right), min(len(octets), len(expected)))
    came, wanted = (each[at : at + 40].hex(" ") for each in (octets, expected))
    return f"{len(octets)} bytes came, byte {at} is the first that differs: {came}, not {wanted}"


def kind_of(frame):
    if ARP in frame and frame[ARP].op == 2:
        return "arp"
    if ICMP in frame and frame[ICMP].type == 0:
        return "ping"
    if UDP in frame:
        return {ECHO_PORT: "echo", ETHERBONE_PORT: "etherbone"}.get(frame[UDP].sport)
    return None
