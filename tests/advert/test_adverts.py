"""Adverts: what may be shown, by its bytes; where and when, by the clock of the robot's place; whose they are."""

import io
import os
import time
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from lustra.core.errors import Code
from lustra.domains.advert import service
from lustra.domains.advert.tables import Advert
from tests.world import World

MP4 = b"\x00\x00\x00\x18ftypisom" + bytes(100)
WEBM = b"\x1aE\xdf\xa3" + bytes(100)


def picture(kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (40, 30), (0, 90, 80)).save(out, kind)
    return out.getvalue()


async def upload(world: World, account: str, *contents: bytes) -> tuple[int, dict]:
    files = [("file", ("any.name", content)) for content in contents]
    answer = await world.http.post(
        "/api/device/uploadAdvertising", files=files or None, headers={"token": await world.token(account)}
    )
    return answer.json()["message"]["code"], answer.json()["data"]


async def add(world: World, account: str = "user", **fields: Any) -> int:
    _, uploaded = await upload(world, account, picture())
    usual = {"name": "Spring", "file": uploaded["file"]}
    return (await world.call(account, "/device/insertDeviceAdvertising", **usual | fields))["id"]


async def shown(world: World, sn: str, account: str = "user") -> list[int]:
    adverts = await world.call(account, "/device/selectDeviceAdvertising", deviceSerialNumber=sn)
    assert {row["state"] for row in adverts["list"]} <= {"showing"}
    return [row["id"] for row in adverts["list"]]


async def own_adverts(world: World, account: str = "user") -> list[dict]:
    return (await world.call(account, "/device/selectDeviceAdvertising"))["list"]


@pytest.fixture(autouse=True)
async def keys(world: World):
    await world.pool.execute("update role set keys = keys || '{device/ad,device/index}'::text[]")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (picture(), "image/png"),
        (picture("JPEG"), "image/jpeg"),
        (picture("WEBP"), "image/webp"),
        (MP4, "video/mp4"),
        (WEBM, "video/webm"),
    ],
    ids=["png", "jpeg", "webp", "mp4", "webm"],
)
async def test_pictures_and_videos_are_taken_by_their_bytes(world: World, content: Any, kind: str):
    code, uploaded = await upload(world, "user", content)
    assert (code, uploaded["kind"], uploaded["size"]) == (0, kind, len(content))


