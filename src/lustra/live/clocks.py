"""Whose clock is wrong, judged by when the bus received a message.

Rules: a time more than a minute ahead is never taken: the server's counts. A time long past is taken as it is, since
robots send again what nobody received; but where it stays as far behind for a minute, nothing is being said again: the
clock is behind, and the server's counts until the robot's is right. A judgement depends on what the messages say and on
when they were received, never on when they are read.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

LIMIT_MS = 60_000  # a clock that is off by more is wrong
WINDOW_MS = 60_000  # so long it stays behind before it is called wrong
CATCHES_UP_MS = 10_000  # what is said again comes nearer to the present by this


@dataclass(slots=True)
class Clocks:
    """`since`: since when each robot is behind, and by how much it was then; both in ms. `behind`: of robots that were
    found behind by whoever judged them last, by how much."""

    since: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    behind: dict[str, int] = field(default_factory=dict[str, int])

    def judge(self, sn: str, at: int, received: int) -> tuple[int, int]:
        """The time that a state counts by, and how far the robot's clock is off (ahead: above 0; right: 0), in ms."""
        behind = received - at
        if behind <= LIMIT_MS:
            self.since.pop(sn, None)
            self.behind.pop(sn, None)
            return (received, -behind) if behind < -LIMIT_MS else (at, 0)
        began = (0, self.behind[sn]) if sn in self.behind else (received, behind)
        since, first = self.since.setdefault(sn, began)
        if behind < first - CATCHES_UP_MS:
            self.since[sn] = (received, behind)
            return at, 0
        return (received, -behind) if received - since >= WINDOW_MS else (at, 0)

    def time_of(self, sn: str, at: int, received: int) -> int:
        """The time that an event or a report counts by; these may be old, and say nothing of the clock."""
        since, _ = self.since.get(sn, (0 if sn in self.behind else received, 0))
        return received if at > received + LIMIT_MS or received - since >= WINDOW_MS else at

    def remember(self, sn: str, off: int) -> None:
        """How far a robot's clock was found to be off by another process."""
        if off < 0:
            self.behind[sn] = -off
        else:
            self.behind.pop(sn, None)

    def remember_all(self, behind: Iterable[tuple[str, int]]) -> None:
        """All robots whose clock was found behind, and by how many ms (below 0)."""
        self.behind = {sn: -off for sn, off in behind}
