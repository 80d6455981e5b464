"""A part of a file, as HTTP asks for it (RFC 9110, section 14): who was cut off goes on where it stopped.

Rules: one range of bytes; several, or what cannot be read, is answered with the whole, as the RFC allows. With If-Range
the part is given only of the very content that the asker has the beginning of.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

RANGE = re.compile(r"\s*bytes\s*=\s*(\d{0,18})\s*-\s*(\d{0,18})\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes from `start` to before `end` of a content of so many; the status and headers of an answer with them."""

    start: int
    end: int
    size: int
    status: int
    headers: dict[str, str]


def parse_range(headers: Mapping[str, str], size: int, etag: str) -> Part:
    """What a request asks for of a content: all, a part, or (status 416, nothing) what it does not have."""
    common = {"accept-ranges": "bytes", "etag": etag}
    whole = Part(0, size, size, 200, common | {"content-length": str(size)})
    match = RANGE.fullmatch(headers.get("range", ""))
    if match is None or not any(match.groups()) or headers.get("if-range", etag) != etag:
        return whole
    first, last = match.groups()
    if not first:  # the last so many
        start, end = max(0, size - int(last)), size
    else:
        start, end = int(first), min(size, int(last) + 1) if last else size
        if last and int(last) < int(first):
            return whole
    if start >= end:
        return Part(0, 0, size, 416, common | {"content-range": f"bytes */{size}", "content-length": "0"})
    common |= {"content-range": f"bytes {start}-{end - 1}/{size}", "content-length": str(end - start)}
    return Part(start, end, size, 206, common)
