"""Many robots from a spreadsheet: every row is tried by the rules of adding one, and all that is wrong is told.

Rules: trying writes nothing; adding adds all rows or none.
"""

from dataclasses import dataclass
from typing import Any, BinaryIO

from pydantic import ValidationError
from sqlalchemy import func, select

from lustra.core import texts
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.intake import content_of
from lustra.core.refused_input import refusals
from lustra.core.sheet import Column
from lustra.domains.account.service import readable
from lustra.domains.account.tables import Account
from lustra.domains.device import edit
from lustra.domains.device.fields import NewDevice
from lustra.domains.device.sheet_rows import FIELDS, Line, read_rows
from lustra.domains.device.tables import DeviceType


@dataclass(frozen=True, slots=True)
class Fault:
    """`row` as the spreadsheet numbers it; `column` as its first row calls it."""

    row: int
    column: str
    told: str
    why: str


@dataclass(frozen=True, slots=True)
class Tried:
    rows: int
    faults: list[Fault]


def template(language: str) -> list[Column]:
    return [(texts.say(language, f"export.{title}"), "text", 20) for title in FIELDS]


class _Names:
    """People name types and owners; who reads the sheet may name only what it sees."""

    def __init__(self, types: dict[str, int], owners: dict[str, int]) -> None:
        self.types, self.owners = types, owners

    @classmethod
    async def of(cls, ctx: Ctx, lines: list[Line]) -> "_Names":
        kinds = {kind.name.casefold(): kind.id for kind in await ctx.db.scalars(select(DeviceType))}
        wanted = {line.told["ownerUserId"].casefold() for line in lines if "ownerUserId" in line.told}
        mine = readable(ctx.actor).where(func.lower(Account.account).in_(wanted)) if wanted else None
        found = list(await ctx.db.scalars(mine)) if mine is not None else []
        return cls(kinds, {one.account.casefold(): one.id for one in found})

    def resolve(self, told: dict[str, str]) -> tuple[dict[str, Any], list[tuple[str, Refusal]]]:
        meant: dict[str, Any] = dict(told)
        wrong: list[tuple[str, Refusal]] = []
        for field, names, reason in (
            ("deviceType", self.types, "type_unknown"), ("ownerUserId", self.owners, "owner_unknown"),
        ):  # fmt: skip
            if field not in told:
                continue
            known = names.get(told[field].casefold())
            meant[field] = known or 0
            if known is None:
                wrong.append((field, Refusal(Code.BAD_INPUT, field, reason=reason)))
        return meant, wrong


async def fill_in(ctx: Ctx, file: BinaryIO, *, keep: bool) -> Tried:
    """Every row, in one savepoint that stands only if all are good and they shall be kept."""
    sheet = await ctx.app.intake.read(ctx.actor.real_id, read_rows, {"file": content_of(file)})
    titles, lines = sheet.titles, sheet.lines
    names = await _Names.of(ctx, lines)
    faults: list[Fault] = []
    whole = await ctx.db.begin_nested()
    for line in lines:
        wrong = await _try(ctx, names, line)
        faults += [
            Fault(line.row, titles.get(field, field), line.told.get(field, ""), _why(ctx, refusal))
            for field, refusal in wrong
        ]
    if keep and not faults:
        await whole.commit()
    else:
        await whole.rollback()
    return Tried(len(lines), faults)


async def _try(ctx: Ctx, names: _Names, line: Line) -> list[tuple[str, Refusal]]:
    meant, wrong = names.resolve(line.told)
    named = {field for field, _ in wrong}
    try:
        new = NewDevice.model_validate(meant)
    except ValidationError as why:
        return wrong + [(one.field, one) for one in refusals(why) if one.field not in named]
    if wrong:
        return wrong
    try:
        async with ctx.db.begin_nested():
            await edit.add(ctx, new.told(), new.owner_user_id)
    except Refusal as why:
        return [(why.field, why)]
    return []


def _why(ctx: Ctx, refusal: Refusal) -> str:
    """Without the field: it stands beside."""
    plain = Refusal(refusal.code, "", reason=refusal.reason, **refusal.values)
    return plain.text(ctx.language)
