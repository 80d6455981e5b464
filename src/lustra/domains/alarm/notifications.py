"""The history of an alarm's notifications.

Rules: whose alarm it is sees all of them, and of people below a place also where they went. Those of a group are those
of each of its alarms.
"""

from typing import Any

from pydantic.alias_generators import to_camel
from sqlalchemy import and_, or_

from lustra.core import query, texts
from lustra.core.context import Ctx
from lustra.core.scope import rows_of
from lustra.domains.account.api import Account
from lustra.domains.alarm.tables import Alarm, AlarmGroup, AlarmNotification


async def load(ctx: Ctx, alarm_id: int) -> list[dict[str, Any]]:
    """The first first. Raises NOT_FOUND for an alarm that is not in scope."""
    alarm = await query.fetch_one(ctx.db, ctx.scope.select(Alarm).where(Alarm.id == alarm_id))
    leads = ctx.scope.select(AlarmGroup.lead_id).where(AlarmGroup.id == alarm.group_id)
    of_alarm = ctx.scope.select(AlarmNotification).where(
        or_(
            AlarmNotification.alarm_id == alarm_id,
            and_(AlarmNotification.alarm_id.in_(leads), AlarmNotification.account_id.is_not(None)),
        )
    )
    rows = (await ctx.db.scalars(of_alarm.order_by(AlarmNotification.id))).all()
    named = rows_of(*rows).select(Account.id, Account.name)
    names = {row.id: row.name for row in await ctx.db.execute(named)}
    below = set(await ctx.db.scalars(ctx.scope.select(Account.id).where(Account.id.in_(names))))
    return [_render(row, names, below, ctx.language) for row in rows]


def _render(row: AlarmNotification, names: dict[int, str], below: set[int], language: str) -> dict[str, Any]:
    shown = row.account_id is None or row.account_id in below
    return {
        "id": row.id,
        "channel": to_camel(row.channel),
        "user_id": row.account_id,
        "name": names.get(row.account_id or 0, ""),
        "target": row.target if shown else "",
        "state": row.state,
        "step": row.step,
        "attempts": row.attempts,
        "time": row.created_at,
        "sent_time": row.sent_at,
        "next_time": row.next_at,
        "reason": row.reason,
        "reason_text": say_reason(language, row.reason, row.target if shown else "…"),
    }


def say_reason(language: str, reason: str, mailbox: str) -> str:
    return texts.say(language, f"input.{reason}", mailbox=mailbox) if reason else ""
