"""Hours of consumables and maintenance from a robot's reports; what is due is told; through the wire."""

import asyncio
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.domains.report import keep as reports
from lustra.domains.upkeep import reminders
from tests.world import World, report

SN = "SC0001"
HOUR = 3_600_000
ITEMS = ["dust bag", "edge brush", "filter", "roller brush", "thin edge brush", "thin roller brush", "wheel rubber"]
INFO, EDIT, REPLACE = (f"/deviceConsumable/consumable{name}" for name in ("Info", "Edit", "Update"))
PLANS = "/maintain/findMaintainBySn"
PLAN = "/maintain/updateMaintainBySn"
TODAY = datetime.now(timezone.utc).date()


def ms(ago: float) -> int:
    """So many hours ago."""
    return int(datetime.now(timezone.utc).timestamp() * 1000 - ago * HOUR)


async def works(world: World, name: str, hours: float, ago: float = 0.0, sn: str = SN, **fields: Any) -> None:
    """A run of so many hours, that ended so many ago."""
    end = ms(ago)
    fields = {"paused_s": 0.0} | fields
    async with world.as_ingest() as db:
        await reports.keep(db, [(sn, report(id=name, started=end - int(hours * HOUR), ended=end, **fields))])


async def parts(world: World, account: str = "user", sn: str = SN) -> dict:
    answer = await world.call(account, INFO, deviceSerialNumber=sn)
    return {row["name"]: row for row in answer["list"]}


async def replace(world: World, item: str = "filter", account: str = "user", **fields: Any):
    return await world.raw(account, REPLACE, deviceSerialNumber=SN, item=item, **fields)


async def lives(world: World, account: str = "user", **fields: Any):
    items = [{"item": name.replace("_", " "), "lifeHours": hours} for name, hours in fields.items()]
    return await world.raw(account, EDIT, deviceSerialNumber=SN, items=items)


async def sent_messages(world: World, account: str = "user") -> list[tuple[str, str]]:
    page = await world.call(account, "/message/findAllMessage")
    return [(row["kind"], row["content"]) for row in reversed(page["list"]) if "_" in row["kind"]]


async def plans(world: World, account: str = "user") -> dict:
    answer = await world.call(account, PLANS, deviceSerialNumber=SN)
    return {row["name"]: row for row in answer["list"]}


async def plan(world: World, *entries: dict, account: str = "user", **more: Any):
    return await world.raw(account, PLAN, device_serial_number=SN, list=list(entries), **more)


@pytest.mark.spec(
    "call.deviceConsumable.consumableInfo", "ent.consumable", "const.x.consumable_items", "rule.consumable.life"
)
async def test_a_part_has_worked_what_the_reports_tell_since_it_was_replaced(world: World):
    await works(world, "old", 2.0, ago=30.0)
    assert {row["usedHours"] for row in (await parts(world)).values()} == {2.0}
    assert (await replace(world, replaceDate=str(TODAY - timedelta(days=400))))[0] == 0
    assert (await replace(world, "edge brush"))[0] == 0
    await works(world, "paused", 4.0, ago=20.0, paused_s=3600.0)
    rows = await parts(world)
    assert list(rows) == ITEMS
    assert (rows["filter"]["usedHours"], rows["edge brush"]["usedHours"]) == (5.0, 0.0)
    assert (rows["filter"]["replaceDate"], rows["dust bag"]["replaceDate"]) == (str(TODAY - timedelta(days=400)), None)
    assert rows["filter"].items() >= {"lifeHours": None, "state": "unset", "deviceSerialNumber": SN}.items()


async def test_a_run_that_was_under_way_at_the_replacement_counts_from_there(world: World):
    await world.pool.execute(
        "insert into upkeep (device_id, kind, name, since) values ($1, 'consumable', 'filter', now() - interval '1h')",
        world.devices[SN],
    )
    await works(world, "run", 4.0)
    assert (await parts(world))["filter"]["usedHours"] == pytest.approx(1.0, abs=0.01)


async def test_a_report_counts_once_and_a_late_one_where_it_belongs(world: World):
    await replace(world, replaceDate=str(TODAY - timedelta(days=10)))
    await works(world, "new", 1.0)
    await works(world, "new", 1.0)
    await works(world, "late", 2.0, ago=48.0)
    await works(world, "before", 8.0, ago=24 * 20)
    assert (await parts(world))["filter"]["usedHours"] == 3.0


