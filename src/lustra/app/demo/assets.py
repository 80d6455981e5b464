"""What the demo's robots are made of, and a group of them. Once: where there are parts, nothing is added."""

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.app.demo.fleet import HOTEL, SCRUB
from lustra.core.scope import shared, system
from lustra.domains.device.tables import Device, DeviceType
from lustra.domains.group.membership import Kind
from lustra.domains.group.tables import DeviceGroup, GroupMember
from lustra.domains.hardware.tables import DeviceBatch, DeviceHard, HardCategory, HardPart

PARTS = (("Lidar", "L-16", "3.1"), ("Pump", "P-40", "1.4"), ("Pump", "P-50", "2.0"), ("Battery", "LFP 40", "2"))
STANDARD = ("L-16", "P-40", "LFP 40")
RANGE = ("SC0001", "SC0030")
START = system("at start-up, of the demo")


async def assets(db: AsyncSession, accounts: dict[str, int]) -> None:
    if await db.scalar(shared.select(HardPart.id).limit(1)):
        return
    categories = {name: HardCategory(name=name) for name in sorted({kind for kind, _, _ in PARTS})}
    db.add_all(categories.values())
    await db.flush()
    parts = {n: HardPart(category_id=categories[kind].id, name=n, version=v) for kind, n, v in PARTS}
    db.add_all(parts.values())
    await db.flush()
    scrubbers = await db.scalar(shared.select(DeviceType.id).where(DeviceType.name == SCRUB.name)) or 0
    low, high = RANGE
    lot = DeviceBatch(
        name="Scrub 50, spring lot",
        low=low,
        high=high,
        type_ids=[scrubbers],
        part_ids=sorted(parts[name].id for name in STANDARD),
    )
    db.add(lot)
    await db.flush()
    for robot in await db.scalars(START.select(Device).where(Device.type_id == scrubbers, Device.rack_number <= high)):
        db.add_all(_fitted(robot, kind, parts[name], lot, accounts) for kind, name, _ in PARTS if name in STANDARD)
    group = DeviceGroup(account_id=accounts["user"], name=HOTEL.building, type=Kind.BUILDING)
    db.add(group)
    await db.flush()
    hotel = await db.scalars(
        START.select(Device).where(Device.address == HOTEL.building, Device.owner_id == accounts["user"])
    )
    db.add_all(GroupMember(group_id=group.id, device_id=robot.id) for robot in hotel)


def _fitted(robot: Device, kind: str, part: HardPart, lot: DeviceBatch, accounts: dict[str, int]) -> DeviceHard:
    return DeviceHard(
        device_id=robot.id,
        part_id=part.id,
        category=kind,
        name=part.name,
        version=part.version,
        batch_id=lot.id,
        batch_name=lot.name,
        owner_id=robot.owner_id,
        by_id=accounts["making"],
    )
