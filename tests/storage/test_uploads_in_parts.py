"""Uploads in parts: what was cut off goes on where it was, by the same rules as what comes at once."""

import dataclasses
import random
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lustra.core.errors import Code
from lustra.core.files.upload_parts import Span, parse_span
from lustra.domains.storage import incoming, service
from tests.world import World

DATA = random.Random(0).randbytes(3000)


class Sender:
    """Who sends a file by the token of one upload."""

    def __init__(self, http: Any, token: str) -> None:
        self.http, self.token = http, token

    async def put(self, span: str, content: bytes) -> dict[str, Any]:
        headers = {"content-range": f"bytes {span}"}
        answer = await self.http.put("/api/oss/object", params={"token": self.token}, content=content, headers=headers)
        return answer.json()

    async def part(self, start: int, end: int, data: bytes = DATA) -> dict[str, Any]:
        return await self.put(f"{start}-{end - 1}/{len(data)}", data[start:end])


async def begin(world: World, name: str = "image.bin", account: str = "dealer") -> Sender:
    token = await world.call(account, "/oss/upload", file=name, targetPath="versions", isPrivate=0)
    return Sender(world.http, token)


def left_over(tmp_path: Path) -> list[Path]:
    return [path for path in (tmp_path / "objects" / "new").rglob("*") if path.is_file()]


async def held(world: World) -> int:
    return await world.pool.fetchval("select coalesce(sum(size), 0)::bigint from holding")


@pytest.mark.spec("call.oss.upload", "q.oss_upload_file")
async def test_an_upload_goes_on_where_its_parts_end_and_is_whole_with_the_last(world: World, tmp_path: Path):
    sender = await begin(world)
    assert (await sender.put("*/3000", b""))["data"]["received"] == 0
    first = (await sender.part(0, 1000))["data"]
    assert (first["received"], first["savePath"], first["kind"]) == (1000, "", "")
    assert (await sender.part(2000, 3000))["data"]["received"] == 1000  # not the next: passed over
    assert (await sender.part(0, 1000))["data"]["received"] == 1000  # sent again
    assert (await sender.part(1000, 2000))["data"]["received"] == 2000
    assert (await sender.put("*/3000", b""))["data"]["received"] == 2000
    whole = (await sender.part(2000, 3000))["data"]
    assert (whole["savePath"], whole["size"], whole["received"]) == ("versions/image.bin", 3000, 3000)
    url = await world.call("dealer", "/oss/downloadUrl", savePath="versions/image.bin")
    assert (await world.http.get(url)).content == DATA
    assert left_over(tmp_path) == []


async def test_a_last_part_whose_answer_was_lost_is_asked_for(world: World):
    """The parts are all there and the file is not: whoever asks how far it is has it made."""
    sender = await begin(world)
    await sender.part(0, 2000)
    upload = incoming.PartUpload(world.services.objects, sender.token)

    async def last() -> Any:
        yield DATA[2000:]

    await upload.add(Span(2000, 3000, 3000), last())
    assert (await sender.put("*/3000", b""))["data"]["savePath"] == "versions/image.bin"


@pytest.mark.parametrize(
    "span", ["0-9/5", "9-0/20", "0-9", "x-9/20", "0-9/0", "-5/20", "0-9/20, 3-4/20", "0-9/*", f"0-9/{10**16}"]
)
async def test_a_part_that_cannot_be_is_refused(world: World, tmp_path: Path, span: str):
    sender = await begin(world)
    assert (await sender.put(span, bytes(10)))["message"]["code"] == Code.BAD_INPUT
    assert left_over(tmp_path) == []


@pytest.mark.parametrize("content", [b"short", bytes(20)])
async def test_a_part_is_as_long_as_it_says_or_not_stored(world: World, tmp_path: Path, content: bytes):
    sender = await begin(world)
    assert (await sender.put("0-9/20", content))["message"]["code"] in (Code.BAD_INPUT, Code.TOO_LARGE)
    assert left_over(tmp_path) == []
    assert (await sender.put("*/20", b""))["data"]["received"] == 0


