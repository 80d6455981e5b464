"""A media server beside this one (MediaMTX, or another that speaks WHIP and WHEP) passes pictures on to browsers, which
then reach it in place of this machine.

Rules: a camera is handed over once, under a name that nobody knows, and taken back when nobody watches it there. A
browser's offer goes through here: who may watch is decided, logged and ended here as everywhere. A browser that has not
been heard of for a minute has gone.
"""

import asyncio
import contextlib
from collections.abc import Coroutine
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Any
from urllib.parse import urljoin
from uuid import uuid4

import aiohttp
import structlog
from aiortc import RTCConfiguration, RTCIceServer, RTCPeerConnection, RTCSessionDescription

from lustra.core.retry import retry_on
from lustra.core.settings import Settings
from lustra.domains.video.api import ice
from lustra.video.channel import Channel, Enter, Key, Leave, Watcher
from lustra.video.connections import BAD_DESCRIPTION, OVER, prefer_h264
from lustra.video.mp4 import Fragment
from lustra.video.offer import SDP, Refused
from lustra.video.whep import Pictures

log = structlog.get_logger(__name__)
CREATED, NOT_FOUND = 201, 404
PATIENCE = aiohttp.ClientTimeout(total=10)
READY_IN_S = 2.0  # that a camera has to arrive there
ALIVE_S = 60.0
UNREACHED = (aiohttp.ClientError, ConnectionError, TimeoutError)


class NotYet(Exception):
    """A camera that has just arrived is not found at once."""


class RemoteWatcher(Watcher):
    """One whom the media server sends the pictures."""

    def __init__(self, watcher: Watcher) -> None:
        super().__init__(watcher.given, watcher.view)
        self.over = asyncio.Event()

    def give(self, fragment: Fragment) -> None:
        """They go another way."""

    def clear(self) -> None:
        """None waits here."""

    def end(self) -> None:
        self.over.set()


@dataclass
class Stream:
    """A camera that is handed over, under its name there. `ready`: it has arrived."""

    channel: Channel
    name: str = field(default_factory=token_urlsafe)
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    sessions: dict[str, "Session"] = field(default_factory=dict[str, "Session"])


@dataclass
class Session:
    """`place`: URL that ends it there. `touched_at`: of the loop's clock."""

    place: str
    watcher: RemoteWatcher
    touched_at: float


class MediaServer:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.streams: dict[Key, Stream] = {}
        self.sessions: dict[str, Session] = {}
        self.tasks: set[asyncio.Task[None]] = set()

    async def watch(self, offer: str, channel: Channel, enter: Enter, leave: Leave) -> tuple[str, str]:
        """The session's name, and the media server's answer. Raises Refused: it takes no pictures, or answers none."""
        stream = self.streams.get(channel.key)
        if stream is None or stream.channel is not channel or stream.over.is_set():
            stream = self.streams[channel.key] = Stream(channel)
            self._start(self._hand_over(stream), "hand over")
        try:
            await self._wait_until_ready(stream)
            place, answer = await self._ask(self.settings.video_whep_url, stream, offer)
        except UNREACHED as why:
            log.warning("media_server.unreached", why=repr(why))
            if not stream.sessions:
                stream.over.set()
            raise Refused("the media server does not answer", 502) from why
        watcher = RemoteWatcher(await enter())
        name = uuid4().hex
        session = Session(place, watcher, asyncio.get_running_loop().time())
        self.sessions[name] = stream.sessions[name] = session
        channel.join(watcher)
        if stream.over.is_set():  # meanwhile
            watcher.end()
        self._start(self._hold(name, stream, leave), "watch")
        return name, answer

    async def _wait_until_ready(self, stream: Stream) -> None:
        """Raises ConnectionError: the camera does not arrive."""
        waits = [asyncio.create_task(event.wait()) for event in (stream.ready, stream.over)]
        try:
            await asyncio.wait(waits, timeout=READY_IN_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        if stream.over.is_set() or not stream.ready.is_set():
            raise ConnectionAbortedError("the camera did not arrive")

    def touch(self, name: str) -> bool:
        """Whether it goes on; its browser has asked lately."""
        if session := self.sessions.get(name):
            session.touched_at = asyncio.get_running_loop().time()
        return session is not None

    def end(self, name: str) -> None:
        if session := self.sessions.get(name):
            session.watcher.end()

    async def close(self) -> None:
        for stream in self.streams.values():
            stream.over.set()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _hold(self, name: str, stream: Stream, leave: Leave) -> None:
        session, loop = self.sessions[name], asyncio.get_running_loop()
        while not session.watcher.over.is_set() and (left := session.touched_at + ALIVE_S - loop.time()) > 0:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(session.watcher.over.wait(), left)
        del self.sessions[name], stream.sessions[name]
        if not stream.sessions:
            stream.over.set()
        await self._delete(session.place)
        await leave(stream.channel, session.watcher)

    async def _hand_over(self, stream: Stream) -> None:
        """For as long as somebody watches it there."""
        servers = [RTCIceServer(each.urls, each.username, each.credential) for each in self._list_servers()]
        connection = RTCPeerConnection(RTCConfiguration(iceServers=servers))
        publisher = Watcher(None, 0)

        async def enter() -> Watcher:
            stream.ready.set()
            return publisher

        def look() -> None:
            if connection.connectionState in OVER:
                stream.over.set()

        connection.on("connectionstatechange", look)
        track = Pictures(stream.channel, enter)
        track.over = stream.over
        place = ""
        try:
            connection.addTransceiver(track, direction="sendonly")
            prefer_h264(connection)
            await connection.setLocalDescription(await connection.createOffer())
            place, answer = await self._ask(self.settings.video_whip_url, stream, connection.localDescription.sdp)
            await connection.setRemoteDescription(RTCSessionDescription(answer, "answer"))
            await stream.over.wait()
        except (*UNREACHED, *BAD_DESCRIPTION) as why:
            log.warning("media_server.unreached", why=repr(why))
        finally:
            stream.over.set()
            if self.streams.get(stream.channel.key) is stream:
                del self.streams[stream.channel.key]
            stream.channel.watchers.discard(publisher)
            for session in stream.sessions.values():
                session.watcher.end()
            await connection.close()
            await self._delete(place)

    def _list_servers(self) -> list[ice.IceServer]:
        return ice.list_servers(self.settings, "server")

    async def _ask(self, url: str, stream: Stream, offer: str) -> tuple[str, str]:
        """Where the session ends, and the answer."""
        return await asyncio.wait_for(self._offer(url, stream, offer), READY_IN_S)

    @retry_on(NotYet, longest_s=0.5)
    async def _offer(self, url: str, stream: Stream, offer: str) -> tuple[str, str]:
        address = url.replace("{stream}", stream.name)
        async with self._client() as client, client.post(address, data=offer, headers={"content-type": SDP}) as answer:
            if answer.status == NOT_FOUND:
                raise NotYet
            if answer.status != CREATED:
                raise ConnectionRefusedError(answer.status, (await answer.text())[:200])
            return urljoin(address, answer.headers.get("location", "")), await answer.text()

    async def _delete(self, place: str) -> None:
        if place:
            with contextlib.suppress(*UNREACHED):
                async with self._client() as client, client.delete(place):
                    pass

    def _client(self) -> aiohttp.ClientSession:
        token = self.settings.video_media_token
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return aiohttp.ClientSession(timeout=PATIENCE, headers=headers)
