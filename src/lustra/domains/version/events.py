"""What higher domains may want to know of versions, called in the transaction of the change."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy.ext.asyncio import AsyncSession

from lustra.core import events
from lustra.core.errors import Code, Refusal


@dataclass(slots=True)
class VersionsInUse:
    """Asked before versions are taken back or deleted: names of roll-outs that bring robots to them. `targets`: as
    signed metadata names them, of whole machines likewise."""

    targets: Sequence[str]
    rollouts: list[str] = field(default_factory=list[str])


async def refuse_if_rolled_out(db: AsyncSession, *targets: str) -> None:
    """Refused while a roll-out brings robots to one of them."""
    event = VersionsInUse(targets)
    await events.emit(db, event)
    if event.rollouts:
        raise Refusal(Code.BAD_INPUT, reason="version_rolled_out", name=event.rollouts[0])
