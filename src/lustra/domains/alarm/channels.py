"""One attempt to notify somebody by a channel.

Rules: a repeated attempt bears the same key, as Message-ID of the mail, as id of what is posted or shown. A failure
says whether it is worth another attempt: what is not set up, or refused for good, is not.
"""

import json
from dataclasses import dataclass
from typing import Any

from lustra.core import gateways, mail
from lustra.core.bus import Silent
from lustra.core.context import Services
from lustra.core.errors import Code, Refusal
from lustra.domains.alarm.push import delivery
from lustra.domains.alarm.recipients import PUSH
from lustra.protocol import bus

MESSAGE_CENTRE = ("app", "cloud")
WAIT_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """`target`: a mailbox, a phone number, a serial number, or an account's number. `facts` go to gateways."""

    key: str
    channel: str
    target: str
    language: str
    title: str
    text: str
    url: str
    code: str
    level: int
    facts: dict[str, Any]


class Failed(Exception):
    """`reason`: a word of the catalogue. `final`: another attempt would fail as well."""

    def __init__(self, reason: str, *, final: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.final = reason, final


async def send(app: Services, draft: Draft) -> None:
    """Comes back when it is out. Raises Failed."""
    if draft.channel == "email":
        await _mail(app, draft)
    elif draft.channel == "terminal":
        await _show(app, draft)
    elif draft.channel == PUSH and draft.target:
        await _push(app, draft)
    else:
        await _post(app, draft)


async def _mail(app: Services, draft: Draft) -> None:
    if not draft.target:
        raise Failed("no_mailbox", final=True)
    text = f"{draft.text}\n\n{draft.url}"
    try:
        await mail.send(app.settings, [draft.target], draft.title, text, key=draft.key)
    except Refusal as why:
        if why.code == Code.MAIL_OFF:
            raise Failed("channel_unset", final=True) from None
        raise Failed(why.reason, final=why.code == Code.BAD_INPUT) from None


async def _show(app: Services, draft: Draft) -> None:
    command = bus.Notification(
        id=draft.key,
        code=draft.code,
        level=draft.level,
        title=draft.title,
        text=draft.text,
        language=draft.language,
    )
    try:
        answer = await app.bus.ask(draft.target, "notify", command, WAIT_S)
    except Silent:
        raise Failed("robot_silent") from None
    if answer.get("code"):
        raise Failed("robot_without_screen", final=True)


async def _push(app: Services, draft: Draft) -> None:
    reason = await delivery.send(app, draft.facts["userId"], draft.target, draft.facts.get("warnId", 0), draft.level)
    if reason:
        raise Failed(reason, final=reason in delivery.FINAL)


async def _post(app: Services, draft: Draft) -> None:
    url = gateways.read_urls(app.settings).get(draft.channel)
    if url is None:
        raise Failed("channel_unset", final=True)
    if draft.channel == "sms" and not draft.target:
        raise Failed("no_phone", final=True)
    body = {
        "id": draft.key,
        "channel": draft.channel,
        "target": draft.target,
        "language": draft.language,
        "title": draft.title,
        "text": draft.text,
        "url": draft.url,
        **draft.facts,
    }
    outcome = await gateways.post(app.settings, url, draft.key, json.dumps(body).encode())
    if not outcome.delivered:
        raise Failed(gateways.REASONS[outcome.reason])
