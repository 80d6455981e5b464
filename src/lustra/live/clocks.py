"""Whose clock is wrong, judged by when the bus has heard a message.

Rules: a time more than a minute ahead is never taken: the server's counts. A time long past is taken as it is, since
robots say again what nobody heard; but where it stays as far behind for a minute, nothing is being said again: the
clock is behind, and the server's counts until the robot's is right. A judgement depends on what the messages say and on
when they were heard, never on when they are read.
"""

from dataclasses import dataclass, field

LIMIT_MS = 60_000  # a clock that is off by more is wrong
WINDOW_MS = 60_000  # so long it stays behind before it is called wrong
CATCHES_UP_MS = 10_000  # what is said again comes nearer to the present by this


@dataclass(slots=True)
class Clocks:
    """`since`: since when each robot is behind, and by how much it was then; both in ms."""

    since: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])

    def judge(self, sn: str, at: int, received: int) -> tuple[int, int]:
        """The time that a state counts by, and how far the robot's clock is off (ahead: above 0; right: 0), in ms."""
        behind = received - at
        if behind <= LIMIT_MS:
            self.since.pop(sn, None)
            return (received, -behind) if behind < -LIMIT_MS else (at, 0)
        since, first = self.since.setdefault(sn, (received, behind))
        if behind < first - CATCHES_UP_MS:
            self.since[sn] = (received, behind)
            return at, 0
        return (received, -behind) if received - since >= WINDOW_MS else (at, 0)

    def time_of(self, sn: str, at: int, received: int) -> int:
        """The time that an event or a report counts by; these may be old, and say nothing of the clock."""
        since, _ = self.since.get(sn, (received, 0))
        return received if at > received + LIMIT_MS or received - since >= WINDOW_MS else at

    def remember(self, sn: str, off: int) -> None:
        """A robot whose clock was found behind by an earlier process."""
        if off < 0:
            self.since.setdefault(sn, (0, -off))
