"""A robot goes to another owner: what becomes of its maps, tasks, recordings and password, and who sees what then."""

import asyncio
import time
from datetime import datetime, timezone

import msgspec
import pytest

from lustra.core.errors import Code
from lustra.domains.report import keep as reports
from lustra.domains.task import mirror as tasks
from lustra.live.ingest import state as hot
from lustra.protocol import bus
from tests.enrolment.test_life import FUTURE, Answering, deliver_all, enrol_new, list_readings
from tests.world import World, drawn, forget_logins, keep_map, report, state

SN = "SC0001"
PAST = int(time.time() * 1000) - 60_000


async def furnish(world: World, sn: str = SN, at: int = PAST, name: str = "Ward 3") -> None:
    """A map, a task, a report and some history, told at that time."""
    async with world.as_ingest() as db:
        content = msgspec.to_builtins(drawn(name))
        event = bus.Event(at=at, id=name, kind="map", name=name, revision=1, content=content)
        await keep_map(db, world.services.objects, sn, event)
        task = bus.Event(at=at, id="t", kind="task", name=f"{name}/Round", revision=1, content={"map_name": name})
        await tasks.keep(db, sn, task)
        await reports.keep(db, [(sn, report(task="Round", map=name, started=at, ended=at + 1000, at=at + 1000))])
        for more in (0, 1000):
            now = datetime.now(timezone.utc)
            content = state(at=at + more, map=name, task="Round", run="r", total=100.0 + more)
            await hot.store(db, [hot.row(sn, now, content)])


async def count_seen(world: World, account: str, sn: str = SN) -> dict[str, int]:
    """How much of the robot's an account sees."""
    device = world.devices[sn]
    answers = {
        "maps": await world.call(account, "/map/selectMap", deviceId=device),
        "tasks": await world.call(account, "/task/mirror", deviceId=device),
        "reports": await world.call(account, "/taskReport/list", deviceIds=[device]),
    }
    area = await world.pool.fetchval(
        "select coalesce(sum(area), 0) from area_hour h join account a on a.account = $1"
        " where h.robot = $2 and h.owner_path <@ a.path",
        account,
        device,
    )
    return {name: len(answer["list"]) for name, answer in answers.items()} | {"area": round(area)}


async def give_device(world: World, to: str, things: str | None = None, by: str = "admin", sn: str = SN):
    payload = {"things": things} if things else {}
    return await world.raw(
        by, "/device/updateDeviceUserInfo", deviceId=world.devices[sn], ownerUserId=world.accounts[to], **payload
    )


ALL = {"maps": 1, "tasks": 1, "reports": 1, "area": 1000}
NONE = {"maps": 0, "tasks": 0, "reports": 0, "area": 0}


@pytest.mark.spec("call.device.updateDeviceUserInfo", "perm.button.device.index.edit_owner")
async def test_the_new_owner_sees_nothing_older_and_the_former_keeps_what_was_its_own(world: World):
    await furnish(world)
    assert await count_seen(world, "dealer") == ALL
    assert (await give_device(world, "rivaluser"))[0] == 0
    row = await world.call("rivaluser", "/device/selectDeviceByDeviceId", deviceId=world.devices[SN])
    assert {row[name] for name in ("address", "customerName", "area", "mapName", "taskName")} == {""}
    assert (row["x"], row["latitude"], row["elevatorId"]) == (0, None, None)
    assert (await world.raw("dealer", "/device/selectDeviceByDeviceId", deviceId=world.devices[SN]))[0] == 40004
    assert await count_seen(world, "rivaluser") == NONE
    assert await count_seen(world, "dealer") == ALL
    former = await world.pool.fetchrow("select owner_id, to_id, things, until, by_id from former_owner")
    assert tuple(former) == (world.accounts["user"], world.accounts["rivaluser"], "keep", None, world.accounts["admin"])


async def test_reach_a_robot_only_after_it_erased_its_former_owners_data(world: World):
    await furnish(world)
    await give_device(world, "rivaluser")
    later = int(time.time() * 1000) + 60_000
    await furnish(world, at=later, name="Late")  # it was offline, or is edited at its own screen
    assert await count_seen(world, "rivaluser") == NONE
    assert (await count_seen(world, "dealer"))["maps"] == 2
    code, _ = await world.raw("rivaluser", "/device/relayGrant", deviceId=world.devices[SN])
    assert code == Code.ERASING
    await deliver_all(world)  # nobody is there: it stays to be done
    assert await world.pool.fetchval("select count(*) from robot_errand where done_at is null") == 2
    async with Answering(world, SN, at=later + 100_000) as robot:
        await deliver_all(world)
        assert {name for name, _ in robot.commands} >= {"erase", "password"}
    assert (await world.raw("rivaluser", "/device/relayGrant", deviceId=world.devices[SN]))[0] == 0
    await furnish(world, at=later + 50_000, name="Before")  # told late, of a time before it erased
    await furnish(world, at=later + 200_000, name="After")
    assert (await count_seen(world, "rivaluser"))["maps"] == 1
    assert (await count_seen(world, "rivaluser"))["reports"] == 1
    assert (await count_seen(world, "dealer"))["maps"] == 3


