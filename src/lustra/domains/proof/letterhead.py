"""Logo and colour of documents: an account's own, else those of the nearest who stands above it, else ours.

Rules: what was uploaded is drawn anew on white, in at most LOGO pixels, and nothing else of it is kept; a drawing that
could hold a script (SVG) is no picture. A colour is read on white paper. Whoever knows its address sees a logo: the
address cannot be guessed, and a logo never changes under it.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import quota
from lustra.core.context import Ctx, Services
from lustra.core.database import edits
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.files import pictures
from lustra.domains.account.api import Account, PersonalDataRequested, PersonErased
from lustra.domains.proof import queries
from lustra.domains.proof.queries import EVERY
from lustra.domains.proof.tables import Letterhead

ACCENT = "#017465"
LOGO = (960, 240)  # pixels, at most
FOLDER = "letterhead/"
ADDRESS = "/api/public/letterheadLogo/"
NAME = "[0-9a-f]{32}"
URL = re.compile(rf"{ADDRESS}({NAME})")
UNUSED = timedelta(days=1)  # until an upload that nobody took is cleared away
LEAST_CONTRAST = 4.5  # of text on white paper (WCAG AA)
DARK = 0.04045  # share up to which sRGB is linear
WEIGHTS = (0.2126, 0.7152, 0.0722)  # of red, green and blue in how light a colour is


@dataclass(frozen=True, slots=True)
class Look:
    colour: str
    logo: bytes  # a PNG; empty: none


async def load(ctx: Ctx, *, lock: bool = False) -> Letterhead | None:
    """The acting account's own."""
    rows = ctx.scope.select(Letterhead).where(Letterhead.account_id == ctx.actor.acting_id)
    return await ctx.db.scalar(rows.with_for_update() if lock else rows)


async def find_mailboxes(ctx: Ctx) -> list[str]:
    """Of the acting account."""
    email = await ctx.db.scalar(ctx.scope.select(Account.email).where(Account.id == ctx.actor.acting_id))
    return email.split(",") if email else []


async def change(ctx: Ctx, fields: dict[str, Any], since: datetime | None) -> None:
    if fields["logo"]:
        match = URL.fullmatch(fields["logo"])
        if match is None:
            raise Refusal(Code.BAD_INPUT, "logo", reason="picture_chosen")
        await ctx.app.objects.demand(FOLDER + match[1], "logo")
    if fields["colour"] and contrast_on_white(fields["colour"]) < LEAST_CONTRAST:
        raise Refusal(Code.BAD_INPUT, "colour", reason="colour_pale")
    row = await load(ctx, lock=True)
    if row is None:
        # The month before now was nobody's wish.
        ctx.db.add(Letterhead(account_id=ctx.actor.acting_id, mailed_month=month_before(now()), **fields))
    else:
        if fields["monthly"] and not row.monthly:
            row.mailed_month = max(row.mailed_month, month_before(now()))
        ctx.note(before=edits.apply(row, fields, since))
    await ctx.db.flush()


def month_before(at: datetime) -> str:
    return f"{at.replace(day=1) - timedelta(days=1):%Y-%m}"


def contrast_on_white(colour: str) -> float:
    """By WCAG 2: 1 of white, 21 of black."""
    shares = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [share / 12.92 if share <= DARK else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 1.05 / (sum(weight * value for weight, value in zip(WEIGHTS, linear, strict=True)) + 0.05)


async def store_logo(ctx: Ctx, data: bytes) -> str:
    """The address of the new picture. It stands when a letterhead takes it."""
    content = await ctx.app.intake.read(ctx.actor.real_id, pictures.fit_on_white, {"file": data}, LOGO)
    name = uuid4().hex
    await quota.hold(ctx, ctx.actor.acting_id, "pictures", FOLDER + name, len(content))
    await ctx.app.objects.put_bytes(FOLDER + name, content)
    return ADDRESS + name


async def read_logo(app: Services, name: str) -> bytes:
    return await app.objects.get(FOLDER + name)


async def find_look(ctx: Ctx, owner_id: int) -> tuple[str, str]:
    """Address of the logo, or empty, and colour of documents about this account's robots."""
    row = (await ctx.db.execute(EVERY.text(queries.LETTERHEAD), {"owner": owner_id})).first()
    return (row.logo, row.colour or ACCENT) if row else ("", ACCENT)


async def load_look(ctx: Ctx, owner_id: int) -> Look:
    """The same, with the logo itself."""
    logo, colour = await find_look(ctx, owner_id)
    match = URL.fullmatch(logo)
    return Look(colour, await read_logo(ctx.app, match[1]) if match else b"")


async def purge(app: Services) -> None:
    """Pictures that no letterhead has (any more). A nightly job."""
    async with app.sessions() as db:
        used = {url.removeprefix(ADDRESS) for url in await db.scalars(EVERY.select(Letterhead.logo))}
    async for paths in app.objects.older(FOLDER, now() - UNUSED):
        unused = [path for path in paths if path.removeprefix(FOLDER) not in used]
        for path in unused:
            await app.objects.delete(path)
        async with app.sessions.begin() as db:
            await quota.release(db, unused)


async def on_personal_data_requested(db: AsyncSession, request: PersonalDataRequested) -> None:
    own = EVERY.select(Letterhead).where(Letterhead.account_id == request.account_id)
    request.rows["letterhead"] = [
        {"time": row.updated_at, "colour": row.colour, "monthly": row.monthly} for row in await db.scalars(own)
    ]


async def on_person_erased(db: AsyncSession, event: PersonErased) -> None:
    """The picture goes in the night."""
    await db.execute(EVERY.delete(Letterhead).where(Letterhead.account_id == event.account_id))
