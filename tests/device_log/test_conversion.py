"""How recordings are converted: each kind of file, each reason why it cannot be, here in the process of the test."""

import io
import sqlite3
import sys
from pathlib import Path

import msgspec
import pytest
from mcap.reader import make_reader
from mcap.writer import Writer as McapWriter
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as DatabaseWriter
from rosbags.typesys import Stores, get_typestore

from lustra.core.files.intake_process import HEAVY
from lustra.domains.device_log import conversion
from lustra.domains.device_log.bag_sources import Unreadable
from lustra.domains.device_log.contents import Cut, Outcome, Topic
from lustra.domains.device_log.conversion import convert
from lustra.domains.device_log.cutting import cut_recording
from tests.device_log.test_recordings import NOON, SECOND, unindexed, whole, write_bag, write_mcap

STORE = get_typestore(Stores.ROS2_HUMBLE)


def write_database(folder: Path) -> Path:
    """A recording of ROS 2 with one message of a type of its own and one of ROS itself."""
    with DatabaseWriter(folder, version=8, storage_plugin=StoragePlugin.SQLITE3) as out:
        topic = out.add_connection("/text", "std_msgs/msg/String", typestore=STORE)
        data = bytes(STORE.serialize_cdr(STORE.types["std_msgs/msg/String"](data="a"), "std_msgs/msg/String"))
        out.write(topic, NOON, data)
        foreign = out.add_connection("/own", "own_msgs/msg/Own", msgdef="string data", rihs01="RIHS01_" + "0" * 64)
        out.write(foreign, NOON + SECOND, data)
    [path] = folder.glob("*.db3")
    return path


def change(path: Path, *statements: str) -> Path:
    with sqlite3.connect(path) as link:
        for statement in statements:
            link.execute(statement)
    link.close()
    return path


def topics_of(path: Path) -> list[Topic]:
    return convert(path, path.parent / "converted").topics


def test_keep_the_definitions_that_a_database_has_of_its_types(tmp_path: Path):
    database = write_database(tmp_path / "new")
    assert [(topic.name, topic.schema_encoding, topic.readable) for topic in topics_of(database)] == [
        ("/text", "ros2msg", True),
        ("/own", "ros2msg", True),
    ]
    change(database, "update message_definitions set encoding = 'ros2idl' where topic_type = 'own_msgs/msg/Own'")
    assert [topic.schema_encoding for topic in topics_of(database)] == ["ros2msg", "ros2idl"]


def test_read_a_database_without_definitions_as_far_as_ros_knows_its_types(tmp_path: Path):
    older = change(
        write_database(tmp_path / "old"), "update schema set schema_version = 3", "drop table message_definitions"
    )
    assert [(topic.name, topic.readable) for topic in topics_of(older)] == [("/text", True), ("/own", False)]


def test_read_an_mcap_without_schemas_and_with_attachments(tmp_path: Path):
    with (tmp_path / "new.mcap").open("wb") as out:
        writer = McapWriter(out)
        writer.start()
        writer.add_attachment(NOON, NOON, "a.txt", "text/plain", b"a")
        writer.add_message(writer.register_channel("/a", "json", 0), NOON, b"{}", NOON)
        writer.finish()
    [topic] = topics_of(tmp_path / "new.mcap")
    assert (topic.name, topic.type, topic.readable, topic.count) == ("/a", "", True, 1)


def test_read_types_that_hold_others(tmp_path: Path):
    (tmp_path / "new").write_bytes(write_mcap(b"B part\n" + b"=" * 80 + b"\nMSG: x/B\nint32 a"))
    [topic] = topics_of(tmp_path / "new")
    assert (topic.type, topic.readable) == ("x/A", True)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"no recording at all", "recording_unknown"),
        (write_mcap(b"A[] parts"), "recording_recursive"),
        (write_mcap(b"not & a type"), "recording_type"),
        (write_mcap(b"int32 a", stamp=1 << 63), "recording_damaged"),
    ],
)
def test_refuse_what_cannot_be_converted(tmp_path: Path, content: bytes, reason: str):
    (tmp_path / "new").write_bytes(content)
    with pytest.raises(Unreadable, match=reason):
        convert(tmp_path / "new", tmp_path / "copy")


def test_refuse_a_bag_without_messages(tmp_path: Path):
    write_bag(tmp_path / "new.bag", [])
    with pytest.raises(Unreadable, match="recording_empty"):
        convert(tmp_path / "new.bag", tmp_path / "copy")


@pytest.mark.parametrize(("limit", "most"), [("MOST_TOPICS", 0), ("LONGEST_NAME", 3)])
def test_refuse_too_many_topics_and_too_long_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
):
    write_bag(tmp_path / "new.bag", [NOON])
    monkeypatch.setattr(conversion, limit, most)
    with pytest.raises(Unreadable, match="recording_topics"):
        convert(tmp_path / "new.bag", tmp_path / "copy")


def run_process(
    content: bytes, folder: Path, monkeypatch: pytest.MonkeyPatch, capture: pytest.CaptureFixture[bytes]
) -> tuple[int, Outcome | None]:
    """Its code and what it says, without the limits, which would bind the test too."""
    (folder / "new").write_bytes(content)
    monkeypatch.setattr(sys, "argv", ["conversion", str(folder / "new"), str(folder / "copy")])
    monkeypatch.setattr(conversion, "limit_process", dict)
    code, output = conversion.main(), capture.readouterr().out
    return code, msgspec.json.decode(output, type=Outcome) if output else None


def test_say_why_a_file_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
):
    bag = whole(tmp_path / "new.bag")
    for content, reason in (
        (b"no recording at all", "recording_unknown"),
        (unindexed(tmp_path / "second.bag"), "recording_unindexed"),
        (bag[:600], "recording_damaged"),
    ):
        assert run_process(content, tmp_path, monkeypatch, capsysbinary) == (0, Outcome(reason=reason))
    code, outcome = run_process(bag, tmp_path, monkeypatch, capsysbinary)
    assert (code, outcome and outcome.contents and outcome.contents.count) == (0, 200)


def test_end_as_too_heavy_without_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
):
    def fail(path: Path, to: Path) -> None:
        raise MemoryError

    monkeypatch.setattr(conversion, "convert", fail)
    assert run_process(b"", tmp_path, monkeypatch, capsysbinary) == (HEAVY, None)


def test_cut_one_of_two_channels_that_share_a_topic(tmp_path: Path):
    with (tmp_path / "whole.mcap").open("wb") as out:
        writer = McapWriter(out)
        writer.start()
        for data in (b"1", b"2"):
            channel = writer.register_channel("/a", "json", 0, {"number": data.decode()})
            for _ in range(2):
                writer.add_message(channel, NOON, data, NOON)
        writer.finish()
    with (tmp_path / "whole.mcap").open("rb") as recording:
        cut = b"".join(cut_recording(recording, Cut(NOON // 10**6, NOON // 10**6, [2])))
    assert [message.data for _, _, message in make_reader(io.BytesIO(cut)).iter_messages()] == [b"2", b"2"]


def test_cut_the_topics_and_the_time_that_were_chosen(tmp_path: Path):
    database = write_database(tmp_path / "new")
    convert(database, tmp_path / "whole.mcap")
    with (tmp_path / "whole.mcap").open("rb") as recording:
        cut = b"".join(cut_recording(recording, Cut(NOON // 10**6, (NOON + SECOND) // 10**6, [2])))
    assert [channel.topic for _, channel, _ in make_reader(io.BytesIO(cut)).iter_messages()] == ["/own"]