async def test_hours_stay_when_old_reports_are_cleared_away(world: World):
    await replace(world, replaceDate=str(TODAY - timedelta(days=900)))
    await works(world, "old", 3.0, ago=24 * 500)
    await works(world, "new", 1.0)
    await world.call("admin", "/user/cleanCache", confirm=True)
    assert await world.pool.fetchval("select count(*) from task_report") == 1
    assert (await parts(world))["filter"]["usedHours"] == 4.0


async def test_a_robot_has_the_parts_that_its_work_asks_for(world: World):
    await world.pool.execute("update device_type set abilities = '{clean,disinfect}'")
    assert list(await parts(world)) == ["filter", "wheel rubber"]
    code, data = await lives(world, roller_brush=100)
    assert (code, data["field"]) == (Code.BAD_INPUT, "items")
    code, data = await replace(world, "dust bag")
    assert (code, data["field"]) == (Code.BAD_INPUT, "item")
    await world.pool.execute("update device set abilities = '{carpet}'")
    assert list(await parts(world)) == ITEMS


@pytest.mark.spec("call.deviceConsumable.consumableEdit", "rule.consumable.life", "q.consumable_edit_update")
@pytest.mark.parametrize(
    ("hours", "ok"), [(0.5, True), ("200", True), (0, False), (-1, False), ("x", False), (None, False), (1e7, False)]
)
async def test_a_life_is_a_number_greater_than_zero(world: World, hours: Any, ok: bool):
    code, _ = await lives(world, filter=hours)
    assert code == (0 if ok else Code.BAD_INPUT)
    assert (await parts(world))["filter"]["lifeHours"] == (float(hours) if ok else None)
    assert (await lives(world, filter=hours))[0] == (0 if ok else Code.BAD_INPUT)  # as it stands


@pytest.mark.spec("call.deviceConsumable.consumableUpdate", "q.consumable_edit_update")
async def test_replaced_starts_anew_and_is_kept(world: World):
    await lives(world, filter=10)
    await works(world, "run", 9.5, ago=1.0)
    assert (await parts(world))["filter"]["state"] == "soon"
    assert (await replace(world, usedHours=1.5))[0] == 0
    answer = await world.call("user", INFO, deviceSerialNumber=SN)
    row = next(row for row in answer["list"] if row["name"] == "filter")
    assert (row["usedHours"], row["lifeHours"], row["state"]) == (1.5, 10.0, "good")
    [done] = answer["done"]
    assert (done["name"], done["used"], done["hours"], done["by"]) == ("filter", 9.5, 10.0, "user")
    assert await world.pool.fetchval("select count(*) from audit where action = 'consumable.replace'") == 1


@pytest.mark.parametrize(("days", "ok"), [(-1, True), (0, True), (3, False)])
async def test_refuse_a_replacement_on_a_future_day(world: World, days: int, ok: bool):
    code, data = await replace(world, replaceDate=str(TODAY + timedelta(days=days)))
    assert (code, (data or {}).get("field")) == ((0, None) if ok else (Code.BAD_INPUT, "replaceDate"))


@pytest.mark.parametrize("hours", [-1, 1e7])
async def test_a_part_has_not_worked_less_than_nothing(world: World, hours: float):
    assert (await replace(world, usedHours=hours))[0] == Code.BAD_INPUT


async def test_refuse_a_late_edit_and_name_the_changed_part(world: World):
    seen = (await world.call("user", INFO, deviceSerialNumber=SN))["updateTime"]
    await lives(world, "dealer", filter=100)
    items = [{"item": "filter", "lifeHours": 5}, {"item": "dust bag", "lifeHours": 5}]
    code, data = await world.raw("user", EDIT, deviceSerialNumber=SN, items=items, updateTime=seen)
    assert (code, data["fields"]) == (Code.CONFLICT, ["filter"])
    assert (await replace(world, updateTime=seen))[0] == Code.CONFLICT
    assert (await parts(world))["filter"]["lifeHours"] == 100
    items = [{"item": "dust bag", "lifeHours": 5}]
    assert (await world.raw("user", EDIT, deviceSerialNumber=SN, items=items, updateTime=seen))[0] == 0


