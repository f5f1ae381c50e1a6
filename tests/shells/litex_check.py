"""Builds the LiteX template of a package, and compares its instance with the core's signature: litex_check.py PACKAGE MODULE"""

import importlib.util
import json
import sys
from pathlib import Path

from litex.soc.interconnect.axi import AXIStreamInterface

package, module = Path(sys.argv[1]), sys.argv[2]
spec = importlib.util.spec_from_file_location("template", package / f"templates/{module}_litex.py")
template = importlib.util.module_from_spec(spec)
spec.loader.exec_module(template)
classes = [each for name, each in vars(template).items() if getattr(each, "__module__", "") == "template"]
assert len(classes) == 1, classes


class Platform:
    sources = []

    def add_source(self, path):
        self.sources.append(path)


signature = json.loads((package / f"rtl/{module}.json").read_text())
widths = {port["name"]: port["width"] for port in signature["ports"]}
platform = Platform()
streams = []
if signature["config"].get("mode") == "snoop":
    fields = ["data", "keep", "id", "dest", "user"]
    streams = [AXIStreamInterface(*(widths.get(f"s_axis_t{field}", 0) for field in fields))]
core = classes[0](platform, *streams, rtl=str(package / "rtl"))
assert [Path(path).is_file() for path in platform.sources] == [True], platform.sources
(instance,) = core.specials
assert instance.of == module
ports = {
    ("i_" if port["direction"] == "input" else "o_") + port["name"]: port["width"]
    for port in signature["ports"]
}
given = {name: signal.width for name, signal in instance.ports.items()}
assert given == ports, (given, ports)
print("as the signature says")
