"""/qiniuQvs: when cameras of a robot are recorded by themselves."""

from typing import Annotated, Literal

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import ClockOrBlank, WeekDay, doc
from lustra.domains.video import rules
from lustra.domains.video.calls.streams import CHANGES, READS, CameraName, VideoRobot
from lustra.domains.video.passes import LIVE, PAGE
from lustra.protocol.video import MOST_CAMERAS

Cameras = Annotated[list[CameraName], doc(f"Names of the cameras, at most {MOST_CAMERAS}; none: nothing is recorded.")]
Days = Annotated[list[WeekDay], doc("Days of the week at the robot's site, 1 is Monday; none: by no plan.")]
Starts = Annotated[ClockOrBlank, doc("When the plan's hours begin, HH:MM; empty with `endTime`: the whole day.")]
Ends = Annotated[
    ClockOrBlank, doc("When they end, HH:MM; at or before the beginning: on the next day. Empty with `startTime`.")
]
Level = Annotated[
    Literal[0, 1, 2, 3, 4],
    doc("Alarms from this level on record: 1 information, 2 minor, 3 major, 4 critical; 0: none does."),
]
Seconds = Annotated[int, doc(f"Seconds that an alarm records, {rules.ALARM_S.start} to {rules.ALARM_S.stop - 1}.")]
NEVER = rules.Rule([], [], "", "", 0, 120)


class RecordRule(Wire):
    """When cameras of a robot are recorded by themselves."""

    cameras: Cameras
    days: Days
    start_time: Starts
    end_time: Ends
    alarm_level: Level
    alarm_sec: Seconds
    space_used: Annotated[int, doc("Bytes that all recordings and clips of the robot's owner take.")]
    space_limit: Annotated[int, doc("Bytes that they may take, beyond which nothing is recorded; 0: no limit.")]


class NewRecordRule(VideoRobot):
    cameras: Cameras = Field(max_length=MOST_CAMERAS)
    days: Days = Field(default=[], max_length=7)
    start_time: Starts = ""
    end_time: Ends = ""
    alarm_level: Level = 0
    alarm_sec: Seconds = Field(default=NEVER.alarm_s, ge=rules.ALARM_S.start, lt=rules.ALARM_S.stop)


@call("/qiniuQvs/recordRule", needs=PAGE, reads=READS)
async def load_record_rule(ctx: Ctx, payload: VideoRobot) -> RecordRule:
    """Read when cameras of a robot are recorded by themselves, and how much room is left for it."""
    stored, space = await rules.load_rule(ctx, payload.device_serial_number)
    rule = stored or NEVER
    return RecordRule.model_validate(
        {
            "cameras": rule.cameras,
            "days": rule.days,
            "start_time": rule.starts,
            "end_time": rule.ends,
            "alarm_level": rule.alarm_level,
            "alarm_sec": rule.alarm_s,
            "space_used": space.used,
            "space_limit": space.limit,
        }
    )


@call("/qiniuQvs/recordRuleUpdate", needs=LIVE, changes=CHANGES, audit="video.rule")
async def update_record_rule(ctx: Ctx, payload: NewRecordRule) -> Nothing:
    """Set when cameras of a robot are recorded by themselves: by a plan, from alarms on, or never."""
    rule = rules.Rule(
        list(dict.fromkeys(payload.cameras)),
        sorted(set(payload.days)),
        payload.start_time,
        payload.end_time,
        payload.alarm_level,
        payload.alarm_sec,
    )
    await rules.set_rule(ctx, payload.device_serial_number, rule)
    return Nothing()
