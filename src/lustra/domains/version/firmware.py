"""Firmware: for robots of some types, once it is enabled. What is enabled is neither deleted nor made another."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.scope import shared
from lustra.domains.version import files
from lustra.domains.version.events import refuse_if_rolled_out
from lustra.domains.version.packages import name_target
from lustra.domains.version.service import (
    find_robot,
    lock_row,
    refuse_if_published,
    refuse_taken,
    refuse_unknown_types,
    same_name,
)
from lustra.domains.version.tables import FirmwareVersion, VersionFile

NAMES = {"file_id": "file", "type_ids": "deviceTypes"}
FREE = {"enabled", "description", "type_ids"}  # change while it is enabled


@dataclass(frozen=True, slots=True)
class FirmwareView:
    firmware: FirmwareVersion
    file: VersionFile


async def _with_files(ctx: Ctx, rows: Sequence[FirmwareVersion]) -> list[FirmwareView]:
    of_rows = await files.load_files(ctx, [row.file_id for row in rows])
    return [FirmwareView(row, of_rows[row.file_id]) for row in rows]


async def list_all(ctx: Ctx) -> list[FirmwareView]:
    """All versions of firmware, the newest first."""
    rows = shared.select(FirmwareVersion).order_by(FirmwareVersion.id.desc())
    return await _with_files(ctx, (await ctx.db.scalars(rows)).all())


async def list_for_robot(ctx: Ctx, serial_number: str) -> list[FirmwareView]:
    """What this robot may take, the newest first."""
    robot = await find_robot(ctx, serial_number)
    rows = shared.select(FirmwareVersion).where(
        FirmwareVersion.enabled, FirmwareVersion.type_ids.contains([robot.type_id])
    )
    return await _with_files(ctx, (await ctx.db.scalars(rows.order_by(FirmwareVersion.id.desc()))).all())


async def _refuse_bad_values(ctx: Ctx, values: dict[str, Any], own: int | None) -> None:
    if "type_ids" in values:
        await refuse_unknown_types(ctx, values["type_ids"], "deviceTypes")
    if "name" in values:
        taken = shared.select(FirmwareVersion.id).where(same_name(FirmwareVersion.name, values["name"]))
        await refuse_taken(ctx, taken, own, "name", "firmware_name_saved")


async def add(ctx: Ctx, values: dict[str, Any], file: str) -> FirmwareVersion:
    await _refuse_bad_values(ctx, values, None)
    taken = await files.take_file(ctx, file, "file")
    firmware = FirmwareVersion(**values, file_id=taken.id)
    ctx.db.add(firmware)
    await ctx.db.flush()
    ctx.note(id=firmware.id)
    return firmware


async def change(ctx: Ctx, firmware_id: int, values: dict[str, Any], file: str | None, seen: datetime | None) -> None:
    firmware = await lock_row(ctx, FirmwareVersion, firmware_id)
    await _refuse_bad_values(ctx, values, firmware.id)
    former = firmware.file_id
    if file is not None:
        values = values | {"file_id": await files.replace_file(ctx, former, file, "file")}
    fresh = {name for name, value in values.items() if getattr(firmware, name) != value}
    refuse_if_published(firmware.enabled and values.get("enabled", True) and fresh - FREE)
    if firmware.enabled and not values.get("enabled", True):
        await refuse_if_rolled_out(ctx.db, name_target("firmware", firmware.id))
    ctx.note(name=firmware.name, before=edits.apply(firmware, values, seen, NAMES))
    if firmware.file_id != former:
        await files.drop_files(ctx, [former])


async def delete(ctx: Ctx, firmware_id: int) -> None:
    firmware = await lock_row(ctx, FirmwareVersion, firmware_id)
    refuse_if_published(firmware.enabled)
    ctx.note(name=firmware.name)
    await ctx.db.delete(firmware)
    await files.drop_files(ctx, [firmware.file_id])