async def test_handed_over_the_new_owner_has_maps_and_tasks_and_the_reports_stay(world: World):
    await furnish(world)
    await world.call("dealer", "/device/updateDeviceInfo", deviceId=world.devices[SN], customerName="Kestrel")
    assert (await give_device(world, "rivaluser", "hand_over"))[0] == 0
    assert await count_seen(world, "rivaluser") == {"maps": 1, "tasks": 1, "reports": 0, "area": 0}
    assert await count_seen(world, "dealer") == {"maps": 0, "tasks": 0, "reports": 1, "area": 1000}
    row = await world.call("rivaluser", "/device/selectDeviceByDeviceId", deviceId=world.devices[SN])
    assert (row["address"], row["customerName"]) == ("Kestrel Quay Hotel", "Kestrel")
    assert await world.pool.fetchval("select count(*) from robot_errand") == 0
    assert (await world.raw("rivaluser", "/device/relayGrant", deviceId=world.devices[SN]))[0] == 0
    report_ = (await world.call("dealer", "/taskReport/list"))["list"][0]
    await world.call("dealer", "/taskReport/detail", taskReportId=report_["taskReportId"])


async def test_erased_nobody_has_maps_tasks_and_recordings_any_more(world: World):
    await furnish(world)
    assert await world.pool.fetchval("select count(*) from point") > 0
    await give_device(world, "rivaluser", "erase")
    assert await count_seen(world, "rivaluser") == NONE
    assert await count_seen(world, "dealer") == NONE | {"reports": 1, "area": 1000}
    assert await world.pool.fetchval("select count(*) from point") == 0


async def test_passwords_and_their_readings_do_not_go_along(world: World):
    answer = await enrol_new(world)
    world.devices["NEW1"] = device = answer["deviceId"]
    await world.call("admin", "/device/selectPasswordByDeviceId", deviceId=device)
    await give_device(world, "rival", sn="NEW1")
    assert (await world.raw("admin", "/device/selectPasswordByDeviceId", deviceId=device))[0] == Code.BAD_INPUT
    async with Answering(world, "NEW1", at=FUTURE):
        await deliver_all(world)
    read = await world.call("admin", "/device/selectPasswordByDeviceId", deviceId=device)
    assert read["password"] != answer["devicePassword"]
    page = ["device/index/device/selectViewPwdPageList"]
    await world.pool.execute(
        "update account a set keys = held_keys(a) || $1::text[] where account in ('dealer', 'rival')", page
    )
    forget_logins(world.services)
    assert [len(await list_readings(world, account)) for account in ("admin", "dealer", "rival")] == [2, 1, 1]


async def test_control_and_bound_accounts_do_not_outlive_the_owner(world: World):
    device = world.devices[SN]
    await world.call(
        "dealer", "/device/updateUserDeviceStatus", deviceId=device, userId=world.accounts["sub"], status=1
    )
    taken = await world.call("user", "/device/takeControl", deviceId=device, minutes=30)
    await give_device(world, "rivaluser", "hand_over")
    assert await world.pool.fetchval("select count(*) from device_account where device_id = $1", device) == 0
    lock = await world.call("rivaluser", "/device/control", deviceId=device)
    assert (lock["owner"], lock["number"] > taken["number"]) == ("", True)


async def test_notify_both_owners_of_a_transfer(world: World):
    await give_device(world, "rivaluser")
    for account, kind in (("user", "device_left"), ("rivaluser", "device_came")):
        assert (
            await world.pool.fetchval(
                "select kind from message m join account a on a.id = m.account_id where a.account = $1", account
            )
            == kind
        )


async def test_a_robot_goes_to_accounts_in_scope_only(world: World):
    for to in ("rivaluser",):
        assert (await give_device(world, to, by="dealer"))[0] == Code.NOT_FOUND
    assert (await give_device(world, "software"))[0] == Code.BAD_INPUT
    assert (await give_device(world, "shadow"))[0] == Code.BAD_INPUT
    assert (await give_device(world, "sub", by="dealer"))[0] == 0


