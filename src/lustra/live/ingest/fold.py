"""What states of one robot come to, in their order, after what was known of it: the newest, and the m².

Rules: the newest state only ever moves forward: within a stream of the robot's by its counter, else by its own clock.
Of several with one time the one with the highest total counts. What a state does not say of its pose, mode or battery
stays as it was known. What ran ahead of the present gives way to the next. Many at once come to the same as one by one.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from lustra.live.clocks import LIMIT_MS
from lustra.protocol import telemetry
from lustra.protocol.flaws import INDISPENSABLE
from lustra.protocol.telemetry import State

LASTING = tuple(each.name for each in telemetry.fields() if each.lasting)


class Row(NamedTuple):
    """A message by the time that counts. `received_ms`: when the bus had it; `unknown`: which of INDISPENSABLE it does
    not say."""

    sn: str
    received: datetime
    received_ms: int
    state: State
    clock_off: int = 0
    unknown: frozenset[str] = frozenset()


@dataclass(slots=True)
class Standing:
    """How a robot stands. `at`, `run`, `mode` None: nothing is known, or what is known ran ahead of the present."""

    before: Mapping[str, Any]
    at: int | None = None
    stream: str = ""
    seq: int = 0
    total: float | None = None
    run: str | None = None
    run_since: int = 0
    run_battery: float = 0.0
    run_liquid: float | None = None
    mode: str | None = None
    help: str = ""
    mode_since: int = 0
    newest: Row | None = None
    grown: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])  # when, and by how many m²
    lasting: dict[str, str] = field(default_factory=dict[str, str])

    def take(self, row: Row) -> Row:
        """The next in order. Gives it with what it does not say filled in."""
        if row.unknown:
            known = {name: self._known(name) for name in row.unknown}
            row = row._replace(state=msgspec.structs.replace(row.state, **known))
        state = row.state
        if self.at is None or (
            state.seq > self.seq if state.stream and state.stream == self.stream else state.at > self.at
        ):
            self._move(row, state)
        return row

    def _known(self, name: str) -> Any:
        if self.newest:
            return getattr(self.newest.state, name)
        known = self.before[name]
        return INDISPENSABLE[name] if known is None else known

    def _move(self, row: Row, state: State) -> None:
        if self.total is not None and state.total > self.total:
            self.grown.append((state.at, state.total - self.total))
        if not state.run or state.run != self.run:
            self.run_since, self.run_battery, self.run_liquid = state.at, state.battery, state.liquid
        if state.mode != self.mode or state.help != self.help:
            self.mode_since = state.at
        self.at = state.at if self.at is None or state.at > self.at else self.at + 1
        self.stream, self.seq, self.total, self.run = state.stream, state.seq, state.total, state.run
        self.mode, self.help, self.newest = state.mode, state.help, row
        for name in LASTING:
            if value := getattr(state, name):
                self.lasting[name] = value

    def build_newest(self) -> State:
        """The newest state as it is stored; only where one was taken."""
        assert self.newest is not None
        return msgspec.structs.replace(self.newest.state, at=self.at, **self.lasting)


def start(before: Mapping[str, Any], latest: int) -> Standing:
    """From a robot's row; `latest`: what is said to be later than that is not of this world."""
    if before["at"] is None:
        return Standing(before)
    standing = Standing(
        before,
        before["at"],
        before["stream"],
        before["seq"],
        before["total"],
        before["run"],
        before["run_since"],
        before["run_battery"],
        before["run_liquid"],
        before["mode"],
        before["help"],
        before["mode_since"],
    )
    if standing.at is not None and standing.at > latest:
        standing.at = standing.run = standing.mode = None
    return standing


def sort(rows: Iterable[Row]) -> list[Row]:
    """One a time, in the order in which they were said: a stream is as new as its newest state."""
    by_time: dict[int, Row] = {}
    for row in rows:
        other = by_time.setdefault(row.state.at, row)
        if row.state.total > other.state.total:
            by_time[row.state.at] = row
    if len(by_time) == 1:
        return [*by_time.values()]
    newest: dict[str, int] = {}
    for at, row in by_time.items():
        if row.state.stream:
            newest[row.state.stream] = max(at, newest.get(row.state.stream, 0))
    return sorted(by_time.values(), key=lambda r: (newest.get(r.state.stream, r.state.at), r.state.seq, r.state.at))


def fold(before: Mapping[str, Any], rows: Iterable[Row]) -> tuple[Standing, list[Row]]:
    """How the robot stands after these, and they themselves, with what they do not say filled in."""
    ordered = sort(rows)
    standing = start(before, max(row.received_ms for row in ordered) + LIMIT_MS)
    return standing, [standing.take(row) for row in ordered]
