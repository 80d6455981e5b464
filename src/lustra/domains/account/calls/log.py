"""/log: the audit."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from pydantic import Field

from lustra.core import sheet, texts
from lustra.core.audit_trail import chain_check
from lustra.core.audit_trail.audit import Audit
from lustra.core.calls.rpc import Ctx, Nothing, Raw, Wire, call
from lustra.core.query import bounded, pages
from lustra.core.sheet import XLSX, SheetForm
from lustra.core.wire import Id, Moment, Page, PageOf, SpanFilter, doc
from lustra.domains.account import log
from lustra.domains.account.log import LogEntry
from lustra.domains.account.rules import SheetZone

NEEDS = "log"
COLUMNS = (
    ("time", "second", 20),
    ("login_name", "text", 16),
    ("acting_as", "text", 16),
    ("action", "text", 34),
    ("result", "text", 24),
    ("device_id", "whole", 10),
    ("address", "text", 18),
    ("detail", "text", 60),
    ("before", "text", 40),
    ("after", "text", 40),
    ("zone", "text", 18),
)


class LogFilter(SpanFilter, PageOf):
    user_id: Annotated[Id | None, doc("Only what this account did; null: all accounts in scope.")] = None
    action: Annotated[str, doc("Only this action, by its name in /log/actions; empty: all.")] = Field(
        "", max_length=200
    )
    start_time: Annotated[Moment | None, doc("Only entries from this moment on; null: from the first.")] = None
    end_time: Annotated[Moment | None, doc("Only entries before this moment; null: up to now.")] = None
    refused: Annotated[Literal[0, 1], doc("1: only actions that were refused; 0: all.")] = 0
    device_id: Annotated[Id | None, doc("Only entries about this robot; null: all.")] = None
    words: Annotated[str, doc("Part of an account, an action, a network address or a payload; empty: all.")] = Field(
        "", max_length=100
    )


class LogExport(LogFilter):
    zone: SheetZone = "UTC"
    form: SheetForm = "xlsx"


class LogRow(Wire):
    """One entry of the audit."""

    id: Annotated[int, doc("Number of the entry; later entries have greater ones.")]
    time: Annotated[datetime, doc("When the action happened.")]
    user_id: Annotated[int, doc("Account that acted; 0: nobody was logged in.")]
    account: Annotated[str, doc("Login name of the account that acted.")]
    acting_id: Annotated[int, doc("Account in whose name it acted: for a shadow account the one that it stands for.")]
    acting_account: Annotated[str, doc("Login name of the account in whose name it acted.")]
    action: Annotated[str, doc("Name of the action, as `map.delete`.")]
    action_name: Annotated[str, doc("Name of the action in the reader's language.")]
    result: Annotated[int, doc("Code of the answer; 0: success.")]
    result_name: Annotated[str, doc("Text of the code in the reader's language.")]
    device_id: Annotated[int | None, doc("Robot that the action was about; null: none.")]
    address: Annotated[str, doc("Network address that the request came from.")]
    session_id: Annotated[str, doc("Session in which it happened; empty: none.")]
    detail: Annotated[
        dict[str, Any],
        doc("Payload of the call, without secrets; accounts by their names as far as they are in scope."),
    ]
    before: Annotated[Any, doc("Values that the action replaced; null: none.")]
    after: Annotated[Any, doc("Values that the action wrote; null: none.")]


class LogPage(Page[LogRow]):
    field_names: Annotated[
        dict[str, str], doc("What the fields of the payloads on this page are called in the reader's language.")
    ]


class LogAction(Wire):
    action: Annotated[str, doc("Name of the action, for `action` of the filter.")]
    action_name: Annotated[str, doc("Name of the action in the reader's language.")]


class LogActions(Wire):
    list: Annotated[list[LogAction], doc("All actions, by their names in the reader's language.")]


class LogIntegrity(Wire):
    """Result of the last check of the audit's chain of seals."""

    position: Annotated[int | None, doc("First entry at which the chain does not hold; null: it is whole.")]
    reason: Annotated[
        chain_check.Reason,
        doc("`row`: an entry or a seal was changed; `anchor`: the anchored end is not reached; empty: whole."),
    ]
    sealed: Annotated[int, doc("Number of entries that were checked.")]
    waiting: Annotated[int, doc("Number of entries written since.")]
    check_time: Annotated[datetime | None, doc("When the last check ran; null: never.")]
    whole_time: Annotated[
        datetime | None, doc("When the whole chain was last checked from its beginning; null: never.")
    ]
    anchor_time: Annotated[
        datetime | None, doc("When the end of the chain was last written outside the database; null: never.")
    ]


