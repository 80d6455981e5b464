"""Ready answers (`Fast`) against the models that they are declared as: no field too few, too many or of another type.

Tests refuse such an answer, the demo writes it into the log (setting `check_answers`); elsewhere nothing is looked at,
since looking costs what `Fast` saves.
"""

import json
from typing import Any

from pydantic import TypeAdapter, ValidationError


def find_fault(declared: TypeAdapter[Any], data: bytes) -> str:
    """The first place where the JSON text is not as declared, in words: `list.0.days: Field required`; empty: none."""
    try:
        value = declared.validate_json(data, strict=True)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        return f"{_path(first['loc'])}: {first['msg']}"
    known = declared.dump_python(value, mode="json", by_alias=True, exclude_unset=True)
    return _undeclared_field(json.loads(data), known, ())


def _undeclared_field(content: Any, known: Any, place: tuple[str | int, ...]) -> str:
    pairs: list[tuple[str | int, Any, Any]] = []
    if isinstance(content, dict) and isinstance(known, dict):
        if extra := [key for key in content if key not in known]:
            return f"{_path((*place, extra[0]))}: The model has no such field"
        pairs = [(key, content[key], known[key]) for key in content]
    elif isinstance(content, list) and isinstance(known, list):
        pairs = [(index, *pair) for index, pair in enumerate(zip(content, known, strict=True))]
    return next((fault for key, a, b in pairs if (fault := _undeclared_field(a, b, (*place, key)))), "")


def _path(place: tuple[str | int, ...]) -> str:
    return ".".join(map(str, place))
