"""Adding, changing and deleting robots; the rules of their fields; two people who edit one."""

import asyncio
from typing import Any

import asyncpg
import pytest

from lustra.core.errors import Code
from lustra.domains.ownership import removal
from tests.world import World

NODE = "https://node.example"


@pytest.fixture(autouse=True)
async def node(world: World):
    await world.call("admin", "/wmDeviceHostInfo/add", name="Harbour", url=NODE)


async def read_type_id(world: World) -> int:
    return (await world.call("admin", "/device/selectDeviceType"))["list"][0]["typeId"]


async def read_device(world: World, account: str, device: int):
    return await world.call(account, "/device/selectDeviceByDeviceId", deviceId=device)


async def add(world: World, account: str = "dealer", serial: str = "NEW1", **more: Any):
    payload = {"deviceSerialNumber": serial, "deviceCode": "New one", "deviceType": await read_type_id(world)}
    return await world.raw(account, "/device/insertDevice", **payload | more)


@pytest.mark.spec("call.device.insertDevice", "perm.button.device.index.add")
async def test_a_robot_is_added_for_oneself_or_for_an_account_below(world: World):
    code, answer = await add(world)
    assert code == 0
    row = await read_device(world, "dealer", answer["deviceId"])
    assert (row["ownerUserId"], row["mode"], row["online"]) == (world.accounts["dealer"], "offline", 0)
    _, below = await add(world, serial="NEW2", ownerUserId=world.accounts["sub"])
    assert (await read_device(world, "sub", below["deviceId"]))["deviceCode"] == "New one"
    assert (await add(world, serial="NEW3", ownerUserId=world.accounts["rivaluser"]))[0] == Code.NOT_FOUND
    assert (await add(world, "admin", serial="NEW4", ownerUserId=world.accounts["software"]))[0] == Code.BAD_INPUT
    assert (await add(world, "user", serial="NEW5"))[0] == Code.FORBIDDEN
    _, by_staff = await add(world, "making", serial="NEW6")
    assert (await read_device(world, "admin", by_staff["deviceId"]))["ownerUserId"] == world.accounts["admin"]


GOOD = {
    "rackNumber": "SC0001",
    "simNo": "1234567890",
    "simSupport": 3,
    "latitude": -90,
    "longitude": 180,
    "area": "GB",
    "frpPort": 20000,
    "zone": "Asia/Tokyo",
    "deviceCode": "机器 7",
    "protocolVersion": 2,
}
BAD = {
    "rackNumber": "0001",
    "simNo": "12a",
    "simSupport": 4,
    "latitude": 90.1,
    "longitude": -180.1,
    "area": "gb",
    "frpPort": 19999,
    "zone": "Mars/Base",
    "deviceCode": " ",
    "protocolVersion": 1,
    "deviceSerialNumber": "A-1",
    "deviceType": 999_999,
}


@pytest.mark.spec(
    "rule.device.name",
    "rule.device.type",
    "rule.port.range",
    "const.x.sim_support",
    "ent.device",
    "call.device.updateDeviceInfo",
    "perm.button.device.index.edit",
)
@pytest.mark.parametrize("field", sorted(BAD))
async def test_a_field_keeps_its_rule(world: World, field: Any):
    device = world.devices["SC0001"]
    before = await read_device(world, "dealer", device)
    code, refusal = await world.raw("dealer", "/device/updateDeviceInfo", deviceId=device, **{field: BAD[field]})
    assert (code, refusal["field"]) == (Code.BAD_INPUT, field)
    assert await read_device(world, "dealer", device) == before
    if field in GOOD:
        await world.call("dealer", "/device/updateDeviceInfo", deviceId=device, **{field: GOOD[field]})
        assert (await read_device(world, "dealer", device))[field] == GOOD[field]


@pytest.mark.spec("rule.device.name", "rule.device.type")
@pytest.mark.parametrize("field", ["deviceSerialNumber", "deviceCode", "deviceType"])
async def test_a_new_robot_has_number_name_and_type(world: World, field: str):
    payload = {"deviceSerialNumber": "NEW1", "deviceCode": "New", "deviceType": await read_type_id(world)}
    blank = await world.raw("dealer", "/device/insertDevice", **payload | {field: " "})
    del payload[field]
    for code, answer in (blank, await world.raw("dealer", "/device/insertDevice", **payload)):
        assert (code, answer["field"]) == (Code.BAD_INPUT, field)


