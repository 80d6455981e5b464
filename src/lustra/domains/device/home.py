"""All robots of a building are sent home at once, over the bus.

Rules: each robot in scope is asked; what it was doing ends, and it drives to its charger, over lifts too. One that
another person steers is left to that person. The answer tells of each robot what came of it.
"""

import asyncio
from dataclasses import dataclass
from typing import Literal

from sqlalchemy import func, select, text

from lustra.core.bus import Silent
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.domains.device import control
from lustra.domains.device.scope import visible
from lustra.domains.device.tables import ControlLock, Device
from lustra.protocol import bus

AT_ONCE = 50
MOST = 1000
WAIT_S = 8.0
ONLINE = text("select robot from presence where robot = any(:ids) and online")
Outcome = Literal["obeys", "refuses", "offline", "silent"]


@dataclass(frozen=True, slots=True)
class Sent:
    """`reason`: why it refuses, a key of the robots' catalogue."""

    robot: Device
    outcome: Outcome
    reason: str = ""


async def send(ctx: Ctx, building: str) -> list[Sent]:
    mine = select(Device).where(Device.id.in_(visible(ctx.actor)), func.lower(Device.address) == building.lower())
    robots = list(await ctx.db.scalars(mine.order_by(Device.name, Device.id).limit(MOST + 1)))
    if not robots:
        raise Refusal(Code.NOT_FOUND, "building")
    if len(robots) > MOST:
        raise Refusal(Code.TOO_MANY_ROWS, "building", count=len(robots), limit=MOST)
    ids = [robot.id for robot in robots]
    online = set(await ctx.db.scalars(ONLINE, {"ids": ids}))
    locks = await ctx.db.scalars(select(ControlLock).where(ControlLock.device_id.in_(ids)))
    held = {lock.device_id for lock in locks if (now := control.holding(lock, ctx.actor)).owner and not now.mine}
    seats = asyncio.Semaphore(AT_ONCE)

    async def sent(robot: Device) -> Sent:
        if robot.id not in online:
            return Sent(robot, "offline")
        if robot.id in held:
            return Sent(robot, "refuses", "control_lost")
        async with seats:
            return await asked(ctx, robot)

    return list(await asyncio.gather(*map(sent, robots)))


async def asked(ctx: Ctx, robot: Device) -> Sent:
    try:
        answer = await ctx.app.bus.ask(robot.serial_number, "home", bus.Home(), WAIT_S)
    except Silent:
        return Sent(robot, "silent")
    if answer.get("code"):
        return Sent(robot, "refuses", str(answer.get("reason", "robot_failed")))
    return Sent(robot, "obeys")
