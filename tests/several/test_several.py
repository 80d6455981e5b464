"""Several of everything: the death of any one process, or of the database, loses nothing, and users are served on.

What stays killed until its test ends shows what the others do alone: pages and robots answer anew while it lies dead.
How long nobody was served is reported, not bounded: it is the machine's, and docs/operate.md has the figures.
"""

import asyncio
import json
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import asyncpg
import httpx
import pytest
from nats.js.api import StreamInfo

from lustra.core.bus import BUCKETS, connect
from lustra.stack.liveness import NotYet
from lustra.stack.place import LOOPBACK
from tests.product import robot_messages
from tests.product.load import Load, stands, writing
from tests.product.running import Console, Refused, until
from tests.several.cluster import Cluster, once_well
from tests.several.configuration import COPIES, NODES, PAIRS

pytestmark = [pytest.mark.timeout(300), pytest.mark.asyncio(loop_scope="module")]
PROBE_S = 0.05
ANSWERS = 20  # of each, after a death: more than were on their way
FAST = ("SC0001", "SC0003", "SC0004", "SC0006")


@dataclass
class Gaps:
    """How long a page of the server, and a robot, gave no answer at the longest, s; and how often they answered."""

    page: float = 0.0
    robot: float = 0.0
    answers: Counter[str] = field(default_factory=Counter[str])
    probes: list[asyncio.Task[None]] = field(default_factory=list[asyncio.Task[None]])


async def load_leader(cluster: Cluster, stream: str) -> str:
    """The server that leads a stream, once one does: after a death the others vote first."""

    async def ask() -> str:
        bus = await connect(cluster.bus_urls("server"), "test")
        try:
            cluster_info = (await bus.js.stream_info(stream)).cluster
            if not (cluster_info and cluster_info.leader):
                raise NotYet("the servers vote")
            return cluster_info.leader
        finally:
            await bus.close()

    return await once_well(ask, f"a leader of {stream}")


async def run_doctor(cluster: Cluster) -> str:
    """Its findings. A doctor that fails instead of saying what is wrong fails the test."""
    command = [sys.executable, "-m", "lustra.app.cli", "doctor"]
    pipe = asyncio.subprocess.PIPE
    doctor = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe, env=cluster.environ("doctor"))
    findings, complaints = await doctor.communicate()
    assert b"Traceback" not in complaints, complaints.decode()
    return findings.decode()


@asynccontextmanager
async def watched(cluster: Cluster, load: Load) -> AsyncIterator[Gaps]:
    """Asks both all the time, as two open tabs do."""
    gaps = Gaps()

    async def probe(name: str, user: Console) -> None:
        last = time.monotonic()
        while True:
            try:
                if name == "page":
                    await user("/device/control", deviceId=load.device)
                else:
                    await user.robot(load.device, "task_state")
            except (httpx.HTTPError, Refused, json.JSONDecodeError):
                user.grants.clear()
            else:
                setattr(gaps, name, max(getattr(gaps, name), time.monotonic() - last))
                last = time.monotonic()
                gaps.answers[name] += 1
            await asyncio.sleep(PROBE_S)

    async with cluster.console("sub") as first, cluster.console("sub") as second:
        gaps.probes = [asyncio.create_task(probe("page", first)), asyncio.create_task(probe("robot", second))]
        try:
            yield gaps
        finally:
            for task in gaps.probes:
                task.cancel()
            await asyncio.gather(*gaps.probes, return_exceptions=True)


async def check_death(cluster: Cluster, name: str, record: Any) -> None:
    """Kills it under load, goes on without it for a while, and looks whether all stands."""
    async with writing(cluster, name) as load:
        await load.more(1)
        async with watched(cluster, load) as gaps:
            cluster.kill_named(name)
            gaps.answers.clear()

            async def both_are_served() -> bool:
                return min(gaps.answers["page"], gaps.answers["robot"]) >= ANSWERS

            await until(both_are_served, f"answers without {name}")
            await load.more()
        cluster.begin_again(name)
        await stands(load, unaudited=1 if name.startswith("relay") else 0)
    record("tried", f"{name} killed: a page waited {gaps.page:.1f} s at the longest, a robot {gaps.robot:.1f} s")


