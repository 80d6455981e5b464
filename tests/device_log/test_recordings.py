"""Recordings of sensors: made into indexed MCAP when they come, opened by whom they may be, and refused in words."""

import io
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcap.reader import make_reader
from mcap.writer import CompressionType
from mcap.writer import Writer as McapWriter
from rosbags.rosbag1 import Writer as BagWriter
from rosbags.typesys import Stores, get_typestore

from lustra.app.processes import worker
from lustra.core import texts
from lustra.core.errors import Code
from lustra.domains.device_log import conversion, recordings
from tests.device_log.helpers import list_files
from tests.device_log.test_uploads import BAG, begin, put
from tests.map.test_formats import DATA
from tests.world import World

STORE = get_typestore(Stores.ROS1_NOETIC)
SECOND = 10**9
NOON = 1_790_000_000 * SECOND


def write_bag(path: Path, stamps: list[int]) -> bytes:
    with BagWriter(path) as bag:
        text = bag.add_connection("/text", "std_msgs/msg/String", typestore=STORE)
        for number, stamp in enumerate(stamps):
            message = STORE.types["std_msgs/msg/String"](data=f"message {number}")
            bag.write(text, stamp, STORE.serialize_ros1(message, "std_msgs/msg/String"))
    return path.read_bytes()


def write_mcap(definition: bytes, stamp: int = NOON) -> bytes:
    out = io.BytesIO()
    writer = McapWriter(out)
    writer.start()
    schema = writer.register_schema("x/A", "ros1msg", definition)
    writer.add_message(writer.register_channel("/a", "ros1", schema), stamp, b"", stamp)
    writer.finish()
    return out.getvalue()


async def store(world: World, content: bytes) -> int:
    """A recording that a robot has sent up, once the worker has seen it."""
    number = await begin(world)
    assert await put(world, number, content) == 0
    assert [row["recordingState"] for row in await list_files(world, "rosbag")] == ["converting"]
    await worker.run_worker(world.services.settings, until_empty=True)
    return number


async def open_recording(world: World, number: int, account: str = "user") -> dict[str, Any]:
    return await world.call(account, "/deviceLog/openRecording", id=number)


async def test_a_recording_that_comes_is_made_into_indexed_mcap_and_opened(world: World, tmp_path: Path):
    number = await store(world, write_bag(tmp_path / "new.bag", [NOON + each * SECOND for each in range(10)]))
    opened = await open_recording(world, number)
    assert (opened["name"], opened["count"], opened["outside"]) == (BAG, 10, 0)
    assert opened["start"].startswith("2026-09-21T14:13:20")
    assert opened["end"].startswith("2026-09-21T14:13:29")
    [topic] = opened["topics"]
    assert (topic["name"], topic["type"], topic["count"]) == ("/text", "std_msgs/String", 10)
    assert (topic["encoding"], topic["schemaEncoding"], topic["readable"]) == ("ros1", "ros1msg", True)
    content = (await world.http.get(opened["url"])).content
    summary = make_reader(io.BytesIO(content)).get_summary()
    assert summary is not None
    assert summary.chunk_indexes
    assert [message.data[4:] for _, _, message in make_reader(io.BytesIO(content)).iter_messages()][:1] == [
        b"message 0"
    ]
    assert await world.pool.fetchval("select count(*) from audit where action = 'device_log.play'") == 1


async def test_a_foreign_account_and_support_without_access_open_no_recording(world: World, tmp_path: Path):
    number = await store(world, write_bag(tmp_path / "new.bag", [NOON]))
    await world.call("user", "/support/close")
    assert (await world.raw("aftersales", "/deviceLog/openRecording", id=number))[0] == Code.SUPPORT_CLOSED
    assert (await world.raw("rivaluser", "/deviceLog/openRecording", id=number))[0] == Code.NOT_FOUND


async def test_a_recording_goes_with_its_original(world: World, tmp_path: Path):
    number = await store(world, write_bag(tmp_path / "new.bag", [NOON]))
    place = await world.pool.fetchval("select recording_place from device_log")
    assert await world.services.objects.exists(place)
    await world.call("user", "/deviceLog/deleteDeviceLog", id=number)
    assert not await world.services.objects.exists(place)
    assert [row["recordingState"] for row in await list_files(world, "rosbag")] == [""]


async def test_a_recording_that_is_converted_again_leaves_no_former_copy(world: World, tmp_path: Path):
    number = await store(world, write_bag(tmp_path / "new.bag", [NOON]))
    row = await world.pool.fetchrow("select place, recording_place from device_log")
    await recordings.convert(world.services, number, row["place"])
    assert not await world.services.objects.exists(row["recording_place"])
    assert await world.services.objects.exists(await world.pool.fetchval("select recording_place from device_log"))


