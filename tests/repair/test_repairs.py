"""Repair records through the wire."""

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from lustra.core.errors import Code
from tests.world import World

SN = "SC0001"
NOW = datetime.now(timezone.utc)
TODAY = NOW.date()
FAULT = {"type": "Brush", "detail": "The roller brush does not turn", "operator": "Mia"}
TAKEN = {"state": 1, "processor": "Sam"}
FINISHED = {"state": 2, "processTime": NOW.isoformat(), "processPlan": "New belt"}


@pytest.fixture(autouse=True)
async def keys(world: World):
    await world.pool.execute(
        "update role set keys = keys || '{device/repair,device/repair/delete,device/index/delete}'::text[]"
    )


async def add(world: World, account: str = "user", sn: str = SN, **fields: Any) -> int:
    payload = FAULT | {"deviceId": world.devices[sn], "date": str(TODAY - timedelta(days=1))} | fields
    return (await world.call(account, "/repair/insertRepair", **payload))["id"]


async def listed(world: World, account: str = "user", **filters: Any) -> list[dict]:
    return (await world.call(account, "/repair/list", **filters))["list"]


async def change(world: World, repair: int, account: str = "user", **fields: Any):
    return await world.raw(account, "/repair/updateRepair", id=repair, **fields)


async def show_repair(world: World, repair: int) -> dict:
    return next(row for row in await listed(world, "admin") if row["id"] == repair)


@pytest.mark.spec(
    "call.repair.insertRepair",
    "call.repair.updateRepair",
    "call.repair.list",
    "ent.repair",
    "state.repair",
    "state.repair.pending",
    "state.repair.processing",
    "state.repair.handled",
    "state.repair.t01",
    "state.repair.t02",
)
async def test_a_repair_is_reported_taken_over_and_finished(world: World):
    repair = await add(world)
    row = await show_repair(world, repair)
    expected = FAULT | {"state": 0, "processor": "", "processTime": None, "deviceSerialNumber": SN, "ours": True}
    assert row.items() >= expected.items()
    assert (await change(world, repair, **TAKEN))[0] == 0
    assert (await change(world, repair, **FINISHED))[0] == 0
    row = await show_repair(world, repair)
    assert (row["state"], row["processor"], row["processPlan"]) == (2, "Sam", "New belt")
    assert datetime.fromisoformat(row["processTime"]) == NOW
    actions = await world.pool.fetch("select action from audit where action like 'repair.%' order by id")
    assert [row["action"] for row in actions] == ["repair.insert", "repair.update", "repair.update"]


async def test_record_the_value_before_a_correction(world: World):
    repair, day = await add(world), TODAY - timedelta(days=1)
    assert (await change(world, repair, date=str(TODAY - timedelta(days=2))))[0] == 0
    recorded = await world.pool.fetchval(
        "select detail -> 'before' ->> 'date' from audit where action = 'repair.update'"
    )
    assert recorded == str(day)


async def test_name_the_reporter_of_a_repair_by_the_account(world: World):
    assert (await show_repair(world, await add(world, operator="")))["operator"] == "user"


@pytest.mark.spec("state.repair")
@pytest.mark.parametrize(
    ("before", "fields", "field"),
    [
        ([], {"state": 2, "processor": "Sam"} | FINISHED, "state"),
        ([TAKEN], {"state": 0}, "state"),
        ([TAKEN, FINISHED], {"state": 1}, "state"),
        ([TAKEN, FINISHED], {"detail": "Other"}, "state"),
        ([], {"state": 1}, "processor"),
        ([TAKEN], FINISHED | {"processPlan": " "}, "processPlan"),
        ([TAKEN], FINISHED | {"processTime": None}, "processTime"),
        ([TAKEN], {"processor": ""}, "processor"),
        ([TAKEN], FINISHED | {"processTime": (NOW + timedelta(hours=1)).isoformat()}, "processTime"),
        ([TAKEN], FINISHED | {"processTime": (NOW - timedelta(days=4)).isoformat()}, "processTime"),
        ([], {"state": 7}, "state"),
        ([], {"type": ""}, "type"),
        ([], {"detail": ""}, "detail"),
        ([], {"date": str(TODAY + timedelta(days=3))}, "date"),
        ([], {"processor": "x" * 101}, "processor"),
    ],
)
async def test_a_state_is_neither_left_out_nor_taken_back_and_wants_its_fields(
    world: World, before: list[Any], fields: Any, field: str
):
    repair = await add(world)
    for step in before:
        assert (await change(world, repair, **step))[0] == 0
    stood = await show_repair(world, repair)
    code, data = await change(world, repair, **fields)
    assert (code, data["field"]) == (Code.BAD_INPUT, field)
    assert await show_repair(world, repair) == stood


@pytest.mark.parametrize(
    "wrong", [{"type": ""}, {"detail": " "}, {"date": ""}, {"date": str(TODAY + timedelta(days=3))}, {"date": "x"}]
)
async def test_refuse_an_invalid_repair_by_its_field(world: World, wrong: dict[str, Any]):
    payload = FAULT | {"deviceId": world.devices[SN], "date": str(TODAY)} | wrong
    code, data = await world.raw("user", "/repair/insertRepair", **payload)
    assert (code, data["field"]) == (Code.BAD_INPUT, next(iter(wrong)))
    assert await listed(world) == []


async def test_refuse_a_late_edit_and_name_what_changed(world: World):
    repair = await add(world)
    seen = (await show_repair(world, repair))["updateTime"]
    await change(world, repair, "dealer", **TAKEN)
    code, data = await change(world, repair, processor="Kim", state=1, updateTime=seen)
    assert (code, data["fields"]) == (Code.CONFLICT, ["processor", "state"])
    assert (await show_repair(world, repair))["processor"] == "Sam"


