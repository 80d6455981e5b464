"""/log: the audit."""

from datetime import datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

from pydantic import Field

from lustra.core import chain_check, sheet, texts
from lustra.core.query import bounded, pages
from lustra.core.rpc import Ctx, Nothing, Raw, Wire, call
from lustra.core.sheet import XLSX
from lustra.core.wire import Id, Moment, Page, PageOf
from lustra.domains.account import log
from lustra.domains.account.log import Row
from lustra.domains.account.rules import Zone

NEEDS = "log"
COLUMNS = (
    ("time", "second", 20), ("login_name", "text", 16), ("acting_as", "text", 16), ("action", "text", 34),
    ("result", "text", 24), ("device_id", "whole", 10), ("address", "text", 18), ("detail", "text", 60),
    ("before", "text", 40), ("after", "text", 40),
)  # fmt: skip


class LogFilter(PageOf):
    """`startTime` included, `endTime` not; `words`: part of a name, an action, an address or of what was asked."""

    user_id: Id | None = None
    action: str = Field("", max_length=200)
    start_time: Moment | None = None
    end_time: Moment | None = None
    refused: Literal[0, 1] = 0
    device_id: Id | None = None
    words: str = Field("", max_length=100)


class LogExport(LogFilter):
    """Times of the sheet are wall-clock times of `zone`."""

    zone: Zone = "UTC"


class LogRow(Wire):
    """`userId` 0: nobody was logged in. `result` is the code, `resultName` its text."""

    id: int
    time: datetime
    user_id: int
    account: str
    acting_id: int
    acting_account: str
    action: str
    action_name: str
    result: int
    result_name: str
    device_id: int | None
    address: str
    session_id: str
    detail: dict[str, Any]
    before: Any
    after: Any


class ActionRow(Wire):
    action: str
    action_name: str


class Actions(Wire):
    list: list[ActionRow]


class Intact(Wire):
    """What the last check of the chain found, at `checkTime` (null: there was none yet). `position`: the first at which
    the chain does not hold; null: it is whole. `reason`: a row or a seal is not as it was (`row`), or what was
    anchored outside the database is not reached (`anchor`). `sealed`: rows that were checked, `waiting`: written since.
    `wholeTime`: when all was checked last; `anchorTime`: when the end of the chain was last written elsewhere."""

    position: int | None
    reason: chain_check.Reason
    sealed: int
    waiting: int
    check_time: datetime | None
    whole_time: datetime | None
    anchor_time: datetime | None


def _wanted(told: LogFilter) -> log.Wanted:
    return log.Wanted(
        told.user_id, told.action, told.start_time, told.end_time, bool(told.refused), told.device_id, told.words
    )


def _row(ctx: Ctx, row: Row) -> LogRow:
    one, acting = row
    asked, before, after = log.changed(one.detail)
    return LogRow(
        id=one.id, time=one.created_at, user_id=one.account_id, account=log.called(one.name, ctx.language),
        acting_id=one.acting_id,
        acting_account=acting, action=one.action, action_name=log.title(one.action, ctx.language), result=one.code,
        result_name=log.result(one.code, ctx.language), device_id=one.device_id, address=one.address,
        session_id=one.session_id, detail=asked, before=before, after=after,
    )  # fmt: skip


def _cells(ctx: Ctx, row: Row, zone: ZoneInfo) -> list[Any]:
    told = _row(ctx, row)
    acting = told.acting_account if told.acting_id != told.user_id else None
    return [
        told.time.astimezone(zone).replace(tzinfo=None), told.account, acting, told.action_name, told.result_name,
        told.device_id, told.address, *(log.flat(part) for part in (told.detail, told.before, told.after)),
    ]  # fmt: skip


@call("/log/list", needs=NEEDS)
async def log_list(ctx: Ctx, wanted: LogFilter) -> Page[LogRow]:
    """Who did what, or was denied it, the newest first."""
    found = log.rows(ctx.actor, _wanted(wanted), ctx.language)
    total = await log.count(ctx, found)
    bounded(total, wanted)
    shown = await log.page(ctx, found, wanted.page_size, wanted.current_page)
    return Page(list=[_row(ctx, row) for row in shown], page_num=pages(total, wanted), total=total)


@call("/log/export", needs=NEEDS, raw=XLSX)
async def log_export(ctx: Ctx, wanted: LogExport) -> Raw:
    """The same list as a spreadsheet."""
    found, zone = log.rows(ctx.actor, _wanted(wanted), ctx.language), ZoneInfo(wanted.zone)
    total = await log.count(ctx, found)
    bounded(total, PageOf(current_page=1, page_size=max(1, total)))
    columns = [(texts.say(ctx.language, f"export.{title}"), kind, width) for title, kind, width in COLUMNS]
    parts = ([_cells(ctx, row, zone) for row in rows] async for rows in log.all_of(ctx.db, found))
    return await sheet.export(columns, parts)


@call("/log/actions", needs=NEEDS)
async def log_actions(ctx: Ctx, _: Nothing) -> Actions:
    """What the list may be filtered by."""
    told = [ActionRow(action=name, action_name=log.title(name, ctx.language)) for name in log.actions()]
    return Actions(list=sorted(told, key=lambda one: one.action_name.casefold()))


@call("/log/intact", needs=NEEDS)
async def log_intact(ctx: Ctx, _: Nothing) -> Intact:
    """Whether each row still is what it was when it was sealed, as the last check found."""
    last, waiting = await log.intact(ctx)
    if last is None:
        return Intact(
            position=None, reason="", sealed=0, waiting=waiting, check_time=None, whole_time=None, anchor_time=None
        )
    return Intact(
        position=last.broken, reason=last.reason, sealed=last.rows, waiting=waiting, check_time=time_of(last.at),
        whole_time=time_of(last.whole_at), anchor_time=time_of(last.anchored_at),
    )  # fmt: skip


def time_of(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
