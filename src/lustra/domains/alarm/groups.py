"""Alarms of one cause, so that a network that is gone is one notification and not forty.

Rules: a group is of one code and owner. It is there as soon as MEMBERS robots of a building raised the code within
WINDOW; of robots that are offline, MEMBERS of a transfer node of which NODE_SHARE went at once, or more than SITE_SHARE
of the owner's robots at a site, which is its network; of robots that wait for an elevator, two of the same within
ELEVATOR_WINDOW. Its first alarm notifies for all of them; what is raised in time of another joins without a word.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.domains.alarm import queries
from lustra.domains.alarm.service import RESOLVED, every
from lustra.domains.alarm.tables import Alarm, AlarmGroup
from lustra.domains.device.api import Device
from lustra.domains.elevator.api import load_last_elevators
from lustra.domains.node.api import find_node_at

MEMBERS = 3
WINDOW = timedelta(minutes=5)
PAIR = 2
NODE_SHARE = 0.2
SITE_SHARE = 0.5
ELEVATOR_WINDOW = timedelta(hours=1)  # as long as robots may wait before one that is stuck
OFFLINE = "offline"
OF_ELEVATORS = ("elevator_wait", "elevator_task")

Rows = Sequence[tuple[Alarm, Device]]


@dataclass(frozen=True, slots=True)
class Cause:
    """`kind`: node, network, elevator, building. `name`: the node's, the elevator's, or the building's. `least`: that
    make a group."""

    kind: str
    name: str
    members: Sequence[Alarm]
    least: int = MEMBERS


async def lock_code(db: AsyncSession, alarm_id: int) -> None:
    """Until the end of the transaction no other job groups alarms of its owner and code."""
    await db.execute(every.text(queries.LOCK_CODE), {"id": alarm_id})


async def join(db: AsyncSession, alarm: Alarm, device: Device) -> AlarmGroup | None:
    """The group it belongs to, which may begin with it; None: it stands alone. Under `lock_code`."""
    if alarm.group_id is not None:
        return await _load(db, alarm.group_id)
    cause = await _find_cause(db, alarm, device)
    group_id = max((member.group_id for member in cause.members if member.group_id), default=None)
    if group_id is None and len(cause.members) < cause.least:
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
    window = ELEVATOR_WINDOW if alarm.code in OF_ELEVATORS else WINDOW
    near = every.select(Alarm, Device).join(Device, Device.id == Alarm.device_id)
    near = near.where(Alarm.owner_id == alarm.owner_id, Alarm.code == alarm.code, Alarm.state < RESOLVED)
    near = near.where(Alarm.raised_at.between(alarm.raised_at - window, alarm.raised_at + window))
    rows = [(row[0], row[1]) for row in await db.execute(near.order_by(Alarm.id).with_for_update(of=Alarm))]
    if alarm.code in OF_ELEVATORS:
        return await _find_elevator(db, alarm, device, rows)
    cause = None
    if alarm.code == OFFLINE:
        cause = await _find_node(db, alarm, device, rows) or await _find_network(db, alarm, device, rows)
    return cause or _find_building(alarm, device, rows)


def _find_building(alarm: Alarm, device: Device, rows: Rows) -> Cause:
    near = [(member, robot) for member, robot in rows if abs(member.raised_at - alarm.raised_at) <= WINDOW]
    return Cause("building", device.address, [member for member, robot in near if robot.address == device.address])


async def _find_node(db: AsyncSession, alarm: Alarm, device: Device, rows: Rows) -> Cause | None:
    members = [member for member, robot in rows if device.frp_host and robot.frp_host == device.frp_host]
    if len(members) < MEMBERS or not await _is_node_gone(db, alarm, device):
        return None
    node = await find_node_at(db, device.frp_host)
    return Cause("node", node.name if node else device.frp_host, members)


async def _find_network(db: AsyncSession, alarm: Alarm, device: Device, rows: Rows) -> Cause | None:
    members = [member for member, robot in rows if device.address and robot.address == device.address]
    of_site = (Device.owner_id == alarm.owner_id, Device.address == device.address, Device.deleted_at.is_(None))
    robots = await db.scalar(every.select(func.count(Device.id)).where(*of_site)) or 0
    lost = len(members) >= PAIR and len(members) > SITE_SHARE * robots
    return Cause("network", device.address, members, PAIR) if lost else None


async def _find_elevator(db: AsyncSession, alarm: Alarm, device: Device, rows: Rows) -> Cause:
    """By the ride that each robot asked for last; of an elevator that the server does not know, by the building."""
    since = alarm.raised_at - ELEVATOR_WINDOW
    elevators = await load_last_elevators(db, every, [robot.id for _, robot in rows], since)
    own = elevators.get(device.id)
    if own is None:
        return _find_building(alarm, device, [row for row in rows if row[1].id not in elevators])
    members = [member for member, robot in rows if (other := elevators.get(robot.id)) and other.id == own.id]
    return Cause("elevator", own.elevator_name, members, PAIR)


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
