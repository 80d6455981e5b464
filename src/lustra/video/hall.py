"""All cameras that send pictures here, who watches them, and their recordings.

Rules: twice a second it is looked at whether each camera still may send and each watcher still may watch: time, keys,
scope, support access, session. While that cannot be asked for long, nobody watches. As often it is looked at where each
robot stands: in a room that its map marks nothing is passed on, and a recording ends, as it does when its owner has no
room more. What a kill left unfinished is finished at the next start.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg
import msgspec
import structlog
from sqlalchemy.exc import SQLAlchemyError

from lustra.core.context import Services
from lustra.core.db import now
from lustra.core.errors import Refusal
from lustra.core.process.tasks import ending
from lustra.domains.video.api import (
    EVERY,
    FOLDER,
    LiveVideo,
    VideoRecord,
    VideoView,
    ViewKind,
    ice,
    passes,
    queries,
    space,
)
from lustra.protocol.video import is_private
from lustra.video.channel import Channel, Key, Recording, Watcher
from lustra.video.recording import LARGEST, finish, read_file, unused_place

if TYPE_CHECKING:
    from lustra.video.connections import Connections
    from lustra.video.media_server import MediaServer

log = structlog.get_logger(__name__)
LOOK_S = 0.5
LOST_S = 5.0  # without the database
GRACE_S = 5.0  # a robot begins before the call that asked it to has ended
LOST = (SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError)


class Hall:
    """`folder`: where recordings lie while they are made. `clock`: what time it is."""

    def __init__(self, app: Services, folder: Path, clock: Callable[[], datetime] = now) -> None:
        self.app, self.folder, self.clock = app, folder, clock
        self.channels: dict[Key, Channel] = {}
        self.finishing: dict[asyncio.Task[None], Recording] = {}
        self.seen_at = 0.0
        self.connections: Connections | None = None  # by WebRTC, once there was an offer
        self.media_server: MediaServer | None = None

    async def run(self) -> None:
        """For as long as its task lives."""
        loop = asyncio.get_running_loop()
        self.seen_at = loop.time()
        while not ending():
            try:
                await self.look()
                self.seen_at = loop.time()
            except Exception as why:  # noqa: BLE001  whatever it is, cameras are looked at again
                log.warning("video.again", why=repr(why))
                if loop.time() - self.seen_at > LOST_S:
                    self.end_all()
            await asyncio.sleep(LOOK_S)

    async def look(self) -> None:
        await self.app.pool.execute(EVERY.sql(queries.STOP_OVER), self.clock())
        if not self.channels:
            return
        async with self.app.sessions() as db:
            running = {(row.device_id, row.camera): row for row in await db.scalars(EVERY.select(LiveVideo))}
        await self.look_around(list(self.channels.values()))
        spaces = await self.check_space({row.owner_id for row in running.values() if row.recording})
        for channel in list(self.channels.values()):
            row = running.get(channel.key)
            if row:
                await self.say_private(channel, row)
                await self.keep_recording(channel, row, spaces)
                await self.turn_away(channel)
            elif asyncio.get_running_loop().time() - channel.began > GRACE_S or channel.watchers:
                channel.end()

    async def look_around(self, channels: list[Channel]) -> None:
        """Which of them belong to robots that stand in a marked room."""
        rows = await self.app.pool.fetch(EVERY.sql(queries.MARKED_ROOMS), [channel.key[0] for channel in channels])
        marked = {row["robot"] for row in rows if is_private(msgspec.json.decode(row["rooms"]), (row["x"], row["y"]))}
        for channel in channels:
            channel.marked = channel.key[0] in marked
            if channel.private:
                channel.hide()

    async def say_private(self, channel: Channel, row: LiveVideo) -> None:
        if row.private != channel.private:
            await self.app.pool.execute(EVERY.sql(queries.SAY_PRIVATE), row.id, channel.private)

    async def turn_away(self, channel: Channel) -> None:
        """Those who may not watch any more."""
        for watcher in list(channel.watchers):
            if watcher.given and await passes.load_camera(self.app, watcher.given, self.clock()) is None:
                watcher.end()

    def end_all(self) -> None:
        for channel in self.channels.values():
            channel.end()

    async def load_connections(self) -> "Connections":
        """aiortc takes half a second to load, and 50 MB."""
        if (connections := self.connections) is None:
            loaded = await asyncio.to_thread(import_module, "lustra.video.connections")
            servers = partial(ice.list_servers, self.app.settings, "server")
            connections = self.connections = self.connections or loaded.Connections(servers)
        return connections

    async def load_media_server(self) -> "MediaServer | None":
        """None: there is none beside this one."""
        if self.media_server is None and self.app.settings.video_whep_url:
            loaded = await asyncio.to_thread(import_module, "lustra.video.media_server")
            self.media_server = self.media_server or loaded.MediaServer(self.app.settings)
        return self.media_server

    # Robots

    def enter(self, channel: Channel) -> None:
        """A robot's newer connection takes the place of the one before."""
        if before := self.channels.get(channel.key):
            before.end()
        self.channels[channel.key] = channel

    def leave(self, channel: Channel) -> None:
        channel.end()
        if self.channels.get(channel.key) is channel:
            del self.channels[channel.key]
        self.end_recording(channel)

    # Watchers

    async def open_view(self, row: LiveVideo | VideoRecord, kind: ViewKind, subject: str, account: int | None) -> int:
        async with self.app.sessions.begin() as db:
            view = VideoView(
                owner_id=row.owner_id,
                owner_path=row.owner_path,
                device_id=row.device_id,
                kind=kind,
                subject=subject,
                account_id=account,
            )
            db.add(view)
            await db.flush()
            return view.id

    async def part(self, channel: Channel, watcher: Watcher) -> None:
        channel.watchers.discard(watcher)
        await self.app.pool.execute(EVERY.sql(queries.END_VIEW), watcher.view)

    # Recordings

    async def check_space(self, owners: Iterable[int]) -> dict[int, space.Space]:
        """Of these accounts, which have something to record, with what is being made; notifies those without room."""
        growing = dict.fromkeys(owners, 0)
        recordings = [channel.recording for channel in self.channels.values()]
        for recording in filter(None, [*recordings, *self.finishing.values()]):
            if recording.owner in growing:
                growing[recording.owner] += recording.file.size
        spaces = await space.load_space(self.app, growing)
        await space.notify_full(self.app, spaces)
        return spaces

    async def keep_recording(self, channel: Channel, row: LiveVideo, spaces: Mapping[int, space.Space]) -> None:
        """Begins, ends and goes on in a new file as the row says, also for another reason; nothing is recorded in a
        marked room, and for an owner who has no room more."""
        full = row.recording and spaces[row.owner_id].full
        if full:
            await self.app.pool.execute(EVERY.sql(queries.STOP_RECORDING), row.id)
        recorded = row.recording and not full and not channel.private
        going_on = recorded and channel.recording and channel.recording.reason == row.reason
        if channel.recording and (not going_on or channel.recording_full):
            self.end_recording(channel)
        if recorded and not channel.recording and channel.init:
            began = self.clock()
            record = VideoRecord(
                owner_id=row.owner_id,
                owner_path=row.owner_path,
                device_id=row.device_id,
                camera=row.camera,
                name=f"{row.camera}-{began:%Y%m%d-%H%M%S}.mp4",
                began_at=began,
                reason=row.reason,
            )
            async with self.app.sessions.begin() as db:
                db.add(record)
            channel.record(record, self.part_file(record.id))

    def part_file(self, row: int) -> Path:
        return self.folder / f"{row}.mp4"

    def end_recording(self, channel: Channel) -> None:
        recording, channel.recording = channel.recording, None
        if recording:
            recording.file.close()
            task = asyncio.create_task(self.store(recording.row), name="recording")
            self.finishing[task] = recording
            task.add_done_callback(self.finishing.pop)

    async def store(self, row: int) -> None:
        """A file that is closed goes to the objects; where that fails, it waits for the next start."""
        path = self.part_file(row)
        try:
            seconds = await asyncio.to_thread(finish, path)
            if not seconds:
                await self.app.pool.execute(EVERY.sql(queries.FORGET_EMPTY), row)
            else:
                stored = await self.app.objects.put(unused_place(FOLDER), read_file(path), largest=LARGEST)
                length = timedelta(seconds=seconds)
                await self.app.pool.execute(EVERY.sql(queries.FINISH), row, length, stored.size, stored.path)
            path.unlink()
        except (*LOST, Refusal) as why:
            log.warning("recording.later", row=row, why=repr(why))

    async def recover(self) -> None:
        """What a killed process has left: views without an end, recordings without their index."""
        await self.app.pool.execute(EVERY.sql(queries.END_VIEWS))
        for path in sorted(self.folder.glob("*.mp4")):
            await self.store(int(path.stem))

    async def close(self) -> None:
        for way in filter(None, (self.media_server, self.connections)):
            await way.close()
        for channel in list(self.channels.values()):
            self.leave(channel)
        await asyncio.gather(*self.finishing, return_exceptions=True)
