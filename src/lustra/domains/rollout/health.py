"""Whether robots do as well on a new version as the same robots did before.

Rules: each robot is compared with itself. Alarms and assists are counted over all runs: they are worse once they come
more often by more than the limit, and chance brings that in one case of twenty at most. Coverage, m²/h and battery per
m² are compared by robot and task, for a hall is not a lobby: they are worse once their mean is worse by more than the
limit, and more than half of the pairs are worse at all. What has no runs on both sides says nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, fsum, lgamma, log
from typing import Literal

Name = Literal["alarms", "assists", "coverage", "area", "battery"]
NAMES: tuple[Name, ...] = ("alarms", "assists", "coverage", "area", "battery")
CHANCE = 0.05
HOUR_S = 3600.0
WHOLE = 100  # %


@dataclass(frozen=True, slots=True)
class Runs:
    """Some runs of a robot, together. `covered`: the sum of the coverage of `measured` runs. `used`: % of battery for
    `powered` m²."""

    runs: int = 0
    seconds: float = 0.0
    alarms: int = 0
    assists: int = 0
    cleaned: float = 0.0
    covered: float = 0.0
    measured: int = 0
    used: float = 0.0
    powered: float = 0.0


@dataclass(frozen=True, slots=True)
class Pair:
    """What a robot did of a task before, and on the new version."""

    robot: int
    before: Runs
    after: Runs


@dataclass(frozen=True, slots=True)
class Measure:
    """Of `robots` robots: alarms and assists an hour, coverage from 0 to 1, m²/h, and % of battery for 100 m². None:
    there is nothing to compare. `limit`: by how many % it may be worse."""

    name: Name
    before: float | None
    after: float | None
    limit: int
    robots: int
    worse: bool


def pair_up(runs: Sequence[tuple[int, bool, tuple[str, str], Runs]]) -> list[Pair]:
    """Of runs by robot, before or since, and task."""
    both: dict[tuple[int, tuple[str, str]], dict[bool, Runs]] = {}
    for robot, newer, task, sums in runs:
        both.setdefault((robot, task), {})[newer] = sums
    return [Pair(robot, sides.get(False, Runs()), sides.get(True, Runs())) for (robot, _), sides in both.items()]


def count_runs(pairs: Sequence[Pair]) -> dict[int, int]:
    """Since, of each robot that has something to compare with."""
    former = {pair.robot for pair in pairs if pair.before.runs}
    return {robot: sum(pair.after.runs for pair in pairs if pair.robot == robot) for robot in former}


def compare(pairs: Sequence[Pair], limits: Mapping[Name, int]) -> list[Measure]:
    """In the order of the limits."""
    return [
        _compare_counts(name, pairs, limit, COUNTS[name])
        if name in COUNTS
        else _compare_means(name, pairs, limit, MEANS[name])
        for name, limit in limits.items()
    ]


def _count_alarms(runs: Runs) -> int:
    return runs.alarms


def _count_assists(runs: Runs) -> int:
    return runs.assists


def _coverage(runs: Runs) -> float | None:
    return runs.covered / runs.measured if runs.measured else None


def _area(runs: Runs) -> float | None:
    return runs.cleaned / runs.seconds * HOUR_S if runs.seconds > 0 else None


def _battery(runs: Runs) -> float | None:
    return runs.used / runs.powered * WHOLE if runs.powered > 0 else None


COUNTS: dict[Name, Callable[[Runs], int]] = {"alarms": _count_alarms, "assists": _count_assists}
# With 1: more of it is better.
MEANS: dict[Name, tuple[Callable[[Runs], float | None], int]] = {
    "coverage": (_coverage, 1),
    "area": (_area, 1),
    "battery": (_battery, -1),
}


def _compare_counts(name: Name, pairs: Sequence[Pair], limit: int, count: Callable[[Runs], int]) -> Measure:
    before, after = _paired(pairs)
    before_s, after_s = fsum(runs.seconds for runs in before.values()), fsum(runs.seconds for runs in after.values())
    if before_s <= 0 or after_s <= 0:
        return Measure(name, None, None, limit, 0, worse=False)
    former = sum(count(pair.before) for pair in pairs if pair.robot in before)
    newer = sum(count(pair.after) for pair in pairs if pair.robot in before)
    allowed = after_s * (WHOLE + limit) / WHOLE
    worse = chance_of_more(newer, former, allowed / (allowed + before_s)) < CHANCE
    return Measure(name, former / before_s * HOUR_S, newer / after_s * HOUR_S, limit, len(before), worse=worse)


def _paired(pairs: Sequence[Pair]) -> tuple[dict[int, Runs], dict[int, Runs]]:
    """The hours of each robot that has some on both sides."""
    before: dict[int, Runs] = {}
    after: dict[int, Runs] = {}
    for pair in pairs:
        for sums, runs in ((before, pair.before), (after, pair.after)):
            seconds = sums[pair.robot].seconds if pair.robot in sums else 0.0
            sums[pair.robot] = Runs(seconds=seconds + runs.seconds)
    both = {robot for robot in before if before[robot].seconds > 0 and after[robot].seconds > 0}
    return {robot: before[robot] for robot in both}, {robot: after[robot] for robot in both}


def chance_of_more(newer: int, former: int, share: float) -> float:
    """That of all these at least so many are new ones, where each is a new one by that share."""
    total = newer + former
    odds, other = log(share), log(1 - share)
    ways = (lgamma(total + 1) - lgamma(few + 1) - lgamma(total - few + 1) for few in range(newer))
    fewer = fsum(exp(way + few * odds + (total - few) * other) for few, way in enumerate(ways))
    return max(0.0, 1 - fewer)


def _compare_means(
    name: Name, pairs: Sequence[Pair], limit: int, how: tuple[Callable[[Runs], float | None], int]
) -> Measure:
    value, better = how
    both = [
        (pair.robot, former, newer)
        for pair in pairs
        if (former := value(pair.before)) is not None and (newer := value(pair.after)) is not None
    ]
    if not both:
        return Measure(name, None, None, limit, 0, worse=False)
    before = fsum(former for _, former, _ in both) / len(both)
    after = fsum(newer for _, _, newer in both) / len(both)
    lost = (before - after) * better
    most = sum((former - newer) * better > 0 for _, former, newer in both) * 2 > len(both)
    worse = most and before > 0 and lost > before * limit / WHOLE
    return Measure(name, before, after, limit, len({robot for robot, _, _ in both}), worse=worse)
