"""Clips are cut when their link is opened first, from the groups of pictures that the recording's index names.

Rule: a clip begins with the key frame at or before its beginning, and ends with the group that holds its end.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from lustra.core.context import Services
from lustra.domains.video.api import EVERY, FOLDER, VideoClip, VideoRecord, queries
from lustra.video.mp4 import LARGEST_INIT, Init, Reader, read_index
from lustra.video.recording import LARGEST, ROOM, RecordingFile, finish, read_file, unused_place

Group = tuple[int, int]  # bytes, ticks


class Cutter:
    """`folder`: where clips lie while they are made."""

    def __init__(self, app: Services, folder: Path) -> None:
        self.app, self.folder, self.turn = app, folder, asyncio.Lock()

    async def make(self, clip: VideoClip, record: VideoRecord) -> str:
        """Its place among the objects."""
        path = self.folder / f"{clip.id}.mp4"
        async with self.turn:
            try:
                begin, end = ((at - record.began_at).total_seconds() for at in (clip.began_at, clip.ended_at))
                await self.cut(record.place, begin, end, path)
                stored = await self.app.objects.put(unused_place(FOLDER), read_file(path), largest=LARGEST)
            finally:
                path.unlink(missing_ok=True)
            await self.app.pool.execute(EVERY.sql(queries.STORE_CLIP), clip.id, stored.path, stored.size)
        return stored.path

    async def cut(self, place: str, begin: float, end: float, path: Path) -> None:
        about = await self.app.objects.about(place)
        head = b"".join([p async for p in self.app.objects.parts(place, 0, min(about.size, LARGEST_INIT + ROOM))])
        reader = Reader()
        reader.feed(head[:LARGEST_INIT])
        assert reader.init is not None, "a recording that is stored has its description"
        first = len(reader.init.data)
        since, until = span(read_index(head[first : first + ROOM]), reader.init, begin, end)
        await self.copy(place, reader.init, (first + ROOM + since, first + ROOM + until), path)
        await asyncio.to_thread(finish, path)

    async def copy(self, place: str, init: Init, part: tuple[int, int], path: Path) -> None:
        file, reader = RecordingFile(path, init), Reader(init)
        try:
            async for data in self.app.objects.parts(place, *part):
                for fragment in reader.feed(data):
                    file.write(fragment)
        finally:
            file.close()


def span(groups: Sequence[Group], init: Init, begin: float, end: float) -> tuple[int, int]:
    """Which bytes of the pictures hold what lies between two seconds; there is always a group."""
    at = since = until = 0
    ticks = 0
    for size, length in groups:
        if ticks <= begin * init.ticks:
            since = at
        if ticks < end * init.ticks:
            until = at + size
        at, ticks = at + size, ticks + length
    return since, max(until, since)
