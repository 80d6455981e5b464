"""Uploads that do not come to their end: the tunnel's channel is free at once, and the next call is whole."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from aiohttp import web

from lustra.relay import forward
from lustra.relay.robot_http import CHANNELS
from tests.relay.conftest import MakeRobot, Robot, World

PART = b"x" * (256 << 10)


@dataclass
class UploadRobot(Robot):
    """Takes uploads as they come; `began` and `over` count them."""

    began: int = 0
    over: int = 0
    refuses: bool = False


class Upload:
    """A caller in the middle of its upload: one part is sent, more was promised."""

    def __init__(self, read: asyncio.StreamReader, write: asyncio.StreamWriter) -> None:
        self.read, self.write = read, write

    async def more(self) -> None:
        self.write.write(PART)
        await self.write.drain()

    async def read_answer(self) -> dict[str, object]:
        head = await self.read.readuntil(b"\r\n\r\n")
        (length,) = (int(line[16:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length: "))
        return json.loads(await self.read.readexactly(length))


@contextlib.asynccontextmanager
async def uploading(world: World, robot: UploadRobot) -> AsyncIterator[Upload]:
    where = urlsplit(world.url)
    read, write = await asyncio.open_connection(where.hostname, where.port)
    lines = [
        f"POST /?m=api2/map/Upload&p={robot.port} HTTP/1.1",
        "host: relay",
        f"content-length: {100 << 20}",
        "content-type: multipart/form-data; boundary=x",
        f"grant: {world.signed(world.grant(robot))}",
    ]
    write.write("\r\n".join([*lines, "", ""]).encode() + PART)
    await write.drain()
    yield Upload(read, write)
    write.transport.abort()
    with contextlib.suppress(OSError):
        await write.wait_closed()


@pytest.fixture
async def robot(robots: MakeRobot) -> UploadRobot:
    robot: UploadRobot = await robots(UploadRobot)

    async def answer(request: web.Request) -> web.StreamResponse:
        if not request.path.endswith("/Upload"):
            return web.json_response({"code": 0, "heard": (await request.read()).decode()})
        robot.began += 1
        try:
            async for _ in request.content.iter_any():
                if robot.refuses:
                    return web.json_response({"code": 413, "msg": "too large", "reason": "map_too_large"})
        except ConnectionResetError:
            pass
        finally:
            robot.over += 1
        return web.json_response({"code": 0})

    robot.answer = answer
    return robot


async def whole(world: World, robot: UploadRobot) -> None:
    """More calls than a robot has channels, each heard and answered as it was sent."""
    for number in range(CHANNELS + 1):
        body = {"map_name": f"n{number}"}
        answer = await asyncio.wait_for(world.call(robot, "api1/task_list", body), 20)
        assert (answer["code"], json.loads(answer["heard"])) == (0, body)


async def test_a_caller_who_leaves_in_an_upload_frees_every_channel_at_once(world: World, robot: UploadRobot):
    async with world.tunnel(robot):
        async with contextlib.AsyncExitStack() as callers:
            for _ in range(CHANNELS):
                await callers.enter_async_context(uploading(world, robot))
            await world.until(lambda: robot.began == CHANNELS)
        await world.until(lambda: robot.over == CHANNELS)
        await whole(world, robot)
    assert not world.audited(sn=robot.sn, code=502)


async def test_pass_on_a_refusal_during_an_upload_at_once_and_free_the_channel(world: World, robot: UploadRobot):
    robot.refuses = True
    async with world.tunnel(robot):
        for number in range(1, CHANNELS + 2):
            async with uploading(world, robot) as caller:
                assert (await asyncio.wait_for(caller.read_answer(), 20))["reason"] == "map_too_large"
            assert (robot.began, robot.over) == (number, number)
        await whole(world, robot)


async def test_an_upload_that_stands_still_is_late_and_its_channel_is_free(
    world: World, robot: UploadRobot, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(forward, "WAIT_FORM_S", 0.3)
    async with world.tunnel(robot):
        async with uploading(world, robot) as caller:
            assert (await asyncio.wait_for(caller.read_answer(), 20))["reason"] == "robot_late"
        await world.until(lambda: robot.over == 1)
        await whole(world, robot)


async def test_report_a_tunnel_that_breaks_in_an_upload_and_use_the_next(world: World, robot: UploadRobot):
    async with world.tunnel(robot) as link, uploading(world, robot) as caller:
        await world.until(lambda: robot.began == 1)
        link.abort()
        assert (await asyncio.wait_for(caller.read_answer(), 20))["reason"] == "robot_unreachable"
    async with world.tunnel(robot):
        await whole(world, robot)
