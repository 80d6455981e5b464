"""What wears and is due on the demo's robots, two repairs and a lease. Once: where there are such rows, none comes."""

from collections.abc import Iterator
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.app.demo.assets import START
from lustra.core.db import now
from lustra.domains.device.tables import Device
from lustra.domains.lease.tables import Lease
from lustra.domains.repair.service import HANDLED, PENDING
from lustra.domains.repair.tables import Repair
from lustra.domains.upkeep import rules
from lustra.domains.upkeep.tables import Upkeep

LIVES_H = {  # the two weeks of history are about 60 hours of work
    "dust bag": 90,
    "edge brush": 150,
    "filter": 64,
    "roller brush": 200,
    "thin edge brush": 150,
    "thin roller brush": 200,
    "wheel rubber": 1000,
}
SERVICE = "Service: lidar, pump, wheels"
SERVICE_H = 250
BROKEN = "SC0008"
MENDED = "SC0003"
LEASED = "SC0011"


async def upkeep(db: AsyncSession) -> None:
    if await db.scalar(START.select(Upkeep.id).limit(1)):
        return
    robots = {robot.serial_number: robot for robot in await db.scalars(START.select(Device))}
    for robot in robots.values():
        db.add_all(_wear(robot))
    if robot := robots.get(BROKEN):
        db.add(_repair(robot, 1, "Battery", "Switches off in the middle of the ward."))
    if robot := robots.get(MENDED):
        db.add(_repair(robot, 9, "Brush", "The side brush squeaks.", mended=True))
    if robot := robots.get(LEASED):
        db.add(
            Lease(
                device_id=robot.id,
                owner_id=robot.owner_id,
                owner_path=robot.owner_path,
                lessee_id=None,
                lessee_path=None,
                customer_name="Lantern Food Court",
                start_date=now().date() - timedelta(days=20),
                end_date=now().date() + timedelta(days=70),
            )
        )


def _wear(robot: Device) -> Iterator[Upkeep]:
    for item in rules.items(robot.abilities):
        yield Upkeep(device_id=robot.id, kind="consumable", name=item, hours=LIVES_H[item])
    yield Upkeep(device_id=robot.id, kind="maintenance", name=SERVICE, hours=SERVICE_H)


def _repair(robot: Device, days_ago: int, part: str, detail: str, *, mended: bool = False) -> Repair:
    at = now() - timedelta(days=days_ago)
    repair = Repair(
        device_id=robot.id,
        owner_id=robot.owner_id,
        owner_path=robot.owner_path,
        type=part,
        detail=detail,
        date=at.date(),
        operator="Front desk",
        state=PENDING,
    )
    if mended:
        repair.state, repair.processor, repair.process_plan = HANDLED, "After-sales", "Bearing greased, brush changed."
        repair.process_time = at + timedelta(days=1)
    return repair
