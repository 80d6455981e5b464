"""Events between domains: a lower one tells, a higher one acts, in the teller's transaction.

app/wiring lists every handler, in the order of their running; nobody registers himself.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

Handler = Callable[[AsyncSession, Any], Awaitable[None]]
_handlers: dict[type, tuple[Handler, ...]] = {}


def wire(handlers: Mapping[type, Sequence[Handler]]) -> None:
    _handlers.clear()
    _handlers.update({kind: tuple(several) for kind, several in handlers.items()})


def handlers_of(kind: type) -> tuple[Handler, ...]:
    return _handlers.get(kind, ())


async def emit(db: AsyncSession, event: object) -> None:
    for handle in handlers_of(type(event)):
        await handle(db, event)
