"""Which tabs are notified that what they read became stale.

Rules: a note goes to who sees its owner's place and holds a key of a call that reads its topic; a note of one account
to that account alone; of what support access guards to support only while the customer lets it look. A frame names
topics, never rows or owners. A tab is sent a topic at once, and then at most so often (`EACH_S`); of what is URGENT
QUICK times in a row, `QUICK_S` apart, which a quiet time gives back. A tab reads its first page while its socket opens:
it says for how long it has been reading, and gets what became stale meanwhile; all topics where that is not remembered.
That it said so took a while too (`ON_THE_WAY_S`): rather a topic too many than one that is missed.
"""

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from lustra.core.calls.registry import CALLS, reads_of
from lustra.core.context import Actor
from lustra.core.security import permission
from lustra.core.stale import Note, topics
from lustra.domains.account.api import support

EACH_S = 1.0
# Seconds between two frames of a topic in which a large fleet always has news.
EACH_OF_S = {"history": 10.0, "state": 10.0, "taskReport": 10.0}
URGENT = {"warn"}
QUICK = 5
QUICK_S = 0.05
REMEMBERED_S = 30.0
ON_THE_WAY_S = 1.0
MOST_REMEMBERED = 50_000
GUARDED = {"map", "mapSync", "task", "taskReport"}


@dataclass(slots=True)
class StaleTopics:
    """Topics that became stale and were not yet sent to one tab."""

    waiting: set[str] = field(default_factory=set[str])
    sent_at: dict[str, float] = field(default_factory=dict[str, float])
    quick: dict[str, float] = field(default_factory=dict[str, float])  # times that were left as it was sent last

    def due(self) -> float | None:
        """When the next topic may be sent; None: there is none."""
        return min(map(self._from, self.waiting), default=None)

    def take(self, now: float) -> list[str]:
        """Topics that may be sent now."""
        going = sorted(topic for topic in self.waiting if self._from(topic) <= now)
        self.waiting.difference_update(going)
        for topic in URGENT.intersection(going):
            regained = (now - self.sent_at.get(topic, now)) / EACH_S
            self.quick[topic] = min(QUICK, self.quick.get(topic, QUICK) + regained) - 1
        self.sent_at.update(dict.fromkeys(going, now))
        return going

    def _from(self, topic: str) -> float:
        sent_at = self.sent_at.get(topic)
        if sent_at is None:
            return 0.0
        left = self.quick.get(topic)
        if left is not None:
            return sent_at + max(QUICK_S, EACH_S * (1 - left))
        return sent_at + EACH_OF_S.get(topic, EACH_S)


@dataclass(frozen=True, slots=True, eq=False)
class Reader:
    """A tab that wants to know. `tell` takes the topics that became stale for it."""

    actor: Actor
    tell: Callable[[set[str]], None]


@lru_cache(1024)
def readable(keys: frozenset[str]) -> frozenset[str]:
    """The topics of all calls that these keys open."""
    entries = [
        entry
        for entry in CALLS.values()
        if not permission.keys_of(entry.needs) or not keys.isdisjoint(permission.keys_of(entry.needs))
    ]
    return frozenset(topic for entry in entries for topic in reads_of(entry)) & topics()


class Readers:
    """`is_open`: whether a customer lets support look. `recent`: the newest time of each note, the oldest first, whole
    from `whole_from` on."""

    def __init__(self, is_open: Callable[[int], bool], clock: Callable[[], float] = time.monotonic) -> None:
        self.is_open, self.clock = is_open, clock
        self.by_path: dict[str, set[Reader]] = {}
        self.recent: dict[Note, float] = {}
        self.whole_from = clock()

    def add(self, reader: Reader, reading_s: float = 0.0) -> None:
        """`reading_s`: for how long it has been reading without being told."""
        self.by_path.setdefault(reader.actor.path, set()).add(reader)
        if reading_s and (topics := self._stale_since(reader.actor, self.clock() - reading_s - ON_THE_WAY_S)):
            reader.tell(topics)

    def drop(self, reader: Reader) -> None:
        readers = self.by_path.get(reader.actor.path, set())
        readers.discard(reader)
        if not readers:
            self.by_path.pop(reader.actor.path, None)

    def on_note(self, note: Note) -> None:
        self._remember(note)
        if note.account_id:
            readers = self._all()
        else:
            labels = note.path.split(".")
            above = (".".join(labels[: depth + 1]) for depth in range(len(labels)))
            readers = [r for path in above for r in self.by_path.get(path, ())]
        for reader in readers:
            if self._concerns(note, reader.actor):
                reader.tell({note.topic})

    def on_gap(self) -> None:
        """After a break of the connection to the database: every topic counts as stale."""
        self.recent.clear()
        self.whole_from = self.clock()
        for reader in self._all():
            reader.tell(set(readable(reader.actor.keys)))

    def _remember(self, note: Note) -> None:
        now = self.clock()
        self.recent.pop(note, None)
        self.recent[note] = now
        for oldest, at in list(itertools.islice(self.recent.items(), 2)):  # two go for one that comes
            if at >= now - REMEMBERED_S and len(self.recent) <= MOST_REMEMBERED:
                break
            del self.recent[oldest]
            self.whole_from = at

    def _stale_since(self, actor: Actor, since: float) -> set[str]:
        if since <= self.whole_from:
            return set(readable(actor.keys))
        newer = itertools.takewhile(lambda entry: entry[1] >= since, reversed(self.recent.items()))
        return {note.topic for note, _ in newer if self._concerns(note, actor)}

    def _concerns(self, note: Note, actor: Actor) -> bool:
        if note.account_id:
            is_theirs = actor.real_id == note.account_id
        else:
            is_theirs = f"{note.path}.".startswith(f"{actor.path}.")
        return is_theirs and note.topic in readable(actor.keys) and self._may_see(actor, note)

    def _may_see(self, actor: Actor, note: Note) -> bool:
        if not actor.support or note.topic not in GUARDED:
            return True
        customer = support.customer_of(note.path)
        return customer is None or self.is_open(customer)

    def _all(self) -> list[Reader]:
        return [reader for readers in self.by_path.values() for reader in readers]
