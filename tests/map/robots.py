"""Robots on the world's bus, that fetch from a real server over a line that can be cut and is counted."""

import asyncio
import base64
import contextlib
import dataclasses
import io
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import uvicorn
from PIL import Image
from starlette.applications import Starlette

from lustra.core.calls import rpc
from lustra.core.db import now
from lustra.live.ingest.events import Keeper, upload_url
from lustra.protocol import bus
from lustra.robot.connection.link import Access, Native
from lustra.robot.connection.telemetry import TelemetryPublisher
from lustra.robot.robot import Robot, Spec
from tests.world import CLOCK, World, keep_map


@dataclass
class Line:
    """Between robots and the server: every byte to a robot is counted; after so many a connection breaks,
    down (`cut_after`) or up (`cut_up_after`)."""

    port: int
    sent: int = 0
    carried: "set[asyncio.Task[None]]" = field(default_factory=set)
    cut_after: int = 0
    cut_up_after: int = 0
    cuts: int = 0
    server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        assert self.server is not None
        return f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"

    async def carry(self, robot: asyncio.StreamReader, to_robot: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.carried.add(task)
        task.add_done_callback(self.carried.discard)
        with contextlib.closing(to_robot):
            server, to_server = await asyncio.open_connection("127.0.0.1", self.port)
            up, received = asyncio.create_task(self.up(robot, to_server, to_robot)), 0
            try:
                while data := await server.read(16384):
                    if self.cut_after and received + len(data) > self.cut_after:
                        self.cuts += 1
                        to_robot.transport.abort()
                        return
                    to_robot.write(data)
                    received += len(data)
                    self.sent += len(data)
                    await to_robot.drain()
            except ConnectionError:
                pass
            finally:
                up.cancel()
                to_server.close()

    async def up(
        self, robot: asyncio.StreamReader, to_server: asyncio.StreamWriter, to_robot: asyncio.StreamWriter
    ) -> None:
        sent = 0
        while data := await robot.read(16384):
            sent += len(data)
            if self.cut_up_after and sent > self.cut_up_after:
                self.cuts += 1
                to_server.transport.abort()
                to_robot.transport.abort()
                return
            to_server.write(data)
            await to_server.drain()


@contextlib.asynccontextmanager
async def lines(world: World) -> AsyncIterator[Line]:
    """The server on a port of its own; its public address is that of the line before it."""
    config = uvicorn.Config(
        Starlette(routes=[rpc.CallRoute(world.services)]), host="127.0.0.1", port=0, log_config=None, lifespan="off"
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110  # uvicorn has no event for it
        await asyncio.sleep(0.01)
    line = Line(server.servers[0].sockets[0].getsockname()[1])
    line.server = await asyncio.start_server(line.carry, "127.0.0.1", 0)
    world.services.settings = dataclasses.replace(world.services.settings, public_url=line.url)
    try:
        yield line
    finally:
        line.server.close()
        for connection in list(line.carried):
            connection.cancel()
        await asyncio.gather(*line.carried, return_exceptions=True)
        server.should_exit = True
        await serving


@dataclass
class Crew:
    """Robots that hear commands; what they tell goes through ingest's own keeper."""

    world: World
    folder: Path
    robots: dict[str, Robot] = field(default_factory=dict[str, Robot])
    ears: list[Any] = field(default_factory=list[Any])
    tasks: dict[str, "list[asyncio.Task[None]]"] = field(default_factory=dict[str, "list[asyncio.Task[None]]"])

    async def switch_on(self, sn: str, **spec: Any) -> Robot:
        robot = Robot.open(Spec(sn, sn, **spec), self.folder / sn)
        voice = TelemetryPublisher(robot, Native(Access(sn, "", (("127.0.0.1", 1),)), robot.outbox.acknowledge))

        async def on_message(message: Any) -> None:
            answer = await voice.handle(message.subject.split(".", 3)[3], message.data)
            await message.respond(msgspec.json.encode(answer))

        self.robots[sn] = robot
        self.ears.append(await self.world.services.bus.link.subscribe(f"robots.{sn}.cmd.>", cb=on_message))
        robot.updates.reached.set()
        work = (
            robot.downloads.run(),
            robot.uploads.run(),
            robot.backups.run(),
            robot.restores.run(),
            robot.updates.run(),
            robot.look.run(),
            robot.adverts.run(),
        )
        self.tasks[sn] = [asyncio.create_task(each) for each in work]
        await self.world.online(sn)
        return robot

    async def switch_off(self, sn: str) -> None:
        """As a power cut does."""
        for task in self.tasks.pop(sn):
            task.cancel()
        for ear in self.ears:
            if sn in ear.subject:
                with contextlib.suppress(Exception):
                    await ear.unsubscribe()
        self.ears = [ear for ear in self.ears if sn not in ear.subject]

    async def listen(self) -> None:
        """What robots have told so far, into the database."""
        services = self.world.services
        keeper = Keeper(
            services.bus,
            services.objects,
            await self.world.ingest_pool(),
            services.intake,
            upload_url(services.settings, services.objects),
        )
        for sn, robot in self.robots.items():
            for letter in [entry for entry in robot.outbox.unconfirmed() if entry.kind == "event"]:
                event = msgspec.json.decode(letter.data, type=bus.Event)
                if event.content is None and event.size:
                    event.content = msgspec.json.decode(robot.outbox.content(event.id) or b"")
                if event.kind in {
                    "map",
                    "map_sync",
                    "files",
                    "file_upload",
                    "backup",
                    "restore",
                    "update",
                    "tablet",
                    "adverts",
                }:
                    await keeper.keep(sn, event, now())
                robot.outbox.confirm([event.id])


@contextlib.asynccontextmanager
async def crews(world: World, folder: Path) -> AsyncIterator[Crew]:
    crew = Crew(world, folder)
    try:
        yield crew
    finally:
        for sn in list(crew.tasks):
            await crew.switch_off(sn)


def noise(name: str = "Ground", side: int = 60) -> bus.MapContent:
    """A floor that no packer makes smaller."""
    grid = np.random.default_rng(side).integers(0, 256, (side, side), np.uint8)
    grid[1:-1, 1:4] = 254
    out = io.BytesIO()
    Image.fromarray(grid).save(out, "PNG", compress_level=1)
    return bus.MapContent(
        name=name,
        resolution=0.05,
        width=side,
        height=side,
        origin=(0, 0, 0),
        grid=base64.b64encode(out.getvalue()).decode(),
        building="Kestrel",
        floor="1",
        flags=[bus.Flag(name="Dock", type="charging", x=0.1, y=1, id="f1")],
    )


async def mirrored(world: World, sn: str, content: bus.MapContent, *, revision: int = 1, at: int | None = None) -> int:
    """The robot tells of a map; its id."""
    event = bus.Event(
        at=next(CLOCK) if at is None else at,
        id=f"{sn}{revision}{content.name}",
        kind="map",
        name=content.name,
        revision=revision,
        content=content,
    )
    async with world.as_ingest() as db:
        await keep_map(db, world.services.objects, sn, event)
    return await world.pool.fetchval(
        "select m.id from floor_map m join device d on d.id = m.device_id where d.serial_number = $1 and m.name = $2"
        " and m.owner_id = d.owner_id",
        sn,
        content.name,
    )
