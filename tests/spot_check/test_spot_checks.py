"""A person grades a zone that a sheet on its wall names; what the machine swept of it stands beside the grade."""

import io
import json
import zipfile
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from PIL import Image

from lustra.core.db import now
from lustra.core.errors import Code
from lustra.domains.account.api import PersonErased
from lustra.domains.proof import month_document, verify
from lustra.domains.spot_check import photos
from lustra.domains.spot_check.privacy import on_person_erased
from tests.proof.test_proof import LANGUAGES
from tests.report.test_cleaned import clean
from tests.report.test_cleaned_rooms import HALL, keep_rooms, swept
from tests.world import World

ALL = "array['device/spotCheck','device/spotCheck/grade','device/spotCheck/delete','device/report']"
GRADES = {"floor": 5, "edges": 3, "litter": 5}
ADD = "/spotCheck/insertSpotCheck"


@pytest.fixture(autouse=True)
async def _keys(world: World) -> None:
    await world.pool.execute(f"update role set keys = (select array_agg(distinct k) from unnest(keys || {ALL}) k)")
    await world.pool.execute("update device set zone = 'Pacific/Kiritimati', address = 'Harbour', address1 = '2'")


async def grade(world: World, map_id: int, room: str = "lobby", account: str = "user", **fields: Any) -> int:
    payload = {"mapId": map_id, "room": room, "items": GRADES, "ref": f"form-{account}-{room}"} | fields
    return (await world.call(account, ADD, **payload))["id"]


async def rows(world: World, account: str = "user", **filters: Any) -> list[dict[str, Any]]:
    return (await world.call(account, "/spotCheck/list", **filters))["list"]


def picture(kind: str = "JPEG", size: tuple[int, int] = (3000, 1500)) -> bytes:
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x010F] = "Maker"
    Image.new("RGB", size, "grey").save(out, kind, exif=exif)
    return out.getvalue()


async def upload(world: World, data: bytes, account: str = "user") -> tuple[int, Any]:
    headers, files = {"token": await world.token(account)}, [("file", ("photo", data))]
    answer = await world.http.post("/api/spotCheck/uploadPhoto", files=files, headers=headers)
    return answer.json()["message"]["code"], answer.json()["data"]


async def test_a_zone_is_graded_beside_what_the_last_run_swept_of_it(world: World):
    floor = await keep_rooms(world)
    await clean(world, swept(HALL), days=1)
    await clean(world, swept((0, 0, 10, 4)), days=2)  # 55 of the lobby's 121 cells
    await clean(world, swept((0, 0, 1, 1)))  # drove through
    zone = await world.call("user", "/spotCheck/zone", mapId=floor, room="lobby")
    assert (zone["name"], zone["building"], zone["floor"]) == ("Lobby", "Kestrel", "1")
    assert zone["run"]["coverage"] == pytest.approx(455, abs=8)
    check = await grade(world, floor, note=" Dust by the door ")
    [row] = await rows(world)
    assert row.items() >= {"id": check, "items": GRADES, "score": 4.33, "note": "Dust by the door"}.items()
    assert (row["inspector"], row["run"], row["hasPhoto"]) == ("Bright Floors", zone["run"], False)
    site = datetime.now(timezone.utc) + timedelta(hours=14)
    assert row["day"] == site.date().isoformat()
    after = await rows(world, taskReportId=row["run"]["taskReportId"])
    assert [entry["id"] for entry in after] == [check]
    actions = [entry["action"] for entry in await world.pool.fetch("select action from audit where action ~ '^spot'")]
    assert actions == ["spot_check.insert"]


async def test_the_zones_of_a_map_are_its_whole_floor_and_its_rooms(world: World):
    floor = await keep_rooms(world)
    zones = await world.call("user", "/spotCheck/zones", mapId=floor)
    assert [(zone["room"], zone["name"]) for zone in zones["list"]] == [("", ""), ("lobby", "Lobby"), ("hall", "Hall")]
    await world.pool.execute("update floor_map set building = '', floor = ''")
    await grade(world, floor, room="")
    [row] = await rows(world, room="")
    assert (row["name"], row["run"], row["building"], row["floor"]) == ("", None, "Harbour", "2")


