"""Every field that a call takes is bounded by its type: whole numbers at both ends, times by century and zone.

What has no bound reaches the database and fails there: core/wire has `Id`, `Int32`, `Revision`, `Moment` and `Day`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from house import tell
from pydantic import TypeAdapter

from lustra.app.wiring import wire
from lustra.core.calls.registry import CALLS, types_of
from lustra.core.wire import refuse_far_year

NO_VALUES = ("metadata", "serialization", "default")  # parts of a core schema that say nothing of what is taken
BETTER = {"int": "Id, Int32 or Field(ge=…, le=…)", "datetime": "Moment", "date": "Day"}


def schema_of(taken: Any) -> Any:
    """The core schema of a type, also of a model that is made ready only when it is used first."""
    adapter = TypeAdapter[Any](taken)
    adapter.rebuild(force=True)
    return adapter.core_schema


def unbounded(schema: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Each field of a pydantic core schema whose values have no bounds, and the type that has."""
    if isinstance(schema, (list, tuple)):
        parts = [(field, part) for part in schema]
    elif not isinstance(schema, dict) or in_range(schema):
        return
    else:
        if schema.get("type") in BETTER and not bounded(schema):
            yield field, BETTER[schema["type"]]
        parts = [(field, part) for name, part in schema.items() if name not in (*NO_VALUES, "fields")]
        fields = schema.get("fields", ())
        parts += fields.items() if isinstance(fields, dict) else [(field, fields)]
    for name, part in parts:
        yield from unbounded(part, name)


def bounded(schema: dict[str, Any]) -> bool:
    """A number that a bigint holds."""
    ends = [schema.get("ge", schema.get("gt")), schema.get("le", schema.get("lt"))]
    return all(isinstance(end, int) and -(2**63) <= end <= 2**63 for end in ends)


def in_range(schema: dict[str, Any]) -> bool:
    """A date, or a time with its zone, of the centuries of core/wire."""
    inner, judged = schema.get("schema"), schema.get("function")
    if not isinstance(inner, dict) or not isinstance(judged, dict) or judged.get("function") is not refuse_far_year:
        return False
    return inner["type"] == "date" or inner.get("tz_constraint") == "aware"


def problems(_: Path) -> list[str]:
    wire()
    payloads = [(call.path, types_of(call)[0]) for call in CALLS.values()]
    return [
        f"{path}: its field {field} has no bounds: {better}"
        for path, payload in payloads
        if payload is not None
        for field, better in dict.fromkeys(unbounded(schema_of(payload)))
    ]


if __name__ == "__main__":
    tell(problems)
