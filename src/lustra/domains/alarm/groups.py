"""Alarms of one cause, so that a network that is gone is one notification and not forty.

Rules: a group is of one code and owner. It is there as soon as MEMBERS robots of a building raised the code within
WINDOW; of robots that are offline, MEMBERS of a transfer node of which NODE_SHARE went at once, or more than SITE_SHARE
of the owner's robots at a site, which is its network; of robots that wait for an elevator, two of the same within
ELEVATOR_WINDOW. Its first alarm notifies for all of them; what is raised in time of another joins without a word.
"""

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm.attributes import set_committed_value

from lustra.domains.alarm import queries
from lustra.domains.alarm.service import RESOLVED, every
from lustra.domains.alarm.tables import Alarm, AlarmGroup
from lustra.domains.device.api import Device
from lustra.domains.elevator.api import Elevator, load_last_elevators
from lustra.domains.node.api import find_node_at

MEMBERS = 3
WINDOW = timedelta(minutes=5)
PAIR = 2
NODE_SHARE = 0.2
SITE_SHARE = 0.5
ELEVATOR_WINDOW = timedelta(hours=1)  # as long as robots may wait before one that is stuck
OFFLINE = "offline"
OF_ELEVATORS = ("elevator_wait", "elevator_task")

Row = tuple[Alarm, Device]


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


async def join(
    db: AsyncSession, alarms: Sequence[Alarm], devices: Mapping[int, Device]
) -> dict[int, AlarmGroup | None]:
    """Of alarms of one owner and code the group of each, by alarm; None: it stands alone. Under `lock_code`."""
    near = await Near.load(db, [alarm for alarm in alarms if alarm.group_id is None])
    for alarm in alarms:
        if alarm.group_id is None:
            await _group(db, alarm, await _find_cause(db, near, alarm, devices[alarm.device_id]))
    numbers = {alarm.group_id for alarm in alarms if alarm.group_id}
    groups = {group.id: group for group in await db.scalars(every.select(AlarmGroup).where(AlarmGroup.id.in_(numbers)))}
    return {alarm.id: groups.get(alarm.group_id or 0) for alarm in alarms}


async def _group(db: AsyncSession, alarm: Alarm, cause: Cause) -> None:
    """It joins the group of its cause, which may begin with it."""
    group_id = max((member.group_id for member in cause.members if member.group_id), default=None)
    if group_id is None and len(cause.members) < cause.least:
        return
    if group_id is None:
        values = {"lead_id": alarm.id, "cause": cause.kind, "name": cause.name}
        group_id = (await db.scalars(every.insert(AlarmGroup).values(values).returning(AlarmGroup.id))).one()
    joining = [member for member in cause.members if member.group_id is None]
    rows = every.update(Alarm).where(Alarm.id.in_([member.id for member in joining])).values(group_id=group_id)
    await db.execute(rows.execution_options(synchronize_session=False))
    for member in joining:
        set_committed_value(member, "group_id", group_id)


@dataclass(slots=True)
class Near:
    """What may have a cause in common with alarms of one owner and code: what is open of that code, by building and by
    transfer node. `shares`: of each node and each site that was looked at, how many of its robots are gone."""

    by_place: dict[str, list[Row]]
    by_node: dict[str, list[Row]]
    nodes: dict[tuple[str, datetime], bool] = field(default_factory=dict[tuple[str, datetime], bool])
    sites: dict[str, int] = field(default_factory=dict[str, int])
    rides: dict[datetime, Mapping[int, Elevator]] = field(default_factory=dict[datetime, Mapping[int, Elevator]])

    @classmethod
    async def load(cls, db: AsyncSession, alarms: Sequence[Alarm]) -> "Near":
        by_place: defaultdict[str, list[Row]] = defaultdict(list)
        by_node: defaultdict[str, list[Row]] = defaultdict(list)
        if alarms:
            window = _window(alarms[0].code)
            first, last = min(alarm.raised_at for alarm in alarms), max(alarm.raised_at for alarm in alarms)
            rows = every.select(Alarm, Device).join(Device, Device.id == Alarm.device_id)
            rows = rows.where(Alarm.owner_id == alarms[0].owner_id, Alarm.code == alarms[0].code)
            rows = rows.where(Alarm.state < RESOLVED, Alarm.raised_at.between(first - window, last + window))
            for alarm, device in await db.execute(rows.order_by(Alarm.id).with_for_update(of=Alarm)):
                by_place[device.address].append((alarm, device))
                by_node[device.frp_host].append((alarm, device))
        return cls(by_place, by_node)

    def at(self, device: Device, alarm: Alarm, window: timedelta) -> list[Row]:
        return [
            row for row in self.by_place.get(device.address, ()) if abs(row[0].raised_at - alarm.raised_at) <= window
        ]

    def behind(self, device: Device, alarm: Alarm) -> list[Row]:
        rows = self.by_node.get(device.frp_host, ()) if device.frp_host else ()
        return [row for row in rows if abs(row[0].raised_at - alarm.raised_at) <= WINDOW]

    def everywhere(self, alarm: Alarm) -> list[Row]:
        rows = itertools.chain.from_iterable(self.by_place.values())
        return [row for row in rows if abs(row[0].raised_at - alarm.raised_at) <= ELEVATOR_WINDOW]