async def test_a_room_without_an_id_is_a_zone_by_its_name_and_one_with_neither_is_none(world: World):
    floor = await keep_rooms(world)
    unnamed = """update map_version set revision = 7, marks = jsonb_set(jsonb_set(marks, '{free_areas,0,id}', '""'),
        '{free_areas,1}', marks #> '{free_areas,1}' || '{"id": "", "name": ""}')"""
    await world.pool.execute(unnamed)
    await world.pool.execute("update floor_map set revision = 7")  # a version never changes: what is read of it stays
    zones = await world.call("user", "/spotCheck/zones", mapId=floor)
    assert [(zone["room"], zone["name"]) for zone in zones["list"]] == [("", ""), ("Lobby", "Lobby")]
    await clean(world, swept((0, 0, 10, 10), (20, 10, 36, 26)))  # 410 of 1200 cells
    await grade(world, floor, room="")
    await grade(world, floor, room="Lobby")
    swept_of = {row["room"]: row["run"]["coverage"] for row in await rows(world)}
    assert (swept_of[""], swept_of["Lobby"]) == (342, pytest.approx(1000, abs=10))


async def test_a_form_that_is_sent_twice_counts_once(world: World):
    floor = await keep_rooms(world)
    assert await grade(world, floor) == await grade(world, floor, note="again")
    assert len(await rows(world)) == 1
    code, data = await world.raw("sub", ADD, mapId=floor, room="lobby", items=GRADES, ref="form-user-lobby")
    assert code in (Code.NOT_FOUND, Code.EXISTS), data


@pytest.mark.parametrize(
    ("wrong", "code", "field"),
    [
        ({"items": {}}, Code.BAD_INPUT, "items"),
        ({"items": {"floor": 6}}, Code.BAD_INPUT, "items"),
        ({"items": {"floor": 0}}, Code.BAD_INPUT, "items"),
        ({"items": {"ceiling": 3}}, Code.BAD_INPUT, "items"),
        ({"note": "x" * 1001}, Code.BAD_INPUT, "note"),
        ({"ref": "short"}, Code.BAD_INPUT, "ref"),
        ({"photo": "../letterhead/a"}, Code.NOT_FOUND, "photo"),
        ({"photo": "0" * 32}, Code.NOT_FOUND, "photo"),
        ({"room": "gone"}, Code.NOT_FOUND, "room"),
        ({"mapId": 999_999}, Code.NOT_FOUND, "mapId"),
    ],
)
async def test_refuse_an_invalid_check_by_its_field(world: World, wrong: dict[str, Any], code: Code, field: str):
    payload = {"mapId": await keep_rooms(world), "room": "lobby", "items": GRADES, "ref": "form-0001"} | wrong
    refused, data = await world.raw("user", ADD, **payload)
    assert (refused, data["field"].partition(".")[0]) == (code, field)
    assert await rows(world) == []


async def test_a_zone_whose_robot_is_anothers_by_now_stands_where_its_map_says(world: World):
    floor = await keep_rooms(world)
    await world.pool.execute(
        "update device d set owner_id = a.id, owner_path = a.path from account a"
        " where a.account = 'rivaluser' and d.serial_number = 'SC0001'"
    )
    zone = await world.call("user", "/spotCheck/zone", mapId=floor, room="lobby")
    assert (zone["building"], zone["floor"]) == ("Kestrel", "1")


async def test_a_sheet_of_a_deleted_map_says_so(world: World):
    floor = await keep_rooms(world)
    await world.pool.execute("update floor_map set deleted_at = now()")
    answer = (await world.post("user", "/spotCheck/zone", mapId=floor, room="lobby")).json()
    assert (answer["message"]["code"], answer["data"]["field"]) == (Code.NOT_FOUND, "mapId")
    assert "Print a new sheet" in answer["message"]["message"]


async def test_a_photo_is_drawn_anew_and_seen_with_its_check_alone(world: World):
    floor = await keep_rooms(world)
    code, data = await upload(world, picture())
    assert code == 0
    check = await grade(world, floor, photo=data["photo"])
    answer = await world.post("user", "/spotCheck/photo", id=check)
    with Image.open(io.BytesIO(answer.content)) as stored:
        assert (stored.format, stored.size, dict(stored.getexif())) == ("JPEG", (1600, 800), {})
    for account in ("rivaluser", "rival"):
        assert (await world.raw(account, "/spotCheck/photo", id=check))[0] == Code.NOT_FOUND
    again = await world.raw("user", ADD, mapId=floor, items=GRADES, ref="form-0002", photo=data["photo"])
    assert again[0] == Code.EXISTS
    assert (await upload(world, b"<svg onload='alert(1)'/>"))[0] == Code.BAD_INPUT
    assert (await upload(world, b""))[0] == Code.BAD_INPUT


