"""Queues on LiteEth's streams, so that the receive path never waits for the transmit path, and an echo of a UDP port."""

from types import SimpleNamespace

from litex.gen import LiteXModule
from litex.soc.interconnect import stream
from litex.soc.interconnect.packet import PacketFIFO
from migen import If, Mux, Signal

# The most bytes and packets that wait in a queue, and the most bytes of a packet.
BYTES, PACKETS, MOST = 4096, 64, 1500
# Bytes that pad a short frame may come after a packet's own ones.
PADDING = 64


class Queue(LiteXModule):
    """A FIFO of whole packets of a byte's width, each with its `length`.

    A packet for which there is no room when it begins is dropped, and so is one that is too long, or that ends too early: LiteEth takes the
    first fragment of a datagram for all of it. What follows the queue may wait for long, as for an answer to ARP.
    """

    def __init__(self, description):
        marked = stream.EndpointDescription(description.payload_layout, [*description.param_layout, ("is_whole", 1)])
        self.fifo = fifo = PacketFIFO(marked, BYTES, PACKETS, buffered=True)
        # From registers: whether a packet fits is known after LiteEth has compared its headers, and what comes out of a block RAM takes a
        # quarter of a clock.
        self.enter, self.out = enter, out = stream.Buffer(description), stream.Buffer(description)
        self.sink, self.source = enter.sink, out.source
        sink = enter.source
        first, took, takes, count = Signal(reset=1), Signal(), Signal(), Signal(16)
        fits = fifo.param_fifo.sink.ready & (sink.length <= MOST) & (fifo.payload_fifo.level < BYTES - MOST - PADDING)
        self.comb += [
            takes.eq(Mux(first, fits, took)),
            sink.connect(fifo.sink, omit={"valid", "ready"}),
            fifo.sink.is_whole.eq(count + 1 >= sink.length),
            fifo.sink.valid.eq(sink.valid & takes),
            sink.ready.eq(fifo.sink.ready | ~takes),
            fifo.source.connect(out.sink, omit={"valid", "ready", "is_whole"}),
            out.sink.valid.eq(fifo.source.valid & fifo.source.is_whole),
            fifo.source.ready.eq(out.sink.ready | ~fifo.source.is_whole),
        ]
        self.sync += If(
            sink.valid & sink.ready,
            first.eq(sink.last),
            took.eq(takes),
            count.eq(count + 1),
            If(sink.last, count.eq(0)),
        )


class Queued:
    """LiteEth's IP for a protocol that may have to wait: its port has a queue, which is to be a submodule."""

    def __init__(self, ip):
        self.ip, self.crossbar, self.queue = ip, self, None

    def get_port(self, protocol, width):
        port = self.ip.crossbar.get_port(protocol, width)
        self.queue = Queue(port.source.description)
        self.queue.comb += port.source.connect(self.queue.sink)
        return SimpleNamespace(sink=port.sink, source=self.queue.source)


class Echo(LiteXModule):
    """Sends each datagram of a UDP port back to where it came from."""

    def __init__(self, port, number):
        self.queue = queue = Queue(port.source.description)
        source, sink = queue.source, port.sink
        self.comb += [
            port.source.connect(queue.sink),
            source.connect(sink, omit={"src_port", "dst_port", "error"}),
            sink.src_port.eq(number),
            sink.dst_port.eq(source.src_port),
        ]
