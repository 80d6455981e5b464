"""A robot with cameras, the process that passes its pictures on, and people who watch."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from lustra.core.db import now
from lustra.protocol.video import SendVideo
from lustra.robot.buildings import catalogue
from lustra.robot.robot import Robot
from lustra.video.hall import Hall
from lustra.video.mp4 import Fragment, Reader
from lustra.video.process import server_config, working
from tests.map.robots import Crew, crews
from tests.world import World, until

START = "/qiniuQvs/startStream"
STOP = "/qiniuQvs/stopStream"
LIVE = "/qiniuQvs/liveList"
RECORDS = "/qiniuQvs/recordList"
SN = "SC0001"


@dataclass
class Theatre:
    """`late`: how far the process' clock is ahead."""

    world: World
    hall: Hall
    client: httpx.AsyncClient
    crew: Crew
    robot: Robot
    late: timedelta = timedelta()

    async def start(self, account: str = "user", camera: str = "front") -> str:
        answer = await self.world.call(account, START, deviceSerialNumber=SN, camera=camera)
        return answer["url"]

    async def stop(self, account: str = "user") -> None:
        await self.world.call(account, STOP, deviceSerialNumber=SN)

    async def live(self, account: str = "user") -> list[dict[str, Any]]:
        return (await self.world.call(account, LIVE, deviceSerialNumber=SN))["list"]

    async def record(self, *, on: bool, camera: str = "front") -> None:
        await self.world.call("user", "/qiniuQvs/record", deviceSerialNumber=SN, camera=camera, on=on)

    async def recordings(self, account: str = "user", **filters: Any) -> list[dict[str, Any]]:
        return (await self.world.call(account, RECORDS, deviceSerialNumber=SN, **filters))["list"]

    async def record_for(self, pictures: int = 14) -> dict[str, Any]:
        """A recording of so many pictures, made by hand."""
        async with self.watching(await self.start()) as viewer:
            await self.record(on=True)
            await until(self.is_recording)
            await viewer.see(pictures)
            await self.record(on=False)
            await until(self.recordings)
        return (await self.recordings())[0]

    async def is_recording(self) -> bool:
        return any(channel.recording for channel in self.hall.channels.values())

    @asynccontextmanager
    async def watching(self, url: str) -> "AsyncIterator[Viewer]":
        async with self.client.stream("GET", url) as answer:
            assert answer.status_code == 200, await answer.aread()
            yield Viewer(answer)


@dataclass
class Viewer:
    answer: httpx.Response
    reader: Reader = field(default_factory=Reader)
    pictures: int = 0
    fragments: list[Fragment] = field(default_factory=list[Fragment])

    def __post_init__(self) -> None:
        self.parts = self.answer.aiter_bytes()

    async def see(self, count: int) -> None:
        """So many pictures more."""
        target = self.pictures + count
        while self.pictures < target:
            self.take(await anext(self.parts))

    async def end(self) -> None:
        """Comes back when there is no picture more."""
        async with asyncio.timeout(20):
            async for part in self.parts:
                self.take(part)

    def take(self, part: bytes) -> None:
        new = self.reader.feed(part)
        self.pictures += len(new)
        self.fragments += new


@asynccontextmanager
async def theatre(world: World, folder: Path, sn: str = SN) -> AsyncIterator[Theatre]:
    """The robot `sn` is on, with a floor around it."""
    house: list[Theatre] = []

    def clock() -> datetime:
        return now() + (house[0].late if house else timedelta())

    hall = Hall(world.services, folder / "video", clock)
    async with working(hall), crews(world, folder / "robots") as crew:
        config = server_config(world.services, hall)
        config.port, config.lifespan = 0, "off"
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve())
        while not server.started:  # noqa: ASYNC110  # uvicorn has no event for it
            await asyncio.sleep(0.01)
        url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        world.services.settings = dataclasses.replace(world.services.settings, video_url=url)
        robot = await crew.switch_on(sn)
        floor = catalogue.floor("Kestrel Quay Hotel", "floor 1")
        robot.machine.load(floor, 0)
        await world.online(sn)
        try:
            async with httpx.AsyncClient(timeout=20) as client:
                house.append(Theatre(world, hall, client, crew, robot))
                yield house[0]
        finally:
            robot.cameras.accept(SendVideo())
            hall.end_all()
            server.should_exit = True
            await serving
