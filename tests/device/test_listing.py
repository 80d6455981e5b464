"""Types, SIM cards, places, work and the short lists of robots."""

import hashlib
import io
import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from PIL import Image

from lustra.core.db import now
from lustra.core.errors import Code
from lustra.domains.device import sites, types
from lustra.domains.report import keep as reports
from tests.world import World, report

SN = "SC0001"


async def list_types(world: World) -> list[dict]:
    return (await world.call("user", "/device/selectDeviceType"))["list"]


@pytest.mark.spec(
    "call.device.insertDeviceType",
    "call.device.updateDeviceType",
    "call.device.deleteDeviceType",
    "call.device.selectDeviceType",
    "ent.device_type",
    "rule.device.type_name",
    "perm.button.device.index.type_admin",
)
async def test_types_are_added_changed_and_deleted_while_no_robot_has_them(world: World):
    created = await world.call("admin", "/device/insertDeviceType", typeName="Mist 20", abilities="spray,clean")
    [mist] = [row for row in await list_types(world) if row["typeId"] == created["typeId"]]
    assert (mist["typeName"], mist["abilities"]) == ("Mist 20", ["clean", "spray"])
    for payload in ({"typeName": " "}, {}):
        code, answer = await world.raw("admin", "/device/insertDeviceType", **payload)
        assert (code, answer["field"]) == (Code.BAD_INPUT, "typeName")
    assert (await world.raw("admin", "/device/insertDeviceType", typeName="Mist 20"))[0] == Code.EXISTS
    change = {"typeId": mist["typeId"], "typeName": "Mist 21", "updateTime": mist["updateTime"]}
    await world.call("admin", "/device/updateDeviceType", **change)
    code, answer = await world.raw("admin", "/device/updateDeviceType", **change, description="Late")
    assert (code, answer["fields"]) == (Code.CONFLICT, ["typeName"])
    await world.call("admin", "/device/updateDeviceType", typeId=mist["typeId"], description="Sprays")  # alone
    [row] = [row for row in await list_types(world) if row["typeId"] == mist["typeId"]]
    assert (row["typeName"], row["description"]) == ("Mist 21", "Sprays")
    await world.call("admin", "/device/deleteDeviceType", typeId=mist["typeId"])
    [used] = await list_types(world)
    code, answer = await world.raw("admin", "/device/deleteDeviceType", typeId=used["typeId"])
    assert (code, answer) == (Code.BAD_INPUT, {"field": "typeId", "count": 4})
    assert (await world.raw("dealer", "/device/insertDeviceType", typeName="Mine"))[0] == Code.FORBIDDEN


@pytest.mark.spec("rule.image.size")
async def test_a_types_picture_is_drawn_anew_and_of_bounded_size(world: World):
    out = io.BytesIO()
    Image.new("RGB", (1000, 500), (1, 2, 3)).save(out, "JPEG")

    async def upload(content: bytes):
        token = await world.token("admin")
        answer = await world.http.post(
            "/api/device/uploadTypePicture", files={"file": ("x.txt", content)}, headers={"token": token}
        )
        return answer.json()["message"]["code"], answer.json()["data"]

    full = out.getvalue() + bytes((2 << 20) - len(out.getvalue()))
    assert (await upload(full + b"x"))[0] == Code.TOO_LARGE
    assert (await upload(b"GIF no picture"))[0] == Code.BAD_INPUT
    code, picture = await upload(full)
    assert code == 0
    shown = await world.http.get(picture["url"])
    assert Image.open(io.BytesIO(shown.content)).size == (480, 240)
    [kind] = await list_types(world)
    change = {"typeId": kind["typeId"], "typeName": kind["typeName"]}
    assert (await world.raw("admin", "/device/updateDeviceType", **change, typeUrl="http://else/x.png"))[0] == 40000
    await world.call("admin", "/device/updateDeviceType", **change, typeUrl=picture["url"])
    row = await world.call("user", "/device/selectDeviceByDeviceId", deviceId=world.devices[SN])
    assert row["typeUrl"] == picture["url"]


