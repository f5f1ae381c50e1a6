"""What CPython says of a text whose edges are open (docs/src/policies.md), in the words of a verdict."""

import codecs


def judge(text):
    """The fields of the verdict on a text that may begin and end within a sequence."""
    # Up to three continuation bytes at the beginning are the rest of a sequence.
    head = 0
    while head < min(3, len(text)) and 0x80 <= text[head] <= 0xBF:
        head += 1
    errors, tails = [], []

    def note(error):
        # What its end leaves unfinished is no error.
        is_cut = error.reason == "unexpected end of data" and error.end == len(error.object)
        (tails if is_cut else errors).append((error.start, error.end))
        return "", error.end

    codecs.register_error("note", note)
    scalars = len(text[head:].decode("utf-8", "note"))
    tail = sum(end - begin for begin, end in tails)
    verdict = {
        "well_formed": is_utf8(text),
        "bad": bool(errors),
        "bytes": len(text),
        "scalars": scalars,
        "ill_formed": len(errors),
        "head_bytes": head,
        "tail_bytes": tail,
        "signature": text.startswith(codecs.BOM_UTF8),
        "valid_up_to": len(text),
        "error_len": None,
    }
    if errors:
        begin, end = errors[0]
        verdict.update(valid_up_to=head + begin, error_len=end - begin)
    return verdict


def is_utf8(text):
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def unjudged(reason):
    """The fields of the verdict on a frame without a text: that of an empty packet, and the reason."""
    verdict = {**judge(b""), "unjudged": reason}
    del verdict["head_bytes"], verdict["tail_bytes"]
    return verdict
