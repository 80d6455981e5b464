"""Spot checks: a person looks at a zone after it was cleaned, and grades it, beside what the machine says of itself.

Rules: an item is graded 1 to 5, or was not looked at; one at least is. What was graded stays as it is; who has its
owner in scope may delete it. A form that is sent twice, as happens on a bad line, counts once. A check belongs to who
owned the map then, and its day is that of the site.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import func

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.scope import Scope, rows_of
from lustra.core.wire import PageOf
from lustra.domains.account.api import Account, narrow_scope
from lustra.domains.spot_check import photos
from lustra.domains.spot_check.tables import SpotCheck
from lustra.domains.spot_check.zones import load_zone

ITEMS = ("floor", "edges", "dust", "litter")


@dataclass(frozen=True, slots=True)
class CheckQuery:
    """None and '': whichever. Both dates are included. `most`: score, in hundredths."""

    user_id: int | None = None
    map_id: int | None = None
    room: str | None = None
    report_id: int | None = None
    since: date | None = None
    until: date | None = None
    most: int | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class NewCheck:
    map_id: int
    room: str
    items: dict[str, int]
    note: str
    photo: str
    ref: str


def score_of(items: dict[str, int]) -> int:
    """The mean of what was graded, in hundredths, a half up."""
    return int(Decimal(100 * sum(items.values())) / len(items) + Decimal("0.5"))


def _has_text(words: str) -> Any:
    parts = (SpotCheck.building, SpotCheck.floor, SpotCheck.map_name, SpotCheck.room_name, SpotCheck.note)
    return func.strpos(func.search_words(func.concat_ws(" ", *parts)), func.search_words(words)) > 0


async def load_page(ctx: Ctx, filters: CheckQuery, paging: PageOf) -> tuple[Sequence[SpotCheck], int]:
    """The newest first."""
    rows = (await narrow_scope(ctx, filters.user_id)).select(SpotCheck)
    for column, value in (
        (SpotCheck.map_id, filters.map_id),
        (SpotCheck.room, filters.room),
        (SpotCheck.report_id, filters.report_id),
    ):
        if value is not None:
            rows = rows.where(column == value)
    if filters.since is not None:
        rows = rows.where(SpotCheck.day >= filters.since)
    if filters.until is not None:
        rows = rows.where(SpotCheck.day <= filters.until)
    if filters.most is not None:
        rows = rows.where(SpotCheck.score <= filters.most)
    if words := filters.text.strip():
        rows = rows.where(_has_text(words))
    return await query.paginate(ctx.db, rows.order_by(SpotCheck.checked_at.desc(), SpotCheck.id.desc()), paging)


async def load_days(ctx: Ctx, scope: Scope, first: date, last: date) -> Sequence[SpotCheck]:
    """Of these days of their sites, in the order in which they were made."""
    rows = scope.select(SpotCheck).where(SpotCheck.day.between(first, last))
    return (await ctx.db.scalars(rows.order_by(SpotCheck.checked_at, SpotCheck.id))).all()


async def load_check(ctx: Ctx, check_id: int) -> SpotCheck:
    return await query.fetch_one(ctx.db, ctx.scope.select(SpotCheck).where(SpotCheck.id == check_id))


async def name_people(ctx: Ctx, checks: Sequence[SpotCheck]) -> dict[int, str]:
    """Who made them, by number; nobody of whom the account is gone."""
    if not checks:
        return {}
    people = await ctx.db.scalars(rows_of(*checks, through="inspector_id").select(Account))
    return {person.id: person.name or person.account for person in people}


async def add_check(ctx: Ctx, new: NewCheck) -> int:
    """Its number; of a form that has come already, that which it got then."""
    if (sent := await _find_sent(ctx, new.ref)) is not None:
        return sent
    zone = await load_zone(ctx, new.map_id, new.room)
    if new.photo:
        await photos.demand(ctx, new.photo)
    version, site, run, at = zone.version, zone.site, await zone.find_run(ctx), now()
    check = SpotCheck(
        owner_id=version["owner_id"],
        owner_path=version["owner_path"],
        device_id=version["device_id"],
        map_id=version["id"],
        building=site.building,
        floor=site.floor,
        map_name=version["name"],
        room=zone.room.id,
        room_name=zone.room.name,
        items=new.items,
        score=score_of(new.items),
        note=new.note,
        photo=new.photo,
        inspector_id=ctx.actor.real_id,
        ref=new.ref,
        checked_at=at,
        day=at.astimezone(ZoneInfo(site.zone)).date(),
        report_id=run and run.report_id,
        ran_at=run and run.ended,
        coverage=run and run.coverage,
    )
    ctx.db.add(check)
    await ctx.db.flush()
    return check.id


async def _find_sent(ctx: Ctx, ref: str) -> int | None:
    own = ctx.scope.select(SpotCheck.id)
    return await ctx.db.scalar(own.where(SpotCheck.ref == ref, SpotCheck.inspector_id == ctx.actor.real_id))


async def delete_check(ctx: Ctx, check_id: int) -> None:
    """Its photo goes in the night."""
    rows = ctx.scope.changeable.select(SpotCheck).where(SpotCheck.id == check_id)
    check = await query.fetch_one(ctx.db, rows.with_for_update())
    ctx.note(mapId=check.map_id, room=check.room_name, score=check.score, time=check.checked_at.isoformat())
    await ctx.db.delete(check)
