"""Production batches: what may stand in them, which robots are of one, and fitting its parts in all of these."""

import asyncio
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.domains.hardware import batches
from tests.hardware.fleet import batch, category, everyone_may, kind, names, part, racks
from tests.world import World, until

BATCH = "/deviceProductBatch"


async def list_rows(world: World, account: str = "making", **filters: Any) -> list[dict]:
    return (await world.call(account, f"{BATCH}/list", **filters))["list"]


@pytest.mark.spec(
    "call.deviceProductBatch.insert",
    "call.deviceProductBatch.list",
    "call.deviceProductBatch.listFull",
    "call.deviceProductBatch.update",
    "call.unpathed.batchList",
    "ent.production_batch",
    "perm.page.device.index.product.batch.index",
)
async def test_a_batch_is_made_found_and_changed(world: World):
    pump = await part(world, await category(world, "Pump"), "P-40")
    await racks(world, SC0001="SC0001", SC0002="sc0030", SC0003="SC0031", SC0010="SC0010")
    lot = await batch(world, "sc0001-sc0030", batchName="Spring lot", hardSupportIds=[pump])
    await batch(world, "SC0031-SC0060", batchName="Summer lot")
    [row, _] = await list_rows(world)
    expected = {"batchId": lot, "batchName": "Spring lot", "rackRange": "SC0001-SC0030", "typeNames": ["Scrubber"]}
    assert row.items() >= (expected | {"hardSupportIds": [pump], "robots": 3, "typeIds": [await kind(world)]}).items()
    assert [r["batchName"] for r in await list_rows(world, keyword="sc0060")] == ["Summer lot"]
    assert [r["batchName"] for r in await list_rows(world, keyword="SPRING")] == ["Spring lot"]
    page = await world.call("making", f"{BATCH}/list", pageSize=1, currentPage=2)
    assert (page["total"], page["pageNum"], page["list"][0]["batchName"]) == (2, 2, "Summer lot")
    payload = {"batchId": lot, "batchName": "Spring", "rackRange": "SC0002-SC0029", "typeIds": await kind(world)}
    await world.call("making", f"{BATCH}/update", **payload | {"typeIds": str(payload["typeIds"])})
    [row, _] = (await world.call("making", f"{BATCH}/listFull"))["list"]
    assert (row["batchName"], row["rackRange"], row["robots"]) == ("Spring", "SC0002-SC0029", 1)
    assert [p["name"] for p in row["hardSupports"]] == ["P-40"]


@pytest.mark.spec(
    "rule.batch.name",
    "rule.batch.model",
    "rule.batch.range_required",
    "rule.rack.join",
    "rule.rack.width",
    "rule.rack.gap",
    "err.text.invalid_batch_format",
)
@pytest.mark.parametrize("path", ["insert", "update"])
async def test_require_name_type_and_range_and_check_the_formats(world: World, path: str):
    lot = await batch(world)
    good = {"batchId": lot, "batchName": "New", "rackRange": "SC0101-SC0130", "typeIds": [await kind(world)]}
    bad = {
        "batchName": ["", " ", None],
        "typeIds": [[], "", None, [999_999]],
        "hardSupportIds": [[999_999]],
        "rackRange": ["", None, "SC0101~SC0130", "SC101-SC0130", "SC0130-SC0130", "SC0130-SC0101", "SC0101-SD0130"],
    }
    before = await list_rows(world)
    for field, values in bad.items():
        for value in values:
            if path == "update" and (value is None or (value == "" and field != "batchName")):  # stays as it is
                continue
            answer = (await world.post("making", f"{BATCH}/{path}", **good | {field: value})).json()
            assert (answer["message"]["code"], answer["data"]["field"]) == (Code.BAD_INPUT, field), (field, value)
            if field == "rackRange" and value is not None:
                assert "Invalid batch format" in answer["message"]["message"]
    assert await list_rows(world) == before
    await world.call("making", f"{BATCH}/{path}", **good)