async def test_notify_owner_and_bound_accounts_once_at_90_and_at_100_percent(world: World):
    await world.pool.execute(
        "insert into device_account select $1, id, path from account where account = 'subsub'", world.devices[SN]
    )
    await lives(world, filter=10)
    for name, hours, kinds in (
        ("a", 8.9, []),
        ("b", 0.2, ["consumable_soon"]),
        ("c", 0.5, ["consumable_soon"]),
        ("d", 0.5, ["consumable_soon", "consumable_due"]),
        ("e", 3.0, ["consumable_soon", "consumable_due"]),
    ):
        await works(world, name, hours)
        await reminders.remind_all(world.services)
        await reminders.remind_all(world.services)
        assert [kind for kind, _ in await sent_messages(world)] == kinds, name
        assert [kind for kind, _ in await sent_messages(world, "subsub")] == kinds, name
    newest = (await sent_messages(world))[-1]
    assert newest[1] == "Robot 01 机器: Filter has been used for 10 h; its service life is 10 h."
    assert await sent_messages(world, "dealer") == []


async def test_message_again_of_a_replaced_part_and_not_of_a_longer_life(world: World):
    await lives(world, filter=10)
    await works(world, "a", 9.5, ago=1.0)
    await reminders.remind_all(world.services)
    await lives(world, filter=100)
    await reminders.remind_all(world.services)
    await replace(world)
    await replace(world, usedHours=95)
    await reminders.remind_all(world.services)
    assert [kind for kind, _ in await sent_messages(world)] == ["consumable_soon", "consumable_soon"]


@pytest.mark.spec(
    "call.maintain.updateMaintainBySn",
    "call.maintain.findMaintainBySn",
    "ent.maintenance",
    "odd.field.device_serial_number.updateMaintainBySn",
)
async def test_maintenance_is_due_by_hours_or_by_date(world: World):
    later, day = TODAY + timedelta(days=30), TODAY - timedelta(days=1)
    code, _ = await plan(
        world,
        {"name": "Grease", "period": 2},
        {"name": "Check", "period": 500, "maintainDate": str(later)},
        {"name": "Permit", "period": 500, "maintainDate": str(day)},
    )
    assert code == 0
    await world.pool.execute("update upkeep set since = now() - interval '3h'")
    await works(world, "run", 1.9)
    rows = await plans(world)
    assert [row["state"] for row in rows.values()] == ["soon", "good", "due"]
    assert (rows["Grease"]["usedHours"], rows["Check"]["maintainDate"]) == (1.9, str(later))
    assert rows["Grease"]["device_serial_number"] == SN
    await reminders.remind_all(world.services)
    await works(world, "more", 0.2)
    await reminders.remind_all(world.services)
    assert [kind for kind, _ in await sent_messages(world)] == [
        "maintenance_soon",
        "maintenance_due",
        "maintenance_due",
    ]


async def test_done_starts_the_next_period_and_is_kept(world: World):
    await plan(world, {"name": "Grease", "period": 2})
    await world.pool.execute("update upkeep set since = now() - interval '5h'")
    await works(world, "run", 3.0)
    due = (await plans(world))["Grease"]
    assert due["state"] == "due"
    entry = {"id": due["id"], "name": "Grease", "period": 2, "done": True}
    code, data = await plan(world, entry | {"maintainDate": str(TODAY - timedelta(days=1))})
    assert (code, data["field"]) == (Code.BAD_INPUT, "maintainDate")
    assert (await plan(world, entry | {"maintainDate": str(TODAY + timedelta(days=90))}))[0] == 0
    answer = await world.call("user", PLANS, deviceSerialNumber=SN)
    assert (answer["list"][0]["usedHours"], answer["list"][0]["state"]) == (0.0, "good")
    [done] = answer["done"]
    assert (done["name"], done["hours"], done["used"]) == ("Grease", 2.0, pytest.approx(3.0, abs=0.01))


@pytest.mark.spec("rule.maintain.period")
@pytest.mark.parametrize(("period", "ok"), [(200, True), (0.5, True), (0, False), (-1, False), ("", False)])
async def test_a_period_is_a_number_greater_than_zero(world: World, period: float | str, ok: bool):
    assert (await plan(world, {"name": "Grease", "period": period}))[0] == (0 if ok else Code.BAD_INPUT)
    assert len(await plans(world)) == ok


@pytest.mark.parametrize("names", [["Grease", "grease"], [""], ["x" * 101]])
async def test_a_maintenance_has_a_name_of_its_own(world: World, names: list[str]):
    assert (await plan(world, *({"name": name, "period": 1} for name in names)))[0] == Code.BAD_INPUT
    assert await plans(world) == {}


