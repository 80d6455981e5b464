"""Recordings and clips take no more room than their owner may hold."""

import dataclasses
from pathlib import Path

import pytest

from lustra.core import quota
from lustra.core.context import NOBODY
from lustra.core.errors import Code
from lustra.domains.device.api import OwnerChanged
from lustra.domains.video import records
from lustra.domains.video.space import FULL
from lustra.video.recording import ROOM
from lustra.video.rules import Recorder
from tests.video.theatre import SN, Theatre, theatre
from tests.world import World, until

ALWAYS = {"cameras": ["front"], "days": [1, 2, 3, 4, 5, 6, 7]}
CLIP = "/qiniuQvs/clipAdd"


def limit(world: World, size: int) -> None:
    settings = world.services.settings
    world.services.settings = dataclasses.replace(settings, quota_gb=f"recordings={(size + 0.5) / quota.GB:.15f}")


async def space(world: World, account: str = "user") -> tuple[int, int]:
    """Bytes used and allowed, as the page says."""
    rule = await world.call(account, "/qiniuQvs/recordRule", deviceSerialNumber=SN)
    return rule["spaceUsed"], rule["spaceLimit"]


async def held(world: World, account: str = "user") -> int:
    return await world.pool.fetchval(
        "select coalesce(sum(size), 0)::bigint from holding where account_id = $1 and kind = 'recordings'",
        world.accounts[account],
    )


async def enter(world: World, size: int, *, deleted: bool = False) -> int:
    """A recording that is whole and counted."""
    place = f"video/{size}-{deleted}.mp4"
    number = await world.pool.fetchval(
        "insert into video_record (owner_id, owner_path, device_id, camera, name, began_at, ended_at, size, place,"
        " deleted_at) select owner_id, owner_path, id, 'front', 'front-1.mp4', now() - interval '2 minutes',"
        " now() - interval '1 minute', $2, $3, case when $4 then now() end from device where serial_number = $1"
        " returning id",
        SN,
        size,
        place,
        deleted,
    )
    owner = world.accounts["user"]
    await world.pool.execute("insert into holding values ($1, $2, 'recordings', $3)", owner, place, size)
    return number


async def recipients(world: World) -> list[str]:
    rows = await world.pool.fetch(
        "select a.account, m.values from message m join account a on a.id = m.account_id where m.kind = $1 order by 1",
        FULL,
    )
    return [row["account"] for row in rows]


async def records_front(house: Theatre) -> bool:
    return any(row["recording"] for row in await house.live())


async def test_count_a_recording_for_the_owner_of_the_robot(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        row = await house.record_for()
        assert await space(world) == (row["size"], 50 * quota.GB)
        assert await space(world, "dealer") == (row["size"], 50 * quota.GB)  # it may see the robot
        assert (await held(world), await held(world, "dealer")) == (row["size"], 0)
        kinds = {each["kind"]: each["used"] for each in await world.call("user", "/oss/holdings")}
        assert kinds["recordings"] == row["size"]


async def test_a_recording_ends_when_its_owner_has_no_room_more(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        limit(world, ROOM + 10_000)
        async with house.watching(await house.start()):
            await house.record(on=True)
            await until(house.recordings)
            assert not await records_front(house)
            [row] = await house.recordings()
            assert await held(world) == row["size"] >= ROOM + 10_000
            answer = {"deviceSerialNumber": SN, "camera": "front", "on": True}
            code, data = await world.raw("user", "/qiniuQvs/record", **answer)
            assert (code, data["field"]) == (Code.QUOTA, "on")
        assert await recipients(world) == ["admin", "user"]


async def test_a_plan_records_when_there_is_room_again(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        number = await enter(world, 10_000_000)
        limit(world, 10_000_000)
        await world.call("user", "/qiniuQvs/recordRuleUpdate", deviceSerialNumber=SN, **ALWAYS)

        async def was_notified() -> bool:
            return bool(await recipients(world))

        await until(was_notified)
        assert await house.live() == []
        await world.call("user", "/qiniuQvs/recordDel", fileJsonArr=[{"id": number}])
        await until(house.is_recording)


async def test_notify_nobody_of_a_rule_outside_its_hours(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        await enter(world, 5000)
        limit(world, 5000)
        for rule in ({"cameras": ["front"], "alarmLevel": 3}, ALWAYS | {"cameras": []}):
            await world.call("user", "/qiniuQvs/recordRuleUpdate", deviceSerialNumber=SN, **rule)
            await Recorder(house.hall).look()
        assert await recipients(world) == []


async def test_notify_owner_and_administrators_once_a_day(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        await enter(world, 5000)
        limit(world, 5000)
        for _ in range(3):
            await house.hall.check_space({world.accounts["user"]})
        assert await recipients(world) == ["admin", "user"]
        await world.pool.execute("update message set created_at = now() - interval '25 hours'")
        await house.hall.check_space({world.accounts["user"]})
        assert await recipients(world) == ["admin", "admin", "user", "user"]


async def test_deleted_recordings_make_room_before_their_time(world: World):
    deleted = await enter(world, 3000, deleted=True)
    await enter(world, 3000)
    limit(world, 6001)
    assert await space(world) == (6000, 6001)
    limit(world, 6000)
    assert await space(world) == (3000, 6000)
    assert not await world.pool.fetchval("select count(*) from video_record where id = $1", deleted)


async def test_a_clip_counts_while_it_can_be_opened_and_is_refused_without_room(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(records, "UNUSED", -records.UNUSED)
    async with theatre(world, tmp_path) as house:
        row = await house.record_for()
        clip = await world.call("user", CLIP, id=row["id"], fromS=0, lengthS=1)
        opened = await house.client.get(clip["url"])
        assert await held(world) == row["size"] + len(opened.content)
        limit(world, row["size"])
        code, data = await world.raw("user", CLIP, id=row["id"], fromS=0, lengthS=1)
        assert (code, data["field"]) == (Code.QUOTA, "id")
        await world.call("user", "/qiniuQvs/clipDel", id=clip["id"])
        await records.purge(world.services)
        assert await held(world) == row["size"]


@pytest.mark.parametrize(("things", "user", "rival"), [("hand_over", 0, 5000), ("keep", 5000, 0), ("erase", 0, 0)])
async def test_counts_follow_recordings_to_another_owner(world: World, things: str, user: int, rival: int):
    await enter(world, 5000)
    old, new = world.accounts["user"], world.accounts["rivaluser"]
    async with world.services.sessions.begin() as db:
        await records.owner_changed(db, OwnerChanged(world.devices[SN], SN, old, new, things, NOBODY))
    await records.purge(world.services)
    assert (await held(world), await held(world, "rivaluser")) == (user, rival)
