"""A recording on its way to the disk.

Rule: what was written stays playable, whatever happens: each group of pictures goes to the disk whole, and what a kill
left half is cut off. The index, by which players seek, is written into the room that the file keeps for it.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from itertools import pairwise
from pathlib import Path
from uuid import uuid4

from lustra.video.mp4 import HEAD, BrokenStream, Fragment, Init, Reader, free, index

LONGEST_S = 3600  # of one file; what goes on is the next one's
INDEX_HEAD = HEAD + 24
ENTRY = 12  # bytes of a group in the index
MOST_GROUPS = LONGEST_S + 60  # one a second, and some more
ROOM = INDEX_HEAD + ENTRY * MOST_GROUPS + HEAD
READ = 1 << 20
LARGEST = 4 << 30  # bytes of a recording


class RecordingFile:
    """`path`: what is written to. It begins with a key frame, at time 0."""

    def __init__(self, path: Path, init: Init) -> None:
        self.path, self.init = path, init
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.file = path.open("wb", buffering=0)
        self.size = self.file.write(init.data + free(ROOM))
        self.began: int | None = None
        self.seconds = 0.0
        self.group = b""

    def write(self, fragment: Fragment) -> None:
        if self.began is None:
            if not fragment.key:
                return
            self.began = fragment.time
        if fragment.key:
            self.flush()
        self.seconds = (fragment.time - self.began) / self.init.ticks
        self.group += fragment.moved(self.began)

    def flush(self) -> None:
        self.size += self.file.write(self.group)
        self.group = b""

    def close(self) -> None:
        self.flush()
        os.fsync(self.file.fileno())
        self.file.close()


def finish(path: Path) -> float:
    """Cut what is not whole, and write the index; how many seconds it has. 0: there is no picture in it."""
    reader, fragments = Reader(), list[tuple[int, int, bool]]()  # size, time, whether with a key frame
    with path.open("r+b") as file:
        try:
            while data := file.read(READ):
                fragments += [(len(each.data), each.time, each.key) for each in reader.feed(data)]
        except BrokenStream:
            pass  # what came before it is played
        if reader.init is None or not fragments:
            return 0.0
        ticks, head = reader.init.ticks, len(reader.init.data)
        file.truncate(head + ROOM + sum(size for size, _, _ in fragments))
        groups, length = _groups(fragments, ticks)
        size = INDEX_HEAD + ENTRY * len(groups)
        file.seek(head)
        file.write(index(ticks, ROOM - size, groups) + free(ROOM - size))
    return length / ticks


def _groups(fragments: list[tuple[int, int, bool]], ticks: int) -> tuple[list[tuple[int, int]], int]:
    """Bytes and ticks of each group, and all ticks. The last picture lasts as long as the one before, or a second."""
    last = fragments[-1][1]
    end = last + (last - fragments[-2][1] if len(fragments) > 1 else ticks)
    starts = [place for place, (_, _, key) in enumerate(fragments) if key][:MOST_GROUPS]
    times = [*(fragments[place][1] for place in starts), end]
    groups = [
        (sum(size for size, _, _ in fragments[place:after]), times[n + 1] - times[n])
        for n, (place, after) in enumerate(pairwise([*starts, len(fragments)]))
    ]
    return groups, end


def unused_place(folder: str) -> str:
    return f"{folder}{uuid4().hex}.mp4"


async def read_file(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while part := await asyncio.to_thread(file.read, READ):
            yield part
