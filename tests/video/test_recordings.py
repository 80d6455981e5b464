"""Recordings: made by hand, played, downloaded, deleted; and what a kill leaves of them."""

import json
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from lustra.core.context import NOBODY
from lustra.core.db import now
from lustra.core.errors import Code
from lustra.domains.account.api import OldData, PersonalDataRequested
from lustra.domains.device.api import OwnerChanged
from lustra.domains.video import privacy, records
from lustra.video.hall import Hall
from lustra.video.mp4 import Init, Reader, find
from lustra.video.recording import RecordingFile, finish
from tests.video.theatre import RECORDS, SN, theatre
from tests.world import World, until

DELETED_LONG_AGO = "update video_record set deleted_at = now() - interval '31 days' where id = $1"
DELETE = "/qiniuQvs/recordDel"
VIEWS = "/qiniuQvs/viewList"


async def enter(world: World, *, days_ago: int = 0, sn: str = SN, place: str = "") -> int:
    """A recording that is whole."""
    return await world.pool.fetchval(
        "insert into video_record (owner_id, owner_path, device_id, camera, name, began_at, ended_at, size, place)"
        " select owner_id, owner_path, id, 'front', 'front-1.mp4', now() - make_interval(days => $2),"
        " now() - make_interval(days => $2) + interval '1 minute', 7, $3 from device where serial_number = $1"
        " returning id",
        sn,
        days_ago,
        place or f"video/{days_ago}.mp4",
    )


async def listed(world: World, account: str = "user", **filters: Any) -> list[int]:
    rows = await world.call(account, RECORDS, deviceSerialNumber=SN, **filters)
    return [row["id"] for row in rows["list"]]


async def views(world: World, account: str = "user") -> list[tuple[str, str]]:
    answer = await world.call(account, VIEWS, deviceSerialNumber=SN, currentPage=1, pageSize=30)
    return [(row["kind"], row["name"]) for row in answer["list"]]


