"""Many robots from a spreadsheet: every row is tried by the rules of adding one, and all that is wrong is listed.

Rules: trying writes nothing; adding adds all rows or none.
"""

from dataclasses import dataclass
from typing import Any, BinaryIO

from pydantic import ValidationError
from sqlalchemy import func
from starlette.datastructures import UploadFile

from lustra.core import texts
from lustra.core.calls.refused_input import refusals
from lustra.core.context import Ctx
from lustra.core.errors import Code, Refusal
from lustra.core.files.intake import content_of
from lustra.core.scope import shared
from lustra.core.sheet import Column
from lustra.domains.account.api import Account
from lustra.domains.device import edit
from lustra.domains.device.fields import NewDevice
from lustra.domains.device.sheet_rows import FIELDS, LARGEST, Line, read_rows
from lustra.domains.device.tables import DeviceType


@dataclass(frozen=True, slots=True)
class Fault:
    """`row` as the spreadsheet numbers it; `column` as its first row calls it."""

    row: int
    column: str
    value: str
    why: str


@dataclass(frozen=True, slots=True)
class ImportResult:
    rows: int
    faults: list[Fault]
    serials: list[str]


def template(language: str) -> list[Column]:
    return [(texts.say(language, f"export.{title}"), "text", 20) for title in FIELDS]


class _Names:
    """People name types and owners; who reads the sheet may name only what it sees."""

    def __init__(self, types: dict[str, int], owners: dict[str, int]) -> None:
        self.types, self.owners = types, owners

    @classmethod
    async def load(cls, ctx: Ctx, lines: list[Line]) -> "_Names":
        kinds = {kind.name.casefold(): kind.id for kind in await ctx.db.scalars(shared.select(DeviceType))}
        logins = {line.texts["ownerUserId"].casefold() for line in lines if "ownerUserId" in line.texts}
        rows = ctx.scope.select(Account).where(func.lower(Account.account).in_(logins)) if logins else None
        accounts = list(await ctx.db.scalars(rows)) if rows is not None else []
        return cls(kinds, {account.account.casefold(): account.id for account in accounts})

    def resolve(self, texts: dict[str, str]) -> tuple[dict[str, Any], list[tuple[str, Refusal]]]:
        values: dict[str, Any] = dict(texts)
        refused: list[tuple[str, Refusal]] = []
        for field, names, reason in (
            ("deviceType", self.types, "type_unknown"),
            ("ownerUserId", self.owners, "owner_unknown"),
        ):
            if field not in texts:
                continue
            row_id = names.get(texts[field].casefold())
            values[field] = row_id or 0  # no row's number: such a robot is not valid
            if row_id is None:
                refused.append((field, Refusal(Code.BAD_INPUT, field, reason=reason)))
        return values, refused


def check_file(files: list[UploadFile]) -> BinaryIO:
    if not files:
        raise Refusal(Code.BAD_INPUT, "file", reason="required")
    if (files[0].size or 0) > LARGEST:
        raise Refusal(Code.BAD_INPUT, "file", reason="sheet_large")
    return files[0].file


async def import_rows(ctx: Ctx, file: BinaryIO, *, keep: bool) -> ImportResult:
    """Every row, in one savepoint that stands only if all are good and they shall be kept."""
    sheet = await ctx.app.intake.read(ctx.actor.real_id, read_rows, {"file": content_of(file)})
    titles, lines = sheet.titles, sheet.lines
    names = await _Names.load(ctx, lines)
    faults: list[Fault] = []
    savepoint = await ctx.db.begin_nested()
    for line in lines:
        refused = await _try_row(ctx, names, line)
        faults += [
            Fault(line.row, titles.get(field, field), line.texts.get(field, ""), _refusal_text(ctx, refusal))
            for field, refusal in refused
        ]
    if keep and not faults:
        await savepoint.commit()
    else:
        await savepoint.rollback()
    serials = [serial for line in lines if (serial := line.texts.get("deviceSerialNumber"))]
    return ImportResult(len(lines), faults, serials)


async def read_serials(ctx: Ctx, file: BinaryIO) -> list[str]:
    """The numbers in a sheet's column of serial numbers, each once; its other columns are passed over."""
    sheet = await ctx.app.intake.read(ctx.actor.real_id, read_rows, {"file": content_of(file)})
    serials = [line.texts["deviceSerialNumber"] for line in sheet.lines if "deviceSerialNumber" in line.texts]
    if not serials:
        raise Refusal(Code.BAD_INPUT, "file", reason="sheet_empty")
    return list(dict.fromkeys(serials))


async def _try_row(ctx: Ctx, names: _Names, line: Line) -> list[tuple[str, Refusal]]:
    values, refused = names.resolve(line.texts)
    refused_fields = {field for field, _ in refused}
    try:
        device = NewDevice.model_validate(values)
    except ValidationError as error:
        return refused + [
            (refusal.field, refusal) for refusal in refusals(error) if refusal.field not in refused_fields
        ]
    try:
        async with ctx.db.begin_nested():
            await edit.add(ctx, device.column_values(), device.owner_user_id)
    except Refusal as error:
        return [(error.field, error)]
    return []


def _refusal_text(ctx: Ctx, refusal: Refusal) -> str:
    """The refusal's words without its field, whose title stands in a column beside it."""
    plain = Refusal(refusal.code, "", reason=refusal.reason, **refusal.values)
    return plain.text(ctx.language)
