"""Adverts: what may be shown is checked by its bytes; who sees and changes one is its owner and those above; a robot
shows what its owner and those above that one have made for it, by the clock of its own place."""

import hashlib
from collections.abc import AsyncIterator, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from sqlalchemy import any_, func, or_

from lustra.core import query, quota
from lustra.core.context import Ctx, Services
from lustra.core.database import edits
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.files import pictures
from lustra.core.files.objects import HEAD, kind_of
from lustra.core.scope import shared
from lustra.domains.account.api import Account
from lustra.domains.advert import delivery
from lustra.domains.advert.tables import Advert
from lustra.domains.delivery.api import EVERY
from lustra.domains.device.api import Device, DeviceType
from lustra.protocol.tablet import LARGEST_VIDEO, state_at
from lustra.protocol.tablet import AdvertState as State

FOLDER = "advert/"
VIDEOS = ("video/mp4", "video/webm")
TICKET_MS = 110 * 60 * 1000
UNUSED = timedelta(days=1)  # until a file that no advert took is cleared away

# Of adverts joined with their owners: those that a device shows. Its owner made them, or somebody above.
SHOWN_BY_DEVICE = (
    Account.path.op("@>", is_comparison=True)(Device.owner_path)
    & Device.deleted_at.is_(None)
    & or_(
        Device.id == any_(Advert.device_ids),
        Device.type_id == any_(Advert.type_ids),
        (func.cardinality(Advert.device_ids) == 0) & (func.cardinality(Advert.type_ids) == 0),
    )
)


async def store_upload(ctx: Ctx, parts: AsyncIterator[bytes]) -> dict[str, Any]:
    """Stores a picture (at most 2 MB) or a video; what it is, its bytes say."""
    place = f"{FOLDER}{uuid4().hex}"
    first = await anext(parts, b"")
    kind = kind_of(first[:HEAD])
    if kind in VIDEOS:
        whole = _join_parts(first, parts)
        stored = await ctx.app.objects.put(place, whole, largest=LARGEST_VIDEO, kinds=VIDEOS)
        size, sha256 = stored.size, stored.sha256
    else:
        size, sha256 = await _store_picture(ctx, place, _join_parts(first, parts))
    try:
        await quota.hold(ctx, ctx.actor.real_id, "adverts", place, size)
    except BaseException:
        await ctx.app.objects.delete(place)
        raise
    content = {"place": place, "kind": kind, "size": size, "sha256": sha256, "by": ctx.actor.real_id}
    return content | {"file": ctx.app.objects.ticket({"advert": content}, TICKET_MS)}