async def test_a_form_empties_a_field_that_may_be_empty(world: World):
    device = world.devices["SC0001"]
    await world.call("dealer", "/device/updateDeviceInfo", deviceId=device, simSupport=2, latitude=1.5)
    await world.call("dealer", "/device/updateDeviceInfo", deviceId=device, simSupport="", latitude=None)
    row = await read_device(world, "dealer", device)
    assert (row["simSupport"], row["latitude"], row["frpPort"]) == (None, None, 20001)


@pytest.mark.spec("rule.port.first", "q.port_traffic")
async def test_the_tunnels_port_comes_first(world: World):
    _, device = await add(world)
    change = {"deviceId": device["deviceId"], "sshPort": 20500}
    code, refusal = await world.raw("dealer", "/device/updateDeviceInfo", **change)
    assert (code, refusal["field"]) == (Code.BAD_INPUT, "sshPort")
    await world.call("dealer", "/device/updateDeviceInfo", **change, frpPort=20501)
    code, refusal = await world.raw("dealer", "/device/updateDeviceInfo", **change, frpPort=None)
    assert (code, refusal["field"]) == (Code.BAD_INPUT, "sshPort")
    code, refusal = await world.raw("dealer", "/device/updateDeviceInfo", deviceId=device["deviceId"], webPort=20500)
    assert (code, refusal["field"]) == (Code.BAD_INPUT, "webPort")


async def test_a_port_of_a_node_is_had_once_whichever_of_the_three_it_is(world: World):
    first, other = world.devices["SC0001"], world.devices["SC0002"]
    for field in ("frpPort", "sshPort", "webPort"):
        code, refusal = await world.raw("dealer", "/device/updateDeviceInfo", deviceId=other, **{field: 20001})
        assert (code, refusal["field"]) == (Code.EXISTS, field)
    await world.call("dealer", "/device/updateDeviceInfo", deviceId=other, frpHost=NODE, frpPort=20001)
    await world.call("admin", "/device/deleteDevice", deviceId=first)
    _, device = await add(world, frpPort=20001)  # a deleted robot's port is free
    assert (await read_device(world, "dealer", device["deviceId"]))["frpPort"] == 20001


@pytest.mark.spec("call.device.generateFrpPort")
async def test_of_many_who_ask_for_a_port_at_once_each_gets_its_own(world: World):
    await world.token("dealer")
    answers = await asyncio.gather(*(world.call("dealer", "/device/generateFrpPort", frpHost=NODE) for _ in range(40)))
    ports = {answer["port"] for answer in answers}
    assert len(ports) == 40
    assert all(20_000 <= port <= 30_000 for port in ports)
    port = answers[0]["port"]
    assert (await add(world, "admin", frpHost=NODE, frpPort=port))[0] == Code.EXISTS  # reserved by another
    assert (await add(world, frpHost=NODE, frpPort=port))[0] == 0
    await world.pool.execute("insert into node (name, url) values ('Other', 'https://other.example')")
    assert (await add(world, "admin", serial="NEW2", frpHost="https://other.example", frpPort=port))[0] == 0


async def test_refuse_a_port_when_others_take_each_free_one_first(world: World):
    await world.pool.execute("""
    create function lose() returns trigger language plpgsql as 'begin return null; end';
    create trigger lose before insert on node_port for each row execute function lose()""")
    code, refusal = await world.raw("dealer", "/device/generateFrpPort", frpHost=NODE)
    assert (code, refusal["field"]) == (Code.BAD_INPUT, "frpHost")


@pytest.mark.parametrize(
    "host", ["http://evil.example", "https://node.example:8443", "http://node.example", "127.0.0.1"]
)
async def test_the_node_of_a_robot_is_one_of_the_list(world: World, host: str):
    """Programs send grants to the node that a robot names."""
    code, refusal = await add(world, frpHost=host)
    assert (code, refusal["field"]) == (Code.BAD_INPUT, "frpHost")
    change = {"deviceId": world.devices["SC0001"], "frpHost": host}
    code, refusal = await world.raw("dealer", "/device/updateDeviceInfo", **change)
    assert (code, refusal["field"]) == (Code.BAD_INPUT, "frpHost")
    assert (await read_device(world, "dealer", change["deviceId"]))["frpHost"] != host


