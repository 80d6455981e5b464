"""Types of robots: a catalogue of the whole installation, with a picture and what robots of it can do.

Rules: a name is had once; a type that robots or batches have stays, and a refusal to delete it says how many; a
picture is drawn anew within 480 pixels, and nothing else of what was uploaded is kept.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from sqlalchemy import func

from lustra.core import events, query, quota
from lustra.core.context import Ctx, Services
from lustra.core.database import edits
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.files import pictures
from lustra.core.scope import rows_of, shared
from lustra.domains.device.events import TypesInUse
from lustra.domains.device.tables import Device, DeviceType

EDGE = 480  # pixels
FOLDER = "type/"
ADDRESS = "/api/public/deviceType/"
URL = re.compile(rf"{ADDRESS}([0-9a-f]{{32}})")
NAMED = 5
UNUSED = timedelta(days=1)
NAMES = {"name": "typeName", "url": "typeUrl"}


async def list_types(ctx: Ctx) -> Sequence[DeviceType]:
    return (await ctx.db.scalars(shared.select(DeviceType).order_by(func.lower(DeviceType.name)))).all()


async def insert(ctx: Ctx, values: dict[str, Any]) -> DeviceType:
    await _refuse_bad_values(ctx, values, None)
    kind = DeviceType(**values)
    ctx.db.add(kind)
    await ctx.db.flush()
    ctx.note(typeId=kind.id)
    return kind


async def change(ctx: Ctx, type_id: int, values: dict[str, Any], based_on: datetime | None) -> None:
    kind = await _lock_type(ctx, type_id)
    await _refuse_bad_values(ctx, values, kind)
    ctx.note(before=edits.apply(kind, values, based_on, NAMES))


async def remove(ctx: Ctx, type_id: int) -> None:
    kind = await _lock_type(ctx, type_id)
    devices = rows_of(kind).select(func.count(Device.id))  # deleted ones too
    if count := await ctx.db.scalar(devices):
        raise Refusal(Code.BAD_INPUT, "typeId", reason="type_used", count=count)
    event = TypesInUse(kind.id)
    await events.emit(ctx.db, event)
    for users, reason in ((event.batches, "used_by_batches"), (event.versions, "used_by_versions")):
        if users:
            names = " · ".join(users[:NAMED])
            raise Refusal(Code.BAD_INPUT, "typeId", reason=reason, count=len(users), names=names)
    ctx.note(typeName=kind.name)
    await ctx.db.delete(kind)


async def _lock_type(ctx: Ctx, type_id: int) -> DeviceType:
    return await query.fetch_one(ctx.db, shared.select(DeviceType).where(DeviceType.id == type_id).with_for_update())


async def _refuse_bad_values(ctx: Ctx, values: dict[str, Any], kind: DeviceType | None) -> None:
    if "name" in values:
        same = shared.select(DeviceType.id).where(DeviceType.name == values["name"])
        if await ctx.db.scalar(same) not in (None, kind and kind.id):
            raise Refusal(Code.EXISTS, "typeName")
    if url := values.get("url"):
        picture = URL.fullmatch(url)
        if picture is None:
            raise Refusal(Code.BAD_INPUT, "typeUrl", reason="picture_chosen")
        await ctx.app.objects.get(picture_path(picture[1]))


def picture_path(name: str) -> str:
    return f"{FOLDER}{name}.png"


async def store_picture(ctx: Ctx, data: bytes) -> str:
    """Store a picture and answer its address. Purged after a day unless a type has it by then."""
    name = uuid4().hex
    png = await ctx.app.intake.read(ctx.actor.real_id, pictures.shrink, {"file": data}, EDGE)
    await quota.hold(ctx, ctx.actor.real_id, "pictures", picture_path(name), len(png))
    await ctx.app.objects.put_bytes(picture_path(name), png)
    return f"{ADDRESS}{name}"


async def purge(app: Services) -> None:
    """Pictures that no type has (any more). A nightly job."""
    async for paths in app.objects.older(FOLDER, now() - UNUSED):
        async with app.sessions() as db:
            used = set(await db.scalars(shared.select(DeviceType.url)))
        unused = [path for path in paths if ADDRESS + path.removeprefix(FOLDER).removesuffix(".png") not in used]
        for path in unused:
            await app.objects.delete(path)
        async with app.sessions.begin() as db:
            await quota.release(db, unused)
