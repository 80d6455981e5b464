"""New lines of the robot's text logs, while somebody reads them as they are written (`cmd.followlog`).

Rules: nothing is said that nobody follows; a message has so many lines and bytes at most. What comes faster than that
is left out, which the numbers of the lines show; the file has it all.
"""

import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from lustra.protocol.files import MOST_LINES, FollowLog, LogLines, TextLogKind
from lustra.robot.files.journal import Journal
from lustra.robot.files.text_log import TextLog

MOST_BYTES = 32 << 10  # of one message
PERIOD_S = 0.5


@dataclass
class LogFollowing:
    logs: dict[TextLogKind, TextLog]
    stream: str = field(default_factory=lambda: secrets.token_hex(4))
    until: dict[TextLogKind, float] = field(default_factory=dict[TextLogKind, float])
    next: dict[TextLogKind, int] = field(default_factory=dict[TextLogKind, int])  # number of the next line to say

    @classmethod
    def of(cls, journal: Journal) -> "LogFollowing":
        return cls({"device": journal.robot, "pad": journal.screen, "navlog": journal.navigation})

    def accept(self, command: FollowLog, at: int) -> LogLines:
        """From now on; answers the newest lines of before."""
        log, now = self.logs[command.kind], time.monotonic()
        if not self.follows(command.kind, now):
            self.next[command.kind] = log.written
        self.until[command.kind] = now + command.seconds
        last = cut(reversed(log.read_last(command.last)))[::-1]
        return self.message(command.kind, at, log.written - len(last), last)

    def follows(self, kind: TextLogKind, now: float) -> bool:
        return now < self.until.get(kind, 0.0)

    @property
    def active(self) -> bool:
        return any(self.follows(kind, time.monotonic()) for kind in self.until)

    def take(self, kind: TextLogKind, at: int) -> LogLines | None:
        """What is new of a log that somebody follows."""
        log = self.logs[kind]
        if not self.follows(kind, time.monotonic()) or self.next[kind] >= log.written:
            return None
        first = max(self.next[kind], log.written - len(log.recent))
        lines = cut(islice(log.recent, len(log.recent) - (log.written - first), None))
        self.next[kind] = first + len(lines)
        return self.message(kind, at, first, lines)

    def message(self, kind: TextLogKind, at: int, first: int, lines: list[str]) -> LogLines:
        return LogLines(at=at, kind=kind, stream=self.stream, first=first, lines=lines)


def cut(lines: Iterable[str]) -> list[str]:
    """As many from the beginning as one message holds."""
    fitting: list[str] = []
    size = 0
    for line in islice(lines, MOST_LINES):
        size += len(line.encode("utf-8", "replace"))
        if size > MOST_BYTES:
            break
        fitting.append(line)
    return fitting
