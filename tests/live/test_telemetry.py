"""Each field of the robot's state reaches list and socket by its one description, and only what the state allows."""

from datetime import datetime, timezone

import pytest

from lustra.domains.telemetry.calls.devices import DevicePage, DeviceRow
from lustra.live.ingest import state as ingest
from lustra.protocol import bus, telemetry
from lustra.protocol.flaws import INDISPENSABLE, Flaw, read_state
from tests.live.tabs import serving, tab
from tests.world import World, state

# Of every field a value that is not its default, and that 32 bits hold without rounding.
VALUES = {"real": 3.25, "int": 4, "text": "word", "text[]": ["low_battery", "brake"], "jsonb": {"vacuum": 2}}
SPOKEN = {field.name: VALUES[field.column] for field in telemetry.SHOWN} | {"help": "", "progress": 0.5}
EXPECTED = {field.key: SPOKEN[field.name] for field in telemetry.SHOWN}


async def store(world: World, sn: str, payload: telemetry.State) -> None:
    async with world.as_ingest() as db:
        await ingest.store(db, [ingest.row(sn, datetime.now(timezone.utc), payload)])


async def test_each_field_is_the_same_in_list_snapshot_and_change(world: World):
    robot, first = world.devices["SC0001"], state(**SPOKEN)
    await store(world, "SC0001", first)
    page = await world.call("admin", "/device/selectDevicePc", pageSize=10, currentPage=1)
    listed = next(row for row in page["list"] if row["deviceId"] == robot)
    assert {key: listed[key] for key in EXPECTED} == EXPECTED
    DevicePage.model_validate(page)
    async with serving(world) as url, tab(world, url) as socket:
        snapshot = await socket.show(robots=[robot])
        assert {key: snapshot["robots"][0][key] for key in EXPECTED} == EXPECTED
        await world.services.bus.publish(bus.state("SC0001"), bus.encode(state(at=first.at + 1, **SPOKEN)))
        change = (await socket.next("robots"))["robots"][0]
        assert {key: change[key] for key in EXPECTED} == EXPECTED
        assert change.keys() == snapshot["robots"][0].keys()


async def test_a_software_version_lasts_when_a_state_does_not_say_it(world: World):
    robot, ref = world.devices["SC0001"], {"deviceId": world.devices["SC0001"]}
    await world.pool.execute("update device set soft_version = '1.0' where id = $1", robot)
    assert (await world.call("admin", "/device/selectDeviceByDeviceId", **ref))["soft_version"] == "1.0"
    first = state(software="2.4")
    await store(world, "SC0001", first)
    assert (await world.call("admin", "/device/selectDeviceByDeviceId", **ref))["soft_version"] == "2.4"
    await store(world, "SC0001", state(at=first.at + 1))
    assert (await world.call("admin", "/device/selectDeviceByDeviceId", **ref))["soft_version"] == "2.4"
    async with serving(world) as url, tab(world, url) as socket:
        await socket.show(robots=[robot])
        await world.services.bus.publish(bus.state("SC0001"), bus.encode(state(at=first.at + 2)))
        assert (await socket.next("robots"))["robots"][0]["soft_version"] == "2.4"


@pytest.mark.parametrize("field", telemetry.fields(), ids=lambda f: f.name)
def test_of_a_state_a_field_beyond_its_limit_is_left_out_and_the_rest_taken(field: telemetry.Field):
    beyond = {"text": "x" * 257, "text[]": ["x" * 65], "int": 10**8, "bigint": 10**15, "jsonb": {"": 5000}}
    for value in (beyond.get(field.column, 1e15), *(["a\0b"] if field.column == "text" else [])):
        reading, flaws = read_state(bus.encode(state(**{"speed": 0.25, "uncertainty": 0.5, field.name: value})))
        assert flaws == (Flaw(field.name, "out_of_range"),)
        assert reading is not None
        assert reading.unknown == ({field.name} & INDISPENSABLE.keys())
        usual = state(reading.state.at, speed=0.25, uncertainty=0.5)
        for name in telemetry.COLUMNS.keys() - {field.name}:
            assert getattr(reading.state, name) == getattr(usual, name)


def test_the_contract_describes_each_field():
    properties = DeviceRow.model_json_schema(by_alias=True)["properties"]
    assert {field.key: properties[field.key]["description"] for field in telemetry.SHOWN} == {
        field.key: field.description for field in telemetry.SHOWN
    }
