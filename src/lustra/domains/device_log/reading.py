"""Copies of logs, as people read them. Each reading and download is recorded; support does so while it may."""

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.domains.account.api import support
from lustra.domains.device_log.lines import LinePage, find_lines
from lustra.domains.device_log.tables import DeviceLog
from lustra.domains.storage.api import sign_place


async def find_copy(ctx: Ctx, log_id: int) -> DeviceLog:
    """Refused to support where it is closed."""
    rows = ctx.scope.select(DeviceLog).where(DeviceLog.id == log_id)
    row = await query.fetch_one(ctx.db, rows, "log_unknown")
    await support.demand_access(ctx, support.Look("log", row.id, row.name, row.device_id), row.owner_path)
    if not row.place:
        raise Refusal(Code.BAD_INPUT, "id", reason="log_not_stored")
    ctx.note(deviceId=row.device_id, name=row.name)
    return row


async def read_lines(ctx: Ctx, log_id: int, words: str, offset: int) -> LinePage:
    """Of a text; a recording is none."""
    row = await find_copy(ctx, log_id)
    if row.kind == "rosbag":
        raise Refusal(Code.BAD_INPUT, "id", reason="log_no_text")
    if offset >= row.stored_size:
        return LinePage()
    return await find_lines(ctx.app.objects.parts(row.place, offset, row.stored_size), offset, words)


async def sign_copy(ctx: Ctx, log_id: int) -> str:
    row = await find_copy(ctx, log_id)
    return sign_place(ctx.app.objects, row.place, row.name)
