"""Tabs are told which topics became stale: those who see the changed rows, and nobody else."""

import asyncio
import json
import time
from contextlib import asynccontextmanager
from datetime import datetime, timezone
from itertools import pairwise
from typing import Any

import asyncpg
import pytest
import websockets

from lustra.core.calls.registry import CALLS, reads_of
from lustra.core.context import Actor
from lustra.core.db import Base
from lustra.core.stale import Note, parse_note, topics
from lustra.live.ingest import presence
from lustra.live.ingest import state as states
from lustra.live.push import feed
from lustra.live.push.stale import EACH_S, QUICK, Reader, Readers, StaleTopics
from lustra.protocol.bus import Event
from tests.live.tabs import Tab, serving, tab
from tests.world import World, drawn, keep_map, state, until

LISTENING = """select pid from pg_stat_activity where datname = current_database()
  and application_name = 'lustra stale' and query ilike 'listen%' and state = 'idle'"""
TRIGGERS = """select c.relname, t.tgname, t.tgargs from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where t.tgname like 'stale\\_%'"""
EVERY_STATEMENT = {"stale_added", "stale_before", "stale_after", "stale_gone"}
OF_ROWS = {
    ("robot_state", "state"),
    ("robot_state", "floor"),
    ("presence", "state"),
    ("account", "support"),
    ("audit", "stop"),
}


@asynccontextmanager
async def listening(world: World):
    """The socket's address, once the server listens."""
    async with serving(world) as url:
        await until(lambda: world.pool.fetchval(LISTENING))
        yield url


@asynccontextmanager
async def reading(world: World, url: str, account: str):
    """A tab that wants to know what became stale."""
    async with tab(world, url, account) as view:
        await view.show(stale=True)
        yield view


async def next_topics(view: Tab) -> list[str]:
    return (await view.next("stale"))["topics"]


async def rename(world: World, sn: str) -> None:
    """As any process may that writes rows of robots."""
    await world.pool.execute("update device set name = name || ' (new)' where serial_number = $1", sn)


async def add_group(world: World, account: str) -> None:
    await world.pool.execute(
        "insert into device_group (account_id, name) values ($1, 'Night')", world.accounts[account]
    )


async def add_message(world: World, account: str) -> None:
    await world.pool.execute(
        "insert into message (account_id, kind, values) values ($1, 'first_password', '{}')", world.accounts[account]
    )


async def test_send_a_change_to_own_tabs_and_those_above_but_no_foreign_tenant(world: World):
    async with (
        listening(world) as url,
        reading(world, url, "user") as own,
        reading(world, url, "dealer") as above,
        reading(world, url, "sub") as below,
        reading(world, url, "rivaluser") as foreign,
    ):
        await world.call("user", "/deviceGroup/insert", name="Night", type=0, deviceIds=[])
        assert await next_topics(own) == ["deviceGroup"]
        assert await next_topics(above) == ["deviceGroup"]
        await rename(world, "SC0010")
        assert await next_topics(foreign) == ["device"]
        await rename(world, "SC0003")
        assert await next_topics(below) == ["device"]


async def test_notify_only_the_tenant_for_whom_staff_changes_something(world: World):
    async with (
        listening(world) as url,
        reading(world, url, "rivaluser") as own,
        reading(world, url, "user") as foreign,
    ):
        await world.call("admin", "/device/updateDeviceInfo", deviceId=world.devices["SC0010"], deviceCode="By HQ")
        assert await next_topics(own) == ["device"]
        await add_group(world, "user")
        assert await next_topics(foreign) == ["deviceGroup"]


async def test_a_message_wakes_its_account_alone_not_those_above(world: World):
    async with (
        listening(world) as url,
        reading(world, url, "user") as own,
        reading(world, url, "dealer") as above,
    ):
        await add_message(world, "user")
        assert await next_topics(own) == ["message"]
        await add_group(world, "user")
        assert await next_topics(above) == ["deviceGroup"]


async def test_push_only_what_the_rights_of_the_account_allow(world: World):
    await world.pool.execute("update account set keys = '{device/repair,message/index}' where account = 'sub'")
    async with listening(world) as url, reading(world, url, "sub") as view:
        await add_group(world, "sub")
        await add_message(world, "sub")
        assert await next_topics(view) == ["message"]


async def test_push_a_robot_to_its_bound_account(world: World):
    robot, account = world.devices["SC0001"], world.accounts["rivaluser"]
    async with listening(world) as url, reading(world, url, "rivaluser") as bound:
        await world.pool.execute(
            "insert into device_account (device_id, account_id, account_path)"
            " select $1, id, path from account where id = $2",
            robot,
            account,
        )
        assert await next_topics(bound) == ["device"]
        await rename(world, "SC0001")
        assert await next_topics(bound) == ["device"]