@pytest.mark.spec("call.device.getSimInfo")
async def test_answer_a_sim_card_by_its_provider_or_name_the_unset_vendor(world: World, tmp_path: Path):
    device = world.devices[SN]
    await world.call("dealer", "/device/updateDeviceInfo", deviceId=device, simNo="8986001234", simSupport=3)
    answer = await world.post("dealer", "/device/getSimInfo", cNo="8986001234")
    assert answer.json()["message"]["code"] == Code.SIM_OFF
    assert "SimBoss" in answer.json()["message"]["message"]
    card = {"cNo": "8986001234", "status": "active", "usedMb": 12.5, "totalMb": 500, "expireDate": "2027-01-31"}
    file = tmp_path / "sims.json"
    file.write_text(json.dumps([card]))
    object.__setattr__(world.services.settings, "sim_file", str(file))
    assert await world.call("dealer", "/device/getSimInfo", cNo="8986001234") == card | {"simSupport": 3}
    assert (await world.raw("rival", "/device/getSimInfo", cNo="8986001234"))[0] == Code.NOT_FOUND
    await world.call("dealer", "/device/updateDeviceInfo", deviceId=device, simNo="8986009999")
    assert (await world.raw("dealer", "/device/getSimInfo", cNo="8986009999"))[0] == Code.NOT_FOUND


@pytest.mark.spec("call.device.updateDevicesAddressByLbs")
async def test_a_place_is_found_by_coordinates_or_by_a_robot_in_the_same_building(world: World):
    first, second = world.devices[SN], world.devices["SC0002"]
    code, _ = await world.raw("dealer", "/device/updateDevicesAddressByLbs", deviceSerialNumber="SC0002")
    assert code == Code.PLACE_UNKNOWN
    at = {"latitude": 31.2, "longitude": 121.4}
    await world.call("dealer", "/device/updateDeviceInfo", deviceId=first, **at)
    answer = await world.call("dealer", "/device/updateDevicesAddressByLbs", deviceSerialNumber="SC0002")
    assert answer == {"address": "Kestrel Quay Hotel", **at}  # what people wrote stays
    row = await world.call("dealer", "/device/selectDeviceByDeviceId", deviceId=second)
    assert (row["area"], row["province"]) == ("CN", "上海市")
    await world.call("dealer", "/device/updateDeviceInfo", deviceId=second, address="", latitude=0, longitude=-30)
    answer = await world.call("dealer", "/device/updateDevicesAddressByLbs", deviceSerialNumber="SC0002")
    assert answer["address"] == ""  # no city within reach
    code, _ = await world.raw("rival", "/device/updateDevicesAddressByLbs", deviceSerialNumber="SC0002")
    assert code == Code.NOT_FOUND


@pytest.mark.spec(
    "call.device.selectDeviceCountByCountry",
    "call.device.selectDeviceCountByProvince",
    "const.countries_listed",
    "q.countries",
)
async def test_robots_are_counted_by_country_and_province(world: World):
    device = world.devices[SN]
    await world.call("dealer", "/device/updateDeviceInfo", deviceId=device, area="CN", province="上海市")
    rows = (await world.call("dealer", "/device/selectDeviceCountByCountry"))["list"]
    assert rows == [{"name": "United Kingdom", "value": 2, "code": "GB"}, {"name": "China", "value": 1, "code": "CN"}]
    rows = (await world.call("dealer", "/device/selectDeviceCountByProvince"))["list"]
    assert [(row["name"], row["value"]) for row in rows] == [("上海市", 1)]
    assert (await world.call("rival", "/device/selectDeviceCountByProvince"))["list"] == []
    assert len(sites.load_countries()) == 17
    assert all(len(country.names) == 9 for country in sites.load_countries())
    assert sites.country_name("CN", "de") == "China"
    assert sites.country_name("XX", "de") == "XX"


