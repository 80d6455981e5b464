"""The same order to several robots at once, over the bus: to drive home, or to pause.

Rules: each robot in scope is asked; one that is sent home ends what it was doing and drives to its charger, over
elevators too. One that another person steers is not sent home; it pauses, as pausing never asks for control. The answer
tells of each robot what came of it.
"""

import asyncio
from collections.abc import Sequence
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
Order = bus.Home | bus.Pause
NAMES = {bus.Home: "home", bus.Pause: "pause"}


@dataclass(frozen=True, slots=True)
class OrderResult:
    """`reason`: why it refuses, a key of the robots' catalogue."""

    robot: Device
    outcome: Outcome
    reason: str = ""


async def load_robots_of_building(ctx: Ctx, building: str) -> list[Device]:
    if not building:
        raise Refusal(Code.BAD_INPUT, "building", reason="required")
    rows = ctx.scope.select(Device).where(func.lower(Device.address) == building.lower())
    robots = list(await ctx.db.scalars(rows.order_by(Device.name, Device.id).limit(MOST_DEVICES + 1)))
    if not robots:
        raise Refusal(Code.NOT_FOUND, "building")
    if len(robots) > MOST_DEVICES:
        raise Refusal(Code.TOO_MANY_ROWS, "building", count=len(robots), limit=MOST_DEVICES)
    return robots


async def load_chosen_robots(ctx: Ctx, ids: Sequence[int]) -> list[Device]:
    """The robots of these ids by name. Refused where one is not in scope."""
    rows = ctx.scope.select(Device).where(Device.id.in_(ids))
    robots = list(await ctx.db.scalars(rows.order_by(Device.name, Device.id)))
    if len(robots) != len(set(ids)):
        raise Refusal(Code.NOT_FOUND, "deviceIds")
    return robots


async def order_robots(ctx: Ctx, robots: Sequence[Device], order: Order) -> list[OrderResult]:
    ids = [robot.id for robot in robots]
    online = set(await ctx.db.scalars(rows_of(*robots).text(queries.ONLINE), {"ids": ids}))
    locks = await ctx.db.scalars(rows_of(*robots).select(ControlLock)) if isinstance(order, bus.Home) else ()
    locked_ids = {lock.device_id for lock in locks if (state := read_lock(lock, ctx.actor)).owner and not state.own}
    slots = asyncio.Semaphore(AT_ONCE)

    async def order_one(robot: Device) -> OrderResult:
        if robot.id not in online:
            return OrderResult(robot, "offline")
        if robot.id in locked_ids:
            return OrderResult(robot, "refuses", "control_lost")
        async with slots:
            return await _ask(ctx, robot, order)

    return list(await asyncio.gather(*map(order_one, robots)))


async def _ask(ctx: Ctx, robot: Device, order: Order) -> OrderResult:
    try:
        answer = await ctx.app.bus.ask(robot.serial_number, NAMES[type(order)], order, WAIT_S)
    except Silent:
        return OrderResult(robot, "silent")
    if answer.get("code"):
        return OrderResult(robot, "refuses", str(answer.get("reason", "robot_failed")))
    return OrderResult(robot, "obeys")
