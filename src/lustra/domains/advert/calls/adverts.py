"""/device/…Advertising: what robots show. Only the reading of one robot's is given; the others are ours."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from pydantic import Field
from starlette.datastructures import UploadFile

from lustra.core import jobs
from lustra.core.calls.rpc import Ctx, Nothing, Upload, Wire, call
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.files.addresses import fetch_path
from lustra.core.wire import (
    ById,
    Change,
    ClockOrBlank,
    Commas,
    Day,
    Id,
    SeenUpdateTime,
    Title,
    UpdateTime,
    doc,
    optional_from,
)
from lustra.domains.advert import robots as shown_by
from lustra.domains.advert import service
from lustra.domains.advert.tables import Advert

KEY = "device/ad"
FORM = service.LARGEST_VIDEO + (1 << 20)
Rank = Annotated[int, Field(ge=0, le=10_000)]


class AdvertDevice(Wire):
    device_serial_number: Annotated[str, doc("Only adverts that this robot shows; empty: all that one may change.")] = (
        Field("", max_length=64)
    )


class AdvertFields(Wire):
    """What an advert shows, when and where."""

    name: Annotated[Title, doc("Name of the advert, 1 to 100 characters.")]
    seconds: Annotated[int, doc("How long a picture stands, in seconds, 1 to 3600. A video runs to its end.")] = Field(
        10, ge=1, le=3600
    )
    start_date: Annotated[Day | None, doc("First day at the robot's place; null: at once.")] = None
    end_date: Annotated[Day | None, doc("Last day at the robot's place; null: without an end.")] = None
    start_time: Annotated[
        ClockOrBlank, doc("From this time of each day at the robot's place, HH:MM; empty with `endTime`: all day.")
    ] = ""
    end_time: Annotated[
        ClockOrBlank, doc("Until this time of each day at the robot's place, HH:MM; empty with `startTime`: all day.")
    ] = ""
    device_ids: Annotated[
        Commas[Id], doc("Robots that show it, at most 1000. Empty with `typeIds`: all of the owner and those below.")
    ] = Field(default=[], max_length=1000)
    type_ids: Annotated[Commas[Id], doc("Device types whose robots show it, at most 100.")] = Field(
        default=[], max_length=100
    )


class NewAdvert(AdvertFields):
    file: Annotated[str, doc("`file` as the upload answered it, 1 to 2000 characters.")] = Field(
        min_length=1, max_length=2000
    )
    rank: Annotated[Rank | None, doc("Place in the order, 0 to 10000, the smallest first; null: the last.")] = None
    user_id: Annotated[Id | None, doc("Account that it belongs to; null: one's own.")] = None


@optional_from(AdvertFields)
class AdvertChange(AdvertFields, Change):
    id: Annotated[Id, doc("Number of the advert.")]
    file: Annotated[str, doc("`file` of a new upload; empty: the content stays.")] = Field("", max_length=2000)
    rank: Annotated[Rank | None, doc("New place in the order, 0 to 10000; null: stays.")] = None
    update_time: SeenUpdateTime = None


class AdvertRow(AdvertFields):
    id: Annotated[int, doc("Number of the advert.")]
    rank: Annotated[int, doc("Place in the order, 0 to 10000; the smallest is shown first.")]
    user_id: Annotated[int, doc("Account that it belongs to.")]
    user_name: Annotated[str, doc("Name of the account that it belongs to.")]
    kind: Annotated[str, doc("MIME type of the content, as image/png or video/mp4.")]
    size: Annotated[int, doc("Size of the content in bytes.")]
    url: Annotated[str, doc("Signed address that opens the content for a minute.")]
    state: Annotated[
        service.State,
        doc("By the asked robot's clock; without one `showing` if any robot shows it, `over` if it is over for all."),
    ]
    robots: Annotated[int, doc("Number of robots that it is for.")]
    zones: Annotated[list[str], doc("IANA time zones of the robots that it is for.")]
    shown: Annotated[
        int, doc("How often robots showed it to its end in the last 30 days; 0 where one robot is asked.")
    ] = 0
    update_time: UpdateTime


class AdvertList(Wire):
    list: Annotated[list[AdvertRow], doc("The adverts, in their order.")]
    zone: Annotated[str, doc("IANA time zone of the asked robot's place.")]


class AdvertOrder(Wire):
    advert_ids: Annotated[Commas[Id], doc("All adverts of the list in their new order, 1 to 10000.")] = Field(
        min_length=1, max_length=10_000
    )


class NewAdvertId(Wire):
    id: Annotated[int, doc("Number of the new advert.")]


class UploadedAdvert(Wire):
    file: Annotated[str, doc("Ticket for insert or update, good for 110 minutes.")]
    kind: Annotated[str, doc("MIME type of the content, judged by its bytes.")]
    size: Annotated[int, doc("Size of the content in bytes.")]


def _row(ctx: Ctx, advert: Advert, owner: str, **more: Any) -> AdvertRow:
    fields = {name: getattr(advert, name) for name in AdvertFields.model_fields} | more
    return AdvertRow.model_construct(
        **fields,
        id=advert.id,
        rank=advert.rank,
        user_id=advert.account_id,
        user_name=owner,
        kind=advert.kind,
        size=advert.size,
        url=fetch_path(ctx.app.objects, advert.place),
        update_time=advert.updated_at,
    )


@call("/device/selectDeviceAdvertising", needs=("device/index", KEY), reads=("advert", "advertShowing"))
async def list_adverts(ctx: Ctx, payload: AdvertDevice) -> AdvertList:
    """List the adverts of one robot, in its order, or all that the asker may change."""
    at = now()
    if not payload.device_serial_number:
        counts = await shown_by.count_showings(ctx)
        rows_of_owner = [
            _row(
                ctx,
                advert,
                owner,
                state=service.state_in_zones(advert, at, zones),
                robots=robots,
                zones=zones,
                shown=counts.get(advert.id, 0),
            )
            for advert, owner, robots, zones in await service.list_adverts(ctx)
        ]
        return AdvertList(list=rows_of_owner, zone="")
    device = await service.find_device(ctx, payload.device_serial_number)
    reach = {"robots": 1, "zones": [device.zone]}
    rows = [
        _row(
            ctx,
            advert,
            owner,
            state=service.state_in_zones(advert, at, [device.zone]),
            **reach,
            device_ids=[device.id] * bool(advert.device_ids),
        )
        for advert, owner in await service.adverts_of(ctx, device)
    ]
    return AdvertList(list=rows, zone=device.zone)


async def _read_parts(file: UploadFile) -> AsyncIterator[bytes]:
    while part := await file.read(256 << 10):
        yield part


@call("/device/uploadAdvertising", needs=KEY, upload=Upload(FORM), audit="advert.upload")
async def upload_advert(ctx: Ctx, _: Nothing, files: list[UploadFile]) -> UploadedAdvert:
    """Upload a picture (PNG, JPEG, GIF, WebP, at most 2 MB) or a video (MP4, WebM, at most 50 MB)."""
    if not files:
        raise Refusal(Code.BAD_INPUT, "file", reason="required")
    return UploadedAdvert.model_validate(await service.store_upload(ctx, _read_parts(files[0])))


@call("/device/insertDeviceAdvertising", needs=KEY, changes=("advert",), audit="advert.insert")
async def create_advert(ctx: Ctx, payload: NewAdvert) -> NewAdvertId:
    """Create an advert of one's own, or of an account below."""
    fields = payload.model_dump(exclude={"file", "user_id", "rank"})
    advert = await service.create_advert(ctx, payload.user_id, payload.file, payload.rank, fields)
    ctx.note(id=advert.id)
    return NewAdvertId(id=advert.id)


@call("/device/updateDeviceAdvertising", needs=KEY, changes=("advert",), audit="advert.update")
async def change_advert(ctx: Ctx, payload: AdvertChange) -> Nothing:
    """Change when, where and in which order an advert is shown, and its content if a new file comes with it."""
    fields = {name: value for name, value in payload.sent().items() if name != "file"}
    await service.change_advert(ctx, payload.id, payload.file, fields, payload.update_time)
    return Nothing()


@call("/device/orderDeviceAdvertising", needs=KEY, changes=("advert",), audit="advert.order")
async def order_adverts(ctx: Ctx, payload: AdvertOrder) -> Nothing:
    """Set the order in which robots show adverts: that of the ids."""
    await service.set_order(ctx, payload.advert_ids)
    return Nothing()


@call("/device/deleteDeviceAdvertising", needs=KEY, changes=("advert",), audit="advert.delete")
async def delete_advert(ctx: Ctx, payload: ById) -> Nothing:
    """Delete an advert with its content."""
    await service.delete_advert(ctx, payload.id)
    return Nothing()


jobs.job("advert.purge", cron="37 3 * * *")(service.purge)
