"""Changes of what a robot owns, and the receipts by which it may forget what it sent."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from lustra.protocol.telemetry import Payload, Word

EventKind = Literal[
    "map",
    "task",
    "map_loaded",
    "power",
    "group",
    "schedule",
    "occurrence",
    "map_sync",
    "commands",
    "files",
    "file_upload",
    "backup",
    "restore",
    "update",
    "tablet",
    "adverts",
]


class Event(Payload):
    """Something that the robot owns has changed. The table "What events contain" of robot-local-api.md has `name` and
    `content` for each kind."""

    id: Annotated[str, Meta(description="Unique; a receipt names it.")]
    kind: Annotated[EventKind, Meta(description="What has changed.")]
    name: Annotated[str, Meta(description="Which one of that kind.")]
    revision: Annotated[int, Meta(description="Its new revision; 0: the kind has none.")] = 0
    content: Annotated[
        Any,
        Meta(description="Its whole new state; null: it was deleted, or is over 64 KB and fetched by cmd.send."),
    ] = None
    deleted: Annotated[bool, Meta(description="It no longer exists.")] = False
    size: Annotated[int, Meta(description="Bytes of content that was left out; else 0.")] = 0
    sha256: Annotated[str, Meta(description="Of content that was left out, hexadecimal.")] = ""
    was: Annotated[str, Meta(description="Former name of a map that was renamed.")] = ""


class CommandList(msgspec.Struct, kw_only=True):
    """Which commands of the local API a robot has, and what it can do. It replaces what was known before."""

    commands: Annotated[list[Word], Meta(min_length=1, max_length=300, description="Names of the commands.")]
    abilities: Annotated[
        Annotated[list[Word], Meta(max_length=20)] | msgspec.UnsetType,
        Meta(description="What it can do; left out: as before."),
    ] = msgspec.UNSET


class Receipt(msgspec.Struct, kw_only=True, omit_defaults=True):
    """These messages are committed and may be forgotten. Receipts of states are collected, and come some seconds after
    the commit."""

    ids: Annotated[list[str], Meta(description="Ids of alarms, reports and events.")]
    states: Annotated[list[int], Meta(description="`at` of states, ms.")] = msgspec.field(default_factory=list[int])


class Refused(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What was not stored.

    A report or an event is stored whole or not at all. With the reason `content_missing` its content was requested
    repeatedly and did not arrive, or the server failed: send it again after the next log-in. With any other reason it
    can never be stored: forget it. Of a state, what is right is stored, and `cmd.kept` names it as usual; if `at`
    itself cannot be read, nothing is. The same fault of states is reported once a minute. `no_room`: the owner has
    reached a quota."""

    reason: Annotated[
        Literal["unreadable", "missing", "wrong_type", "out_of_range", "unknown_value", "no_room", "content_missing"],
        Meta(description="What is wrong."),
    ]
    id: Annotated[str, Meta(description="Of the alarm, report or event; empty: a message without one.")] = ""
    at: Annotated[int, Meta(description="Of the state, ms; 0: not readable, or a message with an id.")] = 0
    field: Annotated[str, Meta(description="Path of the wrong field; empty: the message as a whole.")] = ""


class Send(msgspec.Struct, kw_only=True):
    """Upload the content of an event by PUT to the signed URL."""

    id: Annotated[str, Meta(description="Id of the event.")]
    url: Annotated[str, Meta(description="Signed URL.")]
