"""SIM cards: what their provider knows of one, for all four providers through one way.

Rules: only the card of a robot in scope is asked for; a provider that is not set is refused by its name. Our own
provider answers from a file of cards (LUSTRA_SIM_FILE) that an operator keeps or a vendor's tool writes; a vendor's
interface is a function of the card's number beside it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import msgspec

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.settings import Settings
from lustra.domains.device.tables import Device

VENDORS = ("Tianyuan mobile", "quantum mobile", "digital-signal telecom", "SimBoss")  # by `simSupport`


class Card(msgspec.Struct, kw_only=True, rename="camel"):
    """`status`: as the provider calls it. `expire_date`: a date of ISO 8601."""

    c_no: str
    status: str
    used_mb: float
    total_mb: float
    expire_date: str


Provider = Callable[[str], Awaitable[Card | None]]


async def read_card_file(file: Path, number: str) -> Card | None:
    cards = msgspec.json.decode(await asyncio.to_thread(file.read_bytes), type=list[Card])
    return next((card for card in cards if card.c_no == number), None)


def find_provider(settings: Settings, vendor: int | None) -> Provider:
    name = VENDORS[vendor] if vendor is not None else "SIM"
    if not settings.sim_file:
        raise Refusal(Code.SIM_OFF, "cNo", vendor=name)
    return partial(read_card_file, Path(settings.sim_file))


async def load_card(ctx: Ctx, number: str) -> tuple[Card, int | None]:
    """What the provider of that card says, and which provider it is."""
    rows = ctx.scope.select(Device).where(Device.sim_no == number).limit(1)
    robot = await query.fetch_one(ctx.db, rows)
    card = await find_provider(ctx.app.settings, robot.sim_support)(number)
    if card is None:
        raise Refusal(Code.NOT_FOUND, "cNo")
    return card, robot.sim_support
