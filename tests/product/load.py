"""Accounts and robots that never stop writing, and what the product has acknowledged to them.

Rule: what failed may have been done or not; what was acknowledged has been done, once, and nothing that was never
asked has been.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from lustra.core.bus import connect
from lustra.core.process.tasks import cancel_all
from tests.product.running import Console, Product, Refused, until

PACE_S = 0.15  # of each writer: a load, not a flood
RESTING = "SC0007"  # has no task of its own
# One statement: a slow commit of an upload whose writer was cancelled may still come.
STORED = """
select path, (select count(*) from audit where session_id = $2 and code = 0 and action like '%oss.upload') as audited
from stored_file where path like $1 and deleted_at is null
"""
AREA = [[0.5, 0.5], [2.5, 0.5], [2.5, 2.5], [0.5, 2.5]]


@dataclass
class Load:
    """`tried` and `done` count by kind of write."""

    product: Product
    user: Console
    device: int
    map_name: str
    run: str  # makes names of this load its own
    tried: Counter[str] = field(default_factory=Counter[str])
    done: Counter[str] = field(default_factory=Counter[str])
    trouble: dict[str, str] = field(default_factory=dict[str, str])
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    tasks: list[str] = field(default_factory=list[str])
    writers: list[asyncio.Task[None]] = field(default_factory=list[asyncio.Task[None]])
    number: int = 0  # newest acknowledged number of the control lock

    async def preference(self, n: int) -> None:
        await self.user("/user/preferences", set={f"load-{self.run}": n})

    async def file(self, n: int) -> None:
        name, content = f"load-{self.run}-{n}.txt", f"{self.run} {n} ".encode() * 500
        await self.user.form("/oss/upload", [("file", (name, content, "text/plain"))], targetPath="load")
        self.files[f"load/{name}"] = content

    async def control(self, n: int) -> None:
        answer = await self.user(f"/device/{'takeControl' if n % 2 else 'releaseControl'}", deviceId=self.device)
        assert answer["number"] >= self.number, "a number of the lock was given out twice"
        self.number = answer["number"]

    async def task(self, n: int) -> None:
        name = f"Load {self.run} {n}"
        await self.user.robot(
            self.device, "task_add", name=name, map_name=self.map_name, areas=[{"points": AREA}], start=[1.5, 1.5]
        )
        self.tasks.append(name)

    async def stop(self, n: int) -> None:
        """A command that relays tell to the audit."""
        await self.user.robot(self.device, "robot_safe", robot_safe=n % 2)

    @property
    def kinds(self) -> dict[str, Callable[[int], Awaitable[None]]]:
        return {
            "preference": self.preference,
            "file": self.file,
            "control": self.control,
            "task": self.task,
            "stop": self.stop,
        }

    async def write(self, kind: str) -> None:
        do = self.kinds[kind]
        while True:
            self.tried[kind] += 1
            try:
                await do(self.tried[kind])
                self.done[kind] += 1
            except (httpx.HTTPError, Refused) as why:
                self.trouble[kind] = repr(why)
                self.user.grants.clear()  # the robot may have gone to another relay
            await asyncio.sleep(PACE_S)

    async def more(self, each: int = 3) -> None:
        """Until every kind was acknowledged so many times more."""
        goal = {kind: self.done[kind] + each for kind in self.kinds}

        async def reached() -> bool:
            return all(self.done[kind] >= count for kind, count in goal.items())

        await until(reached, "more of every kind to be acknowledged", lambda: f"{self.done} {self.trouble}")

    def begin(self) -> None:
        self.writers = [asyncio.create_task(self.write(kind)) for kind in self.kinds]

    async def end(self) -> None:
        """Raises what a writer has failed of."""
        await cancel_all(*self.writers)
        for writer in self.writers:
            if not writer.cancelled():
                writer.result()
        self.writers = []


@asynccontextmanager
async def writing(product: Product, run: str) -> AsyncIterator[Load]:
    async with product.console("sub") as user:

        async def report_row() -> dict[str, Any] | None:
            robot = (await user.devices())[RESTING]
            return robot if robot["online"] and robot["mapName"] else None

        robot = await until(report_row, "a robot with its map")
        load = Load(product, user, robot["deviceId"], robot["mapName"], run)
        load.begin()
        try:
            yield load
        finally:
            await load.end()


async def stands(load: Load, *, unaudited: int = 0) -> None:
    """Ends the load; everything acknowledged is there, once.

    `unaudited`: commands that a killed relay had no time to tell the audit of.
    """
    await load.end()
    user, product = load.user, load.product
    saved = (await user("/user/preferences"))[f"load-{load.run}"]
    assert load.done["preference"] <= saved <= load.tried["preference"]
    for path, content in load.files.items():
        url = await user("/oss/downloadUrl", savePath=path)
        assert (await user.http.get(url)).content == content
    rows = await product.fetch(STORED, f"load/load-{load.run}-%", user.session)
    assert load.files.keys() <= {row["path"] for row in rows}
    assert len(rows) == len({row["path"] for row in rows}) <= load.tried["file"]
    assert rows[0]["audited"] == len(rows)
    assert (await user("/device/control", deviceId=load.device))["number"] >= load.number
    await tasks_stand(load)
    audited = await audit(load)
    changes = audited["device.take_control"] + audited["device.release_control"]
    assert load.done["control"] <= changes <= load.tried["control"]

    async def commands_audited() -> bool:
        counts = (await audit(load))["relay.robot_safe"]
        assert counts <= load.tried["stop"]
        return counts >= load.done["stop"] - unaudited

    try:
        await until(commands_audited, "each command to a robot in the audit")
    except AssertionError as why:
        why.add_note(await explain_audit(load))
        raise


async def tasks_stand(load: Load) -> None:
    """The robot has each task, and so has the mirror."""
    listed = await load.user.robot(load.device, "task_list", map_name=load.map_name)
    names = [task["name"] for task in listed["task_list"]]
    assert set(load.tasks) <= set(names)
    assert len(names) == len(set(names))

    async def mirrored() -> bool:
        mirror: list[dict[str, Any]] = (await load.user("/task/mirror", deviceId=load.device))["list"]
        return sorted(task["content"]["name"] for task in mirror) == sorted(names)

    await until(mirrored, "the mirror of the robot's tasks")


async def explain_audit(load: Load) -> str:
    """How far what relays tell the audit has come, and what those wrote last who bring it there."""
    lines = [f"tried {load.tried}", f"done {load.done}", f"audited {await audit(load)}"]
    bus = await connect(load.product.run["nats"], "test")
    try:
        lines += [str(await bus.js.stream_info("AUDIT")), *map(str, await bus.js.consumers_info("AUDIT"))]
    finally:
        await bus.close()
    for log in sorted(load.product.folder.glob("log/*.log")):
        if log.stem.startswith(("relay", "ingest")):
            lines += [f"-- {log.stem}", *load.product.log(log.stem).splitlines()[-15:]]
    return "\n".join(lines)


async def audit(load: Load) -> Counter[str]:
    """Successful actions of this session, counted."""
    rows = await load.product.fetch(
        "select action, count(*) from audit where session_id = $1 and code = 0 group by 1", load.user.session
    )
    return Counter({row["action"].replace("api/", "").replace("api1/", ""): row["count"] for row in rows})