async def test_a_frame_number_is_of_one_batch_and_a_name_had_once(world: World):
    lot, other = await batch(world, batchName="Spring lot"), await batch(world, "SC0051-SC0060")
    payload = {"batchName": "X", "typeIds": [await kind(world)]}
    for meeting in ("SC0030-SC0031", "SC0000-SC0001", "SC0010-SC0011", "SC0000-SC9999", "sc0005-sc0006"):
        for path in ("insert", "update"):
            answer = (await world.post("making", f"{BATCH}/{path}", **payload, batchId=other, rackRange=meeting)).json()
            assert (answer["message"]["code"], answer["data"]["field"]) == (Code.BAD_INPUT, "rackRange")
            assert "Spring lot" in answer["message"]["message"]
    for free in ("SC0031-SC0050", "SC00001-SC00030", "SD0001-SD0030"):
        await batch(world, free)
    await world.call("making", f"{BATCH}/update", **payload, batchId=lot, rackRange="SC0001-SC0029")  # itself
    same = payload | {"batchName": "x", "rackRange": "SE0001-SE0002"}
    assert (await world.raw("making", f"{BATCH}/insert", **same))[0] == Code.EXISTS


async def test_of_two_ranges_written_at_once_that_meet_one_wins(world: World):
    """The second waits for the first, and is refused once that stands."""
    payload = {"batchName": "Second", "rackRange": "SC0030-SC0040", "typeIds": [await kind(world)]}
    async with world.pool.acquire() as first, first.transaction():
        await first.execute(
            "insert into device_batch (name, low, high, type_ids) values ('A', 'SC0001', 'SC0030', '{1}')"
        )
        second = asyncio.create_task(world.raw("making", f"{BATCH}/insert", **payload))
        waiting = "select count(*) from pg_locks where not granted and relation = 'device_batch'::regclass"
        await until(lambda: world.pool.fetchval(waiting))
    assert (await second)[0] == Code.BAD_INPUT
    assert [row["batchName"] for row in await list_rows(world)] == ["A"]


@pytest.mark.spec("call.deviceProductBatch.hardSupportInfo", "err.text.batch_not_found")
async def test_accept_the_parts_of_a_batch_by_id_or_name(world: World):
    pump = await part(world, await category(world, "Pump"), "P-40")
    lot = await batch(world, batchName="Spring lot", hardSupportIds=[pump])
    for payload in ({"batchId": lot}, {"batchName": "spring LOT"}, {"batchId": lot, "batchName": "Spring lot"}):
        assert [p["id"] for p in (await world.call("making", f"{BATCH}/hardSupportInfo", **payload))["list"]] == [pump]
    for payload in ({"batchId": lot, "batchName": "Other"}, {"batchId": 999_999}, {"batchName": "Other"}, {}):
        answer = (await world.post("making", f"{BATCH}/hardSupportInfo", **payload)).json()
        assert answer["message"] == {"code": Code.NOT_FOUND, "message": "Batch information not found"}


@pytest.mark.spec("call.deviceProductBatch.updateHardSupport", "call.deviceProductBatch.deleteHardSupport")
async def test_a_batchs_parts_are_set_and_taken_out(world: World):
    pumps = await category(world, "Pump")
    first, second = await part(world, pumps, "P-40"), await part(world, pumps, "P-50")
    lot = await batch(world)
    [row] = await list_rows(world)
    payload = {"batchId": lot, "hardSupportIds": [second, first, first], "updateTime": row["updateTime"]}
    await world.call("making", f"{BATCH}/updateHardSupport", **payload)
    assert (await list_rows(world))[0]["hardSupportIds"] == [first, second]
    code, data = await world.raw("admin", f"{BATCH}/updateHardSupport", **payload | {"hardSupportIds": [first]})
    assert (code, data["fields"]) == (Code.CONFLICT, ["hardSupportIds"])
    await world.call("making", f"{BATCH}/deleteHardSupport", batchId=lot, hardSupportId=first)
    assert (await world.raw("making", f"{BATCH}/deleteHardSupport", batchId=lot, hardSupportId=first))[0] != 0
    assert (await list_rows(world))[0]["hardSupportIds"] == [second]
    assert (await world.raw("making", f"{BATCH}/updateHardSupport", batchId=lot, hardSupportIds=[999]))[0] != 0


