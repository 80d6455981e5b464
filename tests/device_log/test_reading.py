"""A text log is read and searched on the server, whatever stands in it."""

from collections.abc import AsyncIterator
from resource import RUSAGE_SELF, getrusage
from typing import Any

import pytest

from lustra.core.errors import Code
from lustra.domains.device_log import lines
from lustra.domains.device_log.lines import find_lines
from tests.device_log.helpers import say_files
from tests.world import World


async def store_text(world: World, text: bytes, kind: str = "device") -> int:
    await say_files(world, "SC0001", kind, {"robot-a.log": len(text)})
    await world.services.objects.put_bytes("robotfiles/device/a", text)
    return await world.pool.fetchval(
        "update device_log set place = 'robotfiles/device/a', stored_size = $1, upload_state = 'synchronised'"
        " returning id",
        len(text),
    )


async def read(world: World, log_id: int, **more: Any) -> tuple[list[str], int | None]:
    page = await world.call("user", "/deviceLog/read", id=log_id, **more)
    return [line["text"] for line in page["list"]], page["nextOffset"]


async def test_lines_with_the_words_are_answered_and_each_reading_is_recorded(world: World):
    log_id = await store_text(world, "08:00 INFO mode idle\r\n\n08:01 WARN fault Stück stuck\n08:02 INFO end".encode())
    assert await read(world, log_id) == (
        ["08:00 INFO mode idle", "08:01 WARN fault Stück stuck", "08:02 INFO end"],
        None,
    )
    assert await read(world, log_id, text="warn FAULT") == (["08:01 WARN fault Stück stuck"], None)
    assert await read(world, log_id, text="stück") == (["08:01 WARN fault Stück stuck"], None)
    assert await read(world, log_id, text="nowhere") == ([], None)
    assert await read(world, log_id, offset=10_000) == ([], None)
    recorded = await world.pool.fetchval("select count(*) from audit where action = 'device_log.read' and code = 0")
    assert recorded == 5


async def test_a_long_log_is_read_page_by_page(world: World):
    log_id = await store_text(world, b"".join(b"line %d\n" % n for n in range(250)))
    first, after = await read(world, log_id)
    assert (len(first), first[0], first[-1]) == (200, "line 0", "line 199")
    rest, end = await read(world, log_id, offset=after)
    assert (len(rest), rest[0], rest[-1], end) == (50, "line 200", "line 249", None)


async def test_refuse_to_show_a_file_that_is_no_text_or_missing(world: World):
    log_id = await store_text(world, b"#ROSBAG V2.0", kind="rosbag")
    assert (await world.raw("user", "/deviceLog/read", id=log_id))[0] == Code.BAD_INPUT
    assert (await world.raw("rivaluser", "/deviceLog/read", id=log_id))[0] == Code.NOT_FOUND
    await say_files(world, "SC0001", "device", {"robot-b.log": 3})
    plain = await world.pool.fetchval("select id from device_log where name = 'robot-b.log'")
    assert (await world.raw("user", "/deviceLog/read", id=plain))[0] == Code.BAD_INPUT
    await world.call("user", "/support/close")
    assert (await world.raw("aftersales", "/deviceLog/read", id=log_id))[0] == Code.SUPPORT_CLOSED


async def test_a_log_of_two_gigabytes_in_one_line_is_gone_through_page_by_page(world: World):
    size = 2 << 30
    log_id = await store_text(world, b"start of the line")
    folder = world.services.objects.folder
    assert folder is not None
    with (folder / "robotfiles/device/a").open("r+b") as file:
        file.truncate(size)
        file.seek(size - 8)
        file.write(b"\nthe end")
    await world.pool.execute("update device_log set stored_size = $1", size)
    largest = getrusage(RUSAGE_SELF).ru_maxrss
    page, after = await read(world, log_id)
    assert page == []
    assert after is not None
    assert lines.MOST_BYTES <= after < 2 * lines.MOST_BYTES
    assert (await read(world, log_id, offset=after))[1] == pytest.approx(2 * after, rel=0.1)
    last, end = await read(world, log_id, offset=size - 100, text="the end")
    assert (last, end) == (["the end"], None)
    assert getrusage(RUSAGE_SELF).ru_maxrss - largest < 100 << 10  # kB


async def parts(*pieces: bytes) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


async def test_a_line_without_end_takes_no_memory_and_is_gone_on_with(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lines, "SEARCHED", 8)
    monkeypatch.setattr(lines, "MOST_BYTES", 100)
    page = await find_lines(parts(b"ab\nstart", *[b"x" * 40] * 4), 0, "")
    assert ([line.text for line in page.lines], page.next) == (["ab"], 3)  # the line that was cut comes whole
    page = await find_lines(parts(*[b"x" * 40] * 4), 3, "")
    assert (page.lines, page.next) == ([], 123)  # longer than a page: on from there
    page = await find_lines(parts(b"\xff\xfe end\n", b"split ", b"in two"), 123, "")
    assert [(line.offset, line.text) for line in page.lines] == [(123, "�� end"), (130, "split in")]
