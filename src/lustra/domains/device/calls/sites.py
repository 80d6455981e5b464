"""/device: where robots stand, their SIM cards, and the tree of their owners."""

from typing import Annotated

from msgspec import Raw
from pydantic import Field

from lustra.core.calls.rpc import Ctx, Fast, Wire, call
from lustra.core.wire import doc
from lustra.domains.account.api import keys, narrow_scope
from lustra.domains.device import owners, sim, sites
from lustra.domains.device.requests import AccountFilter, where_in_scope

LIST = "device/index"


class OwnerNode(Wire):
    user_id: Annotated[int, doc("Number of the account.")]
    name: Annotated[str, doc("Name of the account.")]
    level_depth: Annotated[int, doc("Level: 1 administrator, 2 dealer, 3 user, 4 sub-user, 5 sub-sub-user.")]
    childs: Annotated[list["OwnerNode"], doc("Accounts directly below. Spelt as in the specification.")]


class OwnerTree(Wire):
    list: Annotated[list[OwnerNode], doc("Accounts of the highest level in scope, each with those below it.")]


@call("/device/selectOwnUser", needs=keys.OWNERS, reads=("user", "device"))
async def select_own_user(ctx: Ctx, payload: AccountFilter) -> Fast[OwnerTree]:
    """List the accounts in scope that may own robots, as a tree."""
    scope = await narrow_scope(ctx, payload.user_id)
    async with ctx.app.pool.acquire() as db:
        return Fast({"list": Raw(await owners.load_tree(db, scope))})


class PlaceCount(Wire):
    name: Annotated[str, doc("Name of the country in the reader's language, or of the province.")]
    value: Annotated[int, doc("Number of robots there.")]
    code: Annotated[str, doc("Country by ISO 3166-1, two letters; empty for a province.")] = ""


class PlaceCounts(Wire):
    list: Annotated[
        list[PlaceCount], doc("The places, those with most robots first; robots without a place are left out.")
    ]


class SimCardRef(Wire):
    c_no: Annotated[str, doc("Number of the SIM card, 1 to 20 characters.")] = Field(min_length=1, max_length=20)


class SimView(Wire):
    c_no: Annotated[str, doc("Number of the SIM card.")]
    sim_support: Annotated[int | None, doc("Provider that answered, 0 to 3; null: the installation's own list.")]
    status: Annotated[str, doc("State of the card, in the provider's words.")]
    used_mb: Annotated[float, doc("Data used in this period, in MB.")]
    total_mb: Annotated[float, doc("Data of the period as paid for, in MB.")]
    expire_date: Annotated[str, doc("Day on which the card expires, ISO 8601.")]


class SerialRef(Wire):
    device_serial_number: Annotated[str, doc("Serial number of the robot, 1 to 32 letters, digits and - _ ..")] = Field(
        min_length=1, max_length=32
    )


class DeviceLocation(Wire):
    address: Annotated[str, doc("Building of the robot.")]
    latitude: Annotated[float, doc("Latitude in degrees, WGS 84.")]
    longitude: Annotated[float, doc("Longitude in degrees, WGS 84.")]


@call("/device/selectDeviceCountByCountry", needs=("index", "device/deviceAmap"))
async def select_device_count_by_country(ctx: Ctx, payload: AccountFilter) -> PlaceCounts:
    """Count the robots in scope by country."""
    where = await where_in_scope(ctx, payload.user_id)
    async with ctx.app.pool.acquire() as db:
        counts = await sites.count_by_place(db, where, "area")
    named_counts = [PlaceCount(name=sites.country_name(code, ctx.language), value=n, code=code) for code, n in counts]
    return PlaceCounts(list=named_counts)


@call("/device/selectDeviceCountByProvince", needs=("index", "device/deviceAmap"))
async def select_device_count_by_province(ctx: Ctx, payload: AccountFilter) -> PlaceCounts:
    """Count the robots in scope by province."""
    where = await where_in_scope(ctx, payload.user_id)
    async with ctx.app.pool.acquire() as db:
        return PlaceCounts(
            list=[PlaceCount(name=name, value=n) for name, n in await sites.count_by_place(db, where, "province")]
        )


@call("/device/getSimInfo", needs=LIST)
async def get_sim_info(ctx: Ctx, payload: SimCardRef) -> SimView:
    """Show what the provider says of a robot's SIM card."""
    card, vendor = await sim.load_card(ctx, payload.c_no.strip())
    return SimView(
        c_no=card.c_no,
        sim_support=vendor,
        status=card.status,
        used_mb=card.used_mb,
        total_mb=card.total_mb,
        expire_date=card.expire_date,
    )


@call("/device/updateDevicesAddressByLbs", needs="device/index/edit", changes=("device",), audit="device.locate")
async def update_devices_address_by_lbs(ctx: Ctx, payload: SerialRef) -> DeviceLocation:
    """Find out where a robot is, and store it."""
    return DeviceLocation.model_validate(await sites.locate(ctx, payload.device_serial_number))
