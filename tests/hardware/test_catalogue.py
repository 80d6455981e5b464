"""Hardware parts and categories: what may stand in the catalogue, and what is in use stays."""

from typing import Any

import pytest

from lustra.core.errors import Code
from tests.hardware.fleet import batch, category, part
from tests.world import World

PARTS = "/deviceHardSupport"


async def list_rows(world: World, **filters: Any) -> list[dict]:
    return (await world.call("making", f"{PARTS}/list", **filters))["list"]


@pytest.mark.spec(
    "call.deviceHardSupport.insertCate",
    "call.deviceHardSupport.listCate",
    "call.deviceHardSupport.updateCate",
    "call.deviceHardSupport.insert",
    "call.deviceHardSupport.update",
    "call.deviceHardSupport.list",
    "call.deviceHardSupport.listCateGroup",
    "call.unpathed.hardware",
    "ent.hardware_part",
    "ent.hardware_category",
    "perm.page.device.hardSupportIndex",
)
async def test_parts_stand_in_categories_and_are_found(world: World):
    pumps, lidars = await category(world, "Pump"), await category(world, "Lidar")
    pump = await part(world, pumps, "P-40", "2.1")
    await part(world, lidars, "L-16")
    [lidar, first] = await list_rows(world)
    expected = {"id": pump, "name": "P-40", "hard_support_text": "P-40", "version": "2.1", "type": "Pump", "robots": 0}
    assert first.items() >= (expected | {"cate_id": pumps, "cate_name": "Pump"}).items()
    assert [r["name"] for r in await list_rows(world, type="lidar")] == [lidar["name"]]
    assert [r["name"] for r in await list_rows(world, type=str(pumps))] == ["P-40"]
    await world.call("hardware", f"{PARTS}/update", id=pump, cate_id=lidars, hard_support_text="P-41")
    await world.call("hardware", f"{PARTS}/updateCate", cateId=pumps, cateName="Pumps")
    tree = (await world.call("making", f"{PARTS}/listCateGroup"))["list"]
    assert [(c["cate_name"], [p["name"] for p in c["children"]]) for c in tree] == [
        ("Lidar", ["L-16", "P-41"]),
        ("Pumps", []),
    ]
    flat = (await world.call("making", f"{PARTS}/listCate", userId=world.accounts["making"]))["list"]
    assert [(c["cate_id"], c["cate_name"]) for c in flat] == [(lidars, "Lidar"), (pumps, "Pumps")]


async def test_refuse_an_invalid_part_or_category_by_its_field(world: World):
    pumps = await category(world, "Pump")
    pump = await part(world, pumps, "P-40")
    good = {"id": pump, "cate_id": pumps, "hard_support_text": "P-41", "version": "1"}
    for field, bad in (("hard_support_text", " "), ("version", "x" * 65), ("cate_id", 999_999), ("cate_id", None)):
        for path in ("insert", "update") if bad is not None else ("insert",):  # without it, a change lets it stay
            code, data = await world.raw("admin", f"{PARTS}/{path}", **good | {field: bad})
            assert (code, data["field"]) == (Code.BAD_INPUT, field)
    for name in ("", "  ", "x" * 101):
        for path in ("insertCate", "updateCate"):
            code, data = await world.raw("admin", f"{PARTS}/{path}", cateId=pumps, cateName=name)
            assert (code, data["field"]) == (Code.BAD_INPUT, "cateName")
    assert [r["name"] for r in await list_rows(world)] == ["P-40"]


async def test_a_category_is_had_once_and_a_part_once_by_name_and_version(world: World):
    pumps, lidars = await category(world, "Pump"), await category(world, "Lidar")
    await part(world, pumps, "P-40", "1")
    assert (await world.raw("admin", f"{PARTS}/insertCate", cateName="PUMP"))[0] == Code.EXISTS
    assert (await world.raw("admin", f"{PARTS}/updateCate", cateId=lidars, cateName="pump"))[0] == Code.EXISTS
    same = {"cate_id": pumps, "hard_support_text": "p-40", "version": "1"}
    assert (await world.raw("admin", f"{PARTS}/insert", **same))[0] == Code.EXISTS
    await world.call("admin", f"{PARTS}/insert", **same | {"version": "2"})
    await world.call("admin", f"{PARTS}/insert", **same | {"cate_id": lidars})
    await world.call("admin", f"{PARTS}/updateCate", cateId=lidars, cateName="LIDAR")


