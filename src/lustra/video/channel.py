"""Pictures of one camera on their way from its robot to who watches, and into a recording.

Rule: pictures are passed on as they come and never decoded. Who joins begins with the newest key frame; who is too slow
leaves pictures out, up to the next key frame. What a camera sees in a room that is marked on the map is dropped here,
whatever the robot does.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from lustra.domains.video.api import RecordReason, VideoRecord, passes
from lustra.video.mp4 import Fragment, Init, Reader
from lustra.video.recording import LONGEST_S, RecordingFile

WAITING = 120  # pictures for one who watches; of a group there are fewer
Key = tuple[int, str]  # of a channel: number of the robot, name of the camera


class Watcher:
    """`given`: what opened the camera; None: what passes it on. `view`: number of the view's row. None in the queue: no
    picture more."""

    def __init__(self, given: passes.Pass | None, view: int) -> None:
        self.given, self.view = given, view
        self.queue: asyncio.Queue[Fragment | None] = asyncio.Queue(WAITING)
        self.late = False

    def give(self, fragment: Fragment) -> None:
        self.late = self.late and not fragment.key
        if self.late:
            return
        try:
            self.queue.put_nowait(fragment)
        except asyncio.QueueFull:
            self.late = True

    def clear(self) -> None:
        """Not even the pictures that wait; the next is a key frame."""
        self.late = True
        while not self.queue.empty():
            self.queue.get_nowait()

    def end(self) -> None:
        """No picture more."""
        self.clear()
        self.queue.put_nowait(None)


@dataclass
class Recording:
    """`row`: number of the recording's row, `owner` of the account whose it is. `reason`: why it began."""

    row: int
    owner: int
    reason: RecordReason
    file: RecordingFile


@dataclass
class Channel:
    """One connection of a robot. `group`: pictures since the newest key frame. `marked`: the robot stands in a marked
    room, as far as its place is known here. `on_end`: what else is to end with it."""

    key: Key
    began: float
    reader: Reader = field(default_factory=Reader)
    group: list[Fragment] = field(default_factory=list[Fragment])
    watchers: set[Watcher] = field(default_factory=set[Watcher])
    recording: Recording | None = None
    marked: bool = False
    ended: bool = False
    on_end: Callable[[], object] | None = None

    @property
    def init(self) -> Init | None:
        return self.reader.init

    @property
    def private(self) -> bool:
        """No picture comes, and none is passed on."""
        return self.marked or self.reader.private

    @property
    def ready(self) -> bool:
        """Whether somebody may begin to watch."""
        return self.init is not None and (bool(self.group) or self.private)

    def feed(self, data: bytes) -> None:
        """Raises BrokenStream."""
        fragments = self.reader.feed(data)
        if self.private:
            self.hide()
        for fragment in [] if self.marked else fragments:
            if fragment.key:
                self.group.clear()
            if fragment.key or self.group:
                self.group.append(fragment)
            for watcher in self.watchers:
                watcher.give(fragment)
            if self.recording:
                self.recording.file.write(fragment)

    def hide(self) -> None:
        """Nobody sees what has not been seen yet."""
        self.group.clear()
        for watcher in self.watchers:
            watcher.clear()

    def join(self, watcher: Watcher) -> list[Fragment]:
        """What a player begins with, after the description."""
        watcher.late = not self.group
        self.watchers.add(watcher)
        if self.ended:
            watcher.end()
        return list(self.group)

    def end(self) -> None:
        self.ended = True
        for watcher in self.watchers:
            watcher.end()
        if self.on_end:
            self.on_end()

    def record(self, record: VideoRecord, path: Path) -> None:
        if self.init:
            self.recording = Recording(record.id, record.owner_id, record.reason, RecordingFile(path, self.init))

    @property
    def recording_full(self) -> bool:
        return self.recording is not None and self.recording.file.seconds > LONGEST_S


Enter = Callable[[], Awaitable[Watcher]]  # makes one who watches from now on
Leave = Callable[[Channel, Watcher], Awaitable[None]]
