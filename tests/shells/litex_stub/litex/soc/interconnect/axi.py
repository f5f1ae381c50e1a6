"""LiteX's interfaces by their fields (litex/soc/interconnect/axi/axi_stream.py, axi_lite.py)."""

from migen import Signal


class AXIStreamInterface:
    def __init__(self, data_width=0, keep_width=0, id_width=0, dest_width=0, user_width=0):
        self.valid, self.ready, self.last = Signal(), Signal(), Signal()
        self.data = Signal(data_width)
        self.keep = Signal(keep_width)
        self.id = Signal(id_width)
        self.dest = Signal(dest_width)
        self.user = Signal(user_width)


class Channel:
    def __init__(self, **fields):
        self.valid, self.ready = Signal(), Signal()
        for name, width in fields.items():
            setattr(self, name, Signal(width))


class AXILiteInterface:
    def __init__(self, data_width=32, address_width=32):
        self.aw, self.ar = (Channel(addr=address_width, prot=3) for _ in range(2))
        self.w = Channel(data=data_width, strb=data_width // 8)
        self.b = Channel(resp=2)
        self.r = Channel(resp=2, data=data_width)
