"""A mail at a time of each person's day: what quiet hours held back, and what stands.

Rules: it is due by a row, so a worker that was away sends it late and not never. Nothing held and nothing open: no
mail. Each attempt of one digest bears the same Message-ID; what it names counts as sent once the mail is out, and what
could not be sent for a day stands in the next.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import jobs, texts
from lustra.core.context import Services
from lustra.core.db import now
from lustra.core.jobs import job
from lustra.domains.account.api import Account, find_actor
from lustra.domains.alarm import channels, service
from lustra.domains.alarm.channels import Draft, Failed
from lustra.domains.alarm.hours import next_digest
from lustra.domains.alarm.notify import QUEUE, TRIED, wait_after
from lustra.domains.alarm.service import every
from lustra.domains.alarm.tables import Alarm, AlarmNotification, NotificationHours
from lustra.domains.device.api import Device

DIGEST = "alarm.digest"
LINES = 50  # of each part; what is beyond is counted


@job("alarm.digests", cron="* * * * *", queue=QUEUE)
async def begin_due(app: Services) -> None:
    async with app.sessions.begin() as db:
        due = every.select(NotificationHours).where(NotificationHours.digest_at <= now())
        for hours in await db.scalars(due.with_for_update(skip_locked=True)):
            hours.digest_at = next_digest(hours)
            await jobs.later(db, DIGEST, account=hours.account_id, key=str(uuid4()), due=now().isoformat(), attempts=0)


@job(DIGEST, queue=QUEUE)
async def send(app: Services, *, account: int, key: str, due: str, attempts: int) -> None:
    async with app.sessions.begin() as db:
        held = await _load_held(db, account, datetime.fromisoformat(due))
        drafts = await _write(app, db, account, key, held)
    try:
        for draft in drafts:
            await channels.send(app, draft)
    except Failed as why:
        async with app.sessions.begin() as db:
            await _try_again(db, why, account=account, key=key, due=due, attempts=attempts + 1)
        return
    async with app.sessions.begin() as db:
        rows = every.update(AlarmNotification).where(AlarmNotification.id.in_([row.id for row, _, _ in held]))
        await db.execute(rows.values(state="sent", sent_at=now(), next_at=None, reason=""))


async def _try_again(db: AsyncSession, why: Failed, *, due: str, attempts: int, **of: Any) -> None:
    at = now() + wait_after(attempts)
    if not why.final and at - datetime.fromisoformat(due) < TRIED:
        await jobs.later(db, DIGEST, at=at, due=due, attempts=attempts, **of)


Held = Sequence[tuple[AlarmNotification, Alarm, Device]]


async def _load_held(db: AsyncSession, account: int, due: datetime) -> Held:
    """What was held back until then, the first first."""
    rows = every.select(AlarmNotification, Alarm, Device).join(Alarm, Alarm.id == AlarmNotification.alarm_id)
    rows = rows.join(Device, Device.id == Alarm.device_id).where(
        AlarmNotification.account_id == account, AlarmNotification.state == "held", AlarmNotification.created_at <= due
    )
    return [(row, alarm, device) for row, alarm, device in await db.execute(rows.order_by(AlarmNotification.id))]


async def _write(app: Services, db: AsyncSession, account_id: int, key: str, held: Held) -> list[Draft]:
    """One to each mailbox, in the language and the zone of who reads it."""
    account = (await db.scalars(every.select(Account).where(Account.id == account_id))).one()
    actor = await find_actor(db, account_id)
    hours = (await db.scalars(every.select(NotificationHours).where(NotificationHours.account_id == account_id))).one()
    async with app.pool.acquire() as link:
        nothing: dict[str, Any] = {"list": [], "count": 0}
        standing = await service.load_open(link, actor.scope, None) if actor else nothing
    alarms = {alarm.id: (alarm, device) for _, alarm, device in held}
    if not alarms and not standing["count"]:
        return []
    language = account.language or texts.DEFAULT
    zone = ZoneInfo(hours.zone)

    def line(at: datetime, code: str, *where: str) -> str:
        return " · ".join(
            filter(None, (f"{at.astimezone(zone):%Y-%m-%d %H:%M}", texts.name_alarm(code, language), *where))
        )

    held_lines = [line(alarm.raised_at, alarm.code, device.name, device.address) for alarm, device in alarms.values()]
    open_lines = [line(row["time"], row["code"], row["deviceCode"], row["building"]) for row in standing["list"]]
    parts = (
        *_list_part(language, "held", held_lines, len(held_lines)),
        *_list_part(language, "open", open_lines, standing["count"]),
    )
    return [
        Draft(
            key=f"{key}-{place}",
            channel="email",
            target=mailbox,
            language=language,
            title=texts.say(language, "digest.title", held=len(alarms), open=standing["count"]),
            text="\n".join(parts),
            url=f"{app.settings.public_url}/index/realWarn",
            code="digest",
            level=1,
            facts={},
        )
        for place, mailbox in enumerate(account.email.split(","))
    ]


def _list_part(language: str, name: str, lines: list[str], count: int) -> list[str]:
    """A heading, its lines, and how many more there are; nothing of none."""
    if not lines:
        return []
    more = count - min(len(lines), LINES)
    return [texts.say(language, f"digest.{name}"), *lines[:LINES], *([f"… +{more}"] if more else []), ""]
