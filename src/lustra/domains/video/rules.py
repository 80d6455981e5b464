"""When cameras of a robot are recorded by themselves: by a plan of its week, or from an alarm on.

Rules: days and hours are those of the robot's site; the rule is its owner's, and goes with a change of owner; what a
person records goes on by itself.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of
from lustra.domains.video import service, space
from lustra.domains.video.tables import RecordReason, VideoRule
from lustra.protocol.hours import Hours, meets, minute

ALARM_S = range(30, 601)  # that an alarm records


@dataclass(frozen=True, slots=True)
class Rule:
    """As the table has it."""

    cameras: list[str]
    days: list[int]
    starts: str
    ends: str
    alarm_level: int
    alarm_s: int

    def find_reason(self, local: datetime, alarms: Mapping[int, datetime]) -> RecordReason | None:
        """Why it records at that time of the robot's site; None: it does not. `alarms`: the newest of each level."""
        grave = [at for level, at in alarms.items() if self.alarm_level and level >= self.alarm_level]
        if any(timedelta(0) <= local - at < timedelta(seconds=self.alarm_s) for at in grave):
            return "alarm"
        return "plan" if self.is_planned(local) else None

    def is_planned(self, local: datetime) -> bool:
        """Hours over midnight are those of the day on which they began."""
        if not self.starts:
            return local.isoweekday() in self.days
        at = local.hour * 60 + local.minute
        began = local if at >= minute(self.starts) else local - timedelta(days=1)
        return began.isoweekday() in self.days and meets(Hours(start=self.starts, end=self.ends), [at])


def localize(at: datetime, zone: str) -> datetime:
    return at.astimezone(ZoneInfo(zone))


async def load_rule(ctx: Ctx, serial_number: str) -> tuple[Rule | None, space.Space]:
    """Of a robot, and the space that its owner's recordings take."""
    robot = await service.load_robot(ctx, serial_number)
    row = await ctx.db.scalar(ctx.scope.select(VideoRule).where(VideoRule.device_id == robot.id))
    rule = Rule(row.cameras, row.days, row.starts, row.ends, row.alarm_level, row.alarm_s) if row else None
    return rule, (await space.load_space(ctx.app, {robot.owner_id: 0}))[robot.owner_id]


async def set_rule(ctx: Ctx, serial_number: str, rule: Rule) -> None:
    """Without a camera, or without days and alarms, it records nothing and stays as it was entered."""
    if bool(rule.starts) != bool(rule.ends):
        raise Refusal(Code.BAD_INPUT, "endTime" if rule.starts else "startTime", reason="required")
    robot = await service.load_robot(ctx, serial_number)
    ctx.note(deviceId=robot.id)
    values: dict[str, Any] = asdict(rule)
    owner = {"owner_id": robot.owner_id, "owner_path": robot.owner_path}
    row = rows_of(robot).insert(VideoRule).values(device_id=robot.id, **owner, **values)
    await ctx.db.execute(row.on_conflict_do_update(index_elements=["device_id"], set_=owner | values))
