"""A leaf of the bus in another country: its robots go on while the line to the hub is down, and nothing of what they
say into streams is lost or counted twice."""

import asyncio
import subprocess
import sysconfig
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import nats
import nats.errors
import pytest
from nats.aio.client import Client

from lustra.app.doctor.services import look_at_leaves
from lustra.core.database.database_rights import INGEST
from lustra.core.process.tasks import cancel_all
from lustra.gate import jwt
from lustra.gate.roster import Roster
from lustra.live.ingest import main as ingest
from lustra.live.leaves import make_leaf_streams
from lustra.protocol import bus
from lustra.stack import leaf
from tests.buses import MOST
from tests.databases import as_role
from tests.flush import flush
from tests.ingest.leaf import LEAF, Joined, joined, register
from tests.live.tabs import serving, tab
from tests.live.test_ingest_state import area
from tests.world import World, open_world, report, state, until

ROOT = Path(__file__).parents[2]
SN, OTHER = "SC0001", "SC0002"
STATES = 40
CUT_S = 2.0  # `make proof` cuts the line for a minute
POINTS = "select count(*) from point p join device d on d.id = p.robot where d.serial_number = $1"
REPORTS = "select count(*) from task_report where not provisional"


@dataclass
class Country:
    """`line` of `joined` goes to it."""

    world: World
    joined: Joined
    roster: Roster
    robot: Client


@pytest.fixture
async def country(fleet_copies: Any, tmp_path: Path) -> AsyncIterator[Country]:
    """An ingest reads what its robots say, of which one has logged in there."""
    seed = jwt.new_seed()
    async with (
        joined(tmp_path, seed) as both,
        open_world(fleet_copies, tmp_path, both.hub.url("server"), leaves=LEAF) as world,
    ):
        settings = world.services.settings
        running = asyncio.create_task(
            ingest.run(replace(settings, database_url=as_role(settings.database_url, INGEST)))
        )
        far = world.services.bus.link.jetstream(domain=LEAF)

        async def stands() -> bool:
            try:
                return bool(await far.stream_info("EVENT"))  # the last of them
            except (nats.errors.Error, TimeoutError):  # the line, or the stream, is not there yet
                return False

        await until(stands)
        for sn in (SN, OTHER):
            await register(world.services.bus, sn)
        async with both.gate(tmp_path, seed) as roster:

            async def known() -> bool:
                return {SN, OTHER} <= roster.passwords.keys()

            await until(known)
            robot = await both.native(SN)
            yield Country(world, both, roster, robot)
            await robot.close()
        await cancel_all(running)


async def say(country: Country, steps: range, begin: int) -> None:
    """A state a second of the robot's, as fast as they go."""
    for step in steps:
        each = state(begin + step * 1000, stream="boot", seq=step + 1, total=100.0 + step)
        await country.robot.publish(bus.state(SN), bus.encode(each))
    await flush(country.robot)


async def count(country: Country, query: str, *values: Any) -> int:
    return await country.world.pool.fetchval(query, *values)


async def cut_for(country: Country, seconds: float) -> None:
    """Says half of the states before, the other half while the line is cut."""
    begin, half = int(time.time() * 1000) - STATES * 1000, STATES // 2
    await say(country, range(half), begin)

    async def first_half() -> bool:
        return await count(country, POINTS, SN) == half

    await until(first_half, 60)  # mirrors that came before the leaf's streams wait 20 s
    looks: list[bytes] = []

    async def look(message: Any) -> None:
        looks.append(message.data)

    hub = country.world.services.bus
    await hub.subscribe(bus.live(SN, "*"), look)
    await flush(hub.link)
    await country.joined.line.refuse()
    ends = time.monotonic() + seconds
    await say(country, range(half, STATES), begin)
    await country.robot.publish(bus.report(SN), bus.encode(report(cleaned=10.0)))
    await country.robot.publish(bus.live(SN, "path"), b"during")
    async with country.joined.by_mqtt(OTHER) as other:  # logs in although the hub is away
        own = state(begin)
        await other.publish(bus.state(OTHER).replace(".", "/"), bus.encode(own), qos=1)
    while time.monotonic() < ends:
        assert await count(country, POINTS, SN) == half
        await asyncio.sleep(0.2)
    await country.joined.line.heal()

    async def all_stand() -> bool:
        points = await count(country, POINTS, SN), await count(country, POINTS, OTHER)
        return points == (STATES, 1) and await count(country, REPORTS) == 1

    await until(all_stand, 60)
    assert await area(country.world) == pytest.approx(STATES - 1)
    await country.robot.publish(bus.live(SN, "path"), b"after")

    async def seen() -> bool:
        return b"after" in looks

    await until(seen)
    assert b"during" not in looks  # as docs/operate.md says