@pytest.mark.spec("rule.image.size", "rule.image.format", "rule.image.one")
async def test_refuse_a_file_that_is_neither_picture_nor_film_or_too_large(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    for content in (b"", b"<html>", b"%PDF-1.7", picture()[:60], b"\x89PNG\r\n\x1a\n" + bytes(50)):
        assert (await upload(world, "user", content))[0] == Code.BAD_INPUT
    assert (await upload(world, "user"))[0] == Code.BAD_INPUT
    assert (await upload(world, "user", picture(), picture()))[0] == Code.BAD_INPUT  # one at a time
    assert (await upload(world, "user", picture() + bytes(2 << 20)))[0] == Code.TOO_LARGE
    assert (await upload(world, "user", MP4 + bytes(3 << 20)))[0] == 0  # the 2 MB are for pictures
    assert service.LARGEST_VIDEO == 50 << 20
    monkeypatch.setattr(service, "LARGEST_VIDEO", 1 << 20)
    assert (await upload(world, "user", MP4 + bytes((1 << 20) - len(MP4))))[0] == 0
    assert (await upload(world, "user", MP4 + bytes((1 << 20) - len(MP4) + 1)))[0] == Code.TOO_LARGE


@pytest.mark.spec(
    "call.device.selectDeviceAdvertising", "q.advertising_crud", "ent.advertising", "feat.area.advertising"
)
async def test_a_robot_shows_what_is_for_it_in_its_order(world: World):
    kind = await world.pool.fetchval("insert into device_type (name) values ('Other') returning id")
    everywhere = await add(world, rank=3)
    named = await add(world, deviceIds=[world.devices["SC0001"]], rank=1)
    none = await add(world, typeIds=[kind])
    above = await add(world, "dealer", rank=2)
    below = await add(world, "sub", rank=0)
    assert await shown(world, "SC0001") == [named, above, everywhere]
    assert await shown(world, "SC0003") == [below, above, everywhere]
    assert {row["id"]: row["robots"] for row in await own_adverts(world)} == {
        everywhere: 3,
        named: 1,
        none: 0,
        below: 1,
    }


async def test_list_only_the_visible_robots_of_an_advert(world: World):
    both = [world.devices[sn] for sn in ("SC0001", "SC0003")]
    await add(world, deviceIds=both)
    adverts = await world.call("sub", "/device/selectDeviceAdvertising", deviceSerialNumber="SC0003")
    assert [row["deviceIds"] for row in adverts["list"]] == [[both[1]]]


async def test_answer_the_sequence_at_once_and_append_a_new_advert(world: World):
    first, second, third = [await add(world) for _ in range(3)]
    assert await shown(world, "SC0001") == [first, second, third]
    [row, *_] = await own_adverts(world)
    await world.call("user", "/device/orderDeviceAdvertising", advertIds=[third, first, second])
    assert await shown(world, "SC0001") == [third, first, second]
    payload = {"id": first, "name": "Sale", "updateTime": row["updateTime"]}
    await world.call("user", "/device/updateDeviceAdvertising", **payload)  # not late: it stood in no form
    assert await shown(world, "SC0001") == [third, first, second]
    foreign = await add(world, "rival")
    for ids in ([second, foreign], [second, second], [second, 999_999]):
        code, _ = await world.raw("user", "/device/orderDeviceAdvertising", advertIds=ids)
        assert code == Code.NOT_FOUND
    assert await shown(world, "SC0001") == [third, first, second]


async def test_count_an_advert_as_shown_by_any_robot_and_over_by_all(world: World, monkeypatch: pytest.MonkeyPatch):
    await world.pool.execute("update device set zone = 'Asia/Shanghai' where serial_number = 'SC0001'")
    await world.pool.execute("update device set zone = 'Europe/Berlin' where serial_number <> 'SC0001'")
    advert = await add(world, startDate="2026-06-01", endDate="2026-06-01", startTime="09:00", endTime="18:00")
    for utc, state in (
        ("2026-06-01T00:59", "planned"),
        ("2026-06-01T01:00", "showing"),
        ("2026-06-01T10:00", "showing"),
        ("2026-06-01T16:00", "over"),
    ):
        at = datetime.fromisoformat(utc).replace(tzinfo=timezone.utc)
        [row] = await _as_of(world, monkeypatch, at)
        assert (row["id"], row["state"], row["zones"]) == (advert, state, ["Asia/Shanghai", "Europe/Berlin"])


async def _as_of(world: World, monkeypatch: pytest.MonkeyPatch, at: datetime) -> list[dict]:
    with monkeypatch.context() as patched:
        patched.setattr("lustra.domains.advert.calls.adverts.now", lambda: at)
        return await own_adverts(world)


async def test_open_the_content_for_a_minute_by_a_signed_address(world: World):
    advert = await add(world)
    [row] = await own_adverts(world)
    answer = await world.http.get(row["url"])
    assert (row["id"], answer.headers["content-type"], answer.content) == (advert, "image/png", picture())


@pytest.mark.parametrize(
    ("begins", "ends", "zone", "utc", "state"),
    [
        ("", "", "UTC", "2026-06-01T12:00", "showing"),
        ("09:00", "18:00", "Asia/Shanghai", "2026-06-01T01:00", "showing"),  # 09:00 there
        ("09:00", "18:00", "Asia/Shanghai", "2026-06-01T10:00", "planned"),  # 18:00 there
        ("09:00", "18:00", "Europe/London", "2026-06-01T08:00", "showing"),  # summer time
        ("09:00", "18:00", "Europe/London", "2026-01-15T08:00", "planned"),
        ("22:00", "06:00", "UTC", "2026-06-01T23:30", "showing"),
        ("22:00", "06:00", "UTC", "2026-06-01T05:59", "showing"),
        ("22:00", "06:00", "UTC", "2026-06-01T06:00", "planned"),
    ],
)
def test_show_an_advert_by_the_clock_of_the_robots_place(begins: str, ends: str, zone: str, utc: str, state: str):
    advert = Advert(account_id=1, name="x", place="", kind="", size=0, start_time=begins, end_time=ends)
    at = datetime.fromisoformat(utc).replace(tzinfo=timezone.utc)
    assert service.state_in_zones(advert, at, [zone]) == state


def test_show_an_advert_from_its_first_to_its_last_day_at_the_robot():
    june = (date(2026, 6, 1), date(2026, 6, 30))
    advert = Advert(account_id=1, name="x", place="", kind="", size=0, start_date=june[0], end_date=june[1])
    for utc, zone, state in (
        ("2026-05-31T16:00", "Asia/Shanghai", "showing"),
        ("2026-05-31T15:59", "Asia/Shanghai", "planned"),
        ("2026-06-30T15:59", "Asia/Shanghai", "showing"),
        ("2026-06-30T16:00", "Asia/Shanghai", "over"),
    ):
        at = datetime.fromisoformat(utc).replace(tzinfo=timezone.utc)
        assert service.state_in_zones(advert, at, [zone]) == state


@pytest.mark.parametrize(
    ("field", "payload"),
    [
        ("name", {"name": " "}),
        ("endDate", {"startDate": "2026-06-02", "endDate": "2026-06-01"}),
        ("startTime", {"startTime": "24:00", "endTime": "09:00"}),
        ("endTime", {"startTime": "09:00", "endTime": ""}),
        ("seconds", {"seconds": 0}),
        ("seconds", {"seconds": 3601}),
        ("rank", {"rank": -1}),
        ("typeIds", {"typeIds": [99]}),
        ("startDate", {"startDate": "soon"}),
    ],
)
async def test_refuse_an_invalid_advert_by_its_field(world: World, field: str, payload: dict[str, Any]):
    _, uploaded = await upload(world, "user", picture())
    usual = {"name": "Spring", "file": uploaded["file"]}
    code, data = await world.raw("user", "/device/insertDeviceAdvertising", **usual | payload)
    assert (code, data["field"]) == (Code.BAD_INPUT, field)


@pytest.mark.parametrize(
    ("field", "payload"),
    [("endDate", {"endDate": "2026-05-31"}), ("endTime", {"endTime": ""})],
)
async def test_a_change_of_one_end_is_judged_with_the_other_that_stays(
    world: World, field: str, payload: dict[str, Any]
):
    usual = {"startDate": "2026-06-01", "endDate": "2026-06-30", "startTime": "09:00", "endTime": "18:00"}
    advert = await add(world, **usual)
    code, data = await world.raw("user", "/device/updateDeviceAdvertising", id=advert, name="Spring", **payload)
    assert (code, data["field"]) == (Code.BAD_INPUT, field)
    [row] = await own_adverts(world)
    assert {name: row[name] for name in usual} == usual


async def test_only_who_uploaded_a_file_makes_an_advert_of_it(world: World):
    _, uploaded = await upload(world, "user", picture())
    spoiled = uploaded["file"][:-1] + ("1" if uploaded["file"][-1] == "0" else "0")
    for account, file in (("dealer", uploaded["file"]), ("user", "forged.sig"), ("user", spoiled)):
        code, _ = await world.raw(account, "/device/insertDeviceAdvertising", name="x", file=file)
        assert code == Code.UPLOAD_EXPIRED


async def test_change_and_delete_an_advert_and_refuse_a_late_edit(world: World):
    advert = await add(world)
    [row] = await own_adverts(world)
    payload = {"id": advert, "name": "Spring", "updateTime": row["updateTime"]}
    await world.call("dealer", "/device/updateDeviceAdvertising", **payload | {"rank": 5})
    code, data = await world.raw("user", "/device/updateDeviceAdvertising", **payload | {"seconds": 20})
    assert (code, data["fields"]) == (Code.CONFLICT, ["rank"])
    _, uploaded = await upload(world, "user", MP4)
    await world.call("user", "/device/updateDeviceAdvertising", id=advert, name="Film", file=uploaded["file"])
    [row] = await own_adverts(world)
    assert (row["kind"], row["name"], row["rank"]) == ("video/mp4", "Film", 5)
    place = await world.pool.fetchval("select place from advert")
    await world.call("user", "/device/deleteDeviceAdvertising", id=advert)
    assert await own_adverts(world) == []
    with pytest.raises(Exception, match="NOT_FOUND"):
        await world.services.objects.get(place)


@pytest.mark.parametrize("account", ["rival", "rivaluser", "sub"])
async def test_show_an_advert_to_its_owner_and_accounts_above(world: World, account: str):
    advert = await add(world)
    for path, payload in (("update", {"name": "Mine"}), ("delete", {})):
        code, _ = await world.raw(account, f"/device/{path}DeviceAdvertising", id=advert, **payload)
        assert code == Code.NOT_FOUND
    _, uploaded = await upload(world, account, picture())
    for more in ({"deviceIds": [world.devices["SC0001"]]}, {"userId": world.accounts["user"]}):
        code, _ = await world.raw(account, "/device/insertDeviceAdvertising", name="x", file=uploaded["file"], **more)
        assert code == Code.NOT_FOUND
    code, _ = await world.raw(account, "/device/selectDeviceAdvertising", deviceSerialNumber="SC0001")
    assert code == Code.NOT_FOUND


async def test_a_file_that_no_advert_took_within_a_day_goes_with_its_room(world: World, tmp_path: Path):
    await add(world)
    _, unused = await upload(world, "user", picture("JPEG"))
    assert unused["file"]
    places = [path for path in (tmp_path / "objects" / service.FOLDER).rglob("*") if path.is_file()]
    for age_hours, remaining in ((23, 2), (25, 1)):
        then = time.time() - age_hours * 3600
        for path in places:
            os.utime(path, (then, then))
        await service.purge(world.services)
        assert sum(path.exists() for path in places) == remaining
    assert await world.pool.fetchval("select count(*) from holding where kind = 'adverts'") == 1