async def _join_parts(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for part in rest:
        yield part


async def _store_picture(ctx: Ctx, place: str, parts: AsyncIterator[bytes]) -> tuple[int, str]:
    data = bytearray()
    async for part in parts:
        data += part
        if len(data) > pictures.LARGEST:
            break
    if not data:
        raise Refusal(Code.BAD_INPUT, "file", reason="required")
    await ctx.app.intake.read(ctx.actor.real_id, pictures.judge_picture, {"file": bytes(data)})
    await ctx.app.objects.put_bytes(place, bytes(data))
    return len(data), hashlib.sha256(data).hexdigest()


async def list_adverts(ctx: Ctx) -> list[tuple[Advert, str, int, list[str]]]:
    """With the owner's name, for how many robots each is, and in which zones those are."""
    in_scope = ctx.scope.select(Advert).join(Account, Account.id == Advert.account_id)
    shown = in_scope.join(Device, SHOWN_BY_DEVICE).group_by(Advert.id)
    counts = shown.with_only_columns(Advert.id, func.count(), func.array_agg(Device.zone.distinct()))
    reach = {row[0]: (row[1], sorted(row[2])) for row in await ctx.db.execute(counts)}
    rows = await ctx.db.execute(in_scope.add_columns(Account.name).order_by(Advert.rank, Advert.id))
    return [(advert, owner, *reach.get(advert.id, (0, []))) for advert, owner in rows]


async def find_device(ctx: Ctx, serial: str) -> Device:
    rows = ctx.scope.select(Device).where(Device.serial_number == serial)
    return await query.fetch_one(ctx.db, rows)


async def adverts_of(ctx: Ctx, device: Device) -> list[tuple[Advert, str]]:
    """In the order in which it shows them."""
    query = EVERY.select(Advert, Account.name).join(Account, Account.id == Advert.account_id)
    rows = query.join(Device, SHOWN_BY_DEVICE).where(Device.id == device.id)
    result = await ctx.db.execute(rows.order_by(Advert.rank, Advert.id))
    return [(advert, owner) for advert, owner in result]


def state_in_zones(advert: Advert, at: datetime, zones: Sequence[str]) -> State:
    """Where any robot shows it, it is shown; where all have shown it to the end, it is over."""
    states = {_state_in_zone(advert, at, zone) for zone in zones or ("UTC",)}
    if "showing" in states:
        return "showing"
    return "over" if states == {"over"} else "planned"


def _state_in_zone(advert: Advert, at: datetime, zone: str) -> State:
    days = (
        advert.start_date.isoformat() if advert.start_date else "",
        advert.end_date.isoformat() if advert.end_date else "",
    )
    return state_at(at.astimezone(ZoneInfo(zone)), days, (advert.start_time, advert.end_time))


async def _check_targets(ctx: Ctx, fields: dict[str, Any]) -> None:
    """Every robot that is named is one that the actor sees."""
    devices, types = set(fields.get("device_ids", [])), set(fields.get("type_ids", []))
    in_scope = ctx.scope.select(Device.id).where(Device.id.in_(devices))
    if len((await ctx.db.scalars(in_scope)).all()) != len(devices):
        raise Refusal(Code.NOT_FOUND, "deviceIds")
    if await ctx.db.scalar(shared.select(func.count(DeviceType.id)).where(DeviceType.id.in_(types))) != len(types):
        raise Refusal(Code.BAD_INPUT, "typeIds", reason="choice")


def _check_times(advert: Advert) -> None:
    """Of the whole advert: a change may send one end of a span alone."""
    if advert.start_date and advert.end_date and advert.end_date < advert.start_date:
        raise Refusal(Code.BAD_INPUT, "endDate", reason="date_order")
    if bool(advert.start_time) != bool(advert.end_time):
        raise Refusal(Code.BAD_INPUT, "endTime", reason="required")


def _read_ticket(ctx: Ctx, ticket: str) -> dict[str, Any]:
    content = ctx.app.objects.claims(ticket).get("advert")
    if content is None or content["by"] != ctx.actor.real_id:
        raise Refusal(Code.UPLOAD_EXPIRED, "file")
    return {name: content[name] for name in ("place", "kind", "size", "sha256")}


async def create_advert(ctx: Ctx, user_id: int | None, ticket: str, rank: int | None, fields: dict[str, Any]) -> Advert:
    owner = await query.fetch_one(
        ctx.db, ctx.scope.select(Account).where(Account.id == (user_id or ctx.actor.acting_id))
    )
    await _check_targets(ctx, fields)
    if rank is None:
        last = ctx.scope.select(func.coalesce(func.max(Advert.rank), 0))
        rank = (await ctx.db.scalar(last) or 0) + 1
    content = _read_ticket(ctx, ticket)
    advert = Advert(account_id=owner.id, rank=rank, **fields, **content)
    _check_times(advert)
    await _move_quota(ctx, owner.id, content)
    ctx.db.add(advert)
    await ctx.db.flush()
    await delivery.plan_below(ctx.db, owner.id)
    return advert


async def _move_quota(ctx: Ctx, owner_id: int, content: dict[str, Any]) -> None:
    """From whoever uploaded it to whoever has the advert."""
    await quota.release(ctx.db, [content["place"]])
    await quota.hold(ctx, owner_id, "adverts", content["place"], content["size"])


async def change_advert(ctx: Ctx, advert_id: int, ticket: str, fields: dict[str, Any], since: datetime | None) -> None:
    """With a new file the former one is no more."""
    row = await query.fetch_one(ctx.db, ctx.scope.select(Advert).where(Advert.id == advert_id).with_for_update())
    await _check_targets(ctx, fields)
    before = row.place
    content = _read_ticket(ctx, ticket) if ticket else {}
    ctx.note(before=edits.apply(row, fields | content, since))
    _check_times(row)
    if row.place != before:
        await quota.release(ctx.db, [before])
        await _move_quota(ctx, row.account_id, content)
        ctx.after_commit(lambda: ctx.app.objects.delete(before))
    await ctx.db.flush()
    await delivery.plan_below(ctx.db, row.account_id)


async def set_order(ctx: Ctx, advert_ids: list[int]) -> None:
    """Nobody who edits one of them meanwhile is late by that: its place is no field of the form."""
    in_scope = ctx.scope.select(Advert).where(Advert.id.in_(advert_ids)).order_by(Advert.id).with_for_update()
    rows = {row.id: row for row in await ctx.db.scalars(in_scope)}
    if len(rows) != len(advert_ids):
        raise Refusal(Code.NOT_FOUND, "advertIds")
    ctx.note(before=sorted(rows, key=lambda advert_id: (rows[advert_id].rank, advert_id)), after=advert_ids)
    for rank, advert_id in enumerate(advert_ids, 1):
        rows[advert_id].rank = rank
    await ctx.db.flush()
    await delivery.plan_below(ctx.db, *{row.account_id for row in rows.values()})


async def delete_advert(ctx: Ctx, advert_id: int) -> None:
    row = await query.fetch_one(ctx.db, ctx.scope.select(Advert).where(Advert.id == advert_id).with_for_update())
    ctx.note(name=row.name)
    await ctx.db.delete(row)
    await ctx.db.flush()
    await delivery.plan_below(ctx.db, row.account_id)
    await quota.release(ctx.db, [row.place])
    ctx.after_commit(lambda: ctx.app.objects.delete(row.place))


async def purge(app: Services) -> None:
    """Files that no advert took. A nightly job."""
    async for paths in app.objects.older(FOLDER, now() - UNUSED):
        async with app.sessions() as db:
            used = set(await db.scalars(EVERY.select(Advert.place).where(Advert.place.in_(paths))))
        unused = set(paths) - used
        for path in unused:
            await app.objects.delete(path)
        async with app.sessions.begin() as db:
            await quota.release(db, unused)
