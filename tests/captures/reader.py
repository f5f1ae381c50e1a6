"""Reads captures: pcap in microseconds or nanoseconds and pcapng, in either byte order. Writes pcap of Ethernet.

A file that is cut or damaged is read up to that place, as most readers do.
"""

import struct

ETHERNET = 1


class Frames:
    """The frames of one capture, in order: number in the file, link type, bytes, and whether these are all that the frame had."""

    def __init__(self, path):
        self.data = path.read_bytes()
        self.frames = []
        self.is_damaged = False
        magic = self.data[:4]
        try:
            if magic == b"\x0a\x0d\x0d\x0a":
                self.read_pcapng()
            else:
                self.read_pcap(magic)
        except (struct.error, ValueError):
            self.is_damaged = True

    def frame(self, link, captured, original):
        self.frames.append((len(self.frames) + 1, link, captured, len(captured) >= original))

    def take(self, at, count):
        if count < 0 or at + count > len(self.data):
            raise ValueError
        return self.data[at : at + count]

    def read_pcap(self, magic):
        orders = {b"\xd4\xc3\xb2\xa1": "<", b"\x4d\x3c\xb2\xa1": "<", b"\xa1\xb2\xc3\xd4": ">", b"\xa1\xb2\x3c\x4d": ">"}
        order = orders.get(magic)
        if order is None:
            raise ValueError
        # The upper bits of the link type say whether there is a check sequence.
        link = struct.unpack(f"{order}I", self.take(20, 4))[0] & 0xFFFF
        at = 24
        while at < len(self.data):
            captured, original = struct.unpack(f"{order}II", self.take(at + 8, 8))
            self.frame(link, self.take(at + 16, captured), original)
            at += 16 + captured

    def read_pcapng(self):
        at, order, links = 0, "<", []
        while at < len(self.data):
            kind = self.take(at, 4)
            if kind == b"\x0a\x0d\x0d\x0a":
                order = "<" if self.take(at + 8, 4) == b"\x4d\x3c\x2b\x1a" else ">"
                links = []
            length = struct.unpack(f"{order}I", self.take(at + 4, 4))[0]
            if length < 12 or length % 4:
                raise ValueError
            body = self.take(at, length)[8:-4]
            self.block(struct.unpack(f"{order}I", kind)[0], body, order, links)
            at += length

    def block(self, kind, body, order, links):
        if kind == 1:
            links.append(struct.unpack_from(f"{order}HHI", body)[::2])
        elif kind == 6:
            interface, _, _, captured, original = struct.unpack_from(f"{order}5I", body)
            if interface >= len(links) or 20 + captured > len(body):
                raise ValueError
            self.frame(links[interface][0], body[20 : 20 + captured], original)
        elif kind == 3:
            original = struct.unpack_from(f"{order}I", body)[0]
            if not links:
                raise ValueError
            link, limit = links[0]
            captured = min(original, limit or original, len(body) - 4)
            self.frame(link, body[4 : 4 + captured], original)


def write(path, frames):
    """A capture of whole Ethernet frames: what was captured is what the wire had."""
    with path.open("wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 1 << 18, ETHERNET))
        for number, frame in enumerate(frames):
            file.write(struct.pack("<IIII", number, 0, len(frame), len(frame)))
            file.write(frame)
