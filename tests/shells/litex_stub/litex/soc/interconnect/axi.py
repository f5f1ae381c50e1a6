"""LiteX's AXIStreamInterface by its fields (litex/soc/interconnect/axi/axi_stream.py)."""

from migen import Signal


class AXIStreamInterface:
    def __init__(self, data_width=0, keep_width=0, id_width=0, dest_width=0, user_width=0):
        self.valid, self.ready, self.last = Signal(), Signal(), Signal()
        self.data = Signal(data_width)
        self.keep = Signal(keep_width)
        self.id = Signal(id_width)
        self.dest = Signal(dest_width)
        self.user = Signal(user_width)
