"""LiteEth's RMII PHY, with what LiteEth 2024.12 lacks for a PHY of a byte at four clocks.

LiteEth's gap between frames counts clocks as if each took a byte, so it sends frames 72 bit times apart; and its check of a frame's
checksum looks only at the bytes that `last_be` names, which its PHYs of 8 bits leave at 0, so it finds no frame wrong.
"""

from litex.gen import ClockDomainsRenamer, LiteXModule
from litex.soc.interconnect import stream
from liteeth.common import eth_phy_description
from liteeth.mac.last_be import LiteEthMACRXLastBE
from liteeth.phy.rmii import LiteEthPHYRMII
from migen import If, Signal

# 96 bit times, in clocks of two bits.
CLOCKS = 48


class Gap(LiteXModule):
    """Lets no byte through for some clocks after a frame's last one."""

    def __init__(self, clocks):
        self.sink = sink = stream.Endpoint(eth_phy_description(8))
        self.source = source = stream.Endpoint(eth_phy_description(8))
        left = Signal(max=clocks + 1)
        self.comb += [
            sink.connect(source, omit={"valid", "ready"}),
            source.valid.eq(sink.valid & (left == 0)),
            sink.ready.eq(source.ready & (left == 0)),
        ]
        self.sync += If(left != 0, left.eq(left - 1)).Elif(sink.valid & sink.ready & sink.last, left.eq(clocks))


class Phy(LiteEthPHYRMII):
    """The PHY with a gap of its own, and with `last_be` where `last` is."""

    # LiteEth's MAC leaves the gap to the PHY.
    integrated_ifg_inserter = True

    def __init__(self, clock_pads, pads):
        # The PHY gives the clock.
        super().__init__(clock_pads, pads, refclk_cd=None)
        self.gap = ClockDomainsRenamer("eth_tx")(Gap(CLOCKS))
        self.mark = ClockDomainsRenamer("eth_rx")(LiteEthMACRXLastBE(8))
        self.comb += self.gap.source.connect(self.sink), self.source.connect(self.mark.sink)
        self.sink, self.source = self.gap.sink, self.mark.source
