"""A LiteX SoC with a package's core in a stream, and its registers on the SoC's bus: soc.py PACKAGE

The SoC has no CPU. Its pins are a stream into a FIFO of LiteX's, the streams that come out, and an AXI-Lite master on the SoC's bus, where
LiteX's own registers are a second slave. soc.v and soc.json, with the addresses on the bus, are written to the working folder.
"""

import json
import sys
from pathlib import Path

from litex.build.generic_platform import GenericPlatform, Pins
from litex.build.io import CRG
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import stream
from litex.soc.interconnect.axi import AXILiteInterface

from template import core_class, input_stream, watches

BASE = 0x3000_0000


class Soc(SoCMini):
    def __init__(self, package):
        platform = GenericPlatform("", [("clk", 0, Pins(1)), ("rst", 0, Pins(1))], name="soc")
        SoCMini.__init__(self, platform, int(100e6), bus_standard="axi-lite", ident="runegate")
        self.crg = CRG(platform.request("clk"), platform.request("rst"))

        source, queued = input_stream(package), input_stream(package)
        self.fifo = stream.SyncFIFO(source.description, 4)
        self.pads(source, "s_axis", "slave")
        self.comb += source.connect(self.fifo.sink), self.fifo.source.connect(queued)
        core, rtl = core_class(package), str(package / "rtl")
        if watches(package):
            self.core = core(platform, queued, rtl=rtl)
            self.pads(queued, "m_axis", "master")
        else:
            self.core = core(platform, rtl=rtl)
            self.comb += queued.connect(self.core.sink)
            self.pads(self.core.source, "m_axis", "master")
        if hasattr(self.core, "verdict"):
            self.pads(self.core.verdict, "m_axis_verdict", "master")
        if hasattr(self.core, "registers"):
            region = SoCRegion(origin=BASE, size=0x1000, cached=False)
            self.bus.add_slave("runegate", self.core.registers, region)
            master = AXILiteInterface()
            self.pads(master, "bus", "slave")
            self.bus.add_master("pins", master)

    def pads(self, interface, name, mode):
        """Connects an interface of AXI to pins of its own."""
        self.platform.add_extension(interface.get_ios(name))
        self.comb += interface.connect_to_pads(self.platform.request(name), mode)


soc = Soc(Path(sys.argv[1]))
soc.finalize()
# As LiteX's own simulator has it: one process for all that belongs together has loops without a delay in Icarus.
soc.platform.get_verilog(soc, name="soc", regular_comb=False).write("soc.v")
scratch = soc.csr_regions["ctrl"].origin + 4
Path("soc.json").write_text(json.dumps({"base": BASE, "scratch": scratch}))
