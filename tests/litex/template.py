"""The LiteX template of a package, whether its instance has the core's ports, and its registers a bus: template.py PACKAGE..."""

import importlib.util
import json
import sys
from pathlib import Path

from litex.build.generic_platform import GenericPlatform
from litex.soc.integration.soc import SoCBusHandler, SoCRegion
from litex.soc.interconnect.axi import AXIStreamInterface
from migen import Instance
from migen.fhdl.bitcontainer import value_bits_sign

FIELDS = ["data", "keep", "id", "dest", "user"]


def core_class(package):
    """The class that the template defines."""
    spec = importlib.util.spec_from_file_location("template", package / "templates/core_litex.py")
    template = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(template)
    (found,) = [each for each in vars(template).values() if getattr(each, "__module__", "") == "template"]
    return found


def signature(package):
    return json.loads((package / "rtl/core.json").read_text())


def watches(package):
    return signature(package)["config"].get("mode") == "snoop"


def input_stream(package):
    """A stream as wide as the one that the core takes or looks at."""
    widths = {port["name"]: port["width"] for port in signature(package)["ports"]}
    return AXIStreamInterface(**{f"{field}_width": widths.get(f"s_axis_t{field}", 0) for field in FIELDS})


def check(package):
    """The instance has all ports of the core's signature, each with its direction and width, and no other."""
    platform = GenericPlatform("", [], name="check")
    streams = [input_stream(package)] if watches(package) else []
    core = core_class(package)(platform, *streams, rtl=str(package / "rtl"))
    (source,) = platform.sources
    assert Path(source[0]).is_file(), source
    (instance,) = [special for special in core.get_fragment().specials if isinstance(special, Instance)]
    assert instance.of == "core", instance.of
    directions = {Instance.Input: "input", Instance.Output: "output"}
    given = {item.name: (directions[type(item)], value_bits_sign(item.expr)[0]) for item in instance.items}
    stated = {port["name"]: (port["direction"], port["width"]) for port in signature(package)["ports"]}
    assert given == stated, (package, given, stated)
    if hasattr(core, "registers"):
        for standard in ("wishbone", "axi-lite"):
            bus = SoCBusHandler(standard=standard)
            bus.add_slave("core", core.registers, SoCRegion(origin=0x3000_0000, size=0x1000))


if __name__ == "__main__":
    for package in map(Path, sys.argv[1:]):
        check(package)
    print("as the signatures say")
