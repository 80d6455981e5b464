"""Groups of devices: what may stand in them, whose they are, what they have in common, and when one goes."""

from typing import Any

import msgspec
import pytest

from lustra.core.errors import Code
from lustra.domains.group import service
from lustra.protocol import bus
from tests.world import World, drawn, keep_map

ORDINARY, PROJECT, MAP, BUILDING = range(4)


@pytest.fixture(autouse=True)
async def keys(world: World):
    await world.pool.execute("update role set keys = keys || '{device/group}'::text[]")


async def add(world: World, account: str = "user", **fields: Any) -> int:
    return (await world.call(account, "/deviceGroup/insert", **{"name": "Night shift"} | fields))["id"]


async def groups(world: World, account: str = "user", **filters: Any) -> dict[str, dict]:
    rows = (await world.call(account, "/deviceGroup/selectAll", **filters))["list"]
    return {row["name"]: row for row in rows}


def robots(world: World, *serials: str) -> list[int]:
    return [world.devices[sn] for sn in serials]


@pytest.mark.spec(
    "call.deviceGroup.insert",
    "call.deviceGroup.selectAll",
    "call.deviceGroup.update",
    "ent.device_group",
    "const.x.group_types",
    "perm.page.device.group",
)
async def test_a_group_is_made_found_and_changed(world: World):
    await world.pool.execute("update device set customer_name = 'Kestrel'")
    group = await add(world, type=PROJECT, deviceIds=robots(world, "SC0002", "SC0001"))
    row = (await groups(world))["Night shift"]
    expected = {"id": group, "type": PROJECT, "common": "Kestrel", "userName": "Bright Floors"}
    assert row.items() >= (expected | {"userId": world.accounts["user"]}).items()
    assert row["deviceIds"] == robots(world, "SC0001", "SC0002")
    await world.call("user", "/deviceGroup/update", id=group, name="Day shift", type=ORDINARY)
    row = (await groups(world))["Day shift"]
    assert (row["type"], len(row["deviceIds"]), row["common"]) == (ORDINARY, 2, "")
    await world.call("user", "/deviceGroup/update", id=group, name="Day shift", deviceIds="")
    assert (await groups(world))["Day shift"]["deviceIds"] == []
    await add(world, name="As a form", type="3", deviceIds=str(world.devices["SC0001"]))
    assert (await groups(world))["As a form"]["common"] == "Kestrel Quay Hotel"


@pytest.mark.parametrize(
    ("field", "bad"), [("name", ""), ("name", "  "), ("name", "x" * 101), ("type", 4), ("type", -1), ("type", "all")]
)
@pytest.mark.parametrize("path", ["/deviceGroup/insert", "/deviceGroup/update"])
async def test_refuse_an_invalid_group_by_its_field(world: World, path: str, field: str, bad: int | str):
    group = await add(world)
    code, data = await world.raw("user", path, **{"id": group, "name": "Other", field: bad})
    assert (code, data["field"]) == (Code.BAD_INPUT, field)
    assert set(await groups(world)) == {"Night shift"}


async def test_a_name_is_had_once_within_one_owner(world: World):
    group = await add(world)
    assert (await world.raw("user", "/deviceGroup/insert", name="night SHIFT"))[0] == Code.EXISTS
    await world.call("user", "/deviceGroup/update", id=group, name="Night Shift")
    await add(world, "sub")


async def test_robots_of_a_group_have_in_common_what_its_type_says(world: World):
    first, second = robots(world, "SC0001", "SC0002")
    both = [first, second]
    await world.pool.execute("update device set customer_name = serial_number, address = serial_number")
    for kind, reason in ((PROJECT, "customer"), (MAP, "map"), (BUILDING, "building")):
        answer = (await world.post("user", "/deviceGroup/insert", name="X", type=kind, deviceIds=both)).json()
        assert (answer["message"]["code"], answer["data"]["field"]) == (Code.BAD_INPUT, "deviceIds")
        assert reason in answer["message"]["message"]
    await world.pool.execute("update device set customer_name = 'A', address = 'B'")
    async with world.as_ingest() as db:
        for sn, names in (("SC0001", ("Lobby", "Ground")), ("SC0002", ("Ground", "Roof"))):
            for name in names:
                content = msgspec.to_builtins(drawn(name))
                event = bus.Event(at=5, id=name, kind="map", name=name, revision=1, content=content)
                await keep_map(db, world.services.objects, sn, event)
    for kind, common in ((PROJECT, "A"), (MAP, "Ground"), (BUILDING, "B")):
        await add(world, name=common, type=kind, deviceIds=both)
        assert (await groups(world))[common]["common"] == common
    await world.pool.execute("update device set address = 'elsewhere' where id = $1", first)
    assert (await groups(world))["B"]["common"] == ""  # it is told, and nobody is thrown out
    await world.pool.execute("update device set address = ''")
    assert (await world.raw("user", "/deviceGroup/insert", name="X", type=BUILDING, deviceIds=[first]))[0] != 0
    await add(world, name="Empty", type=BUILDING)


