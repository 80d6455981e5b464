"""What a browser may do with the ticket of a pushed message: read its text, take the alarm, put it off.

Rules: a ticket is of one alarm and one browser, ends after a day, and does nothing else. It is good as long as the
browser is entered and its person may still see the alarm; taking and putting off need the key that they need
elsewhere. Nobody is logged in by it.
"""

from dataclasses import replace
from typing import Any, Literal

from lustra.core import texts
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.files.tickets import Tickets
from lustra.core.scope import rows_of
from lustra.domains.account.api import Account, find_actor
from lustra.domains.alarm import snoozes, taking
from lustra.domains.alarm.push.tables import PushDevice
from lustra.domains.alarm.service import LISTS, RESOLVED, every
from lustra.domains.alarm.tables import Alarm
from lustra.domains.device.api import Device

ACT = "warn/index/warn/resume"
SNOOZE_MIN = 15
Action = Literal["take", "snooze"]


async def read(ctx: Ctx, ticket: str) -> dict[str, Any]:
    """What is shown, in the language of the person."""
    person, claims = await _enter(ctx, ticket)
    labels = {name: texts.say(person.language, f"push.{name}") for name in ("take", "snooze")}
    if not claims["alarm"]:
        title = texts.say(person.language, "notification.test_title")
        return {"title": title, "text": texts.say(person.language, "push.test"), "path": "/", "acts": False, **labels}
    alarm, device = await _load_alarm(person, claims["alarm"])
    where = " · ".join(filter(None, (device.name, device.address, device.address1)))
    acts = ACT in person.actor.keys and alarm.state < RESOLVED
    title = texts.name_alarm(alarm.code, person.language)
    return {"title": title, "text": where, "path": f"/index/realWarn/{alarm.id}", "acts": acts, **labels}


async def act(ctx: Ctx, ticket: str, action: Action) -> None:
    person, claims = await _enter(ctx, ticket)
    if ACT not in person.actor.keys:
        raise Refusal(Code.FORBIDDEN)
    alarm, device = await _load_alarm(person, claims["alarm"])
    ctx.note(account=person.actor.name, warnId=alarm.id, action=action)
    if action == "take":
        await taking.take(person, device.serial_number, alarm.id, on=True)
    else:
        await snoozes.snooze(person, device.serial_number, alarm.id, SNOOZE_MIN, "")


async def _enter(ctx: Ctx, ticket: str) -> tuple[Ctx, dict[str, Any]]:
    """As the person whose browser it is. Raises NOT_FOUND, whatever is wrong with the ticket."""
    claims = Tickets(ctx.app.settings.secret, "push").read(ticket)
    if claims is None:
        raise Refusal(Code.NOT_FOUND)
    device = await ctx.db.scalar(every.select(PushDevice).where(PushDevice.id == claims["device"]))
    actor = await find_actor(ctx.db, device.account_id) if device else None
    if device is None or actor is None or actor.keys.isdisjoint(LISTS):
        raise Refusal(Code.NOT_FOUND)
    account = (await ctx.db.scalars(rows_of(device).select(Account))).one()
    return replace(ctx, actor=actor, language=account.language or texts.DEFAULT), claims


async def _load_alarm(person: Ctx, alarm_id: int) -> tuple[Alarm, Device]:
    alarm = await person.db.scalar(person.scope.select(Alarm).where(Alarm.id == alarm_id))
    if alarm is None:
        raise Refusal(Code.NOT_FOUND)
    return alarm, (await person.db.scalars(rows_of(alarm).select(Device))).one()
