"""Parts, batches and robots with frame numbers, for tests of hardware."""

from typing import Any

from tests.world import World

KEYS = ("device/hardSupportIndex", "device/index/edit_hardware", "device/index/product/batch/index")


async def everyone_may(world: World) -> None:
    await world.pool.execute("update role set keys = keys || $1::text[]", list(KEYS))


async def category(world: World, name: str) -> int:
    return (await world.call("admin", "/deviceHardSupport/insertCate", cateName=name))["cateId"]


async def part(world: World, cate: int, name: str, version: str = "1.0") -> int:
    payload = {"cate_id": cate, "hard_support_text": name, "version": version}
    return (await world.call("admin", "/deviceHardSupport/insert", **payload))["id"]


async def kind(world: World) -> int:
    return (await world.call("admin", "/device/selectDeviceType"))["list"][0]["typeId"]


async def batch(world: World, rack_range: str = "SC0001-SC0030", **more: Any) -> int:
    usual = {"batchName": f"Lot {rack_range}", "rackRange": rack_range, "typeIds": [await kind(world)]}
    return (await world.call("admin", "/deviceProductBatch/insert", **usual | more))["batchId"]


async def racks(world: World, **by_serial: str) -> None:
    for sn, rack in by_serial.items():
        await world.pool.execute("update device set rack_number = $1 where serial_number = $2", rack, sn)


async def names(world: World, serial: str, account: str = "admin") -> list[str]:
    """What is fitted, in short."""
    payload = {"deviceId": world.devices[serial]}
    rows = (await world.call(account, "/deviceHard/getDeviceHardByDeviceId", **payload))["list"]
    return [f"{row['name']} {row['version']}" for row in rows]