@pytest.mark.spec(
    "call.qiniuQvs.recordList",
    "ent.video_record",
    "ent.video_record.name",
    "ent.video_record.url",
    "ent.video_record.start",
    "ent.video_record.end",
    "ent.video_record.size",
    "ent.video_record.camera",
)
async def test_list_play_in_parts_and_download_recordings(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        row = await house.record_for()
        assert row["camera"] == "front"
        assert row["name"].startswith("front-")
        assert row["start"] < row["end"]
        whole = await house.client.get(row["url"])
        assert (whole.status_code, len(whole.content)) == (200, row["size"])
        reader = Reader()
        pictures = reader.feed(whole.content)
        assert pictures[0].key
        assert pictures[0].time == 0
        find(whole.content, b"sidx")  # players seek by it
        part = await house.client.get(row["url"], headers={"range": "bytes=4-7"})
        assert (part.status_code, part.content) == (206, b"ftyp")
        nothing = await house.client.get(row["url"], headers={"range": f"bytes={row['size']}-"})
        assert nothing.status_code == 416
        saved = await house.client.get(row["downloadUrl"])
        assert row["name"] in saved.headers["content-disposition"]
        assert await views(world) == [
            ("download", "Bright Floors"),
            ("recording", "Bright Floors"),
            ("live", "Bright Floors"),
        ]
        noted = await world.pool.fetch("select action from audit where action like 'video.%' order by id")
        request = PersonalDataRequested(world.accounts["user"], {}, [])
        async with world.services.sessions() as db:
            await privacy.on_personal_data_requested(db, request)
        assert [each["kind"] for each in request.rows["videoViews"]] == ["live", "recording", "download"]
        assert {"video.recording", "video.download"} <= {each["action"] for each in noted}


async def test_a_recording_that_was_killed_is_whole_after_the_next_start(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house, house.watching(await house.start()) as viewer:
        await house.record(on=True)
        await until(house.is_recording)
        await viewer.see(30)
        [channel] = house.hall.channels.values()
        assert channel.recording
        row, part = channel.recording.row, channel.recording.file.path
        shutil.copy(part, tmp_path / "killed.mp4")  # as a kill leaves it
        await house.record(on=False)
        await until(house.recordings)
    await world.pool.execute("update video_record set ended_at = null, place = '', size = 0 where id = $1", row)
    folder = tmp_path / "left"
    folder.mkdir()
    shutil.copy(tmp_path / "killed.mp4", folder / f"{row}.mp4")
    with (folder / f"{row}.mp4").open("ab") as file:
        file.write(b"\x00\x00\xff\xffmoof, half of it")
    await Hall(world.services, folder).recover()
    ended = await world.pool.fetchrow("select ended_at - began_at as length, size from video_record where id = $1", row)
    assert ended["length"] >= timedelta(seconds=1)
    assert ended["size"] > 0
    assert not list(folder.iterdir())


async def test_a_recording_without_a_picture_is_none(world: World, tmp_path: Path):
    row = await enter(world)
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / f"{row}.mp4").write_bytes(b"\x00\x00\x00\x08free" + b"\xff" * 100)
    await Hall(world.services, tmp_path / "left").recover()
    assert await world.pool.fetchval("select count(*) from video_record where id = $1", row) == 0


async def test_record_nothing_of_a_camera_that_is_off(world: World, tmp_path: Path):
    async with theatre(world, tmp_path):
        code, data = await world.raw("user", "/qiniuQvs/record", deviceSerialNumber=SN, camera="front", on=True)
        assert (code, data["field"]) == (Code.BAD_INPUT, "camera")


async def test_dates_are_whole_days_the_first_within_seven_and_not_in_the_future(world: World, tmp_path: Path):
    async with theatre(world, tmp_path):
        today, old = await enter(world), await enter(world, days_ago=3)
        assert await listed(world) == [today, old]
        day = now().date()
        assert await listed(world, startDate=str(day - timedelta(days=4)), endDate=str(day - timedelta(days=2))) == [
            old
        ]
        for start, reason in ((day - timedelta(days=9), "seven"), (day + timedelta(days=2), "future")):
            code, data = await world.raw("user", RECORDS, deviceSerialNumber=SN, startDate=str(start))
            assert (code, data["field"]) == (Code.BAD_INPUT, "startDate"), reason
        turned = {"startDate": str(day), "endDate": str(day - timedelta(days=1))}
        assert (await world.raw("user", RECORDS, deviceSerialNumber=SN, **turned))[0] == Code.BAD_INPUT


@pytest.mark.spec("call.qiniuQvs.recordDel")
async def test_recordings_are_deleted_all_or_none_and_by_nobody_else(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        first, second = await enter(world), await enter(world, days_ago=1)
        row = (await house.recordings())[0]
        assert (await world.raw("rival", RECORDS, deviceSerialNumber=SN))[0] == Code.NOT_FOUND
        assert (await world.raw("rival", VIEWS, deviceSerialNumber=SN))[0] == Code.NOT_FOUND
        for account, ids in (("rival", [first]), ("user", [first, 999_999])):
            assert (await world.raw(account, DELETE, fileJsonArr=json.dumps([{"id": i} for i in ids])))[0] == (
                Code.NOT_FOUND
            )
        for bad in ("[]", "no JSON", '[{"name": "x"}]'):
            assert (await world.raw("user", DELETE, fileJsonArr=bad))[0] == Code.BAD_INPUT
        assert await listed(world) == [first, second]
        await world.call("user", DELETE, fileJsonArr=json.dumps([{"id": first}]))
        assert await listed(world) == [second]
        assert (await house.client.get(row["url"])).status_code == 403


async def test_support_sees_recordings_only_while_its_access_is_open(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        await enter(world)
        [row] = await house.recordings("dealer")
        await world.pool.execute("update account set support_default = 'off', support_until = null")
        assert (await world.raw("dealer", RECORDS, deviceSerialNumber=SN))[0] == Code.SUPPORT_CLOSED
        assert (await house.client.get(row["url"])).status_code == 403
        [own] = await house.recordings()
        assert (await house.client.get(own["url"])).status_code == 404  # there are no bytes of it


async def change_owner(world: World, things: Any) -> None:
    async with world.services.sessions.begin() as db:
        to = world.accounts["rival"]
        event = OwnerChanged(world.devices[SN], SN, world.accounts["user"], to, things, NOBODY)
        await records.owner_changed(db, event)


async def test_a_recording_stays_with_the_owner_of_its_time_goes_along_or_is_erased(world: World, tmp_path: Path):
    owner = "select a.account from video_record r join account a on a.id = r.owner_id"
    async with theatre(world, tmp_path) as house:
        await house.start()
        await enter(world)
        await change_owner(world, "keep")
        assert await house.live() == []
        assert [row["account"] for row in await world.pool.fetch(owner)] == ["user"]
        await change_owner(world, "hand_over")
        assert [row["account"] for row in await world.pool.fetch(owner)] == ["rival"]
        await enter(world)
        await change_owner(world, "erase")
        assert [row["account"] for row in await world.pool.fetch(owner)] == ["rival"]


async def test_old_recordings_go_and_deleted_ones_after_thirty_days(world: World, tmp_path: Path):
    async with theatre(world, tmp_path):
        old, deleted, new = await enter(world, days_ago=400), await enter(world, days_ago=40), await enter(world)
        await world.pool.execute(DELETED_LONG_AGO, deleted)
        path = await world.pool.fetchval("select path::text from account where id = $1", world.accounts["user"])
        for remove in (False, True):
            async with world.services.sessions.begin() as db:
                request = OldData(path, {"video": now() - timedelta(days=365)}, remove=remove)
                await records.clear_old(db, request)
                await records.clear_old(db, OldData(path, {}, remove=True))
            assert request.counts == {"video": 1}
        await world.services.objects.put_bytes("video/0.mp4", b"kept")
        await world.services.objects.put_bytes("video/unused.mp4", b"of nobody")
        monkey, records.UNUSED = records.UNUSED, timedelta(seconds=-60)
        try:
            await records.purge(world.services)
        finally:
            records.UNUSED = monkey
        assert [row["id"] for row in await world.pool.fetch("select id from video_record")] == [new]
        assert old != new
        assert await world.services.objects.exists("video/0.mp4")
        assert not await world.services.objects.exists("video/unused.mp4")


def test_a_file_without_a_key_frame_has_no_seconds(tmp_path: Path):
    file = RecordingFile(tmp_path / "empty.mp4", Init(b"", "avc1.42c00c", 12000, 0))
    file.close()
    assert finish(tmp_path / "empty.mp4") == 0.0
