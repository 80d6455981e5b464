"""/version/…Fireware, as the specification spells it: firmware of robots."""

from typing import Annotated

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import (
    ById,
    Change,
    Commas,
    CreateTime,
    Id,
    SeenUpdateTime,
    Title,
    UpdateTime,
    doc,
    optional_from,
)
from lustra.domains.device.api import Serial
from lustra.domains.version import firmware
from lustra.domains.version.calls.rows import FileOfVersion, file_view
from lustra.domains.version.rules import ENABLE, FIRMWARE, MOST_TYPES, WHOLE, FirmwareNumber, Log, Path


class NewFirmware(Wire):
    name: Annotated[Title, doc("Name of the firmware version, 1 to 100 characters; once in the installation.")]
    version: Annotated[FirmwareNumber, doc("Firmware version, 1 to 64 characters, as 1.0.4.")]
    file: Annotated[Path, doc("Path of the caller's own file, as /oss/upload stored it.")]
    description: Annotated[Log, doc("What it is, at most 10,000 characters.")] = ""
    enabled: Annotated[bool, doc("Whether robots may take it.")] = False
    device_types: Annotated[Commas[Id], doc(f"Types of robots that it is for, at most {MOST_TYPES}.")] = Field(
        default_factory=list, max_length=MOST_TYPES
    )


@optional_from(NewFirmware)
class FirmwareChange(NewFirmware, Change):
    identity = Change.identity | {"id"}

    id: Annotated[Id, doc("The firmware version.")]
    update_time: SeenUpdateTime = None


class FirmwareOfRobot(Wire):
    device_serial_number: Annotated[Serial, doc("Serial number of the robot.")]


class FirmwareRow(Wire):
    id: Annotated[int, doc("The firmware version.")]
    name: Annotated[str, doc("Its name.")]
    version: Annotated[str, doc("Firmware version.")]
    description: Annotated[str, doc("What it is.")]
    file: Annotated[str, doc("Path by which its file was uploaded.")]
    stored: Annotated[FileOfVersion, doc("Its file.")]
    enabled: Annotated[bool, doc("Whether robots may take it.")]
    device_types: Annotated[list[int], doc("Types of robots that it is for.")]
    create_time: CreateTime
    update_time: UpdateTime


class Firmwares(Wire):
    list: Annotated[list[FirmwareRow], doc("The firmware versions, the newest first.")]


def _values(payload: NewFirmware) -> dict[str, object]:
    values = payload.sent() if isinstance(payload, Change) else payload.model_dump()
    values.pop("file", None)
    if "device_types" in values:
        values["type_ids"] = sorted(set(values.pop("device_types")))
    return values


def _rows(views: list[firmware.FirmwareView]) -> Firmwares:
    return Firmwares(
        list=[
            FirmwareRow(
                id=view.firmware.id,
                name=view.firmware.name,
                version=view.firmware.version,
                description=view.firmware.description,
                file=view.file.path,
                stored=file_view(view.file),
                enabled=view.firmware.enabled,
                device_types=view.firmware.type_ids,
                create_time=view.firmware.created_at,
                update_time=view.firmware.updated_at,
            )
            for view in views
        ]
    )


@call("/version/selectVersionFireware", needs=(FIRMWARE, WHOLE))
async def list_firmware(ctx: Ctx) -> Firmwares:
    """List the firmware versions."""
    return _rows(await firmware.list_all(ctx))


@call("/version/insertVersionFireware", needs=FIRMWARE, changes=("version", "oss"), audit="firmware.insert")
async def add_firmware(ctx: Ctx, payload: NewFirmware) -> ById:
    """Add a firmware version; its file becomes the installation's own."""
    return ById(id=(await firmware.add(ctx, _values(payload), payload.file)).id)


@call("/version/updateVersionFireware", needs=ENABLE, changes=("version", "oss"), audit="firmware.update")
async def change_firmware(ctx: Ctx, payload: FirmwareChange) -> Nothing:
    """Change, enable or disable a firmware version. Of an enabled one name, version and file stay."""
    file = payload.sent().get("file")
    await firmware.change(ctx, payload.id, _values(payload), file, payload.update_time)
    return Nothing()


@call("/version/delVersionFireware", needs=FIRMWARE, changes=("version",), audit="firmware.delete")
async def delete_firmware(ctx: Ctx, payload: ById) -> Nothing:
    """Delete a firmware version. Refused while it is enabled."""
    await firmware.delete(ctx, payload.id)
    return Nothing()


@call("/version/getVersionFirewareBySerialNumber", needs=FIRMWARE, reads=("version", "device"))
async def list_firmware_of_robot(ctx: Ctx, payload: FirmwareOfRobot) -> Firmwares:
    """List the firmware versions that a robot may take."""
    return _rows(await firmware.list_for_robot(ctx, payload.device_serial_number))