@pytest.mark.parametrize("left_out", ["name", "period"])
async def test_require_name_and_period_of_a_new_maintenance(world: World, left_out: str):
    fields = {"name": "Grease", "period": 2}
    del fields[left_out]
    assert (await plan(world, fields))[0] == Code.BAD_INPUT
    assert await plans(world) == {}


async def test_save_the_list_whole_and_refuse_a_late_edit(world: World):
    await plan(world, {"name": "Grease", "period": 2}, {"name": "Check", "period": 3})
    answer = await world.call("user", PLANS, deviceSerialNumber=SN)
    grease = {"id": answer["list"][0]["id"], "name": "Grease well", "period": 2}
    assert (await plan(world, grease, updateTime=answer["updateTime"]))[0] == 0
    assert list(await plans(world)) == ["Grease well"]
    code, data = await plan(world, grease | {"period": 9}, updateTime=answer["updateTime"])
    assert (code, data["fields"]) == (Code.CONFLICT, ["name"])
    code, data = await plan(world, updateTime=answer["updateTime"])
    assert (code, data["fields"]) == (Code.CONFLICT, ["Grease well"])
    unknown = {"id": answer["list"][1]["id"], "name": "Check", "period": 3}
    assert (await plan(world, grease, unknown))[0] == Code.CONFLICT


@pytest.mark.parametrize(("things", "left"), [("keep", []), ("erase", []), ("hand_over", ["Grease"])])
async def test_parts_go_with_the_robot_and_what_was_done_stays_with_its_owner(world: World, things: str, left: Any):
    await plan(world, {"name": "Grease", "period": 2})
    await lives(world, filter=10)
    await works(world, "run", 4.0, ago=1.0)
    await replace(world, "dust bag")
    await world.call(
        "dealer",
        "/device/updateDeviceUserInfo",
        deviceId=world.devices[SN],
        ownerUserId=world.accounts["dealer"],
        things=things,
    )
    answer = await world.call("dealer", INFO, deviceSerialNumber=SN)
    row = next(row for row in answer["list"] if row["name"] == "filter")
    assert (row["usedHours"], row["lifeHours"], answer["done"]) == (4.0, 10.0, [])
    assert list(await plans(world, "dealer")) == left
    assert await world.pool.fetchval("select owner_id from upkeep_done") == world.accounts["user"]
    assert (await world.raw("user", INFO, deviceSerialNumber=SN))[0] == Code.NOT_FOUND


@pytest.mark.parametrize("account", ["rival", "rivaluser", "sub"])
async def test_upkeep_is_its_owners_and_of_those_above(world: World, account: str):
    await world.pool.execute("update role set keys = keys || '{device/index/consumables,device/index/maintenance}'")
    for path, payload in (
        (INFO, {"deviceSerialNumber": SN}),
        (PLANS, {"deviceSerialNumber": SN}),
        (EDIT, {"deviceSerialNumber": SN, "items": [{"item": "filter", "lifeHours": 1}]}),
        (REPLACE, {"deviceSerialNumber": SN, "item": "filter"}),
        (PLAN, {"device_serial_number": SN, "list": [{"name": "Grease", "period": 1}]}),
    ):
        assert (await world.raw(account, path, **payload))[0] == Code.NOT_FOUND, path
    assert await world.pool.fetchval("select count(*) from upkeep") == 0


async def test_two_who_replace_at_once_make_one_part(world: World):
    answers = await asyncio.gather(replace(world), replace(world, account="dealer"))
    assert [code for code, _ in answers] == [0, 0]
    assert await world.pool.fetchval("select count(*) from upkeep") == 1
    assert await world.pool.fetchval("select count(*) from upkeep_done") == 2


async def test_an_erased_person_stands_by_no_replacement(world: World):
    await world.pool.execute(
        "insert into device_account select $1, id, path from account where account = 'subsub'", world.devices[SN]
    )
    await replace(world, account="user")
    await world.pool.execute("update upkeep_done set by_id = $1, by_name = 'subsub'", world.accounts["subsub"])
    await world.call("admin", "/user/erasePerson", targetUserId=world.accounts["subsub"], account="subsub")
    answer = await world.call("user", INFO, deviceSerialNumber=SN)
    assert [row["by"] for row in answer["done"]] == [f"#{world.accounts['subsub']}"]
