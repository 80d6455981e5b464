"""Published software, keys that sign it, and robots that take it over a real line."""

import contextlib
import dataclasses
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lustra.app.processes import worker
from lustra.core import texts
from lustra.domains.rollout import orders, trust
from lustra.domains.rollout.keys import make_root, rotate_root
from lustra.protocol.updates import Update, UpdateProgress, target_path
from lustra.robot.robot import Robot
from tests.map.robots import Crew, Line, crews, lines
from tests.version.helpers import KEYS, add_build, add_line, publish, upload
from tests.world import World, until, world

__all__ = ["world"]

DUE = (
    "select exists (select from procrastinate_jobs where status in ('todo', 'doing') and task_name like 'rollout.%'"
    " and coalesce(scheduled_at, now()) <= now())"
)
ROBOT = "select * from rollout_robot where rollout_id = $1 and device_id = $2"
REASONS = ("rollout_robot_busy", "rollout_no_robots", "rollout_step", "version_rolled_out", "version_unpublished")
SECRET = "worker"
PACKAGE = b"PK\x03\x04" + bytes(range(256)) * 12_000  # 3 MB: some pieces


@dataclass
class Workshop:
    world: World
    crew: Crew
    line: Line
    folder: Path
    soft: int = 0
    root: str = ""

    @property
    def key(self) -> Path:
        return self.folder / "root.key"

    async def make_keys(self) -> None:
        async with self.world.services.sessions.begin() as db:
            await make_root(db, SECRET, [self.key], 1)
        self.use_secret(SECRET)
        self.root = (await self.world.http.get("/api/version/root")).text

    def use_secret(self, secret: str) -> None:
        services = self.world.services
        services.settings = dataclasses.replace(services.settings, update_key=secret)

    async def rotate(self, secret: str, *files: Path, by: Path | None = None) -> None:
        async with self.world.services.sessions.begin() as db:
            await rotate_root(db, secret, [by or self.key], files or [self.key], 1)
        self.use_secret(secret)

    async def sign(self) -> None:
        await trust.renew(self.world.services)

    async def publish(self, version: str, content: bytes = PACKAGE, *serials: str) -> int:
        """A build of that version; its number."""
        self.soft = self.soft or await add_line(self.world)
        end = "zip" if content.startswith(b"PK") else "swu"
        file = await upload(self.world, name=f"{version}.{end}", content=content)
        build = await add_build(self.world, self.soft, name=version, version=version, file=file)
        await publish(self.world, self.soft, build, *serials)
        return build

    async def place(self, build: int) -> str:
        statement = "select f.place from version_file f join soft_build b on b.file_id = f.id where b.id = $1"
        return await self.world.pool.fetchval(statement, build)

    async def path(self, build: int) -> str:
        """Under which signed metadata lists it for robots of its type."""
        statement = (
            "select t.name from device_type t join soft_version v on v.type_id = t.id"
            " join soft_build b on b.version_id = v.id where b.id = $1"
        )
        return target_path("soft", await self.world.pool.fetchval(statement, build), build)

    async def order(self, build: int, version: str, sn: str = "SC0001", **fields: Any) -> dict[str, Any]:
        services = self.world.services
        order = Update(
            number=fields.pop("number", build),
            attempt=fields.pop("attempt", 1),
            action=fields.pop("action", "install"),
            version=version,
            name=fields.pop("name", await self.path(build)),
            metadata=orders.metadata_url(services, self.world.devices[sn]),
            url=orders.package_url(services, await self.place(build)),
            **fields,
        )
        return await services.bus.ask(sn, "update", order, 5)

    async def roll_out(self, build: int, **plan: Any) -> int:
        return (await self.world.call("admin", "/version/startRollout", publicId=build, **plan))["id"]

    async def rollout(self, rollout: int) -> dict[str, Any]:
        return await self.world.call("admin", "/version/selectRollout", id=rollout)

    async def change(self, rollout: int, action: str) -> None:
        await self.world.call("admin", "/version/changeRollout", id=rollout, action=action)

    async def refused(self, path: str, **payload: Any) -> str:
        """The reason, by its text."""
        message = (await self.world.post("admin", path, **payload)).json()["message"]
        parts = {reason: re.split(r"\{\w+\}", texts.template("en", f"input.{reason}")) for reason in REASONS}
        text = message["message"] if message["code"] else ""
        return "".join(reason for reason, of_text in parts.items() if max(of_text, key=len) in text)

    async def pass_time(self) -> None:
        """Hours later."""
        for table, columns in (("rollout", "step_at"), ("rollout_robot", "updated_at")):
            await self.world.pool.execute(f"update {table} set {columns} = {columns} - interval '3 hours'")

    async def work(self, *, crew: bool = True) -> None:
        """What the worker does each minute, and with jobs that wait; robots that want to restart do."""
        services = self.world.services
        await orders.advance_all(services)
        while await self.world.pool.fetchval(DUE):
            await worker.run_worker(services.settings, until_empty=True)
        for sn, robot in list(self.crew.robots.items()) if crew else []:
            if robot.reboots.is_set() and sn in self.crew.tasks:
                await self.crew.switch_off(sn)
                await self.switch_on(sn)
        if crew:
            await self.crew.listen()

    async def settled(self, rollout: int) -> dict[str, Any]:
        """Once nothing more comes of it by itself."""

        async def look() -> dict[str, Any] | None:
            await self.work()
            before = await self.rollout(rollout)
            busy = any(robot.updates.orders.open() for robot in self.crew.robots.values())
            await self.work()
            row = await self.rollout(rollout)
            return row if row == before and not busy else None

        return await until(look, 60)

    async def until_row(self, rollout: int, sn: str, **values: Any) -> None:
        async def look() -> bool:
            await self.work()
            row = await self.world.pool.fetchrow(ROBOT, rollout, self.world.devices[sn])
            return all(row[name] == value for name, value in values.items())

        await until(look, 60)

    async def switch_on(self, sn: str = "SC0001", **spec: Any) -> Robot:
        return await self.crew.switch_on(sn, root=self.root, **spec)

    async def restart(self, sn: str = "SC0001") -> Robot:
        """Once it wants to."""

        async def look() -> Any:
            return self.crew.robots[sn].reboots.is_set()

        await until(look, 30)
        await self.crew.switch_off(sn)
        return await self.switch_on(sn)

    async def reached(self, number: int, state: str, reason: str = "", attempt: int = 1) -> UpdateProgress:
        """The robot, in whatever life. Without a reason whatever it says."""
        sn = "SC0001"

        async def look() -> UpdateProgress | None:
            if self.crew.robots[sn].reboots.is_set() and sn in self.crew.tasks:
                await self.crew.switch_off(sn)
                await self.switch_on(sn)
            order = self.crew.robots[sn].updates.orders.get(number)
            report = order.report if order else None
            fits = report and (report.state, report.attempt) == (state, attempt) and reason in {"", report.reason}
            return report if fits else None

        return await until(look, 30)


@pytest.fixture
async def workshop(world: World, tmp_path: Path) -> AsyncIterator[Workshop]:
    await world.pool.execute(KEYS)
    async with contextlib.AsyncExitStack() as stack:
        line = await stack.enter_async_context(lines(world))
        crew = await stack.enter_async_context(crews(world, tmp_path / "robots"))
        workshop = Workshop(world, crew, line, tmp_path)
        await workshop.make_keys()
        yield workshop
