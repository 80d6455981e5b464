"""Codes for many robots at once: one for each serial number, good until a day that its maker chooses.

Rules: a code is for the robot of its number alone, and for once; all are made or none; each number is judged by the
rules of a single code. Whoever makes codes for the same robots of the same owner again ends the former ones: a
list that was lost lets nobody in.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any

from lustra.core import texts
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of
from lustra.core.security import one_time
from lustra.core.security.random_code import random_code
from lustra.core.sheet import Column
from lustra.domains.account.api import Account
from lustra.domains.device.api import Device, DeviceType, load_owner
from lustra.domains.enrolment.enrol import KIND, ONCE, CodeContent

REASON = "serial_taken"


@dataclass(frozen=True, slots=True)
class SerialCode:
    """A code and the number of the robot that it is for."""

    device_serial_number: str
    code: str


async def find_taken(ctx: Ctx, serials: Sequence[str]) -> tuple[dict[str, Device], list[str]]:
    """The robots that are here already, by number, and the numbers of those that the account may not change."""
    same_serials = ONCE.select(Device).where(Device.serial_number.in_(serials), Device.deleted_at.is_(None))
    robots = {robot.serial_number: robot for robot in await ctx.db.scalars(same_serials)}
    own = ctx.scope.changeable.select(Device.id).where(Device.id.in_([robot.id for robot in robots.values()]))
    changeable = set(await ctx.db.scalars(own))
    return robots, [serial for serial in serials if serial in robots and robots[serial].id not in changeable]


async def create_codes(
    ctx: Ctx, owner_id: int | None, serials: Sequence[str], type_id: int | None, days: int
) -> tuple[list[SerialCode], datetime]:
    """The codes in the order of the numbers, and when they end."""
    owner = await load_owner(ctx, owner_id, "userId")
    robots, taken = await find_taken(ctx, serials)
    if taken:
        raise Refusal(Code.EXISTS, f"deviceSerialNumbers.{serials.index(taken[0])}", reason=REASON)
    if type_id is not None and await ctx.db.get(DeviceType, type_id) is None:
        raise Refusal(Code.BAD_INPUT, "deviceType", reason="type_unknown")
    life, codes = timedelta(days=days), list[SerialCode]()
    for serial in serials:
        own = await ctx.db.scalar(rows_of(robots[serial]).select(Account)) if serial in robots else None
        content = CodeContent(ctx.actor.real_id, (own or owner).id, serial, type_id)
        await one_time.forget(ctx.db, KIND, {"owner_id": content.owner_id, "serial_number": serial})
        codes.append(SerialCode(serial, random_code()))
        one_time.keep(ctx.db, KIND, codes[-1].code, asdict(content), life)
    ctx.note(ownerUserId=owner.id, rows=len(codes), days=days)
    return codes, now() + life


def list_columns(language: str) -> list[Column]:
    titles = (("serial", "text", 24), ("auth_code", "text", 16), ("code_ends", "time", 18))
    return [(texts.say(language, f"export.{title}"), kind, width) for title, kind, width in titles]


async def list_rows(codes: Sequence[SerialCode], ends: datetime) -> AsyncIterator[Sequence[Sequence[Any]]]:
    yield [(code.device_serial_number, code.code, ends) for code in codes]
