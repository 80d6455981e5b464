"""What many robots say at once is stored in a few statements, and becomes what it became one by one."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from lustra.domains.alarm import keep
from lustra.protocol.bus import Alarm, AlarmKind
from tests.alarm.test_alarms import NOW, alarm_message, say
from tests.alarm.test_groups import NODE, settle
from tests.alarm.test_notifications import NOW_DUE, switch, work
from tests.world import World

ROBOTS = ("SC0001", "SC0002", "SC0004", "SC0005")
KINDS: tuple[AlarmKind, ...] = ("raised", "raised", "cleared", "snapshot")
STORED = """
select d.serial_number, a.code, a.type, a.level, a.state, a.count, a.raised_at, a.last_at, a.cleared_at, a.resolved_at,
  a.detail, (select count(*) from alarm_cause c where c.alarm_id = a.id and c.cleared_at is null) as open_causes
from alarm a join device d on d.id = a.device_id order by d.serial_number, a.code, a.raised_at, a.last_at, a.count"""
JOBS = "select args from procrastinate_jobs where task_name = 'alarm.notify' and status = 'todo'"


def make_messages(seed: int) -> list[tuple[str, Alarm]]:
    """Of a few robots and codes, so that they meet: doubles, ends before their beginnings, windows that are over."""
    chance = random.Random(seed)
    messages: list[tuple[str, Alarm]] = []
    for number in range(60):
        things = [
            (f"a{chance.randrange(12)}", chance.choice(("stuck", "lidar", "0x9999")))
            for _ in range(chance.randrange(1, 4))
        ]
        at, level = NOW + number * 1000 + chance.choice((0, 0, 900_000)), chance.randrange(5)
        message = alarm_message(
            chance.choice(KINDS), *things, at=at, level=level, detail=chance.choice(("", f"at {number}"))
        )
        messages.append((chance.choice(ROBOTS), message))
    return messages


async def store(world: World, *batches: Sequence[tuple[str, Alarm]]) -> list[dict[str, Any]]:
    async with world.pool.acquire() as db:
        for batch in batches:
            await keep.keep(db, batch)
        rows = [dict(row) for row in await db.fetch(STORED)]
        await db.execute("delete from alarm; delete from alarm_cause; delete from alarm_resync")
    return rows


@pytest.mark.parametrize("seed", range(6))
async def test_a_batch_becomes_what_its_messages_become_one_by_one(world: World, seed: int):
    await settle(world, *ROBOTS)
    messages = make_messages(seed)
    one_by_one = await store(world, *([message] for message in messages))
    assert len(one_by_one) > 8
    assert await store(world, messages) == one_by_one


async def test_an_end_that_came_first_is_counted_as_it_is_one_by_one(world: World):
    """The second is raised long after the first was over, so it is another alarm."""
    late = NOW + 3_600_000
    batch = [alarm_message("raised", ("a1", "stuck")), alarm_message("raised", ("a2", "stuck"), at=late)]
    await say(world, alarm_message("cleared", ("a1", "stuck"), at=NOW + 1000))
    await say(world, *batch)
    rows = await world.pool.fetch("select state, count from alarm order by raised_at")
    assert [tuple(row) for row in rows] == [(2, 1), (1, 1)]


async def test_a_hundred_repeats_are_one_row_and_notify_once(world: World):
    await say(world, *(alarm_message("raised", *((f"a{n} {m}", "stuck") for n in range(50))) for m in range(2)))
    assert await world.pool.fetchval("select count from alarm") == 100
    assert len(await world.pool.fetch(JOBS)) == 1


async def test_group_alarms_raised_together_by_owner_and_code(world: World):
    await settle(world, *ROBOTS)
    async with world.pool.acquire() as db:
        codes = ("stuck", "lidar")
        batch = [(sn, alarm_message("raised", (f"{sn} {code}", code))) for sn in ROBOTS for code in codes]
        await keep.keep(db, batch)
    assert len(await world.pool.fetch(JOBS)) == 2
    changes = "select count(*) from change_entry where kind = 'alarm.raised'"
    assert await world.pool.fetchval(changes) == 2 * len(ROBOTS)


async def test_robots_that_fall_silent_together_are_one_notice_and_come_back_together(world: World):
    await settle(world, *ROBOTS, node=NODE)
    await switch(world, "offline", cloud=1)
    await world.pool.execute("update presence set online = true, since = now()")
    await world.pool.execute("update presence set online = false, reason = 'no_heartbeat', since = now()")
    assert len(await world.pool.fetch(JOBS)) <= 3  # of each owner one
    await world.pool.execute(NOW_DUE.replace("alarm.send", "alarm.notify"))
    await work(world)
    messages = (await world.call("user", "/message/findMessageByUnRead"))["list"]
    assert len(messages) == 1
    await world.pool.execute("update presence set online = true, since = now() + interval '1 minute', reason = ''")
    assert await world.pool.fetchval("select count(*) from alarm where state < 2") == 0


async def test_raise_no_alarm_for_a_robot_that_said_goodbye(world: World):
    await world.pool.execute("update presence set online = true, since = now()")
    await world.pool.execute("update presence set online = false, reason = 'switched_off', since = now()")
    assert await world.pool.fetchval("select count(*) from alarm") == 0