def _parse_filter(payload: LogFilter) -> log.EntryFilter:
    return log.EntryFilter(
        payload.user_id,
        payload.action,
        payload.start_time,
        payload.end_time,
        bool(payload.refused),
        payload.device_id,
        payload.words,
    )


def _parts(ctx: Ctx, entry: Audit) -> tuple[dict[str, Any], Any, Any]:
    return log.split_detail(log.entry_detail(entry, ctx.language))


def _row(ctx: Ctx, row: LogEntry, names: dict[int, str]) -> LogRow:
    audit, acting = row
    payload, before, after = (log.readable(part, names) for part in _parts(ctx, audit))
    return LogRow(
        id=audit.id,
        time=audit.created_at,
        user_id=audit.account_id,
        account=log.account_label(audit.name, ctx.language),
        acting_id=audit.acting_id,
        acting_account=acting,
        action=audit.action,
        action_name=log.action_title(audit.action, ctx.language),
        result=audit.code,
        result_name=log.result_text(audit.code, ctx.language),
        device_id=audit.device_id,
        address=audit.address,
        session_id=audit.session_id,
        detail=payload,
        before=before,
        after=after,
    )


async def _rows(ctx: Ctx, entries: Sequence[LogEntry]) -> list[LogRow]:
    ids = log.named_accounts([part for audit, _ in entries for part in _parts(ctx, audit)])
    names = await log.account_names(ctx, ids)
    return [_row(ctx, entry, names) for entry in entries]


def _cells(ctx: Ctx, row_view: LogRow, zone: ZoneInfo) -> list[Any]:
    acting = row_view.acting_account if row_view.acting_id != row_view.user_id else None
    return [
        row_view.time.astimezone(zone).replace(tzinfo=None),
        row_view.account,
        acting,
        row_view.action_name,
        row_view.result_name,
        row_view.device_id,
        row_view.address,
        *(log.detail_text(part, ctx.language) for part in (row_view.detail, row_view.before, row_view.after)),
        zone.key,
    ]


@call("/log/list", needs=NEEDS)
async def list_entries(ctx: Ctx, payload: LogFilter) -> LogPage:
    """List who did what, or was refused it, the newest first."""
    query = log.select_entries(ctx.actor, _parse_filter(payload), ctx.language)
    total = await log.count_entries(ctx, query)
    bounded(total, payload)
    rows = await _rows(ctx, await log.load_page(ctx, query, payload.page_size, payload.current_page))
    details = [part for row in rows for part in (row.detail, row.before, row.after)]
    return LogPage(
        list=rows,
        page_num=pages(total, payload),
        total=total,
        field_names=log.field_names(details, ctx.language),
    )


@call("/log/export", needs=NEEDS, raw=XLSX)
async def export_entries(ctx: Ctx, payload: LogExport) -> Raw:
    """Export the list of the audit as a spreadsheet."""
    query, zone = log.select_entries(ctx.actor, _parse_filter(payload), ctx.language), ZoneInfo(payload.zone)
    total = await log.count_entries(ctx, query)
    bounded(total, PageOf(current_page=1, page_size=max(1, total)))
    columns = [(texts.say(ctx.language, f"export.{title}"), kind, width) for title, kind, width in COLUMNS]
    parts = (
        [_cells(ctx, _row(ctx, row, {}), zone) for row in rows] async for rows in log.stream_entries(ctx.db, query)
    )
    return await sheet.export(columns, parts, payload.form)


@call("/log/actions", needs=NEEDS)
async def list_actions(ctx: Ctx, _: Nothing) -> LogActions:
    """List the actions that the audit may be filtered by."""
    actions = [LogAction(action=name, action_name=log.action_title(name, ctx.language)) for name in log.actions()]
    return LogActions(list=sorted(actions, key=lambda action: action.action_name.casefold()))


@call("/log/intact", needs=NEEDS)
async def check_integrity(ctx: Ctx, _: Nothing) -> LogIntegrity:
    """Show whether each row of the audit still is as it was sealed, by the last check."""
    last, waiting = await log.chain_state(ctx)
    if last is None:
        return LogIntegrity(
            position=None, reason="", sealed=0, waiting=waiting, check_time=None, whole_time=None, anchor_time=None
        )
    return LogIntegrity(
        position=last.broken,
        reason=last.reason,
        sealed=last.rows,
        waiting=waiting,
        check_time=parse_time(last.at),
        whole_time=parse_time(last.whole_at),
        anchor_time=parse_time(last.anchored_at),
    )


def parse_time(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