async def test_leave_nothing_of_a_recording_deleted_before_its_conversion(world: World, tmp_path: Path):
    number = await begin(world)
    await put(world, number, write_bag(tmp_path / "new.bag", [NOON]))
    place = await world.pool.fetchval("select place from device_log")
    await world.pool.execute("update device_log set place = 'elsewhere'")
    await recordings.convert(world.services, number, place)
    assert await world.pool.fetchval("select recording_state from device_log") == "converting"


async def test_stamps_outside_the_recording_are_counted_and_do_not_stretch_it(world: World, tmp_path: Path):
    number = await store(world, write_bag(tmp_path / "new.bag", [0, *(NOON + each * SECOND for each in range(5))]))
    opened = await open_recording(world, number)
    assert (opened["count"], opened["outside"], opened["topics"][0]["outside"]) == (6, 1, 1)
    assert opened["start"].startswith("2026-09-21T14:13:20")


def whole(path: Path) -> bytes:
    return write_bag(path, [NOON + each for each in range(200)])


def unindexed(path: Path) -> bytes:
    content = whole(path)
    where = content.index(b"index_pos=") + len(b"index_pos=")
    return content[:where] + bytes(8) + content[where + 8 :]


def lying(path: Path) -> bytes:
    """The length of the first chunk's content is said to be 2 GB."""
    content = whole(path)
    where = content.index(b"op=\x05") + len(b"op=\x05")
    where = content.index(b"size=") + len(b"size=") if b"size=" in content[where:] else where
    return content[: where + 4] + struct.pack("<I", 2**31) + content[where + 8 :]


def database(path: Path) -> bytes:
    with sqlite3.connect(path) as link:
        link.execute("create table messages (data blob)")
    link.close()
    return path.read_bytes()


def bomb(_path: Path) -> bytes:
    """Messages of 800 MB, packed to some kilobytes."""
    out = io.BytesIO()
    writer = McapWriter(out, compression=CompressionType.ZSTD)
    writer.start()
    channel = writer.register_channel("/a", "json", 0)
    for _ in range(4):
        writer.add_message(channel, NOON, bytes(200 << 20), NOON)
    writer.finish()
    return out.getvalue()


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda _: b"no recording at all", "recording_unknown"),
        (unindexed, "recording_unindexed"),
        (lambda path: whole(path)[:600], "recording_damaged"),
        (lying, "recording_damaged"),
        (database, "recording_damaged"),
        (lambda _: write_mcap(b"int32 a")[:-60], "recording_damaged"),
        (lambda _: write_mcap(b"A[] parts"), "recording_recursive"),
        (lambda _: write_mcap(b"not & a type"), "recording_type"),
        (lambda path: write_bag(path, []), "recording_empty"),
        (bomb, "recording_heavy"),
    ],
)
async def test_say_why_a_recording_is_unreadable_and_leave_it_as_it_came(
    world: World, tmp_path: Path, make: Callable[[Path], bytes], reason: str
):
    number = await store(world, content := make(tmp_path / "made"))
    [row] = await list_files(world, "rosbag")
    words = texts.template("en", f"input.{reason}")
    assert (row["recordingState"], row["recordingReason"], row["stored"]) == ("failed", words, True)
    answer = (await world.post("user", "/deviceLog/openRecording", id=number)).json()["message"]
    assert words in answer["message"]
    original = await world.call("user", "/deviceLog/downloadUrl", id=number)
    assert (await world.http.get(original)).content == content
    assert await world.pool.fetchval("select recording_place from device_log") == ""


async def test_a_recording_that_is_not_read_in_time_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(recordings, "WAITS_S", 0.01)
    (tmp_path / "original").write_bytes(whole(tmp_path / "new.bag"))
    outcome = await recordings.run_conversion(tmp_path / "original", tmp_path / "copy")
    assert outcome.reason == "recording_heavy"


async def test_without_the_extra_a_recording_says_that_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "mcap.py").write_text("raise ModuleNotFoundError('no mcap')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    outcome = await recordings.run_conversion(tmp_path / "original", tmp_path / "copy")
    assert outcome.reason == "recording_libraries"


@pytest.mark.sample_data
@pytest.mark.parametrize(
    ("file", "topics", "count"),
    [
        ("foxglove_rosbag/example.bag", 9, 8647),
        ("rosbag2/talker.mcap", 2, 20),
        ("rosbag2/wbag_0.db3", 8, 1246),
    ],
)
async def test_real_recordings_are_read(tmp_path: Path, file: str, topics: int, count: int):
    if not (DATA / file).exists():
        pytest.skip(f"no {DATA / file} here")
    contents = conversion.convert(DATA / file, tmp_path / "copy")
    assert (len(contents.topics), contents.count, contents.outside) == (topics, count, 0)
    assert all(topic.readable for topic in contents.topics)
