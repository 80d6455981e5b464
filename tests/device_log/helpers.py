"""A robot that has logs, and what people see of them."""

import asyncio
import os
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from lustra.protocol import bus
from lustra.protocol.files import FileList, LogKind, RobotFile
from lustra.robot.robot import Robot
from tests.map.robots import Crew
from tests.world import CLOCK, World, until

NOON = datetime.now(timezone.utc).replace(hour=12, minute=0, second=0, microsecond=0)
LISTS = {"rosbag": "/deviceLog/rosbagList", "navlog": "/deviceLog/navlogList"}
FOLDERS: dict[LogKind, str] = {"device": "logs/device", "pad": "logs/pad", "rosbag": "bags", "navlog": "logs/navlog"}


def put_file(robot: Robot, kind: LogKind, name: str, data: bytes) -> Path:
    """On the robot's disk."""
    folder = robot.store.folder / FOLDERS[kind]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)
    return folder / name


async def announce(crew: Crew, robot: Robot) -> None:
    """The robot looks at its disk, and the server hears what it says."""
    robot.files.announce(0)
    await crew.listen()


async def list_logs(world: World, account: str = "user", kind: str = "device", **filters: Any) -> list[dict[str, Any]]:
    paging = {"currentPage": 1, "pageSize": 30}
    return (await world.call(account, "/deviceLog/list", kind=kind, **paging, **filters))["list"]


async def list_files(world: World, kind: str, sn: str = "SC0001", account: str = "user") -> list[dict[str, Any]]:
    return (await world.call(account, LISTS[kind], deviceSerialNumber=sn))["list"]


async def ask(world: World, kind: str, name: str, sn: str = "SC0001", account: str = "user") -> tuple[int, Any]:
    return await world.raw(account, "/deviceLog/upLoadFile", deviceSerialNumber=sn, name=name, kind=kind)


async def uploads(world: World, sn: str = "SC0001", account: str = "user") -> list[dict[str, Any]]:
    return (await world.call(account, "/deviceLog/getUpLoadStatus", deviceSerialNumber=sn))["list"]


async def settled(world: World, crew: Crew, state: str) -> dict[str, Any]:
    """The upload, once it is in that state."""

    async def look() -> Any:
        await crew.listen()
        return next((row for row in await uploads(world) if row["state"] == state), None)

    return await until(look, 30)


async def say_files(
    world: World, sn: str, kind: str, files: dict[str, int], *, at: int | None = None, days_ago: int = 0
) -> None:
    """As ingest keeps a robot's list: names and sizes, all of the noon of a day."""
    time = round(NOON.timestamp() * 1000) - days_ago * 86_400_000
    rows = [RobotFile(name=name, size=size, time=time) for name, size in files.items()]
    moment = next(CLOCK) if at is None else at
    event = bus.Event(at=moment, id=f"f{moment}", kind="files", name=kind, content=FileList(files=rows))
    await keep(world, sn, event)


async def keep(world: World, sn: str, event: bus.Event) -> None:
    from lustra.domains.device_log.api import keep_files, keep_upload  # noqa: PLC0415  of one of the two

    async with world.as_ingest() as db:
        await {"files": keep_files, "file_upload": keep_upload}[event.kind](db, sn, event)


def noise(size: int) -> bytes:
    return os.urandom(size)


async def closed(task: "asyncio.Task[Any]") -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
