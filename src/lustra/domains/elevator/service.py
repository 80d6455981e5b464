"""The registry of elevators: each belongs to an account, and to whoever stands above that one."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import SecretStr
from sqlalchemy import func

from lustra.core import events, query
from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.errors import Code, Refusal
from lustra.core.security import sealed
from lustra.core.wire import PageOf
from lustra.domains.account.api import Account, narrow_scope
from lustra.domains.elevator.events import ElevatorsInUse
from lustra.domains.elevator.rules import SEALED_AS
from lustra.domains.elevator.tables import Elevator


async def list_page(ctx: Ctx, user_id: int | None, words: str, paging: PageOf) -> tuple[Sequence[Elevator], int]:
    """Those of an account and of all below it, by words in name, code, building or address."""
    rows = (await narrow_scope(ctx, user_id)).select(Elevator)
    if words := words.strip():
        texts = func.concat_ws(
            " ", Elevator.elevator_name, Elevator.code, Elevator.building_name, Elevator.building_address
        )
        rows = rows.where(func.strpos(func.lower(func.normalize(texts)), func.lower(func.normalize(words))) > 0)
    building = func.lower(Elevator.building_name).collate("C")
    rows = rows.order_by(building, func.lower(Elevator.elevator_name), Elevator.id)
    return await query.paginate(ctx.db, rows, paging)


async def load_elevator(ctx: Ctx, elevator_id: int, *, lock: bool = False) -> Elevator:
    rows = ctx.scope.select(Elevator).where(Elevator.id == elevator_id)
    return await query.fetch_one(ctx.db, rows.with_for_update() if lock else rows)


async def load_owner_names(ctx: Ctx, elevators: Sequence[Elevator]) -> dict[int, str]:
    """The names of the elevators' owners that the actor sees, by account."""
    rows = ctx.scope.select(Account).where(Account.id.in_({elevator.account_id for elevator in elevators}))
    return {account.id: account.name for account in await ctx.db.scalars(rows)}


async def find_users(ctx: Ctx, ids: Sequence[int]) -> ElevatorsInUse:
    event = ElevatorsInUse(ctx.actor, list(ids))
    await events.emit(ctx.db, event)
    return event


async def create(ctx: Ctx, owner_id: int | None, fields: dict[str, Any], secret: SecretStr | None) -> Elevator:
    owner = await query.fetch_one(
        ctx.db, ctx.scope.select(Account).where(Account.id == (owner_id or ctx.actor.acting_id))
    )
    elevator = Elevator(account_id=owner.id, **fields)
    await _refuse_taken_code(ctx, elevator.account_id, elevator.code, None)
    ctx.db.add(elevator)
    await ctx.db.flush()
    _store_secret(ctx, elevator, secret)
    return elevator


def _store_secret(ctx: Ctx, row: Elevator, secret: SecretStr | None) -> None:
    """Encrypts a new secret; None leaves the old one, an empty text removes it."""
    if secret is not None:
        text = secret.get_secret_value()
        row.secret = sealed.seal(ctx.app.settings, SEALED_AS, row.id, text) if text else None


async def change(
    ctx: Ctx, elevator_id: int, fields: dict[str, Any], secret: SecretStr | None, based_on: datetime | None
) -> None:
    """A secret is sent to its own server only: another address loses it, unless it is entered again."""
    row = await load_elevator(ctx, elevator_id, lock=True)
    moved = any(fields.get(name, getattr(row, name)) != getattr(row, name) for name in ("server", "provider"))
    _store_secret(ctx, row, SecretStr("") if moved and secret is None else secret)
    await _refuse_taken_code(ctx, row.account_id, fields.get("code", row.code), row.id)
    ctx.note(before=edits.apply(row, fields, based_on))


async def remove(ctx: Ctx, elevator_id: int) -> None:
    """Refused while robots ride it."""
    row = await load_elevator(ctx, elevator_id, lock=True)
    users = await find_users(ctx, [row.id])
    if count := users.counts.get(row.id, 0):
        raise Refusal(Code.BAD_INPUT, "elevatorId", reason="used_by_robots", count=count, names=" · ".join(users.names))
    ctx.note(elevatorName=row.elevator_name, buildingName=row.building_name)
    await ctx.db.delete(row)


async def _refuse_taken_code(ctx: Ctx, owner_id: int, code: str, except_id: int | None) -> None:
    """Refuses a code that another elevator of the same owner has."""
    same_code = ctx.scope.select(Elevator).where(
        Elevator.account_id == owner_id,
        func.lower(Elevator.code) == code.lower(),
        Elevator.id.is_distinct_from(except_id),
    )
    if code and await ctx.db.scalar(same_code):
        raise Refusal(Code.BAD_INPUT, "code", reason="code_taken")