async def test_photos_that_no_check_has_go_after_a_day(world: World, monkeypatch: pytest.MonkeyPatch):
    floor = await keep_rooms(world)
    names = [(await upload(world, picture(size=(20, 10))))[1]["photo"] for _ in range(2)]
    check = await grade(world, floor, photo=names[0])
    monkeypatch.setattr(photos, "now", lambda: now() + 2 * photos.UNUSED)
    await photos.purge(world.services)
    assert [await world.services.objects.exists(photos.FOLDER + name) for name in names] == [True, False]
    await world.call("user", "/spotCheck/deleteSpotCheck", id=check)
    await photos.purge(world.services)
    assert not await world.services.objects.exists(photos.FOLDER + names[0])
    assert await world.pool.fetchval("select count(*) from holding where place ~ '^spotcheck'") == 0


async def test_a_foreign_account_sees_grades_and_deletes_nothing(world: World):
    floor = await keep_rooms(world)
    check = await grade(world, floor)
    assert await rows(world, "rivaluser") == []
    for path in ("/spotCheck/zone", "/spotCheck/zones"):
        assert (await world.raw("rivaluser", path, mapId=floor, room="lobby"))[0] == Code.NOT_FOUND
    code, _ = await world.raw("rivaluser", ADD, mapId=floor, room="lobby", items=GRADES, ref="form-0003")
    assert code == Code.NOT_FOUND
    assert (await world.raw("rivaluser", "/spotCheck/deleteSpotCheck", id=check))[0] == Code.NOT_FOUND
    await world.pool.execute("update role set keys = array_remove(keys, 'device/spotCheck/grade')")
    assert (await world.raw("dealer", ADD, mapId=floor, items=GRADES, ref="form-0004"))[0] == Code.FORBIDDEN


@pytest.mark.parametrize(
    ("filters", "count"),
    [
        ({"text": "kestrel"}, 2),
        ({"text": "LOBBY"}, 1),
        ({"text": "dust"}, 1),
        ({"most": 3}, 1),
        ({"endDate": "2020-01-01"}, 0),
        ({"room": "hall"}, 1),
        ({"mapId": 999_999}, 0),
    ],
)
async def test_checks_are_filtered(world: World, filters: dict[str, Any], count: int):
    floor = await keep_rooms(world)
    await grade(world, floor, note="Dust by the door")
    await grade(world, floor, room="hall", items={"dust": 2})
    assert len(await rows(world, **filters)) == count
    code, data = await world.raw("user", "/spotCheck/list", startDate="2026-02-01", endDate="2026-01-01")
    assert code == Code.BAD_INPUT, data


async def test_checks_stand_in_the_sealed_month_for_who_may_see_them(world: World):
    floor = await keep_rooms(world)
    await grade(world, floor, note="Dust by the door")
    await grade(world, floor, room="", items={"dust": 2})
    month = (await rows(world))[0]["day"][:7]
    answer = await world.post("user", "/taskReport/month", month=month, form="json")
    record, _ = verify.read(answer.content)
    checks = month_document.list_checks(record)
    assert [(check["zone"], check["score"], check["note"]) for check in checks] == [
        ("Lobby", 433, "Dust by the door"),
        ("", 200, ""),
    ]
    for language in LANGUAGES:
        await world.pool.execute("update account set language = $1 where account = 'user'", language)
    content = (await world.post("user", "/taskReport/month", month=month)).content
    assert content.startswith(b"%PDF"), content[:200]
    await world.pool.execute("update role set keys = array_remove(keys, 'device/spotCheck')")
    hidden = await world.post("dealer", "/taskReport/month", month=month, form="json")
    assert verify.read(hidden.content)[0]["checks"] == []


async def test_export_a_persons_checks_and_erase_the_name_from_them(world: World):
    floor = await keep_rooms(world)
    await grade(world, floor, note="Mine")
    data = (await world.post("user", "/user/exportPerson", targetUserId=world.accounts["user"])).content
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        [check] = json.loads(archive.read("spotChecks.json"))
    assert (check["zone"], check["note"]) == ("Lobby", "Mine")
    async with world.services.sessions.begin() as db:
        await on_person_erased(db, PersonErased(world.accounts["user"], [], "Erased"))
    assert (await rows(world))[0]["inspector"] == ""


async def test_a_check_without_a_photo_says_so(world: World):
    check = await grade(world, await keep_rooms(world))
    code, data = await world.raw("user", "/spotCheck/photo", id=check)
    assert (code, data["field"]) == (Code.NOT_FOUND, "id")