@pytest.mark.spec("call.device.selectWorkInfoById", "call.device.workInfoResetById", "q.hash_call")
async def test_work_is_counted_since_the_last_reset_whether_or_not_it_has_a_reason(world: World):
    device, now = world.devices[SN], datetime.now(timezone.utc)
    hour = now.replace(minute=0, second=0, microsecond=0)
    for back, area in ((0, 30.0), (5, 70.0)):
        await world.pool.execute(
            "insert into area_hour select $1, $2, id, path, $3 from account where account = 'user'",
            device,
            hour - timedelta(hours=back),
            area,
        )

    async def store_run(minutes_ago: int, minutes: int, paused_s: float = 0.0) -> None:
        began = int((now - timedelta(minutes=minutes_ago)).timestamp() * 1000)
        run = report(id=f"r{minutes_ago}", started=began, ended=began + minutes * 60_000, paused_s=paused_s)
        async with world.as_ingest() as db:
            await reports.keep(db, [(SN, run)])

    await store_run(300, 60, paused_s=600.0)
    work = await world.call("user", "/device/selectWorkInfoById", deviceId=device)
    assert (work["workArea"], work["workTime"], work["workCount"], work["reason"]) == (100.0, "0:50:00", 1, "")
    assert datetime.fromisoformat(work["since"]) == hour - timedelta(hours=5)  # it worked before it was added here
    reset = {"deviceId": device, "reason": "New brushes", "hash": "a1"}
    await world.call("dealer", "/device/workInfoResetById", **reset)
    await world.call("dealer", "/device/workInfoResetById", **reset)
    assert await world.pool.fetchval("select count(*) from work_reset") == 1
    work = await world.call("user", "/device/selectWorkInfoById", deviceId=device)
    assert (work["workArea"], work["workSeconds"], work["reason"]) == (0.0, 0.0, "New brushes")
    assert now <= datetime.fromisoformat(work["since"])
    await world.pool.execute("update area_hour set area = area + 12.5 where hour = $1", hour)
    await store_run(-1, 10)
    work = await world.call("user", "/device/selectWorkInfoById", deviceId=device)
    assert (work["workArea"], work["workSeconds"], work["workCount"]) == (12.5, 600.0, 1)
    assert (await world.raw("user", "/device/workInfoResetById", **reset))[0] == Code.FORBIDDEN
    await world.call("dealer", "/device/workInfoResetById", deviceId=device)  # all that the specification sends
    work = await world.call("user", "/device/selectWorkInfoById", deviceId=device)
    assert (work["workArea"], work["reason"]) == (0.0, "")


@pytest.mark.spec("call.device.selectDevice", "call.device.selectDeviceList", "call.device.hash")
async def test_the_short_ways_to_the_same_robots(world: World):
    page = await world.call("dealer", "/device/selectDevice", pageSize=2, currentPage=2)
    assert (len(page["list"]), page["total"], page["pageNum"]) == (1, 3, 2)
    every = await world.call("dealer", "/device/selectDeviceList")
    assert len(every["list"]) == 3
    label = hashlib.sha256(SN.encode()).hexdigest()
    assert (await world.call("dealer", "/device/selectDeviceByHash", hash=label))["deviceSerialNumber"] == SN
    assert (await world.raw("rival", "/device/selectDeviceByHash", hash=label))[0] == Code.NOT_FOUND
    assert (await world.raw("dealer", "/device/selectDeviceByHash", hash="x"))[0] == Code.BAD_INPUT


async def test_merge_the_abilities_of_the_type_with_those_of_the_robot(world: World):
    [kind] = await list_types(world)
    change = {"typeId": kind["typeId"], "typeName": kind["typeName"], "abilities": ["scrub"]}
    await world.call("admin", "/device/updateDeviceType", **change)
    await world.pool.execute("update device set abilities = '{spray,scrub}' where serial_number = $1", SN)
    row = await world.call("user", "/device/selectDeviceByDeviceId", deviceId=world.devices[SN])
    assert row["abilities"] == ["scrub", "spray"]


async def test_a_place_without_a_building_is_not_guessed(world: World):
    await world.pool.execute("update device set address = '' where serial_number = 'SC0002'")
    code, _ = await world.raw("dealer", "/device/updateDevicesAddressByLbs", deviceSerialNumber="SC0002")
    assert code == Code.PLACE_UNKNOWN


async def test_a_picture_of_a_type_is_chosen_before_it_is_uploaded(world: World):
    headers = {"token": await world.token("admin")}
    answer = await world.http.post("/api/device/uploadTypePicture", files={"file": ("x.png", b"")}, headers=headers)
    assert (answer.json()["message"]["code"], answer.json()["data"]["field"]) == (Code.BAD_INPUT, "file")


async def test_pictures_that_no_type_has_go_after_a_day(world: World, monkeypatch: pytest.MonkeyPatch):
    out = io.BytesIO()
    Image.new("RGB", (20, 10)).save(out, "PNG")
    headers, urls = {"token": await world.token("admin")}, list[str]()
    for _ in range(2):
        files = {"file": ("x.png", out.getvalue())}
        answer = await world.http.post("/api/device/uploadTypePicture", files=files, headers=headers)
        urls.append(answer.json()["data"]["url"])
    [kind] = await list_types(world)
    change = {"typeId": kind["typeId"], "typeName": kind["typeName"], "typeUrl": urls[0]}
    await world.call("admin", "/device/updateDeviceType", **change)
    await world.call("admin", "/device/updateDeviceType", **change)  # its own name is not another's
    monkeypatch.setattr(types, "now", lambda: now() + 2 * types.UNUSED)
    await types.purge(world.services)
    shown = [(await world.http.get(url)).headers["content-type"] for url in urls]
    assert shown == ["image/png", "application/json"]
