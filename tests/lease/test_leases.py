"""Leases through the wire: the robot goes to the lessee and comes back."""

import asyncio
from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest
from asyncpg.exceptions import ExclusionViolationError

from lustra.core.errors import Code
from lustra.domains.lease import handlers
from tests.world import World

SN = "SC0001"
TODAY = datetime.now(timezone.utc).date()  # when the run began; a test that needs the day itself asks `today`


def today() -> date:
    return datetime.now(timezone.utc).date()


@pytest.fixture(autouse=True)
async def keys(world: World):
    await world.pool.execute(
        "update role set keys = keys || '{device/hire,device/hire/stop,device/index/delete}'::text[]"
    )


def terms(world: World, sn: str = SN, **fields: Any) -> dict:
    usual = {"customerName": "Harbour Clinic", "startDate": str(today()), "endDate": str(today() + timedelta(days=30))}
    return usual | {"deviceId": world.devices[sn]} | fields


async def begin(world: World, account: str = "dealer", sn: str = SN, **fields: Any) -> int:
    return (await world.call(account, "/hire/insertHire", **terms(world, sn, **fields)))["id"]


async def listed(world: World, account: str = "dealer", **filters: Any) -> list[dict]:
    return (await world.call(account, "/hire/list", **filters))["list"]


async def owner(world: World, sn: str = SN) -> int:
    return await world.pool.fetchval("select owner_id from device where id = $1", world.devices[sn])


async def sees(world: World, account: str, sn: str = SN) -> bool:
    return (await world.raw(account, "/device/selectDeviceByDeviceId", deviceId=world.devices[sn]))[0] == 0


@pytest.mark.spec(
    "call.hire.insertHire",
    "call.hire.list",
    "call.hire.stopHire",
    "ent.lease",
    "state.lease",
    "state.lease.running",
    "state.lease.ended",
    "state.lease.t01",
)
async def test_a_lease_is_recorded_and_ended(world: World):
    lease = await begin(world, remark="Weekends")
    [row] = await listed(world)
    expected = {"customerName": "Harbour Clinic", "state": 0, "overdue": False, "ours": True, "remark": "Weekends"}
    assert row.items() >= expected.items()
    assert await owner(world) == world.accounts["user"]
    await world.call("dealer", "/hire/stopHire", id=lease)
    [row] = await listed(world)
    assert (row["state"], row["stoppedBy"], row["things"]) == (1, "dealer", None)
    code, data = await world.raw("dealer", "/hire/stopHire", id=lease)
    assert (code, data["field"]) == (Code.BAD_INPUT, "id")
    assert await world.pool.fetchval("select count(*) from audit where action like 'lease.%' and code = 0") == 2


@pytest.mark.parametrize("things", ["keep", "hand_over", "erase"])
async def test_the_lessee_has_the_robot_and_its_data_go_as_chosen_at_the_end(world: World, things: str):
    await world.pool.execute(
        "update device set owner_id = a.id, owner_path = a.path from account a"
        " where serial_number = 'SC0001' and account = 'dealer'"
    )
    lease = await begin(world, lesseeUserId=world.accounts["user"], customerName="")
    assert (await owner(world), await sees(world, "user")) == (world.accounts["user"], True)
    [row] = await listed(world, "user")
    assert (row["customerName"], row["lesseeUserId"], row["ours"]) == ("Bright Floors", world.accounts["user"], False)
    assert (await world.raw("user", "/hire/stopHire", id=lease))[0] == Code.NOT_FOUND
    await world.call("dealer", "/hire/stopHire", id=lease, things=things)
    assert (await owner(world), await sees(world, "user")) == (world.accounts["dealer"], False)
    moves = await world.pool.fetch("select owner_id, to_id, things from former_owner order by id")
    user, dealer = world.accounts["user"], world.accounts["dealer"]
    assert [tuple(move) for move in moves] == [(dealer, user, "keep"), (user, dealer, things)]
    assert (await listed(world))[0]["things"] == things


async def test_a_lessor_takes_the_robot_back_from_where_it_sees_nothing(world: World):
    """User and lessee stand side by side: the dealer above both leases one's robot to the other."""
    lessee = await world.pool.fetchval(
        "insert into account (account, name, level, roles, password, parent_id, path)"
        " select 'clinic', 'clinic', level, roles, '', parent_id, path from account where account = 'user' returning id"
    )
    await world.pool.execute("update account set path = subpath(path, 0, 2) || id::text where id = $1", lessee)
    lease = await begin(world, lesseeUserId=lessee)
    assert not await sees(world, "user")
    await world.call("user", "/hire/stopHire", id=lease)
    assert await sees(world, "user")


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"startDate": str(TODAY + timedelta(days=3))}, "startDate"),
        ({"startDate": ""}, "startDate"),
        ({"endDate": str(TODAY - timedelta(days=3))}, "endDate"),
        ({"customerName": " "}, "customerName"),
        ({"customerName": "x" * 101}, "customerName"),
        ({"things": "burn"}, "things"),
        ({"lesseeUserId": "me"}, "lesseeUserId"),
    ],
)
async def test_refuse_an_invalid_lease_by_its_field(world: World, wrong: dict[str, Any], field: str):
    code, data = await world.raw("dealer", "/hire/insertHire", **terms(world) | wrong)
    assert (code, data["field"]) == (Code.BAD_INPUT, field)
    assert await listed(world) == []


