"""States of a roll-out and of its robots, and what a roll-out may do next."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from lustra.core.errors import Code, Refusal
from lustra.domains.rollout.tables import Rollout, RolloutRobot

State = Literal["running", "paused", "finished", "cancelled"]
RobotState = Literal[
    "waiting",
    "downloading",
    "verifying",
    "installing",
    "restarting",
    "confirmed",
    "fell_back",
    "failed",
    "cancelled",
]
Action = Literal["pause", "resume", "cancel"]
BUSY: tuple[RobotState, ...] = ("downloading", "verifying", "installing", "restarting")
OPEN: tuple[RobotState, ...] = ("waiting", *BUSY)
HELD_BACK: tuple[RobotState, ...] = ("waiting", "downloading", "verifying")  # nothing of it is installed yet
BAD: tuple[RobotState, ...] = ("fell_back", "failed")
ILL = ("health_worse", "health_late")  # why a roll-out has paused that somebody may go on with
AGAIN = ("update_late", "update_link")  # why a robot has given up what it is asked for again
NEXT: dict[tuple[State, Action], State] = {
    ("running", "pause"): "paused",
    ("paused", "resume"): "running",
    ("running", "cancel"): "cancelled",
    ("paused", "cancel"): "cancelled",
}
DAY = 24 * 60


def next_state(state: str, action: Action) -> State:
    for (present, step), following in NEXT.items():
        if (present, step) == (state, action):
            return following
    raise Refusal(Code.BAD_INPUT, "action", reason="rollout_step")


def count_bad(robots: Sequence[RolloutRobot]) -> int:
    return sum(robot.state in BAD for robot in robots)


@dataclass(frozen=True, slots=True)
class Tally:
    """How the robots of a step stand. `open`: not at their end; of these `away`: they wait, and do not answer.
    `moved_at`: when the last of them did."""

    step: int
    robots: int
    open: int
    away: int
    bad: int
    moved_at: datetime


def fails(rollout: Rollout, tallies: Sequence[Tally]) -> bool:
    """Of the robots that it has come to, the share that failed is as large as it may not be."""
    reached = [tally for tally in tallies if tally.step <= rollout.step]
    bad = sum(tally.bad for tally in reached) - rollout.forgiven
    return bad > 0 and bad * 100 >= rollout.failure_share * sum(tally.robots for tally in reached)


def step_is_over(rollout: Rollout, tallies: Sequence[Tally]) -> bool:
    """Robots that are away hold no step up: they take it when they are back."""
    reached = [tally for tally in tallies if tally.step <= rollout.step]
    away = sum(tally.away for tally in reached)
    return sum(tally.open for tally in reached) == away and away < sum(tally.robots for tally in reached)


def advance(rollout: Rollout, tallies: Sequence[Tally], moment: datetime, *, worse: bool | None) -> str:
    """Pause it, finish it, or go on to its next step; its state then. `worse`: how robots do on the version; None: too
    few of their runs are known."""
    ended = max((tally.moved_at for tally in tallies if tally.step == rollout.step), default=rollout.step_at)
    ended = max(ended, rollout.step_at)
    if fails(rollout, tallies):
        rollout.state, rollout.reason = "paused", "failure_share"
    elif awaits_health(rollout, tallies) and worse is not False:
        if worse or moment >= ended + timedelta(days=rollout.health_days):
            rollout.state, rollout.reason = "paused", "health_worse" if worse else "health_late"
        else:
            rollout.reason = "health_runs"
    elif not any(tally.open for tally in tallies):
        rollout.state, rollout.reason, rollout.ended_at = "finished", "", moment
    elif step_is_over(rollout, tallies):
        rollout.reason, rollout.health_step = "", rollout.step
        if rollout.step < len(rollout.steps) and moment >= ended + timedelta(minutes=rollout.pause_minutes):
            rollout.step, rollout.step_at = rollout.step + 1, moment
    return rollout.state


def awaits_health(rollout: Rollout, tallies: Sequence[Tally]) -> bool:
    """Its step is over, and how its robots do on the version is not known yet."""
    return rollout.health_runs > 0 and rollout.health_step < rollout.step and step_is_over(rollout, tallies)


def window_end(from_minute: int | None, to_minute: int | None, zone: str, moment: datetime) -> datetime | None:
    """Until when robots of the zone may begin; None: not now. Without hours a day from now."""
    if from_minute is None or to_minute is None:
        return moment + timedelta(days=1)
    local = moment.astimezone(ZoneInfo(zone))
    minute = local.hour * 60 + local.minute
    length = (to_minute - from_minute) % DAY or DAY
    passed = (minute - from_minute) % DAY
    return moment + timedelta(minutes=length - passed) if passed < length else None


def split_steps(robots: int, percents: Sequence[int]) -> list[int]:
    """How many robots have come to it at the end of each step."""
    return [max(1, -(-robots * percent // 100)) if robots else 0 for percent in percents]