@pytest.mark.spec("call.deviceHardSupport.delete", "call.deviceHardSupport.deleteCate")
async def test_refuse_to_delete_what_is_in_use_and_say_by_how_many(world: World):
    pumps = await category(world, "Pump")
    pump, spare = await part(world, pumps, "P-40"), await part(world, pumps, "P-50")
    beans = [{"hardSupportId": pump}, {"hardSupportId": pump}]
    for sn in ("SC0001", "SC0002"):
        payload = {"deviceId": world.devices[sn], "hardBeansJson": beans}
        await world.call("making", "/deviceHard/addDeviceHard", **payload)
    answer = (await world.post("making", f"{PARTS}/delete", id=pump)).json()
    assert (answer["message"]["code"], answer["data"]["count"]) == (Code.BAD_INPUT, 2)  # robots, not pieces
    assert "Robot 01 机器 · Robot 02 机器" in answer["message"]["message"]
    assert {r["name"]: r["robots"] for r in await list_rows(world)} == {"P-40": 2, "P-50": 0}
    answer = (await world.post("making", f"{PARTS}/deleteCate", cateId=pumps)).json()
    assert (answer["data"]["count"], "P-40 · P-50" in answer["message"]["message"]) == (2, True)
    lot = await batch(world, batchName="Spring lot", hardSupportIds=[spare])
    answer = (await world.post("making", f"{PARTS}/delete", id=spare)).json()
    assert (answer["data"]["count"], "Spring lot" in answer["message"]["message"]) == (1, True)
    await world.call("making", "/deviceProductBatch/updateHardSupport", batchId=lot, hardSupportIds="")
    await world.call("making", f"{PARTS}/delete", id=spare)
    assert (await world.raw("making", f"{PARTS}/delete", id=spare))[0] == Code.NOT_FOUND
    await world.pool.execute("update device set deleted_at = now() where serial_number in ('SC0001', 'SC0002')")
    await world.call("making", f"{PARTS}/delete", id=pump)
    await world.call("making", f"{PARTS}/deleteCate", cateId=pumps)
    assert await list_rows(world) == []


async def test_refuse_a_late_edit_and_name_what_changed(world: World):
    pumps = await category(world, "Pump")
    pump = await part(world, pumps, "P-40")
    [row] = await list_rows(world)
    [cate] = (await world.call("making", f"{PARTS}/listCate"))["list"]
    payload = {"id": pump, "cate_id": pumps, "hard_support_text": "P-40"}
    await world.call("making", f"{PARTS}/update", **payload, version="2", updateTime=row["updateTime"])
    code, data = await world.raw("hardware", f"{PARTS}/update", **payload, version="3", updateTime=row["updateTime"])
    assert (code, data["fields"]) == (Code.CONFLICT, ["version"])
    seen = {"cateId": pumps, "updateTime": cate["updateTime"]}
    await world.call("making", f"{PARTS}/updateCate", **seen, cateName="A")
    code, data = await world.raw("hardware", f"{PARTS}/updateCate", **seen, cateName="B")
    assert (code, data["fields"]) == (Code.CONFLICT, ["cateName"])


@pytest.mark.parametrize("path", ["insert", "update", "delete", "insertCate", "updateCate", "deleteCate", "list"])
async def test_the_catalogue_is_not_for_everybody(world: World, path: str):
    payload = {"id": 1, "cate_id": 1, "hard_support_text": "x", "cateId": 1, "cateName": "x"}
    assert (await world.raw("dealer", f"{PARTS}/{path}", **payload))[0] == Code.FORBIDDEN