async def test_push_no_maps_to_support_without_the_customers_access(world: World):
    await world.call("user", "/support/default", default="off")
    async with listening(world) as url, reading(world, url, "dealer") as support:
        async with world.as_ingest() as db:
            content = drawn()
            event = Event(id="m1", at=1, kind="map", name=content.name, revision=1, content=content)
            await keep_map(db, world.services.objects, "SC0001", event)
        await add_group(world, "user")
        assert await next_topics(support) == ["deviceGroup"]
        await world.call("user", "/support/default", default="always")
        assert await next_topics(support) == ["support", "user"]
        await until(lambda: _opened(world))
        await world.pool.execute("update floor_map set updated_at = now()")
        assert await next_topics(support) == ["map"]


async def _opened(world: World) -> bool:
    return await world.services.bus.get("support", str(world.accounts["user"])) is not None


async def test_push_what_ingest_writes(world: World):
    async with (
        listening(world) as url,
        reading(world, url, "user") as view,
        reading(world, url, "rivaluser") as foreign,
    ):
        async with world.as_ingest() as db:
            received = datetime.now(timezone.utc)
            await states.store(db, [states.row("SC0001", received, state(mode="idle"))])
            assert await next_topics(view) == ["state"]  # it came online
            await states.store(db, [states.row("SC0001", received, state(mode="idle", map="Ground"))])
            assert await next_topics(view) == ["floor"]
            content = drawn()
            event = Event(id="m1", at=1, kind="map", name=content.name, revision=1, content=content)
            await keep_map(db, world.services.objects, "SC0001", event)
            assert await next_topics(view) == ["map"]
            await presence.mark_silent(db, datetime.now(timezone.utc))
        await add_group(world, "rivaluser")
        assert await next_topics(foreign) == ["deviceGroup"]


class ReadersOfAnHour(Readers):
    """As of a server that has been listening for an hour."""

    def on_gap(self) -> None:
        super().on_gap()
        self.whole_from -= 3600


async def test_push_what_changed_while_a_tab_read_its_first_page(world: World, monkeypatch: pytest.MonkeyPatch):
    """Its socket opens while it reads, so what it read may be older than the socket."""
    monkeypatch.setattr(feed, "Readers", ReadersOfAnHour)
    async with (
        listening(world) as url,
        reading(world, url, "admin") as ahead,
        tab(world, url, "user") as late,
        tab(world, url, "rivaluser") as foreign,
        tab(world, url, "user") as new,
    ):
        began = time.monotonic()
        await add_group(world, "user")
        assert await next_topics(ahead) == ["deviceGroup"]
        await late.show(stale=True, reading=time.monotonic() - began)
        assert await next_topics(late) == ["deviceGroup"]
        await foreign.show(stale=True, reading=time.monotonic() - began)
        await new.show(stale=True)
        await add_message(world, "rivaluser")
        await add_message(world, "user")
        assert await next_topics(foreign) == await next_topics(new) == ["message"]


async def test_everything_is_stale_for_a_tab_that_read_longer_than_is_remembered(world: World):
    async with listening(world) as url, tab(world, url, "user") as late:
        await late.show(stale=True, reading=3600)
        assert {"deviceGroup", "map", "message"} <= set(await next_topics(late))


async def test_push_no_change_that_is_rolled_back(world: World):
    robot = world.devices["SC0001"]
    async with listening(world) as url, reading(world, url, "user") as view:
        async with world.pool.acquire() as db:
            change = db.transaction()
            await change.start()
            await db.execute("update device set name = 'x' where id = $1", robot)
            await change.rollback()
        await add_group(world, "user")
        assert await next_topics(view) == ["deviceGroup"]


async def test_a_server_whose_line_to_the_database_broke_says_that_everything_is_stale(world: World):
    async with listening(world) as url, reading(world, url, "user") as view:
        pid = await world.pool.fetchval(LISTENING)
        await world.pool.execute("select pg_terminate_backend($1)", pid)
        assert {"device", "map", "task", "taskReport", "message"} <= set(await next_topics(view))
        await add_group(world, "user")
        assert await next_topics(view) == ["deviceGroup"]


async def test_push_everything_as_stale_after_a_change_of_rights(world: World):
    async with listening(world) as url, reading(world, url, "sub") as view:
        await world.call(
            "user", "/user/updateUserPermission", targetUserId=world.accounts["sub"], keys=["device/index"]
        )
        seen: set[str] = set()
        while not seen >= {"device", "message", "user"}:
            seen |= set(await next_topics(view))
        assert not seen & {"hire", "repair"}


async def test_push_nothing_to_a_tab_that_did_not_subscribe(world: World):
    async with listening(world) as url, tab(world, url) as old, reading(world, url, "user") as view:
        await old.show(robots=[world.devices["SC0001"]])
        await add_group(world, "user")
        assert await next_topics(view) == ["deviceGroup"]
        await old.link.send(json.dumps({"show": {"counts": True}}))
        kinds = [json.loads(await asyncio.wait_for(old.link.recv(), 20))["kind"]]
        assert kinds == ["snapshot"]


