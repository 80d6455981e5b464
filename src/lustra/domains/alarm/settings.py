"""What is done when a code is raised: a decision of the installation, one for each code or event."""

from collections.abc import Sequence
from typing import Any

from lustra.core import query, texts
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.scope import shared
from lustra.core.wire import PageOf
from lustra.domains.alarm import queries
from lustra.domains.alarm.tables import AlarmSetting
from lustra.domains.device.api import Where

DRY_RUN_DAYS = 30
CHANNELS = ("app", "cloud", "email", "official_account", "sms", "terminal", "off_site_push")


async def load_page(ctx: Ctx, paging: PageOf, keyword: str) -> tuple[Sequence[AlarmSetting], int]:
    """Those that wait for a decision first. The keyword is looked for in codes and in their texts, as they are read."""
    rows = shared.select(AlarmSetting).order_by(AlarmSetting.known, AlarmSetting.code)
    if words := keyword.strip().casefold():
        codes = await ctx.db.scalars(shared.select(AlarmSetting.code))
        rows = rows.where(AlarmSetting.code.in_([code for code in codes if words in _readable(code, ctx)]))
    return await query.paginate(ctx.db, rows, paging)


def _readable(code: str, ctx: Ctx) -> str:
    return f"{code} {texts.name_alarm(code, ctx.language)}".casefold()


def render(setting: AlarmSetting, language: str) -> dict[str, Any]:
    """A row as it is read."""
    return {
        "id": setting.id,
        "code": setting.code,
        "content": texts.name_alarm(setting.code, language),
        "type": setting.type,
        "level": setting.level,
        "notify_after_s": setting.notify_after_s,
        "off_delay_s": setting.off_delay_s,
        "known": setting.known,
        **{channel: int(getattr(setting, channel)) for channel in CHANNELS},
    }


async def run_dry(ctx: Ctx, waits: Sequence[int]) -> list[dict[str, Any]]:
    """By code how often each wait would have notified in the last DRY_RUN_DAYS, of the alarms in scope."""
    where = Where.of_stamped(ctx.scope, "r")
    statement = where.sql(queries.DRY_RUN, waits=where.value(list(waits)), days=DRY_RUN_DAYS)
    return [dict(row) for row in await ctx.app.pool.fetch(statement, *where.values)]


async def edit(ctx: Ctx, setting_id: int, values: dict[str, Any]) -> None:
    """Whoever sets a code has decided on it."""
    rows = shared.select(AlarmSetting).where(AlarmSetting.id == setting_id).with_for_update()
    setting = await query.fetch_one(ctx.db, rows)
    for name, value in values.items():
        setattr(setting, name, bool(value) if name in CHANNELS else value)
    setting.known, setting.updated_at = True, now()
