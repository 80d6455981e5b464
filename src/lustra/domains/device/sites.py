"""Where robots are: countries by name, how many robots each has, and finding out where one is.

Rules: a robot whose place nobody has entered stands where its own map says, from its first word of that on; what people
wrote stays. A country is counted by its code and named in the session's language; where one is, its own coordinates
say, else those of a robot of the same owner in the same building; what nobody knows is refused.
The lists are files beside this module, which an operator may replace.
"""

from functools import cache
from math import asin, cos, radians, sin, sqrt
from pathlib import Path
from typing import Any, Literal

import msgspec

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.db import Connection
from lustra.core.errors import Code, Refusal
from lustra.core.scope import robots_own
from lustra.domains.device import queries
from lustra.domains.device.scope import Where
from lustra.domains.device.tables import Device

FOLDER = Path(__file__).parent / "data"
EARTH_KM = 6371.0
LONGEST_PLACE = 200  # letters of a building or floor
FARTHEST_KM = 150.0  # a robot in the country still gets the next city


class Country(msgspec.Struct):
    code: str
    names: dict[str, str]


class City(msgspec.Struct):
    name: str
    country: str
    province: str
    latitude: float
    longitude: float


@cache
def load_countries() -> tuple[Country, ...]:
    return tuple(msgspec.json.decode((FOLDER / "countries.json").read_bytes(), type=list[Country]))


@cache
def load_cities() -> tuple[City, ...]:
    return tuple(msgspec.json.decode((FOLDER / "cities.json").read_bytes(), type=list[City]))


def country_name(code: str, language: str) -> str:
    """The country's name; the code itself where it is in no list."""
    return next((country.names.get(language, code) for country in load_countries() if country.code == code), code)


async def enter_place(db: Connection, sn: str, building: str, floor: str, at: int) -> None:
    """Where its map lies, by the robot's clock in ms: what it said under a former owner tells the new one nothing."""
    if building:
        statement = robots_own.sql(queries.ENTER_PLACE)
        await db.execute(statement, sn, building[:LONGEST_PLACE], floor[:LONGEST_PLACE], at)


async def count_by_place(db: Connection, where: Where, column: Literal["area", "province"]) -> list[tuple[str, int]]:
    """The most first. Robots whose place is unknown are not counted."""
    rows = await db.fetch(where.sql(queries.BY_PLACE, column=column), *where.values)
    return [(row["name"], row["n"]) for row in rows]


def distance_km(point: tuple[float, float], other: City) -> float:
    """Great-circle distance by the haversine formula; `point` is latitude and longitude in degrees."""
    latitude, longitude = radians(other.latitude - point[0]), radians(other.longitude - point[1])
    haversine = sin(latitude / 2) ** 2 + cos(radians(point[0])) * cos(radians(other.latitude)) * sin(longitude / 2) ** 2
    return 2 * EARTH_KM * asin(sqrt(haversine))


async def locate(ctx: Ctx, serial: str) -> dict[str, Any]:
    rows = ctx.scope.changeable.select(Device).where(Device.serial_number == serial).with_for_update()
    robot = await query.fetch_one(ctx.db, rows)
    position = await _coordinates(ctx, robot)
    if position is None:
        raise Refusal(Code.PLACE_UNKNOWN, "deviceSerialNumber")
    values: dict[str, Any] = {"latitude": position[0], "longitude": position[1]}
    nearest = min(load_cities(), key=lambda city: distance_km(position, city))
    if distance_km(position, nearest) <= FARTHEST_KM:
        values |= {"area": nearest.country, "province": nearest.province}
        values |= {} if robot.address else {"address": nearest.name}
    ctx.note(deviceId=robot.id, before=edits.apply(robot, values, None))
    return {"address": robot.address, "latitude": robot.latitude, "longitude": robot.longitude}


async def _coordinates(ctx: Ctx, robot: Device) -> tuple[float, float] | None:
    if robot.latitude is not None and robot.longitude is not None:
        return robot.latitude, robot.longitude
    if not robot.address:
        return None
    same_building = ctx.scope.changeable.select(Device).where(
        Device.owner_id == robot.owner_id,
        Device.address == robot.address,
        Device.latitude.is_not(None),
        Device.longitude.is_not(None),
    )
    other = await ctx.db.scalar(same_building.order_by(Device.id).limit(1))
    return None if other is None else (other.latitude or 0.0, other.longitude or 0.0)