async def test_all_streams_and_buckets_lie_on_three_servers(cluster: Cluster):
    async def ask() -> dict[str, StreamInfo]:
        bus = await connect(cluster.bus_urls("server"), "test")
        try:
            return {str(info.config.name): info for info in await bus.js.streams_info()}
        finally:
            await bus.close()

    infos = await once_well(ask, "all streams")
    assert infos.keys() >= {"STATE", "ALARM", "REPORT", "EVENT", "AUDIT", *(f"KV_{name}" for name in BUCKETS)}
    ours = {name: info.config.num_replicas for name, info in infos.items()}
    assert set(ours.values()) == {COPIES}, ours


@pytest.mark.parametrize("kind", PAIRS)
async def test_the_death_of_one_of_two_loses_nothing(cluster: Cluster, kind: str, record_property: Any):
    await check_death(cluster, f"{kind}-1", record_property)


async def test_the_death_of_a_server_of_the_bus_loses_nothing(cluster: Cluster, record_property: Any):
    await check_death(cluster, await load_leader(cluster, "STATE"), record_property)


async def until_doctor_says(cluster: Cluster, text: str, *, but_not: str = "\0") -> None:
    findings = ""

    async def says() -> bool:
        nonlocal findings
        findings = await run_doctor(cluster)
        return text in findings and but_not not in findings

    await until(says, f"doctor to say: {text}", lambda: findings)


async def until_whole(cluster: Cluster) -> None:
    await until_doctor_says(cluster, "its streams hold", but_not="lies whole on")


async def test_doctor_says_which_streams_lack_a_copy(cluster: Cluster):
    leader = await load_leader(cluster, "STATE")
    victim = next(node for node in NODES if node != leader)
    cluster.kill_named(victim)
    await until_doctor_says(cluster, "the stream STATE lies whole on 2 of 3 servers")
    cluster.begin_again(victim)
    await until_whole(cluster)


async def test_doctor_says_that_most_servers_of_the_bus_are_away(cluster: Cluster):
    leader = await load_leader(cluster, "STATE")
    victims = [node for node in NODES if node != leader]
    for victim in victims:
        cluster.kill_named(victim)
    await until_doctor_says(cluster, "the bus stores nothing")
    for victim in victims:
        cluster.begin_again(victim)
    await until_whole(cluster)


async def test_changes_wait_while_the_standby_is_away_and_an_emergency_stop_does_not(
    cluster: Cluster, record_property: Any
):
    async with writing(cluster, "alone") as load, cluster.console("sub") as user:
        await load.more(1)
        async with watched(cluster, load) as gaps:
            cluster.kill_named("postgres-2")
            await until_doctor_says(cluster, "every change waits")
            await user.robot(load.device, "robot_safe", robot_safe=1)
            await user("/device/control", deviceId=load.device)
            cluster.begin_again("postgres-2")
            await load.more()
        await stands(load)
        assert "every change waits" not in await run_doctor(cluster)
    record_property("tried", f"the standby away: a page waited {gaps.page:.1f} s, a robot {gaps.robot:.1f} s")


async def test_store_robots_messages_once_over_all_restarts(cluster: Cluster):
    states = await robot_messages.states(cluster)
    await robot_messages.points_stand(cluster, states)
    await robot_messages.reports_stand(cluster, states)
    await robot_messages.areas_stand(cluster)


async def test_a_standby_takes_over_by_one_command_and_nothing_acknowledged_is_lost(
    cluster: Cluster, record_property: Any
):
    """Last: the former primary does not come back by itself."""
    async with writing(cluster, "standby") as load:
        await load.more(1)
        async with watched(cluster, load) as gaps:
            cluster.kill_named("postgres-1")
            promote = [cluster.programs.postgres / "pg_ctl", "promote", "-D", cluster.standby.folder / "pg"]
            done = await asyncio.create_subprocess_exec(*promote, cwd="/", **cluster.as_user)
            assert await done.wait() == 0
            # Nobody is left to confirm commits; the next standby is set up as this one was.
            link = await asyncpg.connect(cluster.standby.dsn)
            await link.execute("alter system reset synchronous_standby_names")
            await link.execute("select pg_reload_conf()")
            await link.close()
            await load.more()
        await stands(load)
    record_property("tried", f"the standby took over: a page waited {gaps.page:.1f} s, a robot {gaps.robot:.1f} s")
    with suppress(OSError):
        _, writer = await asyncio.open_connection(LOOPBACK, cluster.primary.port)
        writer.close()
        raise AssertionError("the former primary still listens")
