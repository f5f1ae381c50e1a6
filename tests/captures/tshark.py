"""The third judge: what tshark dissects of each frame, and which text or which reason follows from its fields.

Nothing here reads a header. tshark names the protocols that it found, one in the other, the fields of each, and what is wrong
with it; from these follows what the contract (docs/src/frames.md) has for such a frame. Protocols above UDP and TCP and in
tunnels are switched off, and so is whatever joins frames. The text is the payload that tshark's own UDP or TCP leaves.
"""

import os

from fetch import Refused, run

# What stays switched on. IPv6's extension headers are protocols of their own.
KEPT = [
    *["frame", "eth", "ethertype", "vlan", "ieee8021ad", "ip", "ipv6", "udp", "tcp", "data"],
    *["ipv6.hopopts", "ipv6.routing", "ipv6.fraghdr", "ipv6.dstopts"],
]
TAGS = ["vlan", "ieee8021ad"]
IDENTIFIERS = ["vlan.id", "ieee8021ad.id", "ieee8021ad.svid", "ieee8021ad.cvid"]
EXTENSIONS = ["ipv6.hopopts", "ipv6.routing", "ipv6.fraghdr", "ipv6.dstopts"]

PREFERENCES = {
    # A frame is judged by itself.
    "ip.defragment": False,
    "ipv6.defragment": False,
    "tcp.desegment_tcp_streams": False,
    "tcp.analyze_sequence_numbers": False,
    # A length of 0 is one.
    "ip.tso_support": False,
    "ipv6.tso_support": False,
    "eth.fcs": "Never",
    "ip.check_checksum": False,
    "tcp.check_checksum": False,
    "udp.check_checksum": False,
}

# What a tunnel carries is not the frame's own payload, and its complaints are not the frame's: IPv4, IPv6 and Ethernet in IP.
TUNNELS = [4, 41, 97, 143]

# Complaints that mean: the header or a length of this protocol is wrong.
MALFORMED = {
    "ip": ["ip.bogus_ip_version", "ip.bogus_header_length", "ip.bogus_ip_length"],
    "ipv6": ["ipv6.bogus_ipv6_version", "ipv6.plen_exceeds_framing", "ipv6.plen_zero", "ipv6.invalid_header"],
    "udp": ["udp.length.bad", "udp.length.bad_zero"],
    "tcp": ["tcp.bogus_header_length", "tcp.short_segment"],
}
FIELDS = [
    *["frame.protocols", "eth.type", "vlan.etype", "ip.flags.mf", "ip.frag_offset", "ip.proto", "ipv6.nxt"],
    *["ipv6.fraghdr.more", "ipv6.fraghdr.offset", "udp.length", "udp.payload", "tcp.payload"],
    *[*IDENTIFIERS, "_ws.malformed", "_ws.expert.message", *(field for fields in MALFORMED.values() for field in fields)],
]


def version():
    return run(["tshark", "--version"]).split("\n")[0].split(" (")[1].rstrip(").").split(" ")[-1]


def settings(folder):
    """A folder of settings of our own, so that those of whoever runs this do not matter."""
    folder.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "WIRESHARK_CONFIG_DIR": str(folder), "LC_ALL": "C"}
    names = [line.split("\t")[2] for line in run(["tshark", "-G", "protocols"], env=environment).splitlines()]
    missing = sorted(set(KEPT) - set(names))
    if missing:
        raise Refused(f"this tshark has no protocol {', '.join(missing)}")
    (folder / "disabled_protos").write_text("".join(f"{name}\n" for name in names if name not in KEPT))
    return environment


def dissect(capture, environment):
    """A dictionary of fields for each frame; a field that occurs more than once has all its values."""
    arguments = ["tshark", "-n", "-r", str(capture), "-T", "fields", "-E", "occurrence=a", "-E", "aggregator=;"]
    for name, value in PREFERENCES.items():
        arguments += ["-o", f"{name}:{str(value).upper() if isinstance(value, bool) else value}"]
    for protocol in TUNNELS:
        arguments += ["-d", f"ip.proto=={protocol},data"]
    for field in FIELDS:
        arguments += ["-e", field]
    for line in run(arguments, env=environment).splitlines():
        values = line.split("\t")
        yield {field: value.split(";") for field, value in zip(FIELDS, values) if value}


class Unjudged(Exception):
    """The reason why there is no text."""


def text(fields):
    """The payload as tshark has it, or Unjudged."""
    chain = fields["frame.protocols"][0].split(":")[1:]
    while chain and chain[0] in [*TAGS, "ethertype"]:
        del chain[0]
    # One ieee8021ad may be two tags.
    if sum(len(fields.get(name, [])) for name in IDENTIFIERS) > 2:
        raise Unjudged("too_deep")
    protocol = {"ip": ipv4, "ipv6": ipv6}.get(chain[0] if chain else "", not_ip)(fields, chain[1:])
    if protocol not in ("udp", "tcp"):
        raise Unjudged("other_protocol")
    if complaints(fields, protocol) or "_ws.malformed" in fields:
        raise Unjudged("malformed")
    payload = fields.get(f"{protocol}.payload")
    if payload is None:
        raise Unjudged("no_payload")
    return bytes.fromhex(payload[0])


def complaints(fields, protocol):
    return [field for field in MALFORMED[protocol] if field in fields]


def is_set(value):
    return value not in ("0", "False")


def not_ip(fields, chain):
    types = fields.get("vlan.etype", []) or fields.get("eth.type", [])
    # The type says that IP follows, but no byte does, or a header that tshark refuses.
    if types and int(types[-1], 0) in (0x0800, 0x86DD) or complaints(fields, "ip") or complaints(fields, "ipv6"):
        raise Unjudged("malformed")
    raise Unjudged("not_ip")


def ipv4(fields, chain):
    """The protocol in IPv4."""
    if complaints(fields, "ip") or "ip.proto" not in fields:
        raise Unjudged("malformed")
    if is_set(fields["ip.flags.mf"][0]) or is_set(fields["ip.frag_offset"][0]):
        raise Unjudged("ip_fragment")
    protocol = {17: "udp", 6: "tcp"}.get(int(fields["ip.proto"][0]))
    # No byte of its header is there.
    if protocol and not chain:
        raise Unjudged("malformed")
    return protocol


def ipv6(fields, chain):
    """The protocol in IPv6, after its extension headers, which are looked at in their order."""
    if complaints(fields, "ipv6") or "ipv6.nxt" not in fields:
        raise Unjudged("malformed")
    fragments = zip(fields.get("ipv6.fraghdr.more", []), fields.get("ipv6.fraghdr.offset", []))
    extensions = 0
    while chain[:1] and chain[0] in EXTENSIONS:
        if chain[0] == "ipv6.hopopts" and extensions:
            raise Unjudged("other_protocol")
        if extensions == 4:
            raise Unjudged("too_deep")
        if chain[0] == "ipv6.fraghdr" and any(map(is_set, next(fragments, []))):
            raise Unjudged("ip_fragment")
        extensions += 1
        del chain[0]
    # tshark stopped in a header.
    if not chain and "_ws.malformed" in fields:
        raise Unjudged("malformed")
    return chain[0] if chain else None
