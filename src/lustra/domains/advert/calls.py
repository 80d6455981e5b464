"""/device/…Advertising: what robots show. Only the reading of one robot's is given; the others are ours."""

from collections.abc import AsyncIterator
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError
from starlette.datastructures import UploadFile

from lustra.core import jobs
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.rpc import Ctx, Nothing, Upload, Wire, call
from lustra.core.wire import ById, Commas, Day, Id, Moment, Title
from lustra.domains.advert import service
from lustra.domains.advert.tables import Advert

KEY = "device/ad"
FORM = service.LARGEST_VIDEO + (1 << 20)
Clock = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$|^$")]
Rank = Annotated[int, Field(ge=0, le=10_000)]


class AdvertDevice(Wire):
    """Without a serial number: all that the asker may change."""

    device_serial_number: str = Field("", max_length=64)


class AdvertFields(Wire):
    """`startTime` to `endTime` on each of the days, at the robot's place; both empty: all day. `seconds`: how long a
    picture stands. Without `deviceIds` and `typeIds`: every robot of the owner and of those below."""

    name: Title
    seconds: int = Field(10, ge=1, le=3600)
    start_date: Day | None = None
    end_date: Day | None = None
    start_time: Clock = ""
    end_time: Clock = ""
    device_ids: Commas[Id] = Field(default=[], max_length=1000)
    type_ids: Commas[Id] = Field(default=[], max_length=100)

    @field_validator("end_date")
    @classmethod
    def _check_dates(cls, last: date | None, info: ValidationInfo) -> date | None:
        first = info.data.get("start_date")
        if first and last and last < first:
            raise PydanticCustomError("date_order", "The end stands before the start")
        return last

    @field_validator("end_time")
    @classmethod
    def _check_times(cls, last: str, info: ValidationInfo) -> str:
        if bool(last) != bool(info.data.get("start_time")):
            raise PydanticCustomError("required", "Both or none")
        return last


class NewAdvert(AdvertFields):
    """`file`: what the upload answered. `userId`: whose it is; without it one's own. Without `rank` it comes last."""

    file: str = Field(min_length=1, max_length=2000)
    rank: Rank | None = None
    user_id: Id | None = None


class AdvertChange(AdvertFields):
    """Without `file` the content stays, without `rank` the place in the order. With `updateTime` it is refused if
    somebody has changed the advert since."""

    id: Id
    file: str = Field("", max_length=2000)
    rank: Rank | None = None
    update_time: Moment | None = None


class AdvertRow(AdvertFields):
    """`url` opens the content for a minute. `state` is by the clock of the robot that was asked about; else `showing`
    if any robot that it is for shows it now, `over` if it is so for all. `robots`: for how many it is, in `zones`."""

    id: int
    rank: int
    user_id: int
    user_name: str
    kind: str
    size: int
    url: str
    state: service.State
    robots: int
    zones: list[str]
    update_time: datetime


class AdvertList(Wire):
    """`zone`: the IANA zone of the robot's place."""

    list: list[AdvertRow]
    zone: str


class AdvertOrder(Wire):
    """All that are listed, as they shall follow one another."""

    advert_ids: Commas[Id] = Field(min_length=1, max_length=10_000)


class NewAdvertId(Wire):
    id: int


class UploadedAdvert(Wire):
    """`file` goes to insert or update within 110 minutes."""

    file: str
    kind: str
    size: int


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
        url=f"/api/oss/object{ctx.app.objects.signed(advert.place)}",
        update_time=advert.updated_at,
    )


@call("/device/selectDeviceAdvertising", needs=("device/index", KEY))
async def list_adverts(ctx: Ctx, payload: AdvertDevice) -> AdvertList:
    """List the adverts of one robot, in its order, or all that the asker may change."""
    at = now()
    if not payload.device_serial_number:
        rows_of_owner = [
            _row(ctx, advert, owner, state=service.state_in_zones(advert, at, zones), robots=robots, zones=zones)
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


@call("/device/insertDeviceAdvertising", needs=KEY, changes=("device",), audit="advert.insert")
async def create_advert(ctx: Ctx, payload: NewAdvert) -> NewAdvertId:
    """Create an advert of one's own, or of an account below."""
    fields = payload.model_dump(exclude={"file", "user_id", "rank"})
    advert = await service.create_advert(ctx, payload.user_id, payload.file, payload.rank, fields)
    ctx.note(id=advert.id)
    return NewAdvertId(id=advert.id)


@call("/device/updateDeviceAdvertising", needs=KEY, changes=("device",), audit="advert.update")
async def change_advert(ctx: Ctx, payload: AdvertChange) -> Nothing:
    """Change when, where and in which order an advert is shown, and its content if a new file comes with it."""
    unchanged = {"rank"} if payload.rank is None else set[str]()
    fields = payload.model_dump(exclude={"id", "file", "update_time"} | unchanged)
    await service.change_advert(ctx, payload.id, payload.file, fields, payload.update_time)
    return Nothing()


@call("/device/orderDeviceAdvertising", needs=KEY, changes=("device",), audit="advert.order")
async def order_adverts(ctx: Ctx, payload: AdvertOrder) -> Nothing:
    """Set the order in which robots show adverts: that of the ids."""
    await service.set_order(ctx, payload.advert_ids)
    return Nothing()


@call("/device/deleteDeviceAdvertising", needs=KEY, changes=("device",), audit="advert.delete")
async def delete_advert(ctx: Ctx, payload: ById) -> Nothing:
    """Delete an advert with its content."""
    await service.delete_advert(ctx, payload.id)
    return Nothing()


jobs.job("advert.purge", cron="37 3 * * *")(service.purge)
