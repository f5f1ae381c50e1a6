"""Builds the LiteX template of a package, and compares its instance with the core's signature: litex_check.py PACKAGE MODULE"""

import importlib.util
import json
import sys
from pathlib import Path

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


platform = Platform()
core = classes[0](platform, rtl=str(package / "rtl"))
assert [Path(path).is_file() for path in platform.sources] == [True], platform.sources
(instance,) = core.specials
assert instance.of == module
ports = {
    ("i_" if port["direction"] == "input" else "o_") + port["name"]: port["width"]
    for port in json.loads((package / f"rtl/{module}.json").read_text())["ports"]
}
given = {name: signal.width for name, signal in instance.ports.items()}
assert given == ports, (given, ports)
print("as the signature says")
