"""What robots say while the lines of `lustra ingest` are bad: each report is stored, and counts once.

Reports are sent as a robot sends them, again and again until their receipt comes.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest

from lustra.core import bus as core_bus
from lustra.core import db
from lustra.core.database.database_rights import INGEST
from lustra.core.process.tasks import cancel_all
from lustra.live.ingest import main as ingest
from lustra.protocol import bus
from tests.databases import as_role
from tests.faults.fault_proxy import DIRECTIONS, FaultProxy, between
from tests.flush import flush
from tests.world import World, report, until

SN = "SC0001"
EACH_S = 1.0  # how often a robot says again what nobody has confirmed
BAD_S = 1.0  # of a fault; `make proof` holds each for longer
LONG_S = 12.0

Fault = Callable[[FaultProxy], Awaitable[None]]


@dataclass
class Robot:
    """Says what it has to say until it is confirmed."""

    world: World
    unconfirmed: dict[str, bus.Report] = field(default_factory=dict[str, bus.Report])
    reports: list[bus.Report] = field(default_factory=list[bus.Report])

    async def run(self) -> None:
        async def confirm(message: Any) -> None:
            for id_ in json.loads(message.data)["ids"]:
                self.unconfirmed.pop(id_, None)

        await self.world.services.bus.subscribe(bus.cmd(SN, "kept"), confirm)
        await flush(self.world.services.bus.link)
        while True:
            for each in list(self.unconfirmed.values()):
                await self.world.services.bus.publish(bus.report(SN), bus.encode(each))
            await asyncio.sleep(EACH_S)

    def say(self, number: int) -> None:
        for _ in range(number):
            each = report(cleaned=10.0)
            self.reports.append(each)
            self.unconfirmed[each.id] = each

    async def is_confirmed(self) -> bool:
        return not self.unconfirmed


@dataclass
class Lines:
    """Of ingest: to the database, and to the bus."""

    database: FaultProxy
    bus: FaultProxy


def through(url: str, proxy: FaultProxy) -> str:
    parts = urlsplit(url)
    login, _, _ = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{login}@127.0.0.1:{proxy.port}"))


@pytest.fixture
async def lines(world: World) -> AsyncIterator[Lines]:
    """An ingest runs over them."""
    settings = world.services.settings
    database, nats = urlsplit(settings.database_url), urlsplit(settings.nats_url)
    async with (
        between(str(database.hostname), database.port or 5432) as to_database,
        between(str(nats.hostname), nats.port or 4222) as to_bus,
    ):
        over = replace(
            settings,
            database_url=through(as_role(settings.database_url, INGEST), to_database),
            nats_url=through(settings.nats_url, to_bus),
        )
        running = asyncio.create_task(ingest.run(over))
        yield Lines(to_database, to_bus)
        await to_database.heal()
        await to_bus.heal()
        await cancel_all(running)


@pytest.fixture
async def robot(world: World) -> AsyncIterator[Robot]:
    robot = Robot(world)
    running = asyncio.create_task(robot.run())
    yield robot
    await cancel_all(running)


async def cut_often(line: FaultProxy) -> None:
    for _ in range(5):
        await line.cut()
        await asyncio.sleep(BAD_S / 5)


async def refuse(line: FaultProxy) -> None:
    await line.refuse()


async def hold_there(line: FaultProxy) -> None:
    await line.hold("there")


async def hold_back(line: FaultProxy) -> None:
    await line.hold("back")


async def hold_both(line: FaultProxy) -> None:
    await line.hold(*DIRECTIONS)


async def delay(line: FaultProxy) -> None:
    line.delay_s = 0.1


async def break_into_pieces(line: FaultProxy) -> None:
    line.in_pieces = True


FAULTS: dict[str, Fault] = {
    each.__name__: each for each in (cut_often, refuse, hold_there, hold_back, hold_both, delay, break_into_pieces)
}


async def stands_once(world: World, robot: Robot) -> None:
    await until(robot.is_confirmed, 60)
    stored = await world.pool.fetch("select run, cleaned from task_report order by run")
    assert [row["run"] for row in stored] == sorted(each.id for each in robot.reports)
    assert sum(row["cleaned"] for row in stored) == 10 * len(robot.reports)


async def endure(world: World, robot: Robot, line: FaultProxy, fault: Fault, seconds: float) -> None:
    robot.say(3)
    await until(robot.is_confirmed, 60)
    await fault(line)
    robot.say(20)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await until(robot.is_confirmed, 2 * seconds)
    await line.heal()
    robot.say(3)
    await stands_once(world, robot)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("line", ["database", "bus"])
async def test_reports_over_a_bad_line_are_stored_and_count_once(
    world: World, lines: Lines, robot: Robot, line: str, fault: str
):
    await endure(world, robot, getattr(lines, line), FAULTS[fault], BAD_S)


@pytest.mark.proof
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("line", ["database", "bus"])
async def test_reports_over_a_line_that_is_bad_for_long_are_stored_and_count_once(
    world: World, lines: Lines, robot: Robot, line: str, fault: str
):
    await endure(world, robot, getattr(lines, line), FAULTS[fault], LONG_S)


SLOW_COMMIT = """
create function take_time() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return null; end $$;
create constraint trigger slow_commit after insert on task_report deferrable initially deferred
  for each row execute function take_time();"""


async def test_a_commit_whose_answer_is_lost_counts_once(world: World, lines: Lines, robot: Robot):
    await world.pool.execute(SLOW_COMMIT)
    robot.say(2)

    async def is_committing() -> bool:
        query = "select count(*) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()"
        return await world.pool.fetchval(query) == 1

    async def is_committed() -> bool:
        return await world.pool.fetchval("select count(*) from task_report") == len(robot.reports)

    await until(is_committing)
    await lines.database.refuse()
    await until(is_committed)
    assert not await robot.is_confirmed()  # nobody knows of it yet
    await lines.database.heal()
    await stands_once(world, robot)


async def switch_writing(world: World, mode: str) -> None:
    """As a standby that takes over, or a disk that its watch closed: each link is ended and comes back as said."""
    name = urlsplit(world.services.settings.database_url).path.removeprefix("/")
    await world.pool.execute(
        "set default_transaction_read_only = off;"  # of this link: it is to change its own database
        f"alter database {name} set default_transaction_read_only = {mode};"
        "select pg_terminate_backend(pid) from pg_stat_activity"
        " where datname = current_database() and pid <> pg_backend_pid()"
    )


async def test_a_database_that_may_not_be_written_costs_no_report(world: World, lines: Lines, robot: Robot):
    await switch_writing(world, "on")
    robot.say(10)
    await lines.database.cut()
    with contextlib.suppress(AssertionError):
        await until(robot.is_confirmed, BAD_S)
    assert len(robot.unconfirmed) == 10
    await switch_writing(world, "off")
    await stands_once(world, robot)


@pytest.fixture
def _quick_pings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_bus, "PING_S", 0.2)


@pytest.mark.usefixtures("_quick_pings")
async def test_a_line_to_the_bus_that_is_lost_without_a_word_is_left(world: World, lines: Lines, robot: Robot):
    robot.say(3)
    await until(robot.is_confirmed, 60)
    await lines.bus.silence()
    robot.say(5)
    await stands_once(world, robot)


@pytest.mark.parametrize("way", ["calls", "hot SQL", "alone"])
async def test_a_database_that_falls_silent_is_noticed_by_the_line_itself(world: World, way: str):
    """The kernel ends it, so a proxy, whose own kernel goes on acknowledging, cannot show it: the line says how long it
    waits."""
    dsn = world.services.settings.database_url
    link: Any = None
    async with contextlib.AsyncExitStack() as opened:
        match way:
            case "calls":
                connection = await opened.enter_async_context(world.services.sessions())
                link = (await (await connection.connection()).get_raw_connection()).driver_connection
            case "hot SQL":
                link = await opened.enter_async_context(world.services.pool.acquire())
            case _:
                link = await db.connect(dsn)
                opened.push_async_callback(link.close)
        line = link._transport.get_extra_info("socket")
        assert [line.getsockopt(level, option) for level, option, _ in db.LINE_OPTIONS] == [
            value for _, _, value in db.LINE_OPTIONS
        ]
