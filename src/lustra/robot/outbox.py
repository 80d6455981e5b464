"""Messages that nobody has confirmed yet.

Alarms, reports and events wait on the disk until `cmd.kept` names them, or `cmd.refused` says that they never can be
kept; states wait in memory, as many as fit, until `cmd.kept` names them. After a break everything is sent again in the
order of `at`, with the same `at`.
"""

import hashlib
import json
import math
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

from lustra.protocol.bus import LARGEST_INLINE, Event, EventKind, Refused, encode
from lustra.protocol.telemetry import Payload
from lustra.robot.announcements import Announcements
from lustra.robot.clock import Clock
from lustra.robot.store import write

Kind = Literal["alarm", "report", "event"]
KINDS: dict[str, Kind] = {"alarm": "alarm", "report": "report", "event": "event"}
MOST_STATES = 3600
RESEND_MS = 10_000
SNAPSHOT = b'"kind":"snapshot"'


@dataclass
class Message:
    at: int
    id: str
    kind: Kind
    data: bytes
    sent_at: float = -math.inf  # when it was sent last, by the process's own clock


@dataclass
class QueuedState:
    """A state, and whether its receipt has come."""

    data: bytes
    acknowledged: bool = False


@dataclass
class Outbox:
    folder: Path
    clock: Clock
    messages: dict[str, Message] = field(default_factory=dict[str, Message])
    states: "OrderedDict[int, QueuedState]" = field(default_factory=OrderedDict[int, "QueuedState"])
    announced: Announcements = field(init=False)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.announced = Announcements(self.folder.parent / "announced.json")
        for file in sorted(self.folder.glob("*.json"), key=lambda f: int(f.name.split("-")[0])):
            at, kind, id_ = file.stem.split("-", 2)
            self.messages[id_] = Message(int(at), id_, KINDS[kind], file.read_bytes())

    def put(self, kind: Kind, payload: Payload, id_: str) -> None:
        message = Message(payload.at, id_, kind, encode(payload))
        write(self.file(message), message.data)
        self.messages[id_] = message

    def event(
        self,
        kind: EventKind,
        name: str,
        revision: int = 0,
        content: Any = None,
        *,
        deleted: bool = False,
        was: str = "",
    ) -> Event:
        id_ = secrets.token_hex(12)
        raw = msgspec.json.encode(content)
        message = Event(at=self.clock.at(), id=id_, kind=kind, name=name, revision=revision, deleted=deleted, was=was)
        if len(raw) > LARGEST_INLINE:
            write(self.folder / f"{id_}.content", raw)
            message.size, message.sha256 = len(raw), hashlib.sha256(raw).hexdigest()
        else:
            message.content = json.loads(raw)
        self.put("event", message, id_)
        self.announced.record(kind, name, revision, deleted=deleted)
        return message

    def content(self, id_: str) -> bytes | None:
        file = self.folder / f"{id_}.content"
        return file.read_bytes() if id_.isalnum() and file.exists() else None

    def confirm(self, ids: list[str]) -> None:
        for id_ in ids:
            if message := self.messages.pop(id_, None):
                self.file(message).unlink(missing_ok=True)
                (self.folder / f"{id_}.content").unlink(missing_ok=True)

    def drop_snapshots(self) -> None:
        """Takes out unsent lists of files that a newer one replaces."""
        self.confirm([id_ for id_, each in self.messages.items() if each.kind == "alarm" and SNAPSHOT in each.data])

    def drop_refused(self, refusal: Refused) -> None:
        """What never can be stored is forgotten; what has only missed its content is sent again after the next log-in.
        Of a state only a field was refused: its receipt comes as usual."""
        if refusal.reason != "content_missing":
            self.confirm([refusal.id])
        elif message := self.messages.get(refusal.id):
            message.sent_at = math.inf

    def file(self, message: Message) -> Path:
        return self.folder / f"{message.at}-{message.kind}-{message.id}.json"

    def queue_state(self, at: int, data: bytes) -> None:
        """A state that is to be confirmed. What the server has is kept for some seconds more: it may lose its power."""
        self.states[at] = QueuedState(data)
        while self.states:
            oldest = next(iter(self.states))
            if len(self.states) <= MOST_STATES and not (self.states[oldest].acknowledged and oldest < at - RESEND_MS):
                break
            del self.states[oldest]

    def acknowledge(self, at: int) -> None:
        if at in self.states:
            self.states[at].acknowledged = True

    def unacknowledged(self) -> list[bytes]:
        """The states to send again after a break, in order."""
        newest = next(reversed(self.states), 0)
        return [state.data for at, state in self.states.items() if not state.acknowledged or at > newest - RESEND_MS]

    def unconfirmed(self) -> list[Message]:
        return sorted(self.messages.values(), key=lambda message: message.at)
