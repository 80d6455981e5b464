"""/warn/rota, /warn/editRota: who is on duty for the robots of the account that one acts for."""

from datetime import datetime, time
from typing import Annotated

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.wire import Clock, Id, WeekDay, doc
from lustra.domains.account.api import Zone
from lustra.domains.alarm.calls.snoozes import RELEASE
from lustra.domains.alarm.duty import rota
from lustra.domains.alarm.duty.shifts import Shift
from lustra.domains.alarm.service import LISTS


class DutyShift(Wire):
    user_id: Annotated[Id, doc("Account that is on duty: one that sees alarms of the account, or acts for it.")]
    day: Annotated[WeekDay, doc("Day of the week on which it begins, 1 Monday to 7 Sunday.")]
    starts: Annotated[Clock, doc("When it begins, HH:MM.")]
    ends: Annotated[Clock, doc("When it ends, HH:MM; at or before the beginning: on the next day.")]


class DutyRotaChange(Wire):
    zone: Annotated[Zone, doc("IANA time zone of these times, at most 64 characters.")]
    list: Annotated[
        list[DutyShift], Field(max_length=200), doc("The shifts of a week, at most 200; none: there is no rota.")
    ]


class DutyShiftRow(DutyShift):
    name: Annotated[str, doc("Name of the account.")]


class DutyStretch(Wire):
    user_id: Annotated[int, doc("Account that is on duty.")]
    name: Annotated[str, doc("Name of the account.")]
    start: Annotated[datetime, doc("Since when, or from when on.")]
    until: Annotated[datetime, doc("Until when.")]


class DutyPerson(Wire):
    user_id: Annotated[int, doc("Account that may be entered.")]
    name: Annotated[str, doc("Name of the account.")]


class DutyRota(Wire):
    zone: Annotated[str, doc("IANA time zone of these times; empty: there is no rota.")]
    now: Annotated[list[DutyStretch], doc("Who is on duty now; none: all of the rota are notified.")]
    next: Annotated[DutyStretch | None, doc("Who comes on duty next; null: nobody does.")]
    people: Annotated[list[DutyPerson], doc("Who may be entered, at most 100.")]
    list: Annotated[list[DutyShiftRow], doc("The shifts of a week, the first first.")]


@call("/warn/rota", needs=LISTS, reads=("warnRota",))
async def select_rota(ctx: Ctx) -> DutyRota:
    """Show who is on duty for one's own robots, and when."""
    return DutyRota.model_validate(await rota.load(ctx))


@call("/warn/editRota", needs=RELEASE, changes=("warnRota",), audit="warn.rota")
async def edit_rota(ctx: Ctx, payload: DutyRotaChange) -> Nothing:
    """Set who is on duty for one's own robots, and when."""
    entries = [
        Shift(each.user_id, each.day, time.fromisoformat(each.starts), time.fromisoformat(each.ends))
        for each in payload.list
    ]
    await rota.edit(ctx, payload.zone, entries)
    return Nothing()