async def test_relays_learn_that_a_robot_has_another_node(world: World):
    """A relay keeps a port for the robot that is registered for it there."""
    sn, device = "SC0001", world.devices["SC0001"]
    await world.call("dealer", "/device/updateDeviceInfo", deviceId=device, frpHost=NODE)
    assert (await world.services.bus.get("devices", sn))["node"] == NODE


async def test_a_node_without_a_free_port_says_so_and_a_lapsed_reservation_is_free(world: World):
    await world.pool.execute(
        "insert into node_port select 'https://node.example', p, null, $1, now() + interval '1 hour'"
        " from generate_series(20000, 30000) p",
        world.accounts["user"],
    )
    code, refusal = await world.raw("dealer", "/device/generateFrpPort", frpHost=NODE)
    assert (code, refusal["field"]) == (Code.BAD_INPUT, "frpHost")
    await world.pool.execute("update node_port set until = now() where port = 23456")
    assert (await world.call("dealer", "/device/generateFrpPort", frpHost=NODE))["port"] == 23456


async def test_a_serial_number_is_had_once(world: World):
    code, refusal = await add(world, serial="SC0010")  # of another dealer
    assert (code, refusal["field"]) == (Code.EXISTS, "deviceSerialNumber")
    refusal = await asyncio.gather(*(add(world, serial="TWICE") for _ in range(8)))
    assert sorted(code for code, _ in refusal) == [0, *[Code.EXISTS] * 7]


async def test_the_number_of_a_robot_that_logs_in_stays(world: World):
    code, refusal = await world.raw(
        "dealer", "/device/updateDeviceInfo", deviceId=world.devices["SC0001"], deviceSerialNumber="OTHER"
    )
    assert (code, refusal["field"]) == (Code.BAD_INPUT, "deviceSerialNumber")
    _, device = await add(world)
    await world.call("dealer", "/device/updateDeviceInfo", deviceId=device["deviceId"], deviceSerialNumber="OTHER")


async def test_refuse_the_second_of_two_edits_and_lose_nothing(world: World):
    device = world.devices["SC0001"]
    seen = (await read_device(world, "dealer", device))["updateTime"]
    both = {"deviceId": device, "updateTime": seen}
    await world.call("dealer", "/device/updateDeviceInfo", **both, deviceCode="Mine", rackNumber="SC0001")
    code, refusal = await world.raw("admin", "/device/updateDeviceInfo", **both, deviceCode="Theirs", address="There")
    assert (code, refusal) == (Code.CONFLICT, {"fields": ["deviceCode", "rackNumber"]})
    row = await read_device(world, "admin", device)
    assert (row["deviceCode"], row["address"]) == ("Mine", "Kestrel Quay Hotel")
    both["updateTime"] = row["updateTime"]
    await world.call("admin", "/device/updateDeviceInfo", **both, deviceCode="Theirs", address="There")
    await world.call("admin", "/device/updateDeviceInfo", deviceId=device, deviceCode="Last")  # nothing said: it wins
    code, refusal = await world.raw("admin", "/device/updateDeviceUserInfo", **both, customerName="Late")
    assert (code, refusal["fields"]) == (Code.CONFLICT, ["address", "deviceCode"])


async def test_record_the_former_value(world: World):
    device = world.devices["SC0001"]
    await world.call("dealer", "/device/updateDeviceInfo", deviceId=device, deviceCode="New name", zone="Asia/Tokyo")
    detail = await world.pool.fetchval("select detail from audit where action = 'device.update'")
    assert detail["before"] == {"deviceCode": "Robot 01 机器", "zone": "Europe/London"}


@pytest.mark.spec("call.device.deleteDevice", "perm.button.device.index.delete")
async def test_a_deleted_robot_is_gone_at_once_and_for_good_30_days_later(world: World):
    device = world.devices["SC0001"]
    await world.services.bus.put("devices", "SC0001", {"deviceId": device})
    await world.call("admin", "/device/deleteDevice", deviceId=device)
    assert (await world.raw("dealer", "/device/selectDeviceByDeviceId", deviceId=device))[0] == Code.NOT_FOUND
    assert await world.services.bus.get("devices", "SC0001") is None
    assert (await add(world, serial="SC0001"))[0] == 0  # its number is free again
    await removal.purge(world.services)
    assert await world.pool.fetchval("select count(*) from device where id = $1", device) == 1
    for age, remaining in (("29 days 23 hours 59 minutes", 1), ("30 days 1 second", 0)):
        await world.pool.execute(f"update device set deleted_at = now() - interval '{age}' where id = $1", device)
        await removal.purge(world.services)
        assert await world.pool.fetchval("select count(*) from device where id = $1", device) == remaining


