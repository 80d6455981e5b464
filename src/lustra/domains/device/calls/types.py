"""/device: types of robots."""

from typing import Annotated, Any

from pydantic import Field, StringConstraints
from starlette.datastructures import UploadFile

from lustra.core import jobs
from lustra.core.calls.rpc import PUBLIC, Ctx, Nothing, Raw, Upload, Wire, call
from lustra.core.errors import Code, Refusal
from lustra.core.files import pictures
from lustra.core.wire import (
    Change,
    Commas,
    Id,
    SeenUpdateTime,
    UpdateTime,
    doc,
    optional_from,
)
from lustra.domains.account.api import Name, keys
from lustra.domains.device import types
from lustra.domains.device.rules import Ability, Text

ADMIN = "device/index/type_admin"
LARGEST_FORM = 16 << 20  # so that a picture that is too large is refused with words


class DeviceTypeView(Wire):
    type_id: Annotated[int, doc("Number of the device type.")]
    type_name: Annotated[str, doc("Name of the device type.")]
    type_url: Annotated[str, doc("Address of its picture; empty: none.")]
    description: Annotated[str, doc("Free text.")]
    abilities: Annotated[list[str], doc("What its robots can do beside driving, as `scrub`.")]
    update_time: UpdateTime


class DeviceTypes(Wire):
    list: Annotated[list[DeviceTypeView], doc("The device types, by name.")]


class NewDeviceType(Wire):
    type_name: Annotated[Name, doc("Name of the device type, 1 to 100 characters; once in the installation.")]
    type_url: Annotated[
        Annotated[str, StringConstraints(max_length=200)] | None,
        doc("Address of its picture, at most 200 characters; null: none, in a change: stays."),
    ] = None
    description: Annotated[Text | None, doc("Free text, at most 200 characters; null: none, in a change: stays.")] = (
        None
    )
    abilities: Annotated[
        Commas[Ability] | None,
        doc("What its robots can do beside driving, at most 20; null: nothing, in a change: they stay."),
    ] = Field(None, max_length=20)

    def column_values(self) -> dict[str, Any]:
        values = {
            "name": self.type_name,
            "url": self.type_url,
            "description": self.description,
            "abilities": None if self.abilities is None else sorted(set(self.abilities)),
        }
        return {name: value for name, value in values.items() if value is not None}


@optional_from(NewDeviceType)
class DeviceTypeChange(NewDeviceType, Change):
    type_id: Annotated[Id, doc("Number of the device type.")]
    update_time: SeenUpdateTime = None


class DeviceTypeRef(Wire):
    type_id: Annotated[Id, doc("Number of the device type.")]


class PictureUrl(Wire):
    url: Annotated[str, doc("Address of the picture at this server.")]


class PictureRef(Wire):
    name: Annotated[str, doc("Name of the picture: 32 hexadecimal digits, the end of its address.")] = Field(
        pattern=r"^[0-9a-f]{32}$"
    )


@call("/device/selectDeviceType", needs=keys.TYPES)
async def select_device_type(ctx: Ctx) -> DeviceTypes:
    """List the device types."""
    return DeviceTypes(
        list=[
            DeviceTypeView(
                type_id=t.id,
                type_name=t.name,
                type_url=t.url,
                description=t.description,
                abilities=t.abilities,
                update_time=t.updated_at,
            )
            for t in await types.list_types(ctx)
        ]
    )


@call("/device/insertDeviceType", needs=ADMIN, changes=("device",), audit="device_type.insert")
async def insert_device_type(ctx: Ctx, payload: NewDeviceType) -> DeviceTypeRef:
    """Create a device type for the whole installation."""
    return DeviceTypeRef(type_id=(await types.insert(ctx, payload.column_values())).id)


@call("/device/updateDeviceType", needs=ADMIN, changes=("device",), audit="device_type.update")
async def update_device_type(ctx: Ctx, payload: DeviceTypeChange) -> Nothing:
    """Change a device type, for all robots that have it."""
    await types.change(ctx, payload.type_id, payload.column_values(), payload.update_time)
    return Nothing()


@call("/device/deleteDeviceType", needs=ADMIN, changes=("device",), audit="device_type.delete")
async def delete_device_type(ctx: Ctx, payload: DeviceTypeRef) -> Nothing:
    """Delete a device type. Refused while robots have it."""
    await types.remove(ctx, payload.type_id)
    return Nothing()


@call("/device/uploadTypePicture", needs=ADMIN, upload=Upload(LARGEST_FORM))
async def upload_type_picture(ctx: Ctx, _: Nothing, files: list[UploadFile]) -> PictureUrl:
    """Upload the picture of a device type, drawn anew within 480 pixels; insertDeviceType sets it."""
    if not files or not (data := await files[0].read(pictures.LARGEST + 1)):
        raise Refusal(Code.BAD_INPUT, "file", reason="picture_chosen")
    return PictureUrl(url=await types.store_picture(ctx, data))


@call("/public/deviceType/{name}", method="GET", needs=PUBLIC, raw="image/png")
async def type_picture(ctx: Ctx, payload: PictureRef) -> Raw:
    """Show the picture of a device type."""
    headers = {"cache-control": "public, max-age=31536000, immutable"}
    return Raw(await ctx.app.objects.get(types.picture_path(payload.name)), "image/png", headers=headers)


jobs.job("device.type_pictures", cron="31 3 * * *")(types.purge)
