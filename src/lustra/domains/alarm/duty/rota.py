"""Who is on duty for an account's robots, and that whoever comes on duty knows it.

Rules: whoever stands in the rota is notified of alarms while on duty alone; whoever does not stand in it, as without
one. While nobody on duty may see alarms, all who stand in it are notified: a gap loses none. A rota names only people
who see the account's alarms. Who comes on duty gets a message with who was before and how many alarms are open; one
that is over by the time it could be sent is not sent.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import func, or_
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import query
from lustra.core.context import NOBODY, Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.jobs import job
from lustra.core.scope import rows_of
from lustra.domains.account.api import Account
from lustra.domains.alarm.duty.shifts import Shift, Stretch, find_next, find_on_duty, list_stretches
from lustra.domains.alarm.duty.tables import AlarmRota, AlarmShift
from lustra.domains.alarm.service import LISTS, RESOLVED, every
from lustra.domains.alarm.tables import Alarm
from lustra.domains.message.api import join_names, notify
from lustra.domains.ownership.api import load_holders

KIND = "duty_begins"  # of the message
MOST_PEOPLE = 100  # that may be chosen


async def load(ctx: Ctx) -> dict[str, Any]:
    """Of the account that one acts for: its shifts, who is on duty, who is next, and who may be entered."""
    rota = await ctx.db.scalar(ctx.scope.select(AlarmRota).where(AlarmRota.account_id == ctx.actor.acting_id))
    shifts = await _load_shifts(ctx.db, ctx.actor.acting_id) if rota else []
    people = await _load_people(ctx)
    ids = {shift.person_id for shift in shifts}
    named = every.select(Account.id, Account.name).where(Account.id.in_(ids))
    names = {row.id: row.name for row in await ctx.db.execute(named)} | {each.id: each.name for each in people}
    at = now()
    stretches = list_stretches(shifts, rota.zone, at) if rota else []
    coming = find_next(stretches, at)
    return {
        "zone": rota.zone if rota else "",
        "list": [{**_render(shift), "name": names.get(shift.person_id, "")} for shift in shifts],
        "now": [_render_stretch(stretch, names) for stretch in find_on_duty(stretches, at)],
        "next": coming and _render_stretch(coming, names),
        "people": [{"user_id": each.id, "name": each.name} for each in people],
    }


def _render(shift: Shift) -> dict[str, Any]:
    clocks = {"starts": f"{shift.starts:%H:%M}", "ends": f"{shift.ends:%H:%M}"}
    return {"user_id": shift.person_id, "day": shift.day, **clocks}


def _render_stretch(stretch: Stretch, names: dict[int, str]) -> dict[str, Any]:
    name = names.get(stretch.person_id, "")
    return {"user_id": stretch.person_id, "name": name, "start": stretch.start, "until": stretch.end}


async def _load_people(ctx: Ctx) -> list[Account]:
    """The account, whoever acts for it, and those right below it, as far as they see alarms."""
    own = ctx.actor.acting_id
    rows = ctx.scope.select(Account.id).where(or_(Account.id == own, Account.parent_id == own))
    ids = (await ctx.db.scalars(rows.order_by(Account.id).limit(MOST_PEOPLE))).all()
    return (await load_holders(ctx.db, Account.id.in_(ids), LISTS))[:MOST_PEOPLE]


async def edit(ctx: Ctx, zone: str, entries: Sequence[Shift]) -> None:
    """In place of the one before. Empty: there is none any more."""
    owner = await query.fetch_one(ctx.db, ctx.scope.select(Account).where(Account.id == ctx.actor.acting_id))
    allowed = {person.id for person in await _load_people(ctx)}
    for place, entry in enumerate(entries):
        if entry.person_id not in allowed:
            raise Refusal(Code.BAD_INPUT, "list", reason="rota_nobody", number=place + 1)
    await ctx.db.execute(ctx.scope.delete(AlarmShift).where(AlarmShift.account_id == owner.id))
    await ctx.db.execute(ctx.scope.delete(AlarmRota).where(AlarmRota.account_id == owner.id))
    if entries:
        await ctx.db.execute(rows_of(owner).insert(AlarmRota).values(account_id=owner.id, zone=zone))
        rows = [
            {
                "account_id": owner.id,
                "person_id": each.person_id,
                "day": each.day,
                "starts": each.starts,
                "ends": each.ends,
            }
            for each in entries
        ]
        await ctx.db.execute(rows_of(owner).insert(AlarmShift).values(rows))


async def _load_shifts(db: AsyncSession, account_id: int) -> list[Shift]:
    rows = every.select(AlarmShift).where(AlarmShift.account_id == account_id)
    rows = rows.order_by(AlarmShift.day, AlarmShift.starts, AlarmShift.id)
    return [Shift(row.person_id, row.day, row.starts, row.ends) for row in await db.scalars(rows)]


async def keep_on_duty(db: AsyncSession, owner_id: int, people: Sequence[Account], at: datetime) -> list[Account]:
    """Whom of those people, and of the owner's rota, an alarm of then notifies, by id."""
    rota = await db.scalar(every.select(AlarmRota).where(AlarmRota.account_id == owner_id))
    if rota is None:
        return list(people)
    shifts = await _load_shifts(db, owner_id)
    on_duty = {stretch.person_id for stretch in find_on_duty(list_stretches(shifts, rota.zone, at), at)}
    members = {shift.person_id for shift in shifts}
    reached = await _load_holders(db, on_duty) or await _load_holders(db, members)
    free = [person for person in people if person.id not in members]
    return sorted({each.id: each for each in (*free, *reached)}.values(), key=lambda each: each.id)


async def _load_holders(db: AsyncSession, ids: Collection[int]) -> list[Account]:
    """Of these alone, without whoever acts for them."""
    holders = await load_holders(db, Account.id.in_(ids), LISTS) if ids else []
    return [holder for holder in holders if holder.id in ids]


@job("alarm.hand_over", cron="* * * * *", queue="alarms")
async def notify_hand_over(app: Services) -> None:
    async with app.sessions.begin() as db:
        at = now()
        for rota in await db.scalars(every.select(AlarmRota).with_for_update(skip_locked=True)):
            stretches = list_stretches(await _load_shifts(db, rota.account_id), rota.zone, at)
            for stretch in find_on_duty(stretches, at):
                if stretch.start > rota.notified_until:
                    await _notify(db, rota, stretch, stretches)
            rota.notified_until = at


async def _notify(db: AsyncSession, rota: AlarmRota, stretch: Stretch, stretches: Sequence[Stretch]) -> None:
    before = {each.person_id for each in stretches if each.end == stretch.start and each.person_id != stretch.person_id}
    names = await db.scalars(every.select(Account.name).where(Account.id.in_(before)).order_by(Account.id))
    opened = every.select(func.count(Alarm.id)).where(Alarm.owner_id == rota.account_id, Alarm.state < RESOLVED)
    until = f"{stretch.end.astimezone(ZoneInfo(rota.zone)):%Y-%m-%d %H:%M} {rota.zone}"
    before_names, count = join_names(list(names)) or "–", await db.scalar(opened) or 0
    notify(db, [stretch.person_id], KIND, NOBODY, until=until, before=before_names, open=count)