@pytest.mark.spec("rule.image.size", "rule.image.format")
async def test_rules_of_size_and_kind_hold_for_parts(world: World, tmp_path: Path):
    picture = await begin(world, "a.png")
    large = await picture.put(f"0-9/{(2 << 20) + 1}", bytes(10))
    assert large["message"]["code"] == Code.TOO_LARGE
    assert (await picture.put("0-9/20", bytes(10)))["message"]["code"] == Code.BAD_INPUT  # by its first bytes
    huge = await (await begin(world)).put(f"0-9/{incoming.LARGEST_IN_PARTS + 1}", bytes(10))
    assert huge["message"]["code"] == Code.TOO_LARGE
    assert left_over(tmp_path) == []


async def test_a_file_in_parts_may_be_larger_than_one_at_once(world: World, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(service, "LARGEST", 2000)
    sender = await begin(world)
    await sender.part(0, 1500)
    assert (await sender.part(1500, 3000))["data"]["savePath"] == "versions/image.bin"


async def test_half_an_upload_counts_for_its_account_until_it_is_whole_or_a_day_old(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    sender, other = await begin(world), await begin(world, "other.bin")
    await sender.part(0, 1000)
    assert await held(world) == 3000
    world.services.settings = dataclasses.replace(world.services.settings, quota_gb=f"files={5000 / (1 << 30)}")
    assert (await other.part(0, 1000))["message"]["code"] == Code.QUOTA
    await sender.part(1000, 3000)
    assert await held(world) == 3000
    await world.call("dealer", "/oss/delete", savePath="versions/image.bin")
    world.services.settings = dataclasses.replace(world.services.settings, quota_gb="")
    await other.part(0, 1000)
    await incoming.purge(world.services)
    assert len(left_over(tmp_path)) == 1
    assert await held(world) == 6000
    monkeypatch.setattr(incoming, "UNUSED", timedelta(seconds=-1))
    await incoming.purge(world.services)
    assert (left_over(tmp_path), await held(world)) == ([], 3000)


async def test_a_whole_that_is_refused_leaves_nothing_of_its_parts(world: World, tmp_path: Path):
    """As a robot's file of another checksum."""
    ticket = world.services.objects.ticket({"robotFile": ["rosbag", 1]}, 10_000)
    sender = Sender(world.http, ticket)
    await sender.part(0, 2000)
    assert (await sender.part(2000, 3000))["message"]["code"] == Code.BAD_INPUT
    assert (left_over(tmp_path), await held(world)) == ([], 0)


async def test_parts_of_one_token_are_none_of_another(world: World):
    await (await begin(world)).part(0, 1000)
    assert (await (await begin(world, account="rivaluser")).put("*/3000", b""))["data"]["received"] == 0
    forged = Sender(world.http, "made-up")
    assert (await forged.put("*/3000", b""))["message"]["code"] == Code.UPLOAD_EXPIRED


@given(st.integers(0, 99), st.integers(1, 99), st.integers(1, 99))
@settings(max_examples=50, deadline=None)
def test_a_part_is_read_as_http_writes_it(start: int, length: int, more: int):
    total = start + length + more
    assert parse_span({"content-range": f"bytes {start}-{start + length - 1}/{total}"}) == Span(
        start, start + length, total
    )
    assert parse_span({}) is None


def test_the_limit_of_an_upload_is_that_of_its_place():
    assert incoming.part_limits({"place": "x", "largest": 7}) == (7, ())


async def test_an_old_upload_that_goes_on_keeps_its_room(world: World, monkeypatch: pytest.MonkeyPatch):
    sender = await begin(world)
    await sender.part(0, 1000)
    assert await held(world) == len(DATA)
    await incoming.purge(world.services)
    assert await held(world) == len(DATA)
    monkeypatch.setattr(incoming, "UNUSED", timedelta(days=-1))
    await incoming.purge(world.services)
    assert await held(world) == 0
