"""Two people edit one thing: the second is shown what the first has changed meanwhile, and loses nothing.

Rules: an answer that can be edited carries `updateTime`; an edit that sends it back late is refused with CONFLICT and
the fields that were changed since, as the wire names them; without it the last write wins, and is recorded.
"""

from datetime import datetime
from typing import Any, Protocol

from pydantic.alias_generators import to_camel
from pydantic_core import to_jsonable_python
from sqlalchemy.orm import Mapped

from lustra.core.db import now
from lustra.core.errors import Code, Refusal


class Edited(Protocol):
    """A row of such a thing. `changes`: when each field was changed last, by its name on the wire."""

    updated_at: Mapped[datetime]
    changes: Mapped[dict[str, Any]]


def apply(row: Edited, values: dict[str, Any], seen: datetime | None, names: dict[str, str] | None = None) -> Any:
    """Writes `values` (by attribute) into a locked row; answers what stood there before, as the wire has it.

    `names`: attributes that the wire calls otherwise.
    """
    wire = {name: (names or {}).get(name) or to_camel(name) for name in values}
    fresh = {name: value for name, value in values.items() if getattr(row, name) != value}
    if seen is not None:
        late = [field for field, at in row.changes.items() if datetime.fromisoformat(at) > seen]
        if late:
            raise Refusal(Code.CONFLICT, fields=_in_sequence(late, list(wire.values())))
    before = {wire[name]: to_jsonable_python(getattr(row, name)) for name in fresh}
    if fresh:
        stamp(row, *(wire[name] for name in fresh))
    for name, value in fresh.items():
        setattr(row, name, value)
    return before


def _in_sequence(fields: list[str], payload: list[str]) -> list[str]:
    """As a person reads the form: in the sequence of the payload, what it does not have at the end by name."""
    places = {field: place for place, field in enumerate(payload)}
    return sorted(fields, key=lambda field: (places.get(field, len(places)), field))


def stamp(row: Edited, *fields: str) -> None:
    """Notes that these fields, by their names on the wire, change now."""
    row.updated_at = now()
    row.changes = row.changes | dict.fromkeys(fields, row.updated_at.isoformat())
