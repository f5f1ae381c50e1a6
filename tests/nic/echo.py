"""An echo of a UDP port, on LiteEth's streams."""

from liteeth.common import eth_udp_user_description
from litex.gen import LiteXModule
from litex.soc.interconnect.packet import PacketFIFO
from migen import If, Mux, Signal

# At most this many bytes and datagrams wait for their turn to be sent.
BYTES, DATAGRAMS = 4096, 64


class Echo(LiteXModule):
    """Sends each datagram of a port back to where it came from.

    A datagram for which there is no room when it begins is dropped whole, and so is one that ends too early. So the receive path never waits for the transmit path: an answer
    to ARP must come in for the first datagram to go out.
    """

    def __init__(self, port, number):
        self.fifo = fifo = PacketFIFO(eth_udp_user_description(8), BYTES, DATAGRAMS, buffered=True)
        source, sink = port.source, port.sink
        first, took, takes, count = Signal(reset=1), Signal(), Signal(), Signal(16)
        # An empty datagram is a byte that does not count.
        fits = fifo.param_fifo.sink.ready & (fifo.payload_fifo.level + source.length < BYTES)
        self.comb += [
            takes.eq(Mux(first, fits, took)),
            source.connect(fifo.sink, omit={"valid", "ready", "dst_port"}),
            fifo.sink.valid.eq(source.valid & takes),
            source.ready.eq(fifo.sink.ready | ~takes),
            # The frame may end before its headers say: LiteEth takes the first fragment of a datagram for all of it.
            fifo.sink.dst_port.eq(count + 1 >= source.length),
        ]
        self.sync += If(
            source.valid & source.ready,
            first.eq(source.last),
            took.eq(takes),
            count.eq(count + 1),
            If(source.last, count.eq(0)),
        )
        is_whole = fifo.source.dst_port[0]
        self.comb += [
            fifo.source.connect(sink, omit={"valid", "ready", "src_port", "dst_port", "error"}),
            sink.valid.eq(fifo.source.valid & is_whole),
            fifo.source.ready.eq(sink.ready | ~is_whole),
            sink.src_port.eq(number),
            sink.dst_port.eq(fifo.source.src_port),
        ]
