"""The audit: one row for each change and each denied try. core/audit_trail/chain seals them, in the background.

Rows are written in the transaction of the change (a denied try: in its own) and never touched again, but for one thing:
what says who somebody was goes when that person is erased. No text of a caller's can keep a row out: what the database
cannot store is marked.
"""

import json
import math
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped, mapped_column

from lustra.core.context import Actor
from lustra.core.db import Owned, Table
from lustra.core.wire import storable

LONGEST = 4096  # characters of a detail


class Audit(Table):
    """`account_id` is the real account; `code` is 0 for what was done, else the refusal's."""

    __tablename__ = "audit"
    root = Owned()
    topics = ("stop",)

    account_id: Mapped[int] = mapped_column(index=True)
    acting_id: Mapped[int]
    name: Mapped[str]
    session_id: Mapped[str]
    address: Mapped[str]
    action: Mapped[str] = mapped_column(index=True)
    code: Mapped[int]
    detail: Mapped[dict[str, Any]]
    device_id: Mapped[int | None] = mapped_column(default=None, index=True)


def write(
    db: AsyncSession,
    actor: Actor,
    action: str,
    *,
    address: str = "",
    code: int = 0,
    detail: dict[str, Any] | None = None,
    device_id: int | None = None,
) -> None:
    db.add(
        Audit(
            account_id=actor.real_id,
            acting_id=actor.acting_id,
            name=actor.name,
            session_id=actor.session_id,
            address=storable(address),
            action=action,
            code=code,
            detail=short(detail or {}),
            device_id=device_id,
        )
    )


def short(detail: dict[str, Any]) -> dict[str, Any]:
    """What the database can store of it; of a long one the beginning."""
    values = plain(detail)
    content = json.dumps(values)
    return {"cut": content[:LONGEST]} if len(content) > LONGEST else values


def plain(value: Any) -> Any:
    """JSON values, each of them storable."""
    if isinstance(value, dict):
        return {storable(str(name)): plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(inner) for inner in value]
    if value is None or isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    return storable(str(value))