@pytest.mark.spec("call.deviceGroup.delete")
async def test_a_group_with_robots_goes_only_when_confirmed_and_says_which(world: World):
    group = await add(world, deviceIds=robots(world, "SC0001", "SC0003"))
    answer = (await world.post("user", "/deviceGroup/delete", id=group)).json()
    assert (answer["message"]["code"], answer["data"]["count"]) == (Code.BAD_INPUT, 2)
    assert "Robot 01 机器 · Robot 03 机器" in answer["message"]["message"]
    await world.call("user", "/deviceGroup/delete", id=group, confirm=True)
    assert await groups(world) == {}
    assert await world.pool.fetchval("select count(*) from device where deleted_at is null") == len(world.devices)
    await world.call("user", "/deviceGroup/delete", id=await add(world))


async def test_refuse_a_late_edit_and_name_what_changed(world: World):
    group = await add(world)
    seen = (await groups(world))["Night shift"]["updateTime"]
    payload = {"id": group, "name": "Night shift", "deviceIds": robots(world, "SC0001")}
    await world.call("dealer", "/deviceGroup/update", **payload, updateTime=seen)
    code, data = await world.raw("user", "/deviceGroup/update", id=group, name="Mine", updateTime=seen)
    assert (code, data["fields"]) == (Code.CONFLICT, ["deviceIds"])


@pytest.mark.parametrize("account", ["rival", "rivaluser", "sub"])
async def test_a_group_is_its_owners_and_of_those_above(world: World, account: str):
    group = await add(world, deviceIds=robots(world, "SC0001"))
    before = await world.pool.fetchval("select row_to_json(g)::text from device_group g")
    assert await groups(world, account) == {}
    for path in ("/deviceGroup/update", "/deviceGroup/delete"):
        assert (await world.raw(account, path, id=group, name="Stolen", confirm=True))[0] == Code.NOT_FOUND, path
    theirs = {"name": "Theirs", "userId": world.accounts["user"]}
    assert (await world.raw(account, "/deviceGroup/insert", **theirs))[0] == Code.NOT_FOUND
    assert (await world.raw(account, "/deviceGroup/selectAll", userId=world.accounts["user"]))[0] == Code.NOT_FOUND
    foreign = {"name": "Foreign", "deviceIds": robots(world, "SC0001")}
    assert (await world.raw(account, "/deviceGroup/insert", **foreign))[0] == Code.NOT_FOUND
    assert await world.pool.fetchval("select row_to_json(g)::text from device_group g") == before
    assert set(await groups(world, "dealer")) == set(await groups(world, "shadow")) == {"Night shift"}


async def test_a_group_takes_only_robots_that_its_owner_sees(world: World):
    payload = {"name": "Of sub", "userId": world.accounts["sub"]}
    code, data = await world.raw("user", "/deviceGroup/insert", **payload, deviceIds=robots(world, "SC0001"))
    assert (code, data["field"]) == (Code.NOT_FOUND, "deviceIds")
    await add(world, **payload, deviceIds=robots(world, "SC0003"))
    group = await add(world, "operations", deviceIds=robots(world, "SC0001", "SC0010"))
    assert (await groups(world, "admin"))["Night shift"]["id"] == group
    assert (await groups(world, "admin"))["Night shift"]["userId"] == world.accounts["admin"]


