"""Configuration parameters: values by their key, once in the installation, and brought to every robot of it.

Rule: all of them together fit into one message of the bus.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func

from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.errors import Code, Refusal
from lustra.core.scope import shared
from lustra.domains.version import parameter_delivery
from lustra.domains.version.service import lock_row, refuse_taken
from lustra.domains.version.tables import ConfigurationParameter
from lustra.protocol.updates import LARGEST_CONFIGURATION


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
    await _deliver(ctx)
    ctx.note(id=parameter.id, parameter=key)
    return parameter


async def change(ctx: Ctx, parameter_id: int, values: dict[str, Any], seen: datetime | None) -> None:
    parameter = await lock_row(ctx, ConfigurationParameter, parameter_id)
    if "key" in values:
        await _refuse_taken_key(ctx, values["key"], parameter.id)
    before = edits.apply(parameter, values, seen)
    await _deliver(ctx)
    ctx.note(parameter=parameter.key, before=before)


async def delete(ctx: Ctx, parameter_id: int) -> None:
    parameter = await lock_row(ctx, ConfigurationParameter, parameter_id)
    ctx.note(parameter=parameter.key, value=parameter.value)
    await ctx.db.delete(parameter)
    await _deliver(ctx)


async def _deliver(ctx: Ctx) -> None:
    """All of them, unless they have become too many."""
    await ctx.db.flush()
    sizes = func.octet_length(ConfigurationParameter.key) + func.octet_length(ConfigurationParameter.value)
    if (await ctx.db.scalar(shared.select(func.sum(sizes))) or 0) > LARGEST_CONFIGURATION:
        raise Refusal(Code.BAD_INPUT, "value", reason="parameters_large", kb=LARGEST_CONFIGURATION >> 10)
    await parameter_delivery.plan(ctx.db)
