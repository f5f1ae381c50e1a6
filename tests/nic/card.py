"""A network card of LiteX's parts with a package's block in the receive path: card.py PACKAGE

The block is between LiteEth's MAC and the logic that takes the headers off. After that comes what LiteEth has: ARP, ping, UDP; an echo of
UDP port 6000; and Etherbone on UDP port 1234, through which a host reads and writes the registers on the SoC's bus.

card.v, the constraints and the script of the tools are written to the working folder; csr.csv has the addresses on the bus. The bench
simulates the same card.v that becomes card.bit. The board is Machdyne's Mozart with a module Sechzig ML1 (LFE5U-45F-6), whose platform in
litex-boards has an RMII PHY.
"""

import importlib.util
import sys
from pathlib import Path

from litex.build.io import CRG
from litex.gen import LiteXModule
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import stream
from litex_boards.platforms.machdyne_mozart_ml1 import Platform
from liteeth.common import convert_ip, eth_phy_description
from liteeth.core.arp import LiteEthARP
from liteeth.core.icmp import LiteEthICMP
from liteeth.core.ip import LiteEthIP
from liteeth.core.udp import LiteEthUDP
from liteeth.frontend.etherbone import LiteEthEtherbone
from liteeth.mac.common import LiteEthMACCrossbar, LiteEthMACDepacketizer, LiteEthMACPacketizer
from liteeth.mac.core import LiteEthMACCore
from liteeth.mac.last_be import LiteEthMACTXLastBE
from migen import Cat, Signal

from echo import Echo, Queued
from phy import Phy

MAC_ADDRESS = 0x02_00_00_00_00_50
IP_ADDRESS = "192.168.1.50"
ECHO_PORT, ETHERBONE_PORT = 6000, 1234
BLOCK_BASE = 0x3000_0000
# The board's oscillator. A byte in each of its clocks is four times what 100 Mbit/s need.
CLOCK = 48e6
# Of headers and payloads after the MAC, in bits.
WIDTH = 8
# LiteEth's answer to ping has a FIFO in which three of the longest may be, and LiteX's FIFOs of packets must never be full.
PING_BYTES = 3 * 1536


def block_class(package):
    """The class that the package's template defines."""
    (path,) = (package / "templates").glob("*_litex.py")
    spec = importlib.util.spec_from_file_location("template", path)
    template = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(template)
    (found,) = [each for each in vars(template).values() if getattr(each, "__module__", "") == "template"]
    return found


class Judge(LiteXModule):
    """Frames of bytes from the MAC, through the block's beats, to frames of bytes without the bad ones."""

    def __init__(self, platform, package):
        self.block = block = block_class(package)(platform, rtl=str(package / "rtl"))
        lanes = len(block.sink.keep)

        self.widen = stream.StrideConverter(eth_phy_description(WIDTH), eth_phy_description(8 * lanes))
        self.sink, wide = self.widen.sink, self.widen.source
        # `last_be` has a bit for the last byte. In the bytes after the last one there may be bits of earlier frames: the first bit counts.
        keep = [1, *(~wide.last | (wide.last_be[:lane] == 0) for lane in range(1, lanes))]
        self.comb += [
            wide.connect(block.sink, keep={"valid", "ready", "last", "data"}),
            block.sink.keep.eq(Cat(keep)),
            # The MAC's mark of a frame with a wrong checksum is in the frame's last byte.
            block.sink.user.eq(wide.last & ((wide.error & block.sink.keep) != 0)),
            # The registers have the counts, so nobody reads verdicts.
            block.verdict.ready.eq(1),
        ]

        self.narrow = stream.StrideConverter(eth_phy_description(8 * lanes), eth_phy_description(WIDTH))
        # Takes away the bytes after the last one.
        self.cut = LiteEthMACTXLastBE(WIDTH)
        self.source = self.cut.source
        out, keep = block.source, Signal(lanes + 1)
        self.comb += [
            out.connect(self.narrow.sink, keep={"valid", "ready", "last", "data"}),
            # Of the last byte's lane the next one has no byte, if there is one.
            keep.eq(out.keep),
            self.narrow.sink.last_be.eq(Cat(out.last & keep[lane] & ~keep[lane + 1] for lane in range(lanes))),
            self.narrow.source.connect(self.cut.sink),
        ]


class Mac(LiteXModule):
    """LiteEth's MAC with the block in its receive path, as LiteEth's IP takes it: with a crossbar of Ethernet's types."""

    def __init__(self, platform, package, phy):
        self.core = LiteEthMACCore(phy, dw=WIDTH, rx_cdc_buffered=True, tx_cdc_buffered=True)
        self.judge = Judge(platform, package)
        self.depacketizer = LiteEthMACDepacketizer(WIDTH)
        self.packetizer = LiteEthMACPacketizer(WIDTH)
        self.crossbar = LiteEthMACCrossbar(WIDTH)
        self.comb += [
            self.core.source.connect(self.judge.sink),
            self.judge.source.connect(self.depacketizer.sink),
            self.depacketizer.source.connect(self.crossbar.master.sink),
            self.crossbar.master.source.connect(self.packetizer.sink),
            self.packetizer.source.connect(self.core.sink),
        ]


class Card(SoCMini):
    def __init__(self, package):
        platform = Platform()
        SoCMini.__init__(self, platform, int(CLOCK), bus_standard="axi-lite", ident="Runegate's network card", ident_version=False)
        self.crg = CRG(platform.request("clk48"))
        self.ethphy = Phy(platform.request("eth_clocks"), platform.request("eth"))
        platform.add_period_constraint(self.ethphy.crg.cd_eth_rx.clk, 1e9 / 50e6)

        address = convert_ip(IP_ADDRESS)
        self.mac = mac = Mac(platform, package, self.ethphy)
        self.arp = LiteEthARP(mac, MAC_ADDRESS, address, CLOCK, dw=WIDTH)
        self.ip = LiteEthIP(mac, MAC_ADDRESS, address, self.arp.table, with_broadcast=False, dw=WIDTH)
        pings, datagrams = Queued(self.ip), Queued(self.ip)
        self.icmp = LiteEthICMP(pings, address, dw=WIDTH, fifo_depth=PING_BYTES)
        self.udp = LiteEthUDP(datagrams, address, dw=WIDTH)
        self.pings, self.datagrams = pings.queue, datagrams.queue
        self.echo = Echo(self.udp.crossbar.get_port(ECHO_PORT, WIDTH), ECHO_PORT)

        # One record of Etherbone has at most as many words as fit into its buffer.
        self.etherbone = LiteEthEtherbone(self.udp, ETHERBONE_PORT, buffer_depth=64)
        self.bus.add_master("etherbone", self.etherbone.wishbone.bus)
        region = SoCRegion(origin=BLOCK_BASE, size=0x1000, cached=False)
        self.bus.add_slave("block", mac.judge.block.registers, region)


def main():
    card = Card(Path(sys.argv[1]).resolve())
    builder = Builder(card, output_dir=".", gateware_dir=".", compile_software=False, csr_csv="csr.csv")
    # As LiteX's own simulator has it.
    builder.build(build_name="card", run=False, regular_comb=False)


if __name__ == "__main__":
    main()
