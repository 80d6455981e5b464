"""All robots of a building are sent home at once, over the bus.

Rules: each robot in scope is asked; what it was doing ends, and it drives to its charger, over elevators too. One that
another person steers is left to that person. The answer tells of each robot what came of it.
"""

import asyncio
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import func

from lustra.core.bus import Silent
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of
from lustra.domains.control import queries
from lustra.domains.control.lock import read_lock
from lustra.domains.control.tables import ControlLock
from lustra.domains.device.api import Device
from lustra.protocol import bus

AT_ONCE = 50
MOST_DEVICES = 1000
WAIT_S = 8.0
Outcome = Literal["obeys", "refuses", "offline", "silent"]


@dataclass(frozen=True, slots=True)
class SendResult:
    """`reason`: why it refuses, a key of the robots' catalogue."""

    robot: Device
    outcome: Outcome
    reason: str = ""


async def send_building_home(ctx: Ctx, building: str) -> list[SendResult]:
    rows = ctx.scope.select(Device).where(func.lower(Device.address) == building.lower())
    robots = list(await ctx.db.scalars(rows.order_by(Device.name, Device.id).limit(MOST_DEVICES + 1)))
    if not robots:
        raise Refusal(Code.NOT_FOUND, "building")
    if len(robots) > MOST_DEVICES:
        raise Refusal(Code.TOO_MANY_ROWS, "building", count=len(robots), limit=MOST_DEVICES)
    ids = [robot.id for robot in robots]
    online = set(await ctx.db.scalars(rows_of(*robots).text(queries.ONLINE), {"ids": ids}))
    locks = await ctx.db.scalars(rows_of(*robots).select(ControlLock))
    locked_ids = {lock.device_id for lock in locks if (state := read_lock(lock, ctx.actor)).owner and not state.own}
    slots = asyncio.Semaphore(AT_ONCE)

    async def send_unless_held(robot: Device) -> SendResult:
        if robot.id not in online:
            return SendResult(robot, "offline")
        if robot.id in locked_ids:
            return SendResult(robot, "refuses", "control_lost")
        async with slots:
            return await _send_home(ctx, robot)

    return list(await asyncio.gather(*map(send_unless_held, robots)))


async def _send_home(ctx: Ctx, robot: Device) -> SendResult:
    try:
        answer = await ctx.app.bus.ask(robot.serial_number, "home", bus.Home(), WAIT_S)
    except Silent:
        return SendResult(robot, "silent")
    if answer.get("code"):
        return SendResult(robot, "refuses", str(answer.get("reason", "robot_failed")))
    return SendResult(robot, "obeys")
