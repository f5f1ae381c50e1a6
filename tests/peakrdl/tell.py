"""What a register description says, read by tools that nobody here wrote: the registers and fields, one a line.

An argument that ends with `.rdl` is read by systemrdl-compiler, and one with `.xml` as IP-XACT 1685-2014.
"""

import sys
from xml.etree import ElementTree

from systemrdl import RDLCompiler

PROPERTIES = ["singlepulse", "stickybit", "hwset", "hwclr", "sticky", "counter"]
SPACE = "{http://www.accellera.org/XMLSchema/IPXACT/1685-2014}"


def of_rdl(path):
    compiler = RDLCompiler()
    compiler.compile_file(path)
    top = compiler.elaborate().top
    for register in top.children():
        bits = register.get_property("regwidth"), register.get_property("accesswidth")
        print(register.inst_name, register.absolute_address, *bits)
        for field in register.fields():
            access = [f"sw={field.get_property('sw').name}", f"hw={field.get_property('hw').name}"]
            written = field.get_property("onwrite")
            access += [written.name] if written else []
            access += [name for name in PROPERTIES if field.get_property(name)]
            print("", field.inst_name, field.low, field.width, field.get_property("reset"), *access)


def of_ip_xact(path):
    def text(node, name, default=""):
        return node.findtext(SPACE + name.replace("/", f"/{SPACE}"), default)

    def number(node, name):
        return int(text(node, name).replace("'h", "0x"), 0)

    for register in ElementTree.parse(path).iter(f"{SPACE}register"):
        print(text(register, "name"), number(register, "addressOffset"), number(register, "size"))
        for field in register.iter(f"{SPACE}field"):
            places = [number(field, name) for name in ("bitOffset", "bitWidth", "resets/reset/value")]
            access = [text(field, "access"), text(field, "modifiedWriteValue")]
            access += ["volatile"] if text(field, "volatile") == "true" else []
            print("", text(field, "name"), *places, *filter(None, access))


for argument in sys.argv[1:]:
    (of_rdl if argument.endswith(".rdl") else of_ip_xact)(argument)
