"""The demo's robots stand once, however often they are made, and their secrets are nobody else's."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from lustra.app.demo import seed
from tests.world import World


async def test_seeding_twice_changes_nothing(world: World, tmp_path: Path):
    await world.pool.execute("delete from device")
    settings = replace(world.services.settings, mqtt_url="127.0.0.1:1", ssh_url="127.0.0.1:2")
    file = tmp_path / "fleet.json"
    await seed.seed(settings, file)
    first = file.read_text()
    await seed.seed(settings, file)
    assert file.read_text() == first
    assert file.stat().st_mode & 0o777 == 0o600
    robots = {robot["sn"]: robot for robot in json.loads(first)["robots"]}
    assert len(robots) == 12
    rows = await world.pool.fetch(
        "select serial_number, password, ssh_key from device join device_credential on device_id = id"
    )
    assert {row["serial_number"]: row["password"] for row in rows} == {
        sn: hashlib.sha256(robot["password"].encode()).hexdigest() for sn, robot in robots.items()
    }
    assert (await world.services.bus.get("devices", "SC0001"))["port"] == robots["SC0001"]["port"]
    assert "server" not in first  # our own log-in to the bus


async def test_each_side_sees_its_own_robots(world: World, tmp_path: Path):
    await world.pool.execute("delete from device")
    await seed.seed(replace(world.services.settings, ssh_url="127.0.0.1:2"), tmp_path / "fleet.json")
    seen = {
        who: (await world.call(who, "/device/selectDeviceCount"))["total"] for who in ("admin", "user", "rival", "sub")
    }
    assert seen == {"admin": 12, "user": 9, "rival": 3, "sub": 3}
    assert (await world.call("subsub", "/device/selectDeviceCount"))["total"] == 1
