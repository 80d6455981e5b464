"""Where robots are: countries by name, how many robots each has, and finding out where one is.

Rules: a country is counted by its code and told in the session's language; where one is, its own coordinates say, else
those of a robot of the same owner in the same building; what nobody knows is refused, and what people wrote stays.
The lists are files beside this module, which an operator may replace.
"""

from functools import cache
from math import asin, cos, radians, sin, sqrt
from pathlib import Path
from typing import Any, Literal

import msgspec

from lustra.core import edits, query
from lustra.core.context import Ctx
from lustra.core.db import Connection
from lustra.core.errors import Code, Refusal
from lustra.domains.device import edit
from lustra.domains.device.scope import Where
from lustra.domains.device.tables import Device

FOLDER = Path(__file__).parent / "data"
EARTH_KM, FARTHEST_KM = 6371.0, 150.0  # a robot in the country is still told the next city


class Named(msgspec.Struct):
    code: str
    names: dict[str, str]


class City(msgspec.Struct):
    name: str
    country: str
    province: str
    latitude: float
    longitude: float


@cache
def countries() -> tuple[Named, ...]:
    return tuple(msgspec.json.decode((FOLDER / "countries.json").read_bytes(), type=list[Named]))


@cache
def cities() -> tuple[City, ...]:
    return tuple(msgspec.json.decode((FOLDER / "cities.json").read_bytes(), type=list[City]))


def country(code: str, language: str) -> str:
    """A country that is not in the list is told by its code."""
    return next((one.names.get(language, code) for one in countries() if one.code == code), code)


async def counts(db: Connection, where: Where, column: Literal["area", "province"]) -> list[tuple[str, int]]:
    """The most first. Robots whose place is not told are not counted."""
    found = await db.fetch(
        f"select d.{column} as name, count(*) as n from device d where {where} and d.{column} <> ''"
        " group by 1 order by 2 desc, 1",
        *where.values,
    )
    return [(row["name"], row["n"]) for row in found]


def distance_km(one: tuple[float, float], other: City) -> float:
    """On the sphere."""
    up, along = radians(other.latitude - one[0]), radians(other.longitude - one[1])
    part = sin(up / 2) ** 2 + cos(radians(one[0])) * cos(radians(other.latitude)) * sin(along / 2) ** 2
    return 2 * EARTH_KM * asin(sqrt(part))


async def locate(ctx: Ctx, serial: str) -> dict[str, Any]:
    mine = edit.readable_robots(ctx.actor).where(Device.serial_number == serial).with_for_update()
    robot = await query.fetch_one(ctx.db, mine)
    here = await _coordinates(ctx, robot)
    if here is None:
        raise Refusal(Code.PLACE_UNKNOWN, "deviceSerialNumber")
    told: dict[str, Any] = {"latitude": here[0], "longitude": here[1]}
    near = min(cities(), key=lambda city: distance_km(here, city))
    if distance_km(here, near) <= FARTHEST_KM:
        told |= {"area": near.country, "province": near.province}
        told |= {} if robot.address else {"address": near.name}
    ctx.note(deviceId=robot.id, before=edits.apply(robot, told, None))
    return {"address": robot.address, "latitude": robot.latitude, "longitude": robot.longitude}


async def _coordinates(ctx: Ctx, robot: Device) -> tuple[float, float] | None:
    if robot.latitude is not None and robot.longitude is not None:
        return robot.latitude, robot.longitude
    if not robot.address:
        return None
    beside = edit.readable_robots(ctx.actor).where(
        Device.owner_id == robot.owner_id, Device.address == robot.address, Device.latitude.is_not(None),
        Device.longitude.is_not(None),
    )  # fmt: skip
    other = await ctx.db.scalar(beside.order_by(Device.id).limit(1))
    return None if other is None else (other.latitude or 0.0, other.longitude or 0.0)
