"""Alarms of one cause, so that a network that is gone is one notification and not forty.

Rules: a group is of one code and owner. It is there as soon as MEMBERS robots of a building raised the code within
WINDOW, or, of robots that are offline, MEMBERS of a transfer node of which NODE_SHARE went at once. Its first alarm
notifies for all of them; what is raised within WINDOW of another member joins without a word.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.alarm import queries
from lustra.domains.alarm.service import RESOLVED, every
from lustra.domains.alarm.tables import Alarm, AlarmGroup
from lustra.domains.device.api import Device
from lustra.domains.node.api import find_node_at

MEMBERS = 3
WINDOW = timedelta(minutes=5)
NODE_SHARE = 0.2
OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class Cause:
    """`kind`: node, building. `name`: the node's, or the building's."""

    kind: str
    name: str
    members: Sequence[Alarm]


async def lock_code(db: AsyncSession, alarm_id: int) -> None:
    """Until the end of the transaction no other job groups alarms of its owner and code."""
    await db.execute(every.text(queries.LOCK_CODE), {"id": alarm_id})


async def join(db: AsyncSession, alarm: Alarm, device: Device) -> AlarmGroup | None:
    """The group it belongs to, which may begin with it; None: it stands alone. Under `lock_code`."""
    if alarm.group_id is not None:
        return await _load(db, alarm.group_id)
    cause = await _find_cause(db, alarm, device)
    group_id = max((member.group_id for member in cause.members if member.group_id), default=None)
    if group_id is None and len(cause.members) < MEMBERS:
        return None
    if group_id is None:
        values = {"lead_id": alarm.id, "cause": cause.kind, "name": cause.name}
        group_id = (await db.scalars(every.insert(AlarmGroup).values(values).returning(AlarmGroup.id))).one()
    for member in cause.members:
        member.group_id = member.group_id or group_id
    return await _load(db, group_id)


async def _load(db: AsyncSession, group_id: int) -> AlarmGroup:
    return (await db.scalars(every.select(AlarmGroup).where(AlarmGroup.id == group_id))).one()


async def _find_cause(db: AsyncSession, alarm: Alarm, device: Device) -> Cause:
    """What the alarm has in common with most others; it is a member itself."""
    near = every.select(Alarm, Device).join(Device, Device.id == Alarm.device_id)
    near = near.where(Alarm.owner_id == alarm.owner_id, Alarm.code == alarm.code, Alarm.state < RESOLVED)
    near = near.where(Alarm.raised_at.between(alarm.raised_at - WINDOW, alarm.raised_at + WINDOW))
    rows = (await db.execute(near.order_by(Alarm.id).with_for_update(of=Alarm))).all()
    if alarm.code == OFFLINE and device.frp_host:
        members = [member for member, robot in rows if robot.frp_host == device.frp_host]
        if len(members) >= MEMBERS and await _is_node_gone(db, alarm, device):
            node = await find_node_at(db, device.frp_host)
            return Cause("node", node.name if node else device.frp_host, members)
    members = [member for member, robot in rows if robot.address == device.address]
    return Cause("building", device.address, members)


async def _is_node_gone(db: AsyncSession, alarm: Alarm, device: Device) -> bool:
    """By the robots of all owners behind it."""
    values = {"host": device.frp_host, "since": alarm.raised_at - WINDOW, "until": alarm.raised_at + WINDOW}
    robots, offline = (await db.execute(every.text(queries.NODE_SHARE), values)).one()
    return offline > NODE_SHARE * robots


async def find_led(db: AsyncSession, alarm: Alarm) -> tuple[AlarmGroup, Sequence[Device]] | None:
    """The group that the alarm speaks for, and its robots by name; None: it speaks for itself."""
    group = await db.scalar(every.select(AlarmGroup).where(AlarmGroup.lead_id == alarm.id))
    if group is None:
        return None
    robots = every.select(Device).join(Alarm, Alarm.device_id == Device.id).where(Alarm.group_id == group.id)
    return group, (await db.scalars(robots.order_by(Device.name, Device.id))).all()
