"""/deviceHard: what is fitted in robots, and its history."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import DeviceId, DeviceName, Id, Json, ScopeAccountId, SerialNumber, doc
from lustra.domains.device.api import Blank
from lustra.domains.hardware import batches, fitted
from lustra.domains.hardware.calls.catalogue import EDIT, PAGE, CategoryRow, Version, list_category_rows

READS = (PAGE, EDIT)
CHANGES = ("deviceHard", "deviceHardSupport")


class HardwareDevice(Wire):
    device_id: DeviceId


class FittedFilter(HardwareDevice):
    show_cate_list: Annotated[Literal[0, 1], doc("1: the answer has all categories too; 0: not.")] = 0


class FittedInAccountFilter(Wire):
    user_id: ScopeAccountId = None
    hard_support_id: Annotated[Id | None, Blank, doc("Only this part of the catalogue; null: all.")] = None


class HardBean(Wire):
    """A part to fit: by `hardSupportId`, or by its category and name."""

    hard_support_id: Annotated[Id | None, doc("Number of the part; null: category and name say which.")] = None
    cate_id: Annotated[Id | None, doc("Number of its category; null: `hardSupportId` says which part.")] = Field(
        None, alias="cate_id"
    )
    name: Annotated[str, doc("Name of the part, at most 100 characters; empty: `hardSupportId` says which part.")] = (
        Field("", max_length=100)
    )
    version: Annotated[
        Version | None, doc("Version that is fitted, at most 64 characters; null: that of the catalogue.")
    ] = None

    @model_validator(mode="after")
    def require_part(self) -> "HardBean":
        if self.hard_support_id is None and (self.cate_id is None or not self.name.strip()):
            raise PydanticCustomError("part_told", "Category and name, or hardSupportId")
        return self


class NewFittedParts(HardwareDevice):
    hard_beans_json: Annotated[Json[list[HardBean]], doc("The parts, 1 to 200, as a list or as JSON in text.")] = Field(
        min_length=1, max_length=fitted.MOST_PARTS
    )


class PartReplacement(HardwareDevice):
    id: Annotated[Id, doc("Number of the fitted part.")]
    hard_support_id: Annotated[
        Id | None, Blank, doc("Part of the catalogue that comes in its place; null: it is taken out.")
    ] = None
    version: Annotated[
        Version | None, doc("Version that is fitted, at most 64 characters; null: that of the catalogue.")
    ] = None


class DeviceFitRequest(HardwareDevice):
    batch_id: Annotated[Id, doc("Batch whose parts are fitted.")]


class FittedRow(Wire):
    """A part in a robot."""

    id: Annotated[int, doc("Number of the fitted part.")]
    device_id: DeviceId
    device_code: DeviceName
    device_serial_number: SerialNumber
    hard_support_id: Annotated[int | None, doc("Number of the part; null: the catalogue no longer has it.")]
    cate_id: Annotated[int | None, doc("Number of its category; null: the catalogue no longer has the part.")] = Field(
        alias="cate_id"
    )
    cate_name: Annotated[str, doc("Name of its category. Spelt as in the specification.")] = Field(alias="cate_name")
    type: Annotated[str, doc("Name of its category; the same as `cate_name`.")]
    name: Annotated[str, doc("Name of the part.")]
    hard_support_text: Annotated[str, doc("Name of the part; the same as `name`. Spelt as in the specification.")] = (
        Field(alias="hard_support_text")
    )
    version: Annotated[str, doc("Version that is fitted; empty: none.")]
    batch_id: Annotated[int | None, doc("Batch that it was fitted by; null: none.")]
    batch_name: Annotated[str, doc("Name of the batch that it was fitted by; empty: none.")]


class FittedList(Wire):
    list: Annotated[list[FittedRow], doc("The fitted parts, by category.")]


class FittedInDevice(FittedList):
    cate_list: Annotated[Sequence[CategoryRow] | None, doc("All categories, with `showCateList` 1; else null.")]


class FittedHistoryRow(FittedRow):
    """A part that is or was in a robot. Times and people of a former owner's days are null."""

    time: Annotated[datetime | None, doc("When it was fitted; null: under a former owner.")]
    operator: Annotated[str | None, doc("Name of who fitted it; null: under a former owner.")]
    before: Annotated[str, doc("Part and version that it replaced; empty: none.")]
    after: Annotated[str, doc("Part and version.")]
    end_time: Annotated[
        datetime | None, doc("When it was taken out; null: it is in the robot, or under a former owner.")
    ]
    end_operator: Annotated[
        str | None, doc("Name of who took it out; null: it is in the robot, or under a former owner.")
    ]
    fitted: Annotated[bool, doc("Whether it is in the robot now.")]


class FittedHistory(Wire):
    list: Annotated[list[FittedHistoryRow], doc("The parts, the newest first.")]


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
    """List the parts of a robot, by category; with `showCateList` 1 all categories too."""
    rows = [FittedRow(**_fitted_fields(entry)) for entry in await fitted.list_in_device(ctx, payload.device_id)]
    return FittedInDevice(list=rows, cate_list=await list_category_rows(ctx) if payload.show_cate_list else None)


@call("/deviceHard/getDeviceHardByUserId", needs=READS)
async def list_in_account(ctx: Ctx, payload: FittedInAccountFilter) -> FittedList:
    """List the parts of all robots in scope."""
    entries = await fitted.list_in_devices(ctx, payload.user_id, payload.hard_support_id)
    return FittedList(list=[FittedRow(**_fitted_fields(entry)) for entry in entries])


@call("/deviceHard/getDeviceHardHistoryListBean", needs=READS)
async def list_history(ctx: Ctx, payload: HardwareDevice) -> FittedHistory:
    """List the parts that are and were in a robot, the newest first."""
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
    """Fit parts in a robot, beside those that it has."""
    beans = [
        fitted.Bean(bean.hard_support_id, bean.cate_id, bean.name.strip(), bean.version)
        for bean in payload.hard_beans_json
    ]
    await fitted.add(ctx, payload.device_id, beans)
    return Nothing()


@call("/deviceHard/updateDeviceHard", needs=EDIT, changes=CHANGES, audit="hardware.replace")
async def update(ctx: Ctx, payload: PartReplacement) -> Nothing:
    """Replace a part of a robot by another one or another version, or take it out."""
    await fitted.replace(ctx, payload.device_id, payload.id, payload.hard_support_id, payload.version)
    return Nothing()


@call("/deviceHard/updateDeviceHardByBatchId", needs=EDIT, changes=CHANGES, audit="hardware.batch")
async def update_by_batch(ctx: Ctx, payload: DeviceFitRequest) -> Nothing:
    """Fit a batch's parts in one robot."""
    await batches.fit_device(ctx, payload.device_id, payload.batch_id)
    return Nothing()