async def test_a_leaf_that_is_cut_off_loses_nothing_that_its_streams_took(country: Country):
    await cut_for(country, CUT_S)


@pytest.mark.proof
@pytest.mark.timeout(180)
async def test_a_leaf_that_is_cut_off_for_a_minute_loses_nothing_that_its_streams_took(country: Country):
    await cut_for(country, 60)


async def test_a_tab_shows_a_robot_of_a_leaf_as_it_moves(country: Country):
    async with serving(country.world) as url, tab(country.world, url) as view:
        robot = country.world.devices[SN]
        await view.show(robots=[robot])

        async def move() -> None:  # again and again: what is said before the leaf knows that somebody looks is lost
            while True:
                await country.robot.publish(bus.state(SN), bus.encode(state(int(time.time() * 1000), x=7.0)))
                await asyncio.sleep(0.1)

        async def seen() -> bool:
            return (await view.next("robots"))["robots"][0]["x"] == 7.0

        moving = asyncio.create_task(move())
        await until(seen)
        await cancel_all(moving)


async def test_a_robot_of_a_leaf_answers_commands(country: Country):
    async def answer(message: Any) -> None:
        await message.respond(b'{"code":0,"msg":""}')

    await country.robot.subscribe(bus.cmd(SN, ">"), cb=answer)
    await flush(country.robot)

    async def answered() -> bool:
        return (await country.world.services.bus.ask(SN, "watch", bus.Watch(seconds=1)))["code"] == 0

    await until(answered)


async def test_a_leaf_that_refuses_its_streams_holds_nobody_up(country: Country):
    """As one whose disk has no room for them: ingest goes on with the hub and the other leaves."""
    assert not await make_leaf_streams(country.world.services.bus, LEAF, 1 << 50)


async def test_let_a_captured_leaf_reach_only_what_robots_publish(fleet_copies: Any, tmp_path: Path):
    """A line to the hub may not do what the user of a server may, who it says it is."""
    async with (
        joined(tmp_path, jwt.new_seed(), intruder=True) as both,
        open_world(fleet_copies, tmp_path, both.hub.url("server"), leaves=LEAF) as world,
    ):
        hub = world.services.bus
        await until(lambda: make_leaf_streams(hub, LEAF, MOST))
        await hub.put("control", SN, {"holder": 1})
        came: list[str] = []

        async def hear(message: Any) -> None:
            came.append(message.subject)

        for subject in ("presence.*", "$KV.>", "audit.>", "robots.*.state", "robots.*.cmd.*"):
            await hub.subscribe(subject, hear)
        allowed = asyncio.Event()

        async def hear_allowed(_: Any) -> None:
            allowed.set()

        await hub.subscribe("robots.*.live.*", hear_allowed)
        await flush(hub.link)
        thief = await nats.connect(both.leaf_url("server"))
        for subject in (
            "presence.SC0001",
            "$KV.control.SC0001",
            "audit.relay",
            "robots.SC0001.cmd.home",
            bus.state(SN),
        ):
            await thief.publish(subject, b"{}")
        deleting = await thief.request("$JS.API.STREAM.DELETE.KV_control", b"", timeout=5)
        assert b"stream not found" in deleting.data  # by the leaf, which has none of that name

        async def passes() -> bool:  # what is allowed comes after all that went before it
            await thief.publish(bus.live(SN, "path"), b"{}")
            return allowed.is_set()

        await until(passes)
        await thief.close()
        assert came == []
        assert await hub.get("control", SN) == {"holder": 1}


async def test_doctor_says_that_a_leaf_is_away_and_how_much_waits_there(country: Country):
    async def look() -> list[tuple[str, str]]:
        findings = look_at_leaves(country.world.services.bus.link, country.world.services.settings)
        return [(finding.level, finding.text) async for finding in findings]

    assert await look() == [("ok", "the leaf cn answers, and nothing waits there")]
    await country.joined.line.refuse()
    ((level, text),) = await look()
    assert (level, text.split(":")[0]) == ("warning", "the leaf cn cannot be reached")


def test_the_documented_configuration_is_the_one_that_is_tried_here():
    assert (ROOT / "docs" / "samples" / "leaf.conf").read_text() == leaf.sample()


def test_nats_accepts_the_documented_configuration(tmp_path: Path):
    lines = [line for line in leaf.sample().splitlines() if "tls {" not in line]
    text = "\n".join(lines).replace("PUBLIC_KEY_OF_THE_GATE", jwt.public(jwt.from_seed(jwt.new_seed())))
    conf = tmp_path / "leaf.conf"
    conf.write_text(text.replace("HUB", "localhost"))
    program = Path(sysconfig.get_path("scripts")) / "nats-server"
    checked = subprocess.run([program, "-t", "-c", conf], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
