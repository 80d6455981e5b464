"""Configuration parameters: values by their key, once in the installation."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.scope import shared
from lustra.domains.version.service import lock_row, refuse_taken
from lustra.domains.version.tables import ConfigurationParameter


async def list_all(ctx: Ctx) -> Sequence[ConfigurationParameter]:
    return (await ctx.db.scalars(shared.select(ConfigurationParameter).order_by(ConfigurationParameter.key))).all()


async def _refuse_taken_key(ctx: Ctx, key: str, own: int | None) -> None:
    taken = shared.select(ConfigurationParameter.id).where(ConfigurationParameter.key == key)
    await refuse_taken(ctx, taken, own, "key", "key_exists")


async def add(ctx: Ctx, key: str, value: str) -> ConfigurationParameter:
    await _refuse_taken_key(ctx, key, None)
    parameter = ConfigurationParameter(key=key, value=value)
    ctx.db.add(parameter)
    await ctx.db.flush()
    ctx.note(id=parameter.id, parameter=key)
    return parameter


async def change(ctx: Ctx, parameter_id: int, values: dict[str, Any], seen: datetime | None) -> None:
    parameter = await lock_row(ctx, ConfigurationParameter, parameter_id)
    if "key" in values:
        await _refuse_taken_key(ctx, values["key"], parameter.id)
    before = edits.apply(parameter, values, seen)
    ctx.note(parameter=parameter.key, before=before)


async def delete(ctx: Ctx, parameter_id: int) -> None:
    parameter = await lock_row(ctx, ConfigurationParameter, parameter_id)
    ctx.note(parameter=parameter.key, value=parameter.value)
    await ctx.db.delete(parameter)
