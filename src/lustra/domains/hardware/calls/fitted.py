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
from lustra.domains.hardware.calls.catalogue import EDIT, PAGE, CategoryRow, Version, list_category_rows

READS = (PAGE, EDIT)
CHANGES = ("deviceHard", "deviceHardSupport")


class HardwareDevice(Wire):
    device_id: Id


class FittedFilter(HardwareDevice):
    show_cate_list: Literal[0, 1] = 0


class FittedInAccountFilter(Wire):
    """`hardSupportId`: only this part."""

    user_id: Id | None = None
    hard_support_id: Annotated[Id | None, Blank] = None


class HardBean(Wire):
    """A part of the catalogue: its category and name, or `hardSupportId`. Without a version the catalogue's."""

    hard_support_id: Id | None = None
    cate_id: Id | None = Field(None, alias="cate_id")
    name: str = Field("", max_length=100)
    version: Version | None = None

    @model_validator(mode="after")
    def require_part(self) -> "HardBean":
        if self.hard_support_id is None and (self.cate_id is None or not self.name.strip()):
            raise PydanticCustomError("part_told", "Category and name, or hardSupportId")
        return self


class NewFittedParts(HardwareDevice):
    """`hardBeansJson`: JSON text."""

    hard_beans_json: Json[list[HardBean]] = Field(min_length=1, max_length=fitted.MOST_PARTS)


class PartReplacement(HardwareDevice):
    """`id`: of what is fitted. `hardSupportId`: what comes in its place; none: it is taken out."""

    id: Id
    hard_support_id: Annotated[Id | None, Blank] = None
    version: Version | None = None


class DeviceFitRequest(HardwareDevice):
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


class FittedList(Wire):
    list: list[FittedRow]


class FittedInDevice(FittedList):
    cate_list: Sequence[CategoryRow] | None


class FittedHistoryRow(FittedRow):
    """Fitted at `time` by `operator`, where `before` was, and there until `endTime`, when `endOperator` took it out.
    Times and people of a former owner's days are null. `fitted`: it is in the robot now."""

    time: datetime | None
    operator: str | None
    before: str
    after: str
    end_time: datetime | None
    end_operator: str | None
    fitted: bool


class FittedHistory(Wire):
    list: list[FittedHistoryRow]


def _fitted_fields(entry: fitted.Fitted) -> dict[str, Any]:
    return {
        "id": entry.row.id,
        "device_id": entry.robot.id,
        "device_code": entry.robot.name,
        "device_serial_number": entry.robot.serial_number,
        "hard_support_id": entry.row.part_id,
        "cate_id": entry.category.id if entry.category else None,
        "cate_name": entry.category_name,
        "type": entry.category_name,
        "name": entry.name,
        "hard_support_text": entry.name,
        "version": entry.row.version,
        "batch_id": entry.row.batch_id,
        "batch_name": entry.row.batch_name,
    }


@call("/deviceHard/getDeviceHardByDeviceId", needs=READS)
async def list_in_device(ctx: Ctx, payload: FittedFilter) -> FittedInDevice:
    """What is fitted in a robot, by category; with `showCateList` 1 the categories besides."""
    rows = [FittedRow(**_fitted_fields(entry)) for entry in await fitted.list_in_device(ctx, payload.device_id)]
    return FittedInDevice(list=rows, cate_list=await list_category_rows(ctx) if payload.show_cate_list else None)


@call("/deviceHard/getDeviceHardByUserId", needs=READS)
async def list_in_account(ctx: Ctx, payload: FittedInAccountFilter) -> FittedList:
    """What is fitted in the robots in scope."""
    entries = await fitted.list_in_devices(ctx, payload.user_id, payload.hard_support_id)
    return FittedList(list=[FittedRow(**_fitted_fields(entry)) for entry in entries])


@call("/deviceHard/getDeviceHardHistoryListBean", needs=READS)
async def list_history(ctx: Ctx, payload: HardwareDevice) -> FittedHistory:
    """What was and is fitted in a robot, the newest first."""
    return FittedHistory(
        list=[
            FittedHistoryRow(
                **_fitted_fields(span.fitted),
                time=span.since,
                operator=span.by,
                before=span.fitted.row.before,
                after=fitted.part_title(span.fitted.row),
                end_time=span.until,
                end_operator=span.until_by,
                fitted=span.fitted.row.removed_at is None,
            )
            for span in await fitted.load_history(ctx, payload.device_id)
        ]
    )


@call("/deviceHard/addDeviceHard", needs=EDIT, changes=CHANGES, audit="hardware.add")
async def add(ctx: Ctx, payload: NewFittedParts) -> Nothing:
    """Fits parts beside those that the robot has."""
    beans = [
        fitted.Bean(bean.hard_support_id, bean.cate_id, bean.name.strip(), bean.version)
        for bean in payload.hard_beans_json
    ]
    await fitted.add(ctx, payload.device_id, beans)
    return Nothing()


@call("/deviceHard/updateDeviceHard", needs=EDIT, changes=CHANGES, audit="hardware.replace")
async def update(ctx: Ctx, payload: PartReplacement) -> Nothing:
    """Puts another part, or another version, in the place of one, or takes it out."""
    await fitted.replace(ctx, payload.device_id, payload.id, payload.hard_support_id, payload.version)
    return Nothing()


@call("/deviceHard/updateDeviceHardByBatchId", needs=EDIT, changes=CHANGES, audit="hardware.batch")
async def update_by_batch(ctx: Ctx, payload: DeviceFitRequest) -> Nothing:
    """Fits a batch's parts in one robot."""
    await batches.fit_device(ctx, payload.device_id, payload.batch_id)
    return Nothing()
