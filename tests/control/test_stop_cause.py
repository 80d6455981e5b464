"""Who paused a robot or pressed its emergency stop: the newest press from here; nobody: it was the robot itself."""

import json
from datetime import timedelta
from typing import Any

import pytest

from lustra.core.db import now
from lustra.core.errors import Code
from lustra.live.ingest import state as hot
from tests.control.test_orders import obey
from tests.world import World, state, until

PRESS = ("robot_safe", {"robot_safe": 1})
RELEASE = ("emergency_off", {})


async def stand(world: World, mode: str, sn: str = "SC0001"):
    """The robot says its mode; its run began a minute ago."""
    began = now() - timedelta(minutes=1)
    for each, at in (("cleaning", began), (mode, now())):
        async with world.as_ingest() as db:
            await hot.store(db, [hot.row(sn, at, state(int(at.timestamp() * 1000), mode=each, run="r1"))])


async def command(world: World, name: str, sent: Any = None, *, account: str = "user", ago_s: int = 0, code: int = 0):
    """As the relay records it."""
    await world.pool.execute(
        "insert into audit (created_at, account_id, acting_id, name, session_id, address, action, code, detail,"
        " device_id) values ($1, 1, 1, $2, '', '', $3, $4, $5::text::jsonb, $6)",
        now() - timedelta(seconds=ago_s),
        account,
        f"relay.{name}",
        code,
        json.dumps({"sent": sent} if sent else {}),
        world.devices["SC0001"],
    )


async def cause(world: World, account: str = "user") -> str:
    return (await world.call(account, "/device/stopCause", deviceId=world.devices["SC0001"]))["name"]


async def test_a_pause_names_who_paused_this_run(world: World):
    await stand(world, "paused")
    assert await cause(world) == ""
    await command(world, "task_pause", account="yesterday", ago_s=86_400)
    assert await cause(world) == ""
    await command(world, "task_pause", account="ann")
    await command(world, "task_pause", account="late", code=Code.FORBIDDEN)
    assert await cause(world) == "ann"
    await command(world, "task_resume", account="bob")
    assert await cause(world) == ""  # it stands again, by itself or at the robot


async def test_an_emergency_stop_names_who_pressed_it_last(world: World):
    await stand(world, "emergency")
    await command(world, *PRESS, account="ann")
    assert await cause(world) == "ann"
    await command(world, *RELEASE)
    assert await cause(world) == ""
    await command(world, *PRESS, account="bob")
    await command(world, "robot_safe", {"robot_safe": 0})
    assert await cause(world) == ""


async def test_push_a_change_of_the_cause_to_whoever_sees_it(world: World):
    notes: list[str] = []
    async with world.pool.acquire() as db:
        await db.add_listener("stale", lambda *received: notes.append(str(received[-1])))
        await command(world, *PRESS)
        await command(world, "task_pause", code=Code.FORBIDDEN)
        await command(world, "task_cancel")

        async def received() -> bool:
            return bool(notes)

        await until(received)
        path = await world.pool.fetchval("select owner_path::text from device where serial_number = 'SC0001'")
        assert set(notes) == {f"stop {path}"}
        await db.reset(timeout=5)


async def test_a_robot_that_runs_has_no_cause(world: World):
    await stand(world, "cleaning")
    await command(world, "task_pause")
    await command(world, *PRESS)
    assert await cause(world) == ""


async def test_name_who_paused_several_robots_at_each_of_them(world: World):
    await world.online("SC0001")
    await obey(world, "SC0001", "pause")
    await stand(world, "paused")
    await world.call("user", "/device/pauseDevices", deviceIds=[world.devices["SC0001"]])
    assert await cause(world, "dealer") == await world.pool.fetchval(
        "select name from audit where action = 'device.pause' limit 1"
    )


@pytest.mark.parametrize(("account", "code"), [("rival", Code.NOT_FOUND), ("making", Code.FORBIDDEN)])
async def test_a_stranger_and_whoever_may_not_see_the_control_learn_nothing(world: World, account: str, code: Code):
    assert (await world.raw(account, "/device/stopCause", deviceId=world.devices["SC0001"]))[0] == code