async def test_neither_show_nor_change_a_deleted_robot(world: World):
    device = world.devices["SC0001"]
    bound = "insert into device_account select $1, id, path from account where account = 'sub'"
    await world.pool.execute(bound, device)
    await world.call("sub", "/device/control", deviceId=device)
    await world.call("admin", "/device/deleteDevice", deviceId=device)
    for account in ("admin", "dealer", "user", "sub"):
        for path, payload in (
            ("selectDeviceByDeviceId", {}),
            ("control", {}),
            ("relayGrant", {}),
            ("updateDeviceInfo", {"deviceCode": "Mine"}),
            ("updateDeviceUserInfo", {"customerName": "Me"}),
            ("deleteDevice", {}),
        ):
            code = (await world.raw(account, f"/device/{path}", deviceId=device, **payload))[0]
            assert code in (Code.NOT_FOUND, Code.FORBIDDEN), (account, path)
            assert code == Code.NOT_FOUND or account != "admin", path


async def test_the_database_itself_holds_a_serial_number_once_among_those_not_deleted(world: World):
    columns = "serial_number, name, type_id, owner_id, owner_path"
    again = f"insert into device ({columns}) select {columns} from device where serial_number = 'SC0001' limit 1"
    with pytest.raises(asyncpg.UniqueViolationError):
        await world.pool.execute(again)
    await world.pool.execute("update device set deleted_at = now() where serial_number = 'SC0001'")
    await world.pool.execute(again)


async def test_let_a_bound_account_read_a_robot_and_change_nothing(world: World):
    device = world.devices["SC0010"]
    await world.pool.execute(
        "insert into device_account select $1, id, path from account where account = 'dealer'", device
    )
    await read_device(world, "dealer", device)
    for path, change in (
        ("updateDeviceInfo", {"deviceCode": "Mine"}),
        ("updateDeviceUserInfo", {"customerName": "Me"}),
    ):
        assert (await world.raw("dealer", f"/device/{path}", deviceId=device, **change))[0] == Code.NOT_FOUND


@pytest.mark.spec("call.device.updateUserDeviceStatus")
async def test_bind_an_account_to_a_robot_and_unbind_it(world: World):
    device, binding = world.devices["SC0001"], {"userId": world.accounts["sub"], "deviceId": world.devices["SC0001"]}
    await world.call("dealer", "/device/updateUserDeviceStatus", **binding, status=1)
    await read_device(world, "sub", device)
    await world.call("dealer", "/device/updateUserDeviceStatus", **binding, status=0)
    assert (await world.raw("sub", "/device/selectDeviceByDeviceId", deviceId=device))[0] == Code.NOT_FOUND


@pytest.mark.spec("ent.device", "q.port_traffic")
async def test_a_robot_has_an_address_on_the_web_and_a_port_for_its_data(world: World):
    ref = {"deviceId": world.devices["SC0001"]}
    await world.call("admin", "/device/updateDeviceInfo", **ref, deviceUrl="https://robot.example/1")
    code, data = await world.raw("admin", "/device/updateDeviceInfo", **ref, frpPort=None, traffic=20005)
    assert (code, data["field"]) == (Code.BAD_INPUT, "traffic")
    await world.call("admin", "/device/updateDeviceInfo", **ref, frpPort=29004, traffic=29005)
    code, data = await world.raw("admin", "/device/updateDeviceInfo", **ref, traffic=30001)
    assert (code, data["field"]) == (Code.BAD_INPUT, "traffic")
    code, data = await world.raw("admin", "/device/updateDeviceInfo", **ref, deviceUrl="javascript:alert(1)")
    assert (code, data["field"]) == (Code.BAD_INPUT, "deviceUrl")
    assert (await world.raw("rival", "/device/updateDeviceInfo", **ref, traffic=None))[0] == Code.NOT_FOUND
    row = await world.call("user", "/device/selectDeviceByDeviceId", **ref)
    assert (row["deviceUrl"], row["traffic"], row["job"]) == ("https://robot.example/1", 29005, row["taskName"])
    await world.call("admin", "/device/updateDeviceInfo", **ref, traffic=None)
    assert (await world.call("user", "/device/selectDeviceByDeviceId", **ref))["traffic"] is None