def _window(code: str) -> timedelta:
    return ELEVATOR_WINDOW if code in OF_ELEVATORS else WINDOW


async def _find_cause(db: AsyncSession, near: Near, alarm: Alarm, device: Device) -> Cause:
    """What the alarm has in common with most others; it is a member itself."""
    if alarm.code in OF_ELEVATORS:
        return await _find_elevator(db, near, alarm, device)
    cause = None
    if alarm.code == OFFLINE:
        cause = await _find_node(db, near, alarm, device) or await _find_network(db, near, alarm, device)
    return cause or _find_building(device, near.at(device, alarm, WINDOW))


def _find_building(device: Device, rows: Sequence[Row]) -> Cause:
    return Cause("building", device.address, [member for member, _ in rows])


async def _find_node(db: AsyncSession, near: Near, alarm: Alarm, device: Device) -> Cause | None:
    members = [member for member, _ in near.behind(device, alarm)]
    if len(members) < MEMBERS or not await _is_node_gone(db, near, alarm, device):
        return None
    node = await find_node_at(db, device.frp_host)
    return Cause("node", node.name if node else device.frp_host, members)


async def _find_network(db: AsyncSession, near: Near, alarm: Alarm, device: Device) -> Cause | None:
    members = [member for member, _ in near.at(device, alarm, WINDOW)] if device.address else []
    if len(members) < PAIR:
        return None
    if device.address not in near.sites:
        of_site = (Device.owner_id == alarm.owner_id, Device.address == device.address, Device.deleted_at.is_(None))
        near.sites[device.address] = await db.scalar(every.select(func.count(Device.id)).where(*of_site)) or 0
    lost = len(members) > SITE_SHARE * near.sites[device.address]
    return Cause("network", device.address, members, PAIR) if lost else None


async def _find_elevator(db: AsyncSession, near: Near, alarm: Alarm, device: Device) -> Cause:
    """By the ride that each robot asked for last; of an elevator that the server does not know, by the building."""
    rows, since = near.everywhere(alarm), alarm.raised_at - ELEVATOR_WINDOW
    if since not in near.rides:
        near.rides[since] = await load_last_elevators(db, every, [robot.id for _, robot in rows], since)
    elevators = near.rides[since]
    own = elevators.get(device.id)
    if own is None:
        strangers = [row for row in near.at(device, alarm, WINDOW) if row[1].id not in elevators]
        return _find_building(device, strangers)
    members = [member for member, robot in rows if (other := elevators.get(robot.id)) and other.id == own.id]
    return Cause("elevator", own.elevator_name, members, PAIR)


async def _is_node_gone(db: AsyncSession, near: Near, alarm: Alarm, device: Device) -> bool:
    """By the robots of all owners behind it."""
    place = (device.frp_host, alarm.raised_at)
    if place not in near.nodes:
        values = {"host": device.frp_host, "since": alarm.raised_at - WINDOW, "until": alarm.raised_at + WINDOW}
        robots, offline = (await db.execute(every.text(queries.NODE_SHARE), values)).one()
        near.nodes[place] = offline > NODE_SHARE * robots
    return near.nodes[place]


async def find_led(db: AsyncSession, alarm: Alarm) -> tuple[AlarmGroup, Sequence[Device]] | None:
    """The group that the alarm speaks for, and its robots by name; None: it speaks for itself."""
    group = await db.scalar(every.select(AlarmGroup).where(AlarmGroup.lead_id == alarm.id))
    if group is None:
        return None
    robots = every.select(Device).join(Alarm, Alarm.device_id == Device.id).where(Alarm.group_id == group.id)
    return group, (await db.scalars(robots.order_by(Device.name, Device.id))).all()
