"""Lines of a text, as they come by parts: those that have the words, from an offset on.

Rules: so many lines and bytes at a time, so that neither a large log nor one line of gigabytes takes more memory than a
page; of a longer line its beginning is searched and shown. `next` is where the rest begins.
"""

from collections.abc import AsyncIterable
from dataclasses import dataclass, field

MOST_LINES = 200
MOST_BYTES = 32 << 20  # that are searched at a time
SEARCHED = 64 << 10  # bytes of a line
LONGEST = 2000  # letters of a line that are shown


@dataclass(slots=True)
class Line:
    offset: int
    text: str


@dataclass(slots=True)
class LinePage:
    """`next`: None at the end of the text."""

    lines: list[Line] = field(default_factory=list[Line])
    next: int | None = None


@dataclass(slots=True)
class _Search:
    words: str
    start: int  # of the line that is read
    page: LinePage = field(default_factory=LinePage)
    head: bytearray = field(default_factory=bytearray)

    def add(self, piece: bytes) -> None:
        room = SEARCHED - len(self.head)
        self.head += piece[: max(room, 0)]

    def end_line(self, after: int) -> None:
        text = self.head.decode("utf-8", "replace").rstrip("\r")
        if text and self.words in text.lower():
            self.page.lines.append(Line(self.start, text[:LONGEST]))
        self.head.clear()
        self.start = after


async def find_lines(parts: AsyncIterable[bytes], start: int, words: str) -> LinePage:
    """`parts`: the text from `start` on."""
    search, at, last = _Search(words.lower(), start), start, start + MOST_BYTES
    async for part in parts:
        *whole, rest = part.split(b"\n")
        for piece in whole:
            search.add(piece)
            at += len(piece) + 1
            search.end_line(at)
            if len(search.page.lines) >= MOST_LINES:
                search.page.next = at
                return search.page
        search.add(rest)
        at += len(rest)
        if at >= last:
            search.page.next = search.start if search.start > start else at
            return search.page
    search.end_line(at)
    return search.page