@pytest.mark.spec("call.repair.list")
async def test_the_list_is_narrowed_and_open_ones_come_first(world: World):
    old = await add(world, date=str(TODAY - timedelta(days=9)))
    done = await add(world, detail="Wheel 轮子")
    await change(world, done, **TAKEN)
    await change(world, done, **FINISHED)
    other = await add(world, sn="SC0003")
    for filters, expected in (
        ({}, [other, old, done]),
        ({"state": 2}, [done]),
        ({"text": "轮"}, [done]),
        ({"text": "sc0003"}, [other]),
        ({"deviceId": world.devices["SC0003"]}, [other]),
        ({"startDate": str(TODAY - timedelta(days=2))}, [other, done]),
        ({"endDate": str(TODAY - timedelta(days=9))}, [old]),
        ({"userId": world.accounts["sub"]}, [other]),
        ({"endDate": str(TODAY - timedelta(days=10))}, []),
        ({"text": "sam"}, [done]),
    ):
        assert [row["id"] for row in await listed(world, **filters)] == expected, filters
    page = await world.call("user", "/repair/list", pageSize=1, currentPage=2)
    assert ([row["id"] for row in page["list"]], page["total"], page["pageNum"]) == ([old], 3, 3)


@pytest.mark.spec("call.repair.deleteRepair", "odd.repair.deleteRepair.del")
async def test_delete_a_repair(world: World):
    other, deleted = await add(world), await add(world)
    await world.call("user", "/repair/deleteRepair", id=deleted)
    assert [row["id"] for row in await listed(world)] == [other]
    assert (await world.raw("user", "/repair/deleteRepair", id=deleted))[0] == Code.NOT_FOUND


@pytest.mark.spec("call.repair.deleteRepairBeforeDate", "odd.repair.deleteRepairBeforeDate.del", "q.delete_before_time")
async def test_those_before_a_day_are_deleted_in_scope_alone_and_never_without_the_day(world: World):
    days = {ago: await add(world, date=str(TODAY - timedelta(days=ago))) for ago in (10, 5, 4)}
    theirs = await add(world, "rivaluser", "SC0010", date=str(TODAY - timedelta(days=90)))
    for payload in ({}, {"time": ""}, {"time": None}, {"time": "yesterday"}):
        code, data = await world.raw("user", "/repair/deleteRepairBeforeDate", **payload)
        assert (code, data["field"]) == (Code.BAD_INPUT, "time")
    assert len(await listed(world)) == 3
    payload = await world.call("user", "/repair/deleteRepairBeforeDate", time=str(TODAY - timedelta(days=4)))
    assert payload == {"count": 2}
    assert [row["id"] for row in await listed(world, "admin")] == [days[4], theirs]


@pytest.mark.parametrize("account", ["rival", "rivaluser", "sub"])
async def test_a_repair_is_its_owners_and_of_those_above(world: World, account: str):
    repair = await add(world)
    assert await listed(world, account) == []
    payload = FAULT | {"deviceId": world.devices[SN], "date": str(TODAY)}
    assert (await world.raw(account, "/repair/insertRepair", **payload))[0] == Code.NOT_FOUND
    assert (await change(world, repair, account, detail="Theirs"))[0] == Code.NOT_FOUND
    assert (await world.raw(account, "/repair/deleteRepair", id=repair))[0] == Code.NOT_FOUND
    assert (await world.call(account, "/repair/deleteRepairBeforeDate", time=str(TODAY)))["count"] == 0
    assert (await show_repair(world, repair))["detail"] == FAULT["detail"]


async def test_let_a_bound_account_report_and_read_a_repair_but_not_work_on_it(world: World):
    await world.pool.execute(
        "insert into device_account select $1, id, path from account where account = 'rivaluser'", world.devices[SN]
    )
    repair = await add(world, "rivaluser")
    [row] = await listed(world, "rivaluser")
    assert (row["id"], row["ours"]) == (repair, False)
    assert (await change(world, repair, "rivaluser", **TAKEN))[0] == Code.NOT_FOUND
    assert (await world.raw("rivaluser", "/repair/deleteRepair", id=repair))[0] == Code.NOT_FOUND
    assert (await change(world, repair, **TAKEN))[0] == 0


async def test_a_repair_stays_with_whom_it_was_reported_for_and_outlives_the_robot(world: World):
    repair = await add(world)
    robot = world.devices[SN]
    await world.call("dealer", "/device/updateDeviceUserInfo", deviceId=robot, ownerUserId=world.accounts["dealer"])
    newer = await add(world, "dealer")
    assert [row["id"] for row in await listed(world)] == [repair]
    await world.call("dealer", "/device/deleteDevice", deviceId=robot)
    assert (await change(world, repair, **TAKEN))[0] == 0
    assert {row["id"] for row in await listed(world, "dealer")} == {repair, newer}


async def test_an_erased_person_is_named_in_no_repair(world: World):
    repair = await add(world, "sub", "SC0003", operator="subsub")
    await change(world, repair, **TAKEN)
    account = world.accounts["subsub"]
    await world.call("admin", "/user/erasePerson", targetUserId=account, account="subsub")
    row = await show_repair(world, repair)
    assert (row["operator"], row["processor"]) == (f"#{account}", "Sam")


async def test_show_a_bound_account_only_repairs_of_todays_owner(world: World):
    await add(world)
    await world.pool.execute(
        "update device set owner_id = a.id, owner_path = a.path from account a"
        " where a.account = 'rivaluser' and serial_number = $1",
        SN,
    )
    bound = "insert into device_account select $1, id, path from account where account = 'sub'"
    await world.pool.execute(bound, world.devices[SN])
    repair = await add(world, "rivaluser")
    assert [row["id"] for row in await listed(world, "sub")] == [repair]
