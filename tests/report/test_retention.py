"""Clearing old data: counts first, then what is older than a year, within scope, and nothing else."""

from datetime import datetime, timedelta, timezone

import pytest

from lustra.core.audit_trail import chain, chain_check
from lustra.core.errors import Code
from lustra.domains.report import keep as reports
from tests.world import World, report

STAYS = ("account", "device", "floor_map", "robot_task", "role", "login")


async def aged(world: World, sn: str, account: str, *days: int) -> None:
    """A report of that robot and a message to that account for each age."""
    for age in days:
        ended = int((datetime.now(timezone.utc) - timedelta(days=age)).timestamp() * 1000)
        async with world.as_ingest() as db:
            await reports.keep(db, [(sn, report(id=f"{sn}-{age}", started=ended - 60_000, ended=ended))])
        await world.pool.execute(
            "insert into message (account_id, kind, values, created_at)"
            " values ($1, 'permission', '{\"by\": \"x\"}', now() - make_interval(days => $2))",
            world.accounts[account],
            age,
        )


async def left(world: World) -> tuple[set[str], int]:
    runs = await world.pool.fetch("select run from task_report")
    return {row["run"] for row in runs}, await world.pool.fetchval("select count(*) from message")


async def permit(world: World, account: str) -> None:
    await world.pool.execute(
        "update account set keys = '{index,index/clear_data,log}' where id = $1", world.accounts[account]
    )


@pytest.mark.spec("call.user.cleanCache", "rule.clear_data.age", "perm.button.index.clear_data", "q.clear_data_call")
async def test_count_old_reports_first_and_remove_them_when_confirmed(world: World):
    await aged(world, "SC0001", "user", 364, 366, 800)
    counts = await world.call("admin", "/user/cleanCache")
    assert counts["removed"] is False
    assert counts["list"] == [
        {"kind": "report", "kindName": "Task report", "count": 2},
        {"kind": "warn", "kindName": "Alarm", "count": 0},
        {"kind": "message", "kindName": "Message", "count": 2},
        {"kind": "log", "kindName": "Device log", "count": 0},
        {"kind": "video", "kindName": "Recordings", "count": 0},
    ]
    assert await left(world) == ({"SC0001-364", "SC0001-366", "SC0001-800"}, 3)
    counts = await world.call("admin", "/user/cleanCache", confirm=1)
    assert (counts["removed"], [row["count"] for row in counts["list"]]) == (True, [2, 0, 2, 0, 0])
    assert await left(world) == ({"SC0001-364"}, 1)
    assert [row["count"] for row in (await world.call("admin", "/user/cleanCache", confirm=1))["list"]] == [
        0,
        0,
        0,
        0,
        0,
    ]


async def test_leave_reports_outside_the_scope(world: World):
    await aged(world, "SC0001", "user", 400)
    await aged(world, "SC0010", "rivaluser", 400)
    await permit(world, "dealer")
    await world.call("dealer", "/user/cleanCache", confirm=1)
    assert await left(world) == ({"SC0010-400"}, 1)


async def test_accounts_robots_maps_and_the_audit_stay_and_the_clearing_is_recorded(world: World):
    await world.call("admin", "/user/sessions")
    await aged(world, "SC0001", "user", 400)
    await world.pool.execute(
        "set session_replication_role = replica; update audit set created_at = now() - interval '400 days';"
        "reset session_replication_role"
    )
    async with world.services.sessions.begin() as db:
        await chain.seal(db, chain.key_of(world.services.settings))
    before = [await world.pool.fetch(f"select * from {name} order by 1") for name in STAYS]
    rows = await world.pool.fetchval("select count(*) from audit")
    await world.call("admin", "/user/cleanCache", confirm=1)
    assert [await world.pool.fetch(f"select * from {name} order by 1") for name in STAYS] == before
    assert await world.pool.fetchval("select count(*) from audit") == rows + 1
    assert (await chain_check.check(world.services, whole=True)).broken is None
    [row] = (await world.call("admin", "/log/list", action="user.clean_data"))["list"]
    assert row["detail"] == {"confirm": True, "counts": {"report": 1, "warn": 0, "message": 1, "log": 0, "video": 0}}


async def test_only_who_holds_the_key_clears(world: World):
    await aged(world, "SC0001", "user", 400)
    for account in ("dealer", "user", "shadow", "aftersales"):
        assert (await world.raw(account, "/user/cleanCache", confirm=1))[0] == Code.FORBIDDEN
    assert await left(world) == ({"SC0001-400"}, 1)
