"""Recordings as robots write them, read alike: ROS 1 bags, databases of rosbag2, and MCAP.

Imported by conversion.py alone, which runs in a process of its own: the libraries are an extra, and files are hostile.
"""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mcap.records import Channel as McapChannel
from mcap.records import Message, Schema
from mcap.stream_reader import StreamReader
from rosbags.interfaces import Connection, MessageDefinitionFormat
from rosbags.rosbag1 import Reader as BagReader
from rosbags.rosbag2.storage_sqlite3 import Sqlite3Reader
from rosbags.typesys import Stores, TypesysError, get_types_from_msg, get_typestore

BAG = b"#ROSBAG V2.0\n"
DATABASE = b"SQLite format 3\0"
MCAP = b"\x89MCAP0\r\n"
ROS_TEXTS = {"ros1msg", "ros2msg"}


class Unreadable(Exception):
    """Why, as a key of the console's texts."""


@dataclass(frozen=True, slots=True)
class Channel:
    """A topic with the form of its messages. `schema` empty: nobody can say what is in them."""

    topic: str
    type: str
    encoding: str
    schema_encoding: str
    schema: bytes


Messages = Iterator[tuple[Channel, int, bytes]]  # with the stamp in ns


@contextmanager
def open_recording(path: Path) -> Generator[Messages]:
    with path.open("rb") as file:
        start = file.read(len(DATABASE))
    if start.startswith(BAG):
        with BagReader(path) as bag:
            yield read_bag(bag)
    elif start.startswith(DATABASE):
        database = Sqlite3Reader(path)
        database.open()
        try:
            yield read_database(database)
        finally:
            database.close()
    elif start.startswith(MCAP):
        with path.open("rb") as file:
            yield read_mcap(StreamReader(file, record_size_limit=path.stat().st_size))
    else:
        raise Unreadable("recording_unknown")


def read_bag(bag: BagReader) -> Messages:
    channels = {
        each.id: Channel(
            each.topic, each.msgtype.replace("/msg/", "/", 1), "ros1", "ros1msg", each.msgdef.data.encode()
        )
        for each in bag.connections
    }
    for connection, stamp, data in bag.messages():
        yield channels[connection.id], stamp, data


def read_database(database: Sqlite3Reader) -> Messages:
    """Older ones name their types only: what those of ROS 2 itself hold is known."""
    known = get_typestore(Stores.ROS2_HUMBLE)

    def schema_of(each: Connection) -> tuple[str, bytes]:
        if each.msgdef.format == MessageDefinitionFormat.IDL:
            return "ros2idl", each.msgdef.data.encode()
        if each.msgdef.format == MessageDefinitionFormat.MSG:
            return "ros2msg", each.msgdef.data.encode()
        if each.msgtype in known.fielddefs:
            return "ros2msg", known.generate_msgdef(each.msgtype, ros_version=2)[0].encode()
        return "ros2msg", b""

    channels = {each.id: Channel(each.topic, each.msgtype, "cdr", *schema_of(each)) for each in database.connections}
    for connection, stamp, data in database.messages(database.connections):
        yield channels[connection.id], stamp, data


def read_mcap(reader: StreamReader) -> Messages:
    schemas: dict[int, Schema] = {}
    channels: dict[int, Channel] = {}
    for record in reader.records:
        match record:
            case Schema():
                schemas[record.id] = record
            case McapChannel():
                schema = schemas.get(record.schema_id) or Schema(id=0, name="", encoding="", data=b"")
                channels[record.id] = Channel(
                    record.topic, schema.name, record.message_encoding, schema.encoding, schema.data
                )
            case Message():
                yield channels[record.channel_id], record.log_time, record.data
            case _:
                pass


def refuse_recursion(channel: Channel) -> None:
    """A type that holds itself has no end: whoever reads it would never come back."""
    if channel.schema_encoding not in ROS_TEXTS or not channel.schema:
        return
    try:
        types = get_types_from_msg(channel.schema.decode(), channel.type)
    except (TypesysError, UnicodeDecodeError):
        raise Unreadable("recording_type") from None
    open_types = {name: set(_type_names(fields)) & types.keys() for name, (_, fields) in types.items()}
    while leaves := [name for name, inner in open_types.items() if not inner]:
        for leaf in leaves:
            del open_types[leaf]
        for inner in open_types.values():
            inner.difference_update(leaves)
    if open_types:
        raise Unreadable("recording_recursive")


def _type_names(fields: object) -> Iterator[str]:
    """Every text in the nested tuples that rosbags makes of a definition: names of types are among them."""
    if isinstance(fields, str):
        yield fields
    elif isinstance(fields, list | tuple):
        for each in fields:
            yield from _type_names(each)