@pytest.mark.spec("call.device.selectDeviceByElevatorId")
async def test_an_elevator_is_chosen_from_those_in_scope_and_its_riders_are_listed(world: World):
    elevators = [
        await world.pool.fetchval(
            "insert into elevator (account_id, elevator_name, building_name, floor) values ($1, 'Lift', 'Tower', '1')"
            " returning id",
            world.accounts[owner],
        )
        for owner in ("user", "rival")
    ]
    payload = {"deviceId": world.devices[SN], "customerName": "Kestrel", "customerAddress": "Quay 1"}
    await world.call("dealer", "/device/updateDeviceUserInfo", **payload, elevatorId=elevators[0])
    code, _ = await world.raw("dealer", "/device/updateDeviceUserInfo", **payload, elevatorId=elevators[1])
    assert code == Code.NOT_FOUND
    riders = await world.call("dealer", "/device/selectDeviceByElevatorId", elevatorId=elevators[0])
    assert [row["deviceSerialNumber"] for row in riders["list"]] == [SN]
    await world.call("dealer", "/device/updateDeviceUserInfo", deviceId=world.devices[SN], elevatorId=None)
    row = await world.call("dealer", "/device/selectDeviceByDeviceId", deviceId=world.devices[SN])
    assert (row["elevatorId"], row["customerName"]) == (None, "Kestrel")


async def test_two_who_give_it_away_at_once_wait_for_each_other(world: World):
    await world.token("admin")
    answers = await asyncio.gather(give_device(world, "rival"), give_device(world, "sub"))
    assert [code for code, _ in answers] == [0, 0]
    chain = await world.pool.fetch("select owner_id, to_id from former_owner order by id")
    assert chain[0]["owner_id"] == world.accounts["user"]
    assert chain[1]["owner_id"] == chain[0]["to_id"]


async def test_a_run_belongs_to_who_owned_the_robot_when_it_began(world: World):
    await give_device(world, "rivaluser")
    changed = PAST + 30_000
    await world.pool.execute("update former_owner set until = $1", changed)  # the robot's clock when it had erased
    runs = {"Before": changed - 20_000, "Over": changed - 10_000, "After": changed}
    async with world.as_ingest() as db:
        sent = [report(task=name, started=at, ended=at + 15_000) for name, at in runs.items()]
        await reports.keep(db, [(SN, item) for item in sent])
        for at in (changed - 5_000, changed + 5_000):  # of this run nothing but states is known
            content = state(at=at, run="open", task="Open")
            await hot.store(db, [hot.row(SN, datetime.now(timezone.utc), content)])
        await reports.follow(db)
    device = world.devices[SN]
    for account, names in (("user", {"Before", "Over", "Open"}), ("rivaluser", {"After"})):
        listed = await world.call(account, "/taskReport/list", deviceIds=[device])
        assert {row["taskName"] for row in listed["list"]} == names


async def test_a_bound_account_sees_what_is_stamped_with_the_owner_of_today_alone(world: World):
    await furnish(world)
    device = world.devices[SN]
    await give_device(world, "rivaluser")
    await world.pool.execute("update former_owner set until = $1", PAST + 30_000)
    await furnish(world, at=PAST + 40_000, name="After")
    bound = "insert into device_account select $1, id, path from account where account = 'sub'"
    await world.pool.execute(bound, device)
    assert await count_seen(world, "sub") == {"maps": 1, "tasks": 1, "reports": 1, "area": 0}
    maps = {row["name"]: row["id"] for row in await world.pool.fetch("select id, name from floor_map")}
    codes = {name: (await world.raw("sub", "/map/versions", mapId=map_id))[0] for name, map_id in maps.items()}
    assert codes == {"Ward 3": Code.NOT_FOUND, "After": 0}


async def test_record_who_transferred_and_who_deleted_a_robot(world: World):
    device = world.devices[SN]
    await give_device(world, "sub")
    await world.call("admin", "/device/updateDevicesOwner", deviceIds=str(device), ownerUserId=world.accounts["user"])
    await world.call("admin", "/device/deleteDevice", deviceId=device)
    rows = (await world.call("admin", "/log/list", deviceId=device))["list"]
    assert [(row["action"], row["account"]) for row in rows if row["action"].startswith("device.")] == [
        ("device.delete", "admin"),
        ("device.owner", "admin"),
    ]
    (several,) = (await world.call("admin", "/log/list", action="device.owners"))["list"]
    assert several["before"] == {"ownerUserId": {str(device): world.accounts["sub"]}}


@pytest.mark.spec("q.user_delete_children")
async def test_the_robots_of_a_deleted_account_return_to_the_account_above(world: World):
    owner = "select a.account from device d join account a on a.id = d.owner_id where d.serial_number = 'SC0003'"
    above = "select p.account from account a join account p on p.id = a.parent_id where a.account = 'sub'"
    parent = await world.pool.fetchval(above)
    assert await world.pool.fetchval(owner) == "sub"
    for account in ("subsub", "sub"):
        await world.call("dealer", "/user/deleteUserInfo", targetUserId=world.accounts[account])
    assert await world.pool.fetchval(owner) == parent
