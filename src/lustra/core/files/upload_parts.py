"""Uploads in parts, so that one that was cut off goes on where it was: Content-Range of RFC 9110, section 14.4, used as
in the resumable uploads of Google's and Microsoft's stores.

Rules: a part is stored whole or not at all. One that does not begin where the parts so far end is passed over: the
answer says where to go on. `bytes */1000` with no content asks how far it is. What came in by parts is stored by the
same rules as what came in at once. Parts of an upload that comes to no end go after a day.
"""

import hashlib
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass

from lustra.core.errors import Code, Refusal
from lustra.core.files.objects import Objects

FOLDER = "new/parts/"
CONTENT_RANGE = re.compile(r"bytes (?:(\d{1,15})-(\d{1,15})|\*)/(\d{1,15})")
HEADER = "content-range"


@dataclass(frozen=True, slots=True)
class Span:
    """Bytes from `start` to before `end` of a content of `total`; empty: nothing comes, the sender asks."""

    start: int
    end: int
    total: int


def parse_span(headers: Mapping[str, str]) -> Span | None:
    """What part of an upload a request brings; None: all of it. Raises a refusal of what cannot be."""
    value = headers.get(HEADER)
    if value is None:
        return None
    match = CONTENT_RANGE.fullmatch(value.strip())
    if match is None:
        raise Refusal(Code.BAD_INPUT, "file", reason="content_range")
    first, last, total = match.groups()
    span = Span(int(first), int(last) + 1, int(total)) if first else Span(0, 0, int(total))
    if span.total == 0 or span.end > span.total or (first and span.start >= span.end):
        raise Refusal(Code.BAD_INPUT, "file", reason="content_range")
    return span


class PartUpload:
    """The parts that have come of the upload of one token."""

    def __init__(self, objects: Objects, token: str) -> None:
        self.objects = objects
        self.folder = f"{FOLDER}{hashlib.sha256(token.encode()).hexdigest()[:32]}/"

    async def list_parts(self) -> list[tuple[str, int]]:
        """Their paths and sizes, in order, as far as they go on without a gap."""
        parts: list[tuple[str, int]] = []
        end = 0
        for path, size in await self.objects.list_folder(self.folder):
            if int(path.rsplit("/", 1)[-1]) == end:
                parts.append((path, size))
                end += size
        return parts

    async def count_received(self) -> int:
        return sum(size for _, size in await self.list_parts())

    async def add(self, span: Span, content: AsyncIterator[bytes], kinds: tuple[str, ...] = ()) -> int:
        """Store a part where it goes on from those before it; how many bytes are there then. `kinds`: what the whole
        may be, judged by its first part."""
        received = await self.count_received()
        if span.end == 0 or span.start != received:
            async for _ in content:  # who sends is answered once all has been sent
                pass
            return received
        size = span.end - span.start
        name = f"{self.folder}{span.start:015d}"
        stored = await self.objects.put(name, content, largest=size, kinds=() if span.start else kinds)
        if stored.size != size:
            await self.objects.delete(name)
            raise Refusal(Code.BAD_INPUT, "file", reason="content_range")
        return span.end

    async def read_whole(self) -> AsyncIterator[bytes]:
        for path, size in await self.list_parts():
            async for piece in self.objects.parts(path, 0, size):
                yield piece

    async def delete(self) -> None:
        for path, _ in await self.list_parts():
            await self.objects.delete(path)