async def test_a_robots_credentials_open_no_socket(world: World):
    password = await world.pool.fetchval(
        "select password from device_credential where device_id = $1", world.devices["SC0001"]
    )
    async with listening(world) as url:
        for token in ("SC0001", password):
            async with websockets.connect(url) as link:
                await link.send(json.dumps({"token": token}))
                with pytest.raises(websockets.ConnectionClosed):
                    await asyncio.wait_for(link.recv(), 20)


def test_send_a_changed_topic_at_once_and_then_at_a_bounded_rate():
    waiting = StaleTopics()
    times: list[float] = []
    for tick in range(100, 400):
        waiting.waiting |= {"map"}
        now = tick / 100
        due = waiting.due()
        if due is not None and due <= now and waiting.take(now):
            times.append(now)
    assert times[0] == 1.0
    assert [round(b - a, 2) for a, b in pairwise(times)] == [EACH_S] * (len(times) - 1)


def test_send_news_of_alarms_some_times_in_a_row_without_a_wait():
    waiting = StaleTopics()

    def sent(begin: int, end: int) -> list[float]:
        times: list[float] = []
        for tick in range(begin, end):
            waiting.waiting |= {"warn"}
            now, due = tick / 100, waiting.due()
            if due is not None and due <= now and waiting.take(now):
                times.append(round(now, 2))
        return times

    times = sent(100, 400)
    assert times[0] == 1.0
    assert [time < 1.3 for time in times] == [True] * QUICK + [False] * 2
    assert all(b - a >= EACH_S - 0.25 for a, b in pairwise(times[QUICK - 1 :]))
    assert len([time for time in sent(1000, 1050) if time < 10.3]) == QUICK


def test_a_tab_is_sent_what_changed_before_its_word_of_how_long_it_reads_arrived():
    now = 100.0
    readers = Readers(lambda _: True, lambda: now)
    sent: list[set[str]] = []
    actor = Actor(7, 7, "1.7", 3, frozenset({"device/index"}), "session")
    for reading_began, changed, arrived, expected in (
        (200.0, 200.1, 203.9, [{"device"}]),  # it said 3 s, and that took 0.9 s to come
        (300.0, 290.0, 303.0, []),
    ):
        now = changed
        readers.on_note(Note("device", "1.7"))
        now, sent = arrived, []
        readers.add(Reader(actor, sent.append), 3.0)
        assert sent == expected, reading_began


def test_remember_changes_for_half_a_minute_at_most():
    times = iter([0.0, *[float(second) for second in range(1, 42)]])
    readers = Readers(lambda _: True, lambda: next(times))
    for second in range(1, 41):
        readers.on_note(Note("device", f"1.{second}"))
    assert len(readers.recent) <= 32


def test_a_note_names_an_owners_place_or_one_account():
    assert parse_note("map 1.2.7") == Note("map", "1.2.7")
    assert parse_note("message =42") == Note("message", account_id=42)


async def test_every_table_tells_of_the_topics_that_it_names(world: World):
    triggers: set[tuple[str, str, str]] = {
        (row["relname"], row["tgname"], row["tgargs"].split(b"\0")[0].decode())
        for row in await world.pool.fetch(TRIGGERS)
    }
    tables = [(mapper.class_.__tablename__, mapper.class_.topics) for mapper in Base.registry.mappers]
    named = {(table, topic) for table, several in tables for topic in several}
    assert {(table, topic) for table, _, topic in triggers} == named
    for table, topic in named - OF_ROWS:
        assert {name for rows, name, of_topic in triggers if (rows, of_topic) == (table, topic)} == EVERY_STATEMENT, (
            table
        )


async def test_no_process_may_make_triggers_that_run_as_the_owner(world: World):
    may = "select has_function_privilege('pg_monitor', oid, 'execute') from pg_proc where proname = any($1)"
    functions = ["tell_stale", "note_stale", "note_robot", "note_account"]
    assert [row[0] for row in await world.pool.fetch(may, functions)] == [False] * len(functions)


def test_every_topic_is_read_by_a_call_and_changed_by_something():
    reads = {topic for entry in CALLS.values() if not entry.changes for topic in reads_of(entry)}
    changed = {topic for entry in CALLS.values() for topic in entry.changes}
    assert topics() <= reads
    assert {topic for entry in CALLS.values() for topic in entry.reads} <= topics() | changed
    assert not [entry.path for entry in CALLS.values() if entry.reads and entry.changes]


async def test_equal_notes_of_a_transaction_go_out_once(world: World):
    notes: list[Any] = []
    link = await asyncpg.connect(world.services.settings.database_url)
    await link.add_listener("stale", lambda *note: notes.append(note[-1]))
    await world.pool.execute("update device set updated_at = now()")
    await world.pool.execute("select pg_notify('stale', 'end 1')")
    await until(lambda: _ended(notes))
    await link.close()
    paths = [str(row[0]) for row in await world.pool.fetch("select distinct owner_path::text from device")]
    assert sorted(notes) == sorted(["end 1", *(f"device {path}" for path in paths)])


async def _ended(notes: list[Any]) -> bool:
    return "end 1" in notes
