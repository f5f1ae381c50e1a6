"""The classes of frames on which tshark and the core differ, each with the reason and with all that its frames have in common.

A frame that differs and is in none of these fails the run.
"""

from collections import namedtuple

import text

# `holds` gets the fields and the payload (or None) that tshark has, and the core's verdict.
Class = namedtuple("Class", "name why holds")


def agrees(verdict, expected):
    """Whether a verdict of the core is an expected one in every field."""
    keys = ["unjudged", *expected]
    return all(verdict.get(key) == expected.get(key) for key in keys)


def ends_with_udp(fields, payload, verdict):
    """UDP's length is shorter than IP's, and the core's verdict is on just the bytes within it."""
    length = int(fields.get("udp.length", ["0"])[0]) - 8
    return payload is not None and 0 < length < len(payload) and agrees(verdict, text.judge(payload[:length]))


CLASSES = [
    Class(
        "text after UDP's length",
        "tshark's field udp.payload reaches to the end of IP's payload; by RFC 768 the text ends where UDP's own length says",
        ends_with_udp,
    ),
]


def class_of(fields, payload, verdict):
    """The class of a difference, or None."""
    return next((each for each in CLASSES if each.holds(fields, payload, verdict)), None)
