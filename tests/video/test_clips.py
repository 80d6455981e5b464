"""Clips of recordings: cut, opened by whoever has the link, until it expires, is revoked, or its maker may not look."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from lustra.core.errors import Code
from lustra.domains.video import passes, records
from lustra.video.clip import span
from lustra.video.mp4 import Init, Reader, find
from tests.video.theatre import SN, Theatre, theatre
from tests.world import World

ADD = "/qiniuQvs/clipAdd"
LIST = "/qiniuQvs/clipList"
REVOKE = "/qiniuQvs/clipDel"
VIEWS = "/qiniuQvs/viewList"


async def share(house: Theatre, record: dict[str, Any], **values: Any) -> dict[str, Any]:
    return await house.world.call("user", ADD, **{"id": record["id"], "fromS": 1, "lengthS": 1} | values)


async def list_names(world: World, account: str = "user") -> list[str]:
    return [row["name"] for row in (await world.call(account, LIST, deviceSerialNumber=SN))["list"]]


async def test_a_clip_is_a_part_of_its_recording_that_plays_by_itself_for_anybody(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        record = await house.record_for(40)
        clip = await share(house, record)
        assert await list_names(world) == [clip["name"]]
        assert clip["userName"] == "Bright Floors"
        length = datetime.fromisoformat(clip["end"]) - datetime.fromisoformat(clip["start"])
        assert length.total_seconds() == pytest.approx(1)
        whole = (await house.client.get(record["url"])).content
        answer = await house.client.get(clip["url"])  # nobody has logged in
        assert (answer.status_code, answer.headers["content-type"]) == (200, "video/mp4")
        reader, source = Reader(), Reader()
        pictures, all_pictures = reader.feed(answer.content), source.feed(whole)
        assert pictures[0].key
        assert pictures[0].time == 0
        assert reader.init
        assert 0.9 < pictures[-1].time / reader.init.ticks < 2.1
        assert len(pictures) < len(all_pictures)
        pixels = [picture.data[picture.data.index(b"mdat") :] for picture in pictures]
        originals = [picture.data[picture.data.index(b"mdat") :] for picture in all_pictures]
        place = originals.index(pixels[0])
        assert originals[place : place + len(pixels)] == pixels
        find(answer.content, b"sidx")
        part = await house.client.get(clip["url"], headers={"range": "bytes=4-7"})
        assert (part.status_code, part.content) == (206, b"ftyp")
        views = (await world.call("user", VIEWS, deviceSerialNumber=SN, currentPage=1, pageSize=9))["list"]
        assert [(row["kind"], row["name"], row["subject"]) for row in views if row["kind"] == "clip"] == [
            ("clip", "", clip["name"])
        ]
        actions = await world.pool.fetch("select action from audit where action = 'video.share'")
        assert len(actions) == 1


async def revoke(world: World, clip: dict[str, Any]) -> None:
    await world.call("user", REVOKE, id=clip["id"])
    assert (await world.raw("user", REVOKE, id=clip["id"]))[0] == Code.NOT_FOUND


async def expire(world: World, clip: dict[str, Any]) -> None:
    await world.pool.execute("update video_clip set expires_at = now() where id = $1", clip["id"])


async def delete_record(world: World, clip: dict[str, Any]) -> None:
    await world.pool.execute("update video_record set deleted_at = now()")


async def take_key(world: World, clip: dict[str, Any]) -> None:
    await world.pool.execute("update role set keys = array_remove(keys, 'device/videoHistory')")


async def give_away(world: World, clip: dict[str, Any]) -> None:
    of_rival = "update video_record r set owner_id = a.id, owner_path = a.path from account a where a.id = $1"
    await world.pool.execute(of_rival, world.accounts["rival"])


Ending = Callable[[World, dict[str, Any]], Awaitable[None]]


@pytest.mark.parametrize("end", [revoke, expire, delete_record, take_key, give_away], ids=lambda end: end.__name__)
async def test_a_link_ends(world: World, tmp_path: Path, end: Ending):
    async with theatre(world, tmp_path) as house:
        clip = await share(house, await house.record_for(14), fromS=0, lengthS=1)
        assert (await house.client.get(clip["url"])).status_code == 200
        await end(world, clip)
        assert (await house.client.get(clip["url"])).status_code == 403
        if end in {revoke, expire, delete_record}:
            assert await list_names(world) == []


async def test_a_link_is_genuine_and_opens_a_clip_alone(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        record = await house.record_for(14)
        clip = await share(house, record, fromS=0, lengthS=1)
        base, ticket = clip["url"].split("?ticket=")
        over = passes.open_tickets(world.services.settings).sign({"clip": clip["id"]}, -1)
        for bad in ("", ticket[:-2] + "xx", over, record["url"].split("?ticket=")[1]):
            assert (await house.client.get(f"{base}?ticket={quote(bad)}")).status_code == 403
        for path in ("live", "recording"):
            assert (await house.client.get(f"{base.rsplit('/', 1)[0]}/{path}?ticket={ticket}")).status_code == 403


async def test_a_clip_of_nothing_too_long_or_of_others_is_refused(world: World, tmp_path: Path):
    async with theatre(world, tmp_path) as house:
        record = await house.record_for(14)
        hour = "update video_record set ended_at = began_at + interval '1 hour' where id = $1"
        await world.pool.execute(hour, record["id"])
        for since, until in ((5, 5), (6, 5), (0, 600.5), (3599, 3602), (7000, 7001)):
            code, data = await world.raw("user", ADD, id=record["id"], fromS=since, lengthS=until - since)
            assert (code, data["field"]) == (Code.BAD_INPUT, "lengthS"), (since, until)
        for bad in ({"fromS": -1}, {"hours": 0}, {"hours": 721}, {"lengthS": "x"}):
            values: dict[str, Any] = {"id": record["id"], "fromS": 0, "lengthS": 1} | bad
            assert (await world.raw("user", ADD, **values))[0] == Code.BAD_INPUT
        clip = await share(house, record, fromS=0, lengthS=600, hours=720)
        for account in ("rival",):
            assert (await world.raw(account, ADD, id=record["id"], fromS=0, lengthS=1))[0] == Code.NOT_FOUND
            assert (await world.raw(account, LIST, deviceSerialNumber=SN))[0] == Code.NOT_FOUND
            assert (await world.raw(account, REVOKE, id=clip["id"]))[0] == Code.NOT_FOUND
        await world.pool.execute("update account set support_default = 'off', support_until = null")
        assert (await world.raw("dealer", ADD, id=record["id"], fromS=0, lengthS=1))[0] == Code.NOT_FOUND
        assert (await world.raw("dealer", LIST, deviceSerialNumber=SN))[0] == Code.SUPPORT_CLOSED


async def test_bytes_of_a_clip_stay_as_long_as_its_link_opens_it(world: World, tmp_path: Path, monkeypatch: Any):
    monkeypatch.setattr(records, "UNUSED", -records.UNUSED)
    async with theatre(world, tmp_path) as house:
        clip = await share(house, await house.record_for(14), fromS=0, lengthS=1)
        await house.client.get(clip["url"])
        place = await world.pool.fetchval("select place from video_clip")
        await records.purge(world.services)
        assert await world.services.objects.exists(place)
        await revoke(world, clip)
        await records.purge(world.services)
        assert not await world.services.objects.exists(place)
        await world.pool.execute("update video_clip set expires_at = now() - interval '31 days'")
        await records.purge(world.services)
        assert await world.pool.fetchval("select count(*) from video_clip") == 0


def test_a_clip_is_made_of_the_groups_around_its_beginning_and_end():
    init = Init(b"", "avc1.42c00c", 10, 0)
    groups = [(100, 10), (200, 10), (300, 10)]
    assert span(groups, init, 0.0, 0.5) == (0, 100)
    assert span(groups, init, 1.0, 2.0) == (100, 300)
    assert span(groups, init, 1.5, 2.5) == (100, 600)
    assert span(groups, init, 9.0, 9.5) == (300, 600)
