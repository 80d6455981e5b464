"""Every process may be killed at any moment, under load: nothing that was acknowledged or said is lost or doubled."""

import asyncio
import random
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
import pytest_asyncio

from tests.product import robot_messages
from tests.product.load import stands, writing
from tests.product.running import Product, until

PROCESSES = ("postgres", "nats", "gate", "server", "ingest", "relay", "worker", "elevators")
FAST = ("SC0001", "SC0003", "SC0004", "SC0006", "SC0010")  # their runs end while processes are killed
# A spare takes the place of what was killed, and a new one comes.
FOLLOW = {"relay": ("ssh", "relay spare"), "server": ("server spare",)}
KILLS, SEED = 100, 22
DOWN_S = 20.0  # how long a process is kept from coming back
SYNC_S = 0.1  # what a commit takes at least
SILENCE_MS = 12_000  # far less than that, and more than a busy machine makes of one second
pytestmark = pytest.mark.timeout(300)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def fleet(product: Product) -> Product:
    """Robots at work, some of them fast. Video answers too: nobody waits for it when the product starts, and what has
    not started yet dies with the database.
    """
    await until(lambda: well(product, "video"), "video that answers")
    await speed_up(product)
    await at_work(product)
    return product


async def speed_up(product: Product) -> None:
    async with product.console("admin") as admin:

        async def are_fast() -> bool:
            robots = await admin.devices()
            for sn in FAST:
                await admin("/device/simulate", deviceId=robots[sn]["deviceId"], factor=20)
            return True

        await until(are_fast, "fast robots")


async def at_work(product: Product) -> None:
    """All of them at the same moment: after hours of their own clock some of them charge."""
    async with product.console("admin") as admin:

        async def all_move() -> bool:
            robots = await admin.devices()
            return all(robots[sn]["mode"] in {"moving", "cleaning"} for sn in FAST)

        await until(all_move, "robots at work")


async def came_back(product: Product, name: str, pid: int) -> None:
    async def lives() -> bool:
        process = product.processes().get(name)
        return process is not None and process.pid != pid and product.ready() and await well(product, "relay")

    await until(lives, f"{name} and a product that is ready")


async def well(product: Product, name: str) -> bool:
    async with httpx.AsyncClient() as http:
        return (await http.get(f"{product.run[name]}/healthz")).status_code == 200


async def all_messages_stand(product: Product) -> dict[str, list[robot_messages.State]]:
    states = await robot_messages.states(product)
    await robot_messages.points_stand(product, states)
    await robot_messages.reports_stand(product, states)
    return states


@pytest.mark.parametrize("name", PROCESSES)
async def test_a_killed_process_comes_back_alone_and_nothing_acknowledged_is_lost(fleet: Product, name: str):
    before = {which: process.pid for which, process in fleet.processes().items()}
    async with writing(fleet, name) as load:
        await load.more()
        pid = fleet.kill(name)
        await came_back(fleet, name, pid)
        await load.more()
        await stands(load, unaudited=1 if name == "relay" else 0)
    now = {which: process.pid for which, process in fleet.processes().items()}
    assert {which for which in before if now.get(which) != before[which]} <= {name, *FOLLOW.get(name, ())}


SLOW_SYNC = "commit_delay = 100000\ncommit_siblings = 0\n"  # µs, before each flush of the log


@contextmanager
def slow_sync(product: Product) -> Iterator[None]:
    """By the file of settings that PostgreSQL reads last: only the superuser, as whom nobody logs in, could say it."""
    (file,) = product.folder.glob("**/pg/postgresql.auto.conf")
    usual = file.read_text()

    def change(settings: str) -> None:
        file.write_text(settings)
        product.processes()["postgres"].send_signal(signal.SIGHUP)

    change(usual + SLOW_SYNC)
    try:
        yield
    finally:
        change(usual)


async def seconds_of_a_commit(product: Product) -> float:
    async with product.database() as db:
        began = time.monotonic()
        await db.execute("insert into slow_sync default values")
        return time.monotonic() - began


async def test_a_disk_that_syncs_slowly_holds_writers_up_and_loses_nothing(fleet: Product):
    await fleet.fetch("create table slow_sync (n int generated always as identity)")
    with slow_sync(fleet):

        async def is_slow() -> bool:
            return await seconds_of_a_commit(fleet) > SYNC_S

        await until(is_slow, "commits that take long")
        async with writing(fleet, "slow") as load:
            await load.more()
            assert fleet.ready()
            await stands(load)
        await all_messages_stand(fleet)
    await fleet.fetch("drop table slow_sync")


async def test_store_robots_messages_once_over_all_restarts(fleet: Product):
    states = await all_messages_stand(fleet)
    await robot_messages.areas_stand(fleet)
    assert sum(len({each.run for each in those if each.run}) for those in states.values()) > len(FAST)


async def test_store_messages_on_the_robot_while_the_bus_is_away(fleet: Product):
    began = time.time() * 1000
    end = time.monotonic() + DOWN_S
    pid = 0
    while time.monotonic() < end:
        if process := fleet.processes().get("nats"):
            process.kill()
            pid = process.pid
        await asyncio.sleep(0.05)
    back = time.time() * 1000
    await came_back(fleet, "nats", pid)

    async def spoke() -> bool:
        states = await robot_messages.states(fleet)
        return all(states[sn][-1].at > back for sn in FAST)

    await until(spoke, "robots after the outage")
    states = await robot_messages.states(fleet)
    await robot_messages.points_stand(fleet, states)
    silences = {sn: robot_messages.longest_silence_ms(those, began) for sn, those in states.items()}
    assert max(silences.values()) < SILENCE_MS, silences


async def test_everything_killed_at_once_starts_again_over_the_same_folder(fleet: Product):
    addresses = fleet.run
    async with writing(fleet, "all") as load:
        await load.more()
        fleet.kill_all()
        fleet.start()
        fleet.wait()
        assert fleet.run == addresses
        await load.more()
        await stands(load, unaudited=1)
    await all_messages_stand(fleet)


async def test_read_again_what_robots_sent_after_the_backup_that_was_restored(fleet: Product):
    """The folder is what a snapshot of the disk would be; the bus goes on from where it is."""
    addresses = fleet.run
    (database,) = fleet.folder.glob("**/pg")
    fleet.stop()
    backup = fleet.folder / "backup"
    copying = await asyncio.create_subprocess_exec("cp", "-a", database, backup)  # with its owner
    assert await copying.wait() == 0
    fleet.start()
    fleet.wait()
    await speed_up(fleet)
    began = time.time() * 1000

    async def ended_a_run() -> bool:
        states = await robot_messages.states(fleet)
        return any(len({each.run for each in states[sn] if each.at > began and each.run}) > 1 for sn in FAST)

    await until(ended_a_run, "a run that ended after the backup")
    await all_messages_stand(fleet)
    fleet.stop()
    shutil.rmtree(database)
    backup.rename(database)
    fleet.start()
    fleet.wait()
    assert fleet.run == addresses
    await all_messages_stand(fleet)
    assert "ingest.read_again" in fleet.log("ingest")


@pytest.mark.proof
@pytest.mark.timeout(3600)
async def test_a_hundred_kills_at_random_lose_nothing_that_was_acknowledged(fleet: Product):
    chance = random.Random(SEED)
    names = [chance.choice(PROCESSES) for _ in range(KILLS)]
    async with writing(fleet, "random") as load:
        for name in names:
            await load.more()
            await came_back(fleet, name, fleet.kill(name))
        await load.more()
        await stands(load, unaudited=names.count("relay"))
    await all_messages_stand(fleet)
    await robot_messages.areas_stand(fleet)
