"""Configuration parameters on their way to robots.

Rules: the transaction of a change plans them for all robots; each minute all is compared, so that new robots get them
too. Who is away gets them once it is online. A robot takes all that it knows of them or none; what it refused waits for
a person.
"""

import asyncio
from datetime import timedelta
from typing import Any

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import jobs, query
from lustra.core.context import Ctx, Services
from lustra.domains.delivery.api import EVERY, Kind, Outcome, claim, reset, reset_failed, send
from lustra.domains.device.api import Device
from lustra.domains.version import queries
from lustra.domains.version.tables import ParameterDelivery
from lustra.protocol.updates import Configuration, ConfigurationProgress

DELIVER = "parameter.deliver"
PARAMETERS = Kind("configure", "parameter_delivery", ConfigurationProgress, silent_after=timedelta(minutes=5))
FIELD = "values."  # of a refusal, before the parameter's key
LONGEST_KEY = 100


async def plan(db: AsyncSession) -> None:
    await db.flush()
    await db.execute(EVERY.text(queries.PLAN))
    await jobs.later(db, DELIVER)


async def deliver_all(app: Services) -> None:
    """Each minute."""
    await app.pool.execute(EVERY.sql(queries.PLAN))
    await deliver(app)


async def deliver(app: Services) -> None:
    """To robots that are online. Those that shall have others by now are planned anew."""
    while rows := await claim(app, PARAMETERS):
        current = await app.pool.fetchrow(EVERY.sql(queries.CURRENT))
        order = Configuration(revision=current["revision"], values=msgspec.json.decode(current["values"]))
        async with asyncio.TaskGroup() as group:
            for row in rows:
                if row["revision"] == order.revision:
                    group.create_task(_send(app, row, order))


async def _send(app: Services, row: Any, order: Configuration) -> None:
    outcome = await send(app, PARAMETERS, row, order)
    keys = (_refused_key(outcome), _unknown_keys(outcome))
    await app.pool.execute(EVERY.sql(queries.STORE_KEYS), row["device_id"], row["revision"], *keys)


def _refused_key(outcome: Outcome) -> str:
    return outcome.field.removeprefix(FIELD)[:LONGEST_KEY] if outcome.field.startswith(FIELD) else ""


def _unknown_keys(outcome: Outcome) -> list[str]:
    progress = outcome.progress
    return progress.unknown if isinstance(progress, ConfigurationProgress) else []


async def send_again(ctx: Ctx, device_id: int | None) -> None:
    """To a robot, or to all on which it failed; one that has no order yet gets none."""
    if device_id is None:
        await reset_failed(ctx, ParameterDelivery)
    else:
        await query.fetch_one(ctx.db, ctx.scope.changeable.select(Device).where(Device.id == device_id))
        await reset(ctx, ParameterDelivery, device_id)
    await jobs.later(ctx.db, DELIVER)