async def test_an_open_end_and_one_of_today_are_right(world: World):
    await begin(world, endDate=None)
    await begin(world, sn="SC0002", endDate=str(today()), startDate=str(today() - timedelta(days=5)))
    assert {row["endDate"] for row in await listed(world)} == {None, str(today())}


async def test_staff_shadows_and_the_owner_itself_lease_nothing(world: World):
    for account in ("shadow", "making", "user"):
        payload = terms(world, lesseeUserId=world.accounts[account])
        code, data = await world.raw("admin", "/hire/insertHire", **payload)
        assert (code, data["field"]) == (Code.BAD_INPUT, "lesseeUserId"), account


async def test_refuse_a_second_lease_of_a_robot_and_name_the_first(world: World):
    await world.token("dealer")
    answers = await asyncio.gather(*(world.post("dealer", "/hire/insertHire", **terms(world)) for _ in range(5)))
    codes = sorted(answer.json()["message"]["code"] for answer in answers)
    assert codes == [0, *[Code.BAD_INPUT] * 4]
    refused = next(answer.json() for answer in answers if answer.json()["message"]["code"])
    assert "Harbour Clinic" in refused["message"]["message"]
    lease = (await listed(world))[0]["id"]
    await world.call("dealer", "/hire/stopHire", id=lease)
    again = await begin(world)
    await world.call("dealer", "/hire/stopHire", id=again)
    await world.pool.execute("update lease set start_date = $1 where id = $2", today() - timedelta(days=9), lease)
    code, data = await world.raw(
        "dealer", "/hire/insertHire", **terms(world, startDate=str(today() - timedelta(days=4)))
    )
    assert (code, data["field"]) == (Code.BAD_INPUT, "startDate")


async def test_the_database_itself_keeps_two_leases_apart(world: World):
    await begin(world)
    row = "insert into lease (device_id, owner_id, owner_path, customer_name, start_date)"
    with pytest.raises(ExclusionViolationError):
        await world.pool.execute(
            f"{row} select d.id, d.owner_id, d.owner_path, 'Second', current_date from device d where d.id = $1",
            world.devices[SN],
        )


async def test_a_leased_robot_keeps_its_owner_and_is_not_deleted(world: World):
    lease = await begin(world)
    robot = world.devices[SN]
    moved = {"deviceId": robot, "ownerUserId": world.accounts["dealer"]}
    assert (await world.raw("dealer", "/device/updateDeviceUserInfo", **moved))[0] == Code.LEASED
    assert (await world.raw("dealer", "/device/deleteDevice", deviceId=robot))[0] == Code.LEASED
    assert await owner(world) == world.accounts["user"]
    await world.call("dealer", "/hire/stopHire", id=lease)
    await world.call("dealer", "/device/updateDeviceUserInfo", **moved)
    await world.call("dealer", "/device/deleteDevice", deviceId=robot)
    assert [row["deviceSerialNumber"] for row in await listed(world, "user")] == [SN]


async def test_continue_an_overdue_lease_and_notify_once(world: World):
    lease = await begin(world)
    await world.pool.execute(
        "update lease set start_date = $1, end_date = $2", today() - timedelta(days=9), today() - timedelta(days=3)
    )
    [row] = await listed(world, overdue=True)
    assert (row["id"], row["state"], row["overdue"]) == (lease, 0, True)
    messages: list[dict[str, Any]] = []
    for _ in range(2):
        await handlers.remind_overdue(world.services)
        messages = (await world.call("user", "/message/findAllMessage"))["list"]
        assert [row["kind"] for row in messages] == ["lease_overdue"]
    assert "Harbour Clinic" in messages[0]["content"]


async def test_the_list_is_narrowed_and_running_ones_come_first(world: World):
    ended = await begin(world)
    await world.call("dealer", "/hire/stopHire", id=ended)
    late = await begin(world, endDate=None, remark="No end 无")
    soon = await begin(world, sn="SC0003")
    for filters, expected in (
        ({}, [soon, late, ended]),
        ({"state": 0}, [soon, late]),
        ({"state": 1}, [ended]),
        ({"text": "无"}, [late]),
        ({"text": "sc0003"}, [soon]),
        ({"deviceId": world.devices[SN]}, [late, ended]),
        ({"userId": world.accounts["sub"]}, [soon]),
        ({"overdue": True}, []),
    ):
        assert [row["id"] for row in await listed(world, **filters)] == expected, filters


@pytest.mark.parametrize("account", ["rival", "rivaluser", "sub"])
async def test_a_lease_is_its_lessors_and_of_those_above(world: World, account: str):
    lease = await begin(world)
    assert await listed(world, account) == []
    assert (await world.raw(account, "/hire/stopHire", id=lease))[0] == Code.NOT_FOUND
    assert (await world.raw(account, "/hire/insertHire", **terms(world, "SC0002")))[0] == Code.NOT_FOUND
    lessee = {"lesseeUserId": world.accounts["user"]}
    if account == "rivaluser":
        assert (await world.raw(account, "/hire/insertHire", **terms(world, "SC0010", **lessee)))[0] == Code.NOT_FOUND
    assert (await listed(world))[0]["state"] == 0


async def test_an_erased_person_stands_in_no_lease(world: World):
    lease = await begin(world, sn="SC0003", customerName="subsub")
    await world.call("admin", "/user/erasePerson", targetUserId=world.accounts["subsub"], account="subsub")
    [row] = await listed(world)
    assert (row["id"], row["customerName"]) == (lease, f"#{world.accounts['subsub']}")
