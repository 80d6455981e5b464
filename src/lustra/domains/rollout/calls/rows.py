"""What the calls of roll-outs take and answer."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from lustra.core.calls.rpc import Wire
from lustra.core.wire import CreateTime, DeviceId, DeviceName, Id, SerialNumber, UpdateTime, doc
from lustra.domains.rollout import health, rules
from lustra.domains.rollout.tables import Rollout, RolloutRobot
from lustra.domains.version.api import VersionKind

WHOLE = 100  # %
LAST_MINUTE = 24 * 60 - 1
LONGEST_WAIT = 60  # days for the health of a step
MOST_RUNS = 50
MOST_WORSE = 1000  # %

Reason = Annotated[str, doc("Why it is so, a key of the catalogue of reasons; empty: there is nothing to say.")]
Step = Annotated[int, doc("0: test devices; else the number of the step, from 1.")]
Steps = Annotated[
    list[Annotated[int, Field(ge=1, le=WHOLE)]],
    doc(
        "How many % of the robots each step brings it to, ascending to 100; at most 10 steps. Test devices come first."
    ),
]

StepGroups = Annotated[
    list[str],
    doc("Names of the groups that are its steps, empty for robots in none of them; without any, steps are shares."),
]


class RolloutSteps(Wire):
    public_id: Annotated[Id, doc("The published build; with `versionKind` firmware, app or whole machine.")]
    version_kind: Annotated[VersionKind, doc("What the number is of; `soft`: a build.")] = "soft"
    steps: Steps = Field([WHOLE], min_length=1, max_length=10)
    groups: Annotated[
        list[Id],
        doc(
            "Groups of robots that are its steps in place of `steps`, in this order, at most 20: a robot comes with the"
            " first that it is in, one of none after them all."
        ),
    ] = Field([], max_length=20)

    @field_validator("steps")
    @classmethod
    def _ascend(cls, steps: list[int]) -> list[int]:
        if steps != sorted(set(steps)) or steps[-1] != WHOLE:
            raise PydanticCustomError("rollout_steps", "Not ascending to 100")
        return steps


class RolloutPlan(RolloutSteps):
    failure_share: Annotated[
        int, doc("It pauses once so many % of the robots that it has come to have failed, 1 to 100.")
    ] = Field(10, ge=1, le=WHOLE)
    pause_minutes: Annotated[int, doc("Minutes between the end of a step and the next, 0 to 20,160.")] = Field(
        0, ge=0, le=20_160
    )
    per_minute: Annotated[int, doc("How many robots at most are asked in a minute, 0 to 10,000; 0: no limit.")] = Field(
        0, ge=0, le=10_000
    )
    charging: Annotated[bool, doc("Whether robots install it on their charger alone.")] = False
    from_minute: Annotated[
        int | None, doc("Robots install it from this minute of their site's day on, 0 to 1439; null: at any time.")
    ] = Field(None, ge=0, le=LAST_MINUTE)
    to_minute: Annotated[int | None, doc("And until this one; null with `fromMinute` alone.")] = Field(
        None, ge=0, le=LAST_MINUTE
    )

    health_runs: Annotated[
        int,
        doc(
            "How many runs of each robot on the version a step waits for, and compares with those of before, 0 to 50;"
            " 0: it waits for none."
        ),
    ] = Field(0, ge=0, le=MOST_RUNS)
    health_days: Annotated[int, doc("It pauses once a step has waited for these so many days, 1 to 60.")] = Field(
        7, ge=1, le=LONGEST_WAIT
    )
    alarms_worse: Annotated[int, doc("It pauses once alarms an hour are more by so many %, 0 to 1000.")] = Field(
        50, ge=0, le=MOST_WORSE
    )
    assists_worse: Annotated[
        int,
        doc("Likewise of assists an hour: alarms in runs that a person took or resolved, and runs that failed."),
    ] = Field(50, ge=0, le=MOST_WORSE)
    coverage_worse: Annotated[int, doc("It pauses once coverage is less by so many %, 0 to 100.")] = Field(
        5, ge=0, le=WHOLE
    )
    area_worse: Annotated[int, doc("It pauses once m²/h are less by so many %, 0 to 100.")] = Field(15, ge=0, le=WHOLE)
    battery_worse: Annotated[int, doc("It pauses once battery per m² is more by so many %, 0 to 1000.")] = Field(
        25, ge=0, le=MOST_WORSE
    )

    @model_validator(mode="after")
    def _have_both_hours(self) -> "RolloutPlan":
        if (self.from_minute is None) != (self.to_minute is None):
            raise PydanticCustomError("rollout_hours", "Hours begin and end")
        return self


class RolloutCandidate(Wire):
    device_id: DeviceId
    device_serial_number: SerialNumber
    device_code: DeviceName
    step: Step
    version: Annotated[str, doc("What it runs now; empty: it has not said.")]
    online: Annotated[bool, doc("Whether it is connected now.")]
    size: Annotated[int, doc("Bytes that it downloads.")]
    busy: Annotated[bool, doc("Whether another roll-out of it is open: it cannot begin before that ends.")]


class RolloutSite(Wire):
    address: Annotated[str, doc("Building; empty: robots without one.")]
    robots: Annotated[int, doc("Number of robots there that get it.")]
    size: Annotated[int, doc("Bytes that they download together.")]


class RolloutPreview(Wire):
    name: Annotated[str, doc("The software and its build.")]
    version: Annotated[str, doc("What robots shall run.")]
    size: Annotated[int, doc("Bytes that each robot downloads at most.")]
    step_groups: StepGroups
    sites: Annotated[list[RolloutSite], doc("What it costs the line of each building, the largest first.")]
    list: Annotated[list[RolloutCandidate], doc("Robots that do not run it yet, by step.")]


class RolloutRow(Wire):
    id: Annotated[int, doc("The roll-out.")]
    kind: Annotated[Literal["update", "back"], doc("`back`: robots go back to what they ran before.")]
    version_kind: Annotated[VersionKind, doc("What it brings robots to.")]
    name: Annotated[str, doc("The software and its build, or what else it brings.")]
    version: Annotated[str, doc("Its version; of a roll-back the one that robots leave.")]
    size: Annotated[int, doc("Bytes that each robot downloads.")]
    state: Annotated[rules.State, doc("How it is.")]
    reason: Reason
    step: Step
    steps: Annotated[list[int], doc("How many % of the robots each step brings it to.")]
    step_groups: StepGroups
    per_minute: Annotated[int, doc("How many robots at most are asked in a minute; 0: no limit.")]
    failure_share: Annotated[int, doc("It pauses once so many % have failed.")]
    pause_minutes: Annotated[int, doc("Minutes between the end of a step and the next.")]
    charging: Annotated[bool, doc("Whether robots install it on their charger alone.")]
    from_minute: Annotated[int | None, doc("First minute of the site's day; null: at any time.")]
    to_minute: Annotated[int | None, doc("Last minute of the site's day; null: at any time.")]
    health_runs: Annotated[int, doc("How many runs of each robot on the version a step waits for; 0: none.")]
    health_days: Annotated[int, doc("How many days a step waits for them.")]
    step_time: Annotated[datetime, doc("Since when the step is under way.")]
    create_time: CreateTime
    end_time: Annotated[datetime | None, doc("When it ended; null: it has not.")]
    robots: Annotated[int, doc("Number of its robots.")]
    confirmed: Annotated[int, doc("How many of them run it.")]
    failed: Annotated[int, doc("How many have failed or fallen back.")]


class RolloutMeasure(Wire):
    name: Annotated[health.Name, doc("What is compared.")]
    before: Annotated[
        float | None,
        doc(
            "Before: alarms or assists an hour, coverage from 0 to 1, m²/h, or % of battery for 100 m²; null: there is"
            " nothing to compare."
        ),
    ]
    after: Annotated[float | None, doc("The same on the version.")]
    limit: Annotated[int, doc("By how many % it may be worse.")]
    robots: Annotated[int, doc("Number of robots that are compared.")]
    worse: Annotated[bool, doc("Whether it is worse by more than that.")]


class RolloutRobotRow(Wire):
    device_id: DeviceId
    device_serial_number: SerialNumber
    device_code: DeviceName
    step: Step
    target: Annotated[str, doc("What it shall run.")]
    former: Annotated[str, doc("What it ran when the roll-out began; empty: unknown.")]
    state: Annotated[rules.RobotState, doc("How far it is.")]
    reason: Reason
    have: Annotated[int, doc("Bytes that it has downloaded.")]
    runs: Annotated[
        int | None, doc("Known runs of it on the version; null: none are compared, or it had none before to compare.")
    ]
    update_time: UpdateTime


class RolloutDetail(RolloutRow):
    health: Annotated[
        list[RolloutMeasure], doc("How robots do on the version beside before, as last looked at; empty: not yet.")
    ]
    list: Annotated[list[RolloutRobotRow], doc("Its robots, by step.")]


class RolloutChange(Wire):
    id: Annotated[Id, doc("The roll-out.")]
    action: Annotated[rules.Action, doc("What it is to do: `resume` forgives the failures until now.")]


def fields_of(rollout: Rollout, robots: Sequence[RolloutRobot]) -> dict[str, object]:
    return {
        "id": rollout.id,
        "kind": rollout.kind,
        "version_kind": rollout.version_kind,
        "name": rollout.name,
        "version": rollout.version,
        "size": rollout.size,
        "state": rollout.state,
        "reason": rollout.reason,
        "step": rollout.step,
        "steps": rollout.steps,
        "step_groups": rollout.step_groups,
        "per_minute": rollout.per_minute,
        "failure_share": rollout.failure_share,
        "pause_minutes": rollout.pause_minutes,
        "charging": rollout.charging,
        "from_minute": rollout.from_minute,
        "to_minute": rollout.to_minute,
        "health_runs": rollout.health_runs,
        "health_days": rollout.health_days,
        "step_time": rollout.step_at,
        "create_time": rollout.created_at,
        "end_time": rollout.ended_at,
        "robots": len(robots),
        "confirmed": sum(robot.state == "confirmed" for robot in robots),
        "failed": rules.count_bad(robots),
    }
