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


class OfRobot(Wire):
    """Without a serial number: all that the asker may change."""

    device_serial_number: str = Field("", max_length=64)


class Fields(Wire):
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
    def _in_order(cls, last: date | None, found: ValidationInfo) -> date | None:
        first = found.data.get("start_date")
        if first and last and last < first:
            raise PydanticCustomError("date_order", "The end stands before the start")
        return last

    @field_validator("end_time")
    @classmethod
    def _both(cls, last: str, found: ValidationInfo) -> str:
        if bool(last) != bool(found.data.get("start_time")):
            raise PydanticCustomError("required", "Both or none")
        return last


class NewAdvert(Fields):
    """`file`: what the upload answered. `userId`: whose it is; without it one's own. Without `rank` it comes last."""

    file: str = Field(min_length=1, max_length=2000)
    rank: Rank | None = None
    user_id: Id | None = None


class AdvertChange(Fields):
    """Without `file` the content stays, without `rank` the place in the order. With `updateTime` it is refused if
    somebody has changed the advert since."""

    id: Id
    file: str = Field("", max_length=2000)
    rank: Rank | None = None
    update_time: Moment | None = None


class AdvertRow(Fields):
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


class Adverts(Wire):
    """`zone`: the IANA zone of the robot's place."""

    list: list[AdvertRow]
    zone: str


class Order(Wire):
    """All that are listed, as they shall follow one another."""

    advert_ids: Commas[Id] = Field(min_length=1, max_length=10_000)


class NewId(Wire):
    id: int


class Kept(Wire):
    """`file` goes to insert or update within 110 minutes."""

    file: str
    kind: str
    size: int


def _row(ctx: Ctx, one: Advert, owner: str, **more: Any) -> AdvertRow:
    fields = {name: getattr(one, name) for name in Fields.model_fields} | more
    return AdvertRow.model_construct(
        **fields, id=one.id, rank=one.rank, user_id=one.account_id, user_name=owner, kind=one.kind, size=one.size,
        url=f"/api/oss/object{ctx.app.objects.signed(one.place)}", update_time=one.updated_at,
    )  # fmt: skip


@call("/device/selectDeviceAdvertising", needs=("device/index", KEY))
async def select_device_advertising(ctx: Ctx, wanted: OfRobot) -> Adverts:
    """What one robot shows, in its order and with what it would show now; or all that the asker may change."""
    at = now()
    if not wanted.device_serial_number:
        listed = [
            _row(ctx, one, owner, state=service.state(one, at, zones), robots=robots, zones=zones)
            for one, owner, robots, zones in await service.listed(ctx)
        ]
        return Adverts(list=listed, zone="")
    robot = await service.robot(ctx, wanted.device_serial_number)
    here = {"robots": 1, "zones": [robot.zone]}
    rows = [
        _row(
            ctx,
            one,
            owner,
            state=service.state(one, at, [robot.zone]),
            **here,
            device_ids=[robot.id] * bool(one.device_ids),
        )
        for one, owner in await service.of_robot(ctx, robot)
    ]
    return Adverts(list=rows, zone=robot.zone)


async def _parts(file: UploadFile) -> AsyncIterator[bytes]:
    while part := await file.read(256 << 10):
        yield part


@call("/device/uploadAdvertising", needs=KEY, upload=Upload(FORM), audit="advert.upload")
async def upload_advertising(ctx: Ctx, _: Nothing, files: list[UploadFile]) -> Kept:
    """A picture (PNG, JPEG, GIF, WebP, at most 2 MB) or a video (MP4, WebM, at most 50 MB)."""
    if not files:
        raise Refusal(Code.BAD_INPUT, "file", reason="required")
    return Kept.model_validate(await service.keep(ctx, _parts(files[0])))


@call("/device/insertDeviceAdvertising", needs=KEY, changes=("device",), audit="advert.insert")
async def insert_device_advertising(ctx: Ctx, told: NewAdvert) -> NewId:
    """An advert of one's own, or of an account below."""
    fields = told.model_dump(exclude={"file", "user_id", "rank"})
    made = await service.make(ctx, told.user_id, told.file, told.rank, fields)
    ctx.note(id=made.id)
    return NewId(id=made.id)


@call("/device/updateDeviceAdvertising", needs=KEY, changes=("device",), audit="advert.update")
async def update_device_advertising(ctx: Ctx, told: AdvertChange) -> Nothing:
    """When, where and in which order it is shown; and what, where a new file comes with it."""
    kept = {"rank"} if told.rank is None else set[str]()
    fields = told.model_dump(exclude={"id", "file", "update_time"} | kept)
    await service.change(ctx, told.id, told.file, fields, told.update_time)
    return Nothing()


@call("/device/orderDeviceAdvertising", needs=KEY, changes=("device",), audit="advert.order")
async def order_device_advertising(ctx: Ctx, told: Order) -> Nothing:
    """In which order robots show them: as the ids stand."""
    await service.order(ctx, told.advert_ids)
    return Nothing()


@call("/device/deleteDeviceAdvertising", needs=KEY, changes=("device",), audit="advert.delete")
async def delete_device_advertising(ctx: Ctx, told: ById) -> Nothing:
    """With its content."""
    await service.remove(ctx, told.id)
    return Nothing()


jobs.job("advert.purge", cron="37 3 * * *")(service.purge)
