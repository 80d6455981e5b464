"""What is entered of an entity stands in its row: each field is written by one call and answered by another."""

from datetime import datetime, timezone
from typing import Any

import pytest

from tests.world import World

TODAY = datetime.now(timezone.utc).date().isoformat()
NODE = {
    "name": "Harbour",
    "url": "http://harbour.example:7000",
    "country": "CN",
    "region": "domestic",
    "supportType": 2,
    "flag": 0,
    "sshPort": 22022,
    "webPort": 28080,
    "frpPort": 21000,
    "frpPortEnd": 21999,
}
DEVICE = {
    "deviceSerialNumber": "NEW-1",
    "deviceCode": "Newcomer",
    "deviceType": 1,
    "protocolVersion": 2,
    "rackNumber": "AB0007",
    "simNo": "8944500001",
    "simSupport": 3,
    "bootTime": "2026-11-20T08:00:00+00:00",
    "address": "Quay House",
    "address1": "Floor 7",
    "area": "FR",
    "latitude": 43.3,
    "longitude": 5.4,
    "frpHost": NODE["url"],
    "frpPort": 21007,
    "sshPort": 22007,
    "webPort": 23007,
    "deviceUrl": "https://robot.example",
    "testDevice": True,
    "customerName": "Quay",
    "customerAddress": "Pier 1",
}
ELEVATOR = {
    "elevatorName": "East",
    "code": "E-7",
    "buildingName": "Quay House",
    "buildingAddress": "Pier 1",
    "contactName": "Ann",
    "contactPhone": "13800138000",
    "groupId": 7,
    "size": "2 × 2 m",
    "floor": "1,2,3",
    "position": "East wing",
    "moduleId": "m7",
    "robotId": "r7",
}
LEASE = {"customerName": "Quay", "startDate": TODAY, "endDate": "2099-01-01", "remark": "With charger"}
REPAIR = {"type": "Brush", "detail": "It squeaks", "date": TODAY, "operator": "Ann"}
USER = {
    "account": "newcomer",
    "name": "New Comer",
    "phone": "13800138000",
    "email": "new@example.org",
    "emailToTask": 1,
    "emailToWarn": 1,
    "emailToTaskReport": 1,
}
TYPE = {"typeName": "Polisher", "description": "Polishes"}
GROUP = {"name": "Night", "type": 0}

# Entity: who enters it and by which call, what, and the call that lists it with the field that it is known by.
ENTITIES: dict[str, tuple[str, str, dict[str, Any], str, str]] = {
    "host": ("admin", "/wmDeviceHostInfo/add", NODE, "/wmDeviceHostInfo/queryByPage", "name"),
    "device": ("admin", "/device/insertDevice", DEVICE, "/device/selectDevicePc", "deviceSerialNumber"),
    "device_type": ("admin", "/device/insertDeviceType", TYPE, "/device/selectDeviceType", "typeName"),
    "elevator": ("user", "/elevator/insertElevator", ELEVATOR, "/elevator/list", "elevatorName"),
    "lease": ("dealer", "/hire/insertHire", LEASE, "/hire/list", "remark"),
    "repair": ("dealer", "/repair/insertRepair", REPAIR, "/repair/list", "detail"),
    "user": ("dealer", "/user/insertUser", USER, "/user/selectUserInfo", "account"),
    "device_group": ("user", "/deviceGroup/insert", GROUP, "/deviceGroup/selectAll", "name"),
}
OF_A_ROBOT = {"lease", "repair"}


@pytest.mark.spec(
    "ent.host",
    "ent.device",
    "ent.device_type",
    "ent.elevator",
    "ent.lease",
    "ent.repair",
    "ent.user",
    "ent.device_group",
)
@pytest.mark.parametrize("entity", ENTITIES)
async def test_each_field_that_is_entered_stands_in_the_row(world: World, entity: str):
    who, add, payload, listing, known_by = ENTITIES[entity]
    if entity == "device":
        await world.call("admin", "/wmDeviceHostInfo/add", **NODE)
        payload = payload | {"deviceType": await world.pool.fetchval("select min(id) from device_type")}
    robot = {"deviceId": world.devices["SC0001"]} if entity in OF_A_ROBOT else {}
    await world.call(who, add, **payload, **robot)
    rows = (await world.call(who, listing))["list"]
    (row,) = [row for row in rows if row[known_by] == payload[known_by]]
    differing = {field: row.get(field) for field, value in payload.items() if row.get(field) != value}
    assert differing == {}