async def test_a_robot_that_is_given_away_leaves_the_groups_that_see_it_no_longer(world: World):
    given = robots(world, "SC0003")
    await add(world, "sub", deviceIds=given)
    await add(world, "user", name="Of user", deviceIds=given)
    to = {"deviceId": given[0], "ownerUserId": world.accounts["user"]}
    await world.call("dealer", "/device/updateDeviceUserInfo", **to)
    assert (await groups(world, "sub"))["Night shift"]["deviceIds"] == []
    assert (await groups(world, "user"))["Of user"]["deviceIds"] == given
    await world.pool.execute("update device set deleted_at = now() where id = $1", given[0])
    assert (await groups(world, "user"))["Of user"]["deviceIds"] == []


async def test_a_change_of_members_leaves_those_that_the_actor_does_not_see(world: World):
    """Such as a robot that is deleted: restored, it is in its group again."""
    first, second, third = robots(world, "SC0001", "SC0002", "SC0003")
    group = await add(world, deviceIds=[first, second])
    await world.pool.execute("update device set deleted_at = now() where id = $1", second)
    await world.call("user", "/deviceGroup/update", id=group, name="Night shift", deviceIds=[third])
    assert (await groups(world))["Night shift"]["deviceIds"] == [third]
    await world.pool.execute("update device set deleted_at = null where id = $1", second)
    assert (await groups(world))["Night shift"]["deviceIds"] == [second, third]


async def test_the_device_list_is_narrowed_to_a_group_that_one_sees(world: World):
    group = await add(world, deviceIds=robots(world, "SC0002", "SC0003"))

    async def listed(account: str) -> list[str]:
        page = await world.call(account, "/device/selectDevicePc", groupId=group)
        return sorted(row["deviceSerialNumber"] for row in page["list"])

    await world.pool.execute("update role set keys = keys || '{device/index}'::text[]")
    assert await listed("user") == await listed("dealer") == ["SC0002", "SC0003"]
    assert await listed("sub") == await listed("rival") == []


async def test_a_deleted_accounts_groups_go_to_the_account_above(world: World):
    await add(world, "sub")
    await world.pool.execute("update account set deleted_at = now() where account = 'sub'")
    assert (await groups(world))["Night shift"]["userId"] == world.accounts["user"]


async def test_robots_join_a_group_and_those_that_it_does_not_take_are_named(world: World):
    await world.pool.execute("update device set address = 'Elsewhere' where serial_number = 'SC0003'")
    first, second, other = robots(world, "SC0001", "SC0002", "SC0003")
    group = await add(world, type=BUILDING, deviceIds=[first])
    answer = await world.call("user", "/deviceGroup/addDevices", id=group, deviceIds=[first, second, other])
    assert answer["added"] == 1
    assert {(row["deviceId"], row["reason"]) for row in answer["list"]} == {(first, "in_group"), (other, "unlike")}
    assert (await groups(world))["Night shift"]["deviceIds"] == [first, second]
    answer = await world.call("user", "/deviceGroup/addDevices", id=group, deviceIds=[second, other])
    assert answer["added"] == 0
    subs = await add(world, "sub", name="Own")
    answer = await world.call("user", "/deviceGroup/addDevices", id=subs, deviceIds=[first, other])
    assert [(row["deviceId"], row["reason"]) for row in answer["list"]] == [(first, "not_seen")]


async def test_no_group_takes_what_the_asker_does_not_see(world: World):
    group = await add(world)
    own, foreign = robots(world, "SC0001", "SC0010")
    code, data = await world.raw("user", "/deviceGroup/addDevices", id=group, deviceIds=[own, foreign])
    assert (code, data["field"]) == (Code.NOT_FOUND, "deviceIds")
    assert (await world.raw("rivaluser", "/deviceGroup/addDevices", id=group, deviceIds=[foreign]))[0] == Code.NOT_FOUND
    assert (await groups(world))["Night shift"]["deviceIds"] == []


async def test_a_group_has_a_thousand_robots_at_most(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(service, "LARGEST", 1)
    group = await add(world, deviceIds=robots(world, "SC0001"))
    code, data = await world.raw("user", "/deviceGroup/addDevices", id=group, deviceIds=robots(world, "SC0002"))
    assert (code, data["count"], data["limit"]) == (Code.TOO_MANY_ROWS, 2, 1)
