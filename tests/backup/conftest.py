"""Robots that hold something, on a line to the server, and people who may back them up."""

import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lustra.app.processes import worker
from lustra.core import texts
from lustra.protocol.payloads.tasks import Task
from lustra.robot.robot import Robot
from lustra.robot.store import StoredTask
from tests.map.robots import Crew, Line, crews, lines
from tests.robot.conftest import TASK, hall
from tests.world import World, until, world

__all__ = ["world"]

KEY = "device/dataBackup"
REASONS = (
    "backup_step",
    "backup_runs",
    "backup_not_packed",
    "backup_not_finished",
    "backup_other_owner",
    "backup_restoring",
    "restore_over",
    "required",
)
DUE = (
    "select exists (select from procrastinate_jobs where status in ('todo', 'doing') and task_name like 'backup.%'"
    " and coalesce(scheduled_at, now()) <= now())"
)


@dataclass
class Fleet:
    """Calls are the customer's: it has the key in these tests."""

    world: World
    crew: Crew
    line: Line

    async def switch_on(self, sn: str = "SC0001") -> Robot:
        """A robot with a map and a task."""
        robot = await self.crew.switch_on(sn)
        if not robot.store.maps:
            robot.save_map(hall())
            robot.machine.load(robot.store.maps["hall"], 0)
            robot.store.tasks["hall", "Hall"] = StoredTask(Task.model_validate(TASK), 1)
            robot.store.save_tasks()
            robot.keep()
        return robot

    async def call(self, path: str, account: str = "user", **payload: Any) -> Any:
        return await self.world.call(account, path, **payload)

    async def refused(self, path: str, account: str = "user", **payload: Any) -> tuple[int, str]:
        """Code and reason, by its text."""
        message = (await self.world.post(account, path, **payload)).json()["message"]
        reasons = [reason for reason in REASONS if texts.template("en", f"input.{reason}") in message["message"]]
        return message["code"], "".join(reasons)

    async def rows(self, account: str = "user", **filters: Any) -> list[dict[str, Any]]:
        return (await self.call("/device/selectDataBackups", account, **filters))["list"]

    async def row(self, backup: int | None = None) -> dict[str, Any]:
        return next(row for row in await self.rows() if backup in (None, row["id"]))

    async def work(self) -> None:
        """What the worker does: orders that wait go to their robots."""
        while await self.world.pool.fetchval(DUE):
            await worker.run_worker(self.world.services.settings, until_empty=True)

    async def reached(self, state: Mapping[str, Any], backup: int | None = None, *, restore: bool = False) -> Any:
        """Until the newest backup, or its restore, is so."""

        async def look() -> Any:
            await self.work()
            await self.crew.listen()
            row = await self.row(backup)
            present = row["restore"] if restore else row
            return present if state.items() <= present.items() else None

        return await until(look, 40)

    async def begin(self, sn: str = "SC0001") -> int:
        return (await self.call("/device/backup", deviceId=self.world.devices[sn]))["id"]

    async def finished(self, sn: str = "SC0001") -> dict[str, Any]:
        """A backup that is here."""
        return await self.reached({"status": "finished"}, await self.begin(sn))

    async def place(self, backup: int) -> str:
        return await self.world.pool.fetchval("select place from data_backup where id = $1", backup)


@pytest.fixture
async def fleet(world: World, tmp_path: Path) -> AsyncIterator[Fleet]:
    await world.pool.execute("update role set keys = keys || $1 where not keys @> $1", [KEY])
    async with contextlib.AsyncExitStack() as stack:
        line = await stack.enter_async_context(lines(world))
        crew = await stack.enter_async_context(crews(world, tmp_path / "robots"))
        yield Fleet(world, crew, line)