@pytest.mark.spec("call.deviceProductBatch.delete")
async def test_a_batch_that_robots_are_of_stays_and_so_does_its_type(world: World):
    await racks(world, SC0001="SC0001", SC0010="SC0010")
    lot, free = await batch(world), await batch(world, "SD0001-SD0030", batchName="Free lot")
    answer = (await world.post("making", f"{BATCH}/delete", batchId=lot)).json()
    assert (answer["message"]["code"], answer["data"]["count"]) == (Code.BAD_INPUT, 2)
    assert "Robot 01 机器 · Robot 10 机器" in answer["message"]["message"]
    payload = {"batchId": free, "batchName": "Free lot", "rackRange": "SD0001-SD0030"}
    other = (await world.call("admin", "/device/insertDeviceType", typeName="Other"))["typeId"]
    await world.call("making", f"{BATCH}/update", **payload, typeIds=[other])
    answer = (await world.post("admin", "/device/deleteDeviceType", typeId=other)).json()
    assert (answer["message"]["code"], answer["data"]["count"]) == (Code.BAD_INPUT, 1)
    assert "Free lot" in answer["message"]["message"]
    await world.call("making", f"{BATCH}/delete", batchId=free)
    await world.call("admin", "/device/deleteDeviceType", typeId=other)
    await world.pool.execute("update device set deleted_at = now() where rack_number <> ''")
    await world.call("making", f"{BATCH}/delete", batchId=lot)
    assert (await world.raw("making", f"{BATCH}/delete", batchId=lot))[0] == Code.NOT_FOUND


async def outfit(world: World) -> dict[str, int]:
    pumps, lidars, lamps = [await category(world, name) for name in ("Pump", "Lidar", "Lamp")]
    return {
        "P-40": await part(world, pumps, "P-40", "1"),
        "P-50": await part(world, pumps, "P-50", "2"),
        "L-16": await part(world, lidars, "L-16", "3"),
        "Lamp": await part(world, lamps, "Lamp", "4"),
    }


async def fit(world: World, serial: str, *parts: int) -> None:
    beans = [{"hardSupportId": part} for part in parts]
    payload = {"deviceId": world.devices[serial], "hardBeansJson": beans}
    await world.call("making", "/deviceHard/addDeviceHard", **payload)


async def test_a_batch_fits_its_parts_in_all_its_robots_and_leaves_other_categories(world: World):
    parts = await outfit(world)
    await racks(world, SC0001="SC0001", SC0002="SC0030", SC0003="SC0031", SC0010="sc0002")
    await fit(world, "SC0001", parts["P-40"], parts["Lamp"])
    await fit(world, "SC0002", parts["P-50"], parts["L-16"])
    lot = await batch(world, hardSupportIds=[parts["P-50"], parts["L-16"]])
    result = await world.call("making", f"{BATCH}/fit", batchId=lot)
    assert result == {"robots": 3, "changed": 2, "names": ["Robot 01 机器", "Robot 10 机器"]}
    assert await names(world, "SC0001") == ["Lamp 4", "P-40 1"]
    assert await world.call("making", f"{BATCH}/fit", batchId=lot, confirm=True) == result
    whole = ["L-16 3", "P-50 2"]
    assert await names(world, "SC0001") == ["Lamp 4", "L-16 3", "P-50 2"]
    assert (await names(world, "SC0002"), await names(world, "SC0010"), await names(world, "SC0003")) == (
        whole,
        whole,
        [],
    )
    history = await world.call("making", "/deviceHard/getDeviceHardHistoryListBean", deviceId=world.devices["SC0001"])
    pump = next(row for row in history["list"] if row["name"] == "P-50")
    assert (pump["before"], pump["batchName"], pump["operator"]) == ("P-40 1", "Lot SC0001-SC0030", "Factory")
    again = await world.call("making", f"{BATCH}/fit", batchId=lot, confirm=True)
    assert (again["robots"], again["changed"]) == (3, 0)
    assert await world.pool.fetchval("select count(*) from device_hard") == len(history["list"]) + 2 + 2


