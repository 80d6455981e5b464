"""/deviceHard: what is fitted in robots, and its history."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from lustra.core.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Id, Json
from lustra.domains.device.rules import Blank
from lustra.domains.hardware import batches, fitted
from lustra.domains.hardware.calls.catalogue import EDIT, PAGE, CategoryRow, Version, category_rows

READS = (PAGE, EDIT)
CHANGES = ("deviceHard", "deviceHardSupport")


class OneDevice(Wire):
    device_id: Id


class Wanted(OneDevice):
    show_cate_list: Literal[0, 1] = 0


class OfUser(Wire):
    """`hardSupportId`: only this part."""

    user_id: Id | None = None
    hard_support_id: Annotated[Id | None, Blank] = None


class BeanIn(Wire):
    """A part of the catalogue: its category and name, or `hardSupportId`. Without a version the catalogue's."""

    hard_support_id: Id | None = None
    cate_id: Id | None = Field(None, alias="cate_id")
    name: str = Field("", max_length=100)
    version: Version | None = None

    @model_validator(mode="after")
    def told(self) -> "BeanIn":
        if self.hard_support_id is None and (self.cate_id is None or not self.name.strip()):
            raise PydanticCustomError("part_told", "Category and name, or hardSupportId")
        return self


class NewParts(OneDevice):
    """`hardBeansJson`: JSON text."""

    hard_beans_json: Json[list[BeanIn]] = Field(min_length=1, max_length=fitted.MOST)


class Replacing(OneDevice):
    """`id`: of what is fitted. `hardSupportId`: what comes in its place; none: it is taken out."""

    id: Id
    hard_support_id: Annotated[Id | None, Blank] = None
    version: Version | None = None


class FromBatch(OneDevice):
    batch_id: Id


class FittedRow(Wire):
    """`hardSupportId` and `cate_id` are null if the catalogue has the part no longer. `time`: since when."""

    id: int
    device_id: int
    device_code: str
    device_serial_number: str
    hard_support_id: int | None
    cate_id: int | None = Field(alias="cate_id")
    cate_name: str = Field(alias="cate_name")
    type: str
    name: str
    hard_support_text: str = Field(alias="hard_support_text")
    version: str
    batch_id: int | None
    batch_name: str


class OfDevices(Wire):
    list: list[FittedRow]


class OfDevice(OfDevices):
    cate_list: Sequence[CategoryRow] | None


class HistoryRow(FittedRow):
    """Fitted at `time` by `operator`, where `before` was, and there until `endTime`, when `endOperator` took it out.
    Times and people of a former owner's days are null. `fitted`: it is in the robot now."""

    time: datetime | None
    operator: str | None
    before: str
    after: str
    end_time: datetime | None
    end_operator: str | None
    fitted: bool


class History(Wire):
    list: list[HistoryRow]


def _fields(one: fitted.Fitted) -> dict[str, Any]:
    return {
        "id": one.row.id, "device_id": one.robot.id, "device_code": one.robot.name,
        "device_serial_number": one.robot.serial_number, "hard_support_id": one.row.part_id,
        "cate_id": one.category.id if one.category else None, "cate_name": one.kind, "type": one.kind,
        "name": one.name, "hard_support_text": one.name, "version": one.row.version,
        "batch_id": one.row.batch_id, "batch_name": one.row.batch_name,
    }  # fmt: skip


@call("/deviceHard/getDeviceHardByDeviceId", needs=READS)
async def by_device(ctx: Ctx, wanted: Wanted) -> OfDevice:
    """What is fitted in a robot, by category; with `showCateList` 1 the categories besides."""
    rows = [FittedRow(**_fields(one)) for one in await fitted.of_robot(ctx, wanted.device_id)]
    return OfDevice(list=rows, cate_list=await category_rows(ctx) if wanted.show_cate_list else None)


@call("/deviceHard/getDeviceHardByUserId", needs=READS)
async def by_user(ctx: Ctx, wanted: OfUser) -> OfDevices:
    """What is fitted in the robots in scope."""
    found = await fitted.of_robots(ctx, wanted.user_id, wanted.hard_support_id)
    return OfDevices(list=[FittedRow(**_fields(one)) for one in found])


@call("/deviceHard/getDeviceHardHistoryListBean", needs=READS)
async def history(ctx: Ctx, wanted: OneDevice) -> History:
    """What was and is fitted in a robot, the newest first."""
    return History(list=[
        HistoryRow(
            **_fields(one.fitted), time=one.since, operator=one.by, before=one.fitted.row.before,
            after=fitted.called(one.fitted.row), end_time=one.until, end_operator=one.until_by,
            fitted=one.fitted.row.removed_at is None,
        )
        for one in await fitted.history(ctx, wanted.device_id)
    ])  # fmt: skip


@call("/deviceHard/addDeviceHard", needs=EDIT, changes=CHANGES, audit="hardware.add")
async def add(ctx: Ctx, told: NewParts) -> Nothing:
    """Fits parts beside those that the robot has."""
    beans = [
        fitted.Bean(one.hard_support_id, one.cate_id, one.name.strip(), one.version) for one in told.hard_beans_json
    ]
    await fitted.add(ctx, told.device_id, beans)
    return Nothing()


@call("/deviceHard/updateDeviceHard", needs=EDIT, changes=CHANGES, audit="hardware.replace")
async def update(ctx: Ctx, told: Replacing) -> Nothing:
    """Puts another part, or another version, in the place of one, or takes it out."""
    await fitted.replace(ctx, told.device_id, told.id, told.hard_support_id, told.version)
    return Nothing()


@call("/deviceHard/updateDeviceHardByBatchId", needs=EDIT, changes=CHANGES, audit="hardware.batch")
async def update_by_batch(ctx: Ctx, told: FromBatch) -> Nothing:
    """Fits a batch's parts in one robot."""
    await batches.fit_one(ctx, told.device_id, told.batch_id)
    return Nothing()
