"""What a robot has said and nobody has confirmed yet.

Reports and events wait on the disk until `cmd.kept` names them, or `cmd.refused` says that they never can be kept;
states wait in memory, as many as fit, until `cmd.kept` names them. Whoever comes back hears everything in the order of
`at`, with the same `at`.
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

from lustra.protocol.bus import LARGEST_INLINE, Event, EventKind, Payload, Refused, encode
from lustra.robot.store import Clock, write

Kind = Literal["report", "event"]
MOST_STATES = 3600
KEPT_MS = 10_000


@dataclass
class Letter:
    at: int
    id: str
    kind: Kind
    data: bytes
    told: float = -math.inf  # when it was said last, by the process's own clock


@dataclass
class Said:
    """A state, and whether its receipt has come."""

    data: bytes
    heard: bool = False


@dataclass
class Outbox:
    folder: Path
    clock: Clock
    letters: dict[str, Letter] = field(default_factory=dict[str, Letter])
    states: "OrderedDict[int, Said]" = field(default_factory=OrderedDict[int, "Said"])

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for file in sorted(self.folder.glob("*.json"), key=lambda f: int(f.name.split("-")[0])):
            at, kind, id_ = file.stem.split("-", 2)
            self.letters[id_] = Letter(int(at), id_, "report" if kind == "report" else "event", file.read_bytes())

    def put(self, kind: Kind, payload: Payload, id_: str) -> None:
        letter = Letter(payload.at, id_, kind, encode(payload))
        write(self.file(letter), letter.data)
        self.letters[id_] = letter

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
        told = Event(at=self.clock.at(), id=id_, kind=kind, name=name, revision=revision, deleted=deleted, was=was)
        if len(raw) > LARGEST_INLINE:
            write(self.folder / f"{id_}.content", raw)
            told.size, told.sha256 = len(raw), hashlib.sha256(raw).hexdigest()
        else:
            told.content = json.loads(raw)
        self.put("event", told, id_)
        return told

    def content(self, id_: str) -> bytes | None:
        file = self.folder / f"{id_}.content"
        return file.read_bytes() if id_.isalnum() and file.exists() else None

    def kept(self, ids: list[str]) -> None:
        for id_ in ids:
            if letter := self.letters.pop(id_, None):
                self.file(letter).unlink(missing_ok=True)
                (self.folder / f"{id_}.content").unlink(missing_ok=True)

    def refused(self, refusal: Refused) -> None:
        """What never can be kept is forgotten; what has only missed its content is said again after the next log-in."""
        if refusal.reason == "unreadable":
            self.kept([refusal.id])
        elif letter := self.letters.get(refusal.id):
            letter.told = math.inf

    def file(self, letter: Letter) -> Path:
        return self.folder / f"{letter.at}-{letter.kind}-{letter.id}.json"

    def say(self, at: int, data: bytes) -> None:
        """A state that is to be confirmed. What the server has is kept for some seconds more: it may lose its power."""
        self.states[at] = Said(data)
        while self.states:
            oldest = next(iter(self.states))
            if len(self.states) <= MOST_STATES and not (self.states[oldest].heard and oldest < at - KEPT_MS):
                break
            del self.states[oldest]

    def heard(self, at: int) -> None:
        if at in self.states:
            self.states[at].heard = True

    def again(self) -> list[bytes]:
        """The states that are said again after a break, in order."""
        newest = next(reversed(self.states), 0)
        return [said.data for at, said in self.states.items() if not said.heard or at > newest - KEPT_MS]

    def waiting(self) -> list[Letter]:
        return sorted(self.letters.values(), key=lambda letter: letter.at)