async def test_a_batch_of_too_many_robots_is_not_fitted_at_once(world: World, monkeypatch: pytest.MonkeyPatch):
    parts = await outfit(world)
    await racks(world, SC0001="SC0001", SC0002="SC0002")
    lot = await batch(world, hardSupportIds=[parts["P-40"]])
    monkeypatch.setattr(batches, "MOST", 1)
    code, data = await world.raw("making", f"{BATCH}/fit", batchId=lot, confirm=True)
    assert (code, data) == (Code.TOO_MANY_ROWS, {"field": "batchId", "count": 2, "limit": 1})
    assert await names(world, "SC0001") == []


async def test_a_batch_reaches_robots_in_scope_alone_and_wants_both_keys(world: World):
    parts = await outfit(world)
    await racks(world, SC0001="SC0001", SC0010="SC0002")
    lot = await batch(world, hardSupportIds=[parts["P-40"]])
    await world.pool.execute("update role set keys = keys || '{device/index/product/batch/index}'::text[]")
    assert (await world.raw("rivaluser", f"{BATCH}/fit", batchId=lot, confirm=True))[0] == Code.FORBIDDEN
    await everyone_may(world)
    assert (await world.call("rival", f"{BATCH}/fit", batchId=lot, confirm=True))["robots"] == 1
    assert (await names(world, "SC0001"), await names(world, "SC0010")) == ([], ["P-40 1"])
    assert [row["robots"] for row in await list_rows(world, "rival")] == [1]
    answer = (await world.post("rival", f"{BATCH}/delete", batchId=lot)).json()
    assert (answer["data"]["count"], "Robot 01" in answer["message"]["message"]) == (2, False)


@pytest.mark.spec("call.deviceHard.updateDeviceHardByBatchId", "perm.button.device.index.edit_hardware")
async def test_fit_a_batchs_parts_to_a_robot_of_its_type_and_frame_number(world: World):
    parts = await outfit(world)
    await racks(world, SC0001="SC0001", SC0002="SC0031")
    lot = await batch(world, hardSupportIds=[parts["P-40"]])

    async def fit_by_batch(serial: str, account: str = "making", **fields: Any):
        fields = {"deviceId": world.devices[serial], "batchId": lot} | fields
        return (await world.post(account, "/deviceHard/updateDeviceHardByBatchId", **fields)).json()["message"]

    assert (
        (await fit_by_batch("SC0001"))["code"] == (await fit_by_batch("SC0003"))["code"] == 0
    )  # SC0003 has no number yet
    assert await names(world, "SC0001") == await names(world, "SC0003") == ["P-40 1"]
    wrong = await fit_by_batch("SC0002")
    assert (wrong["code"], "SC0031" in wrong["message"]) == (Code.BAD_INPUT, True)
    assert await fit_by_batch("SC0001", batchId=999_999) == {
        "code": Code.NOT_FOUND,
        "message": "Batch information not found",
    }
    other = (await world.call("admin", "/device/insertDeviceType", typeName="Other"))["typeId"]
    await world.pool.execute("update device set type_id = $1 where serial_number = 'SC0010'", other)
    assert "device type" in (await fit_by_batch("SC0010"))["message"]
    await everyone_may(world)
    assert (await fit_by_batch("SC0001", "rival"))["code"] == Code.NOT_FOUND
    assert (await names(world, "SC0002"), await names(world, "SC0010")) == ([], [])
