"""The OpenAPI and the AsyncAPI explain themselves.

Every field of a payload or an answer, of calls and of the robot's commands, says what it means, with its unit and range
(protocol/doc); so does every field of a message on the bus, and each of these messages itself. Every call's docstring
begins with a sentence in the imperative on one line: its summary.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
from house import tell
from make_asyncapi import payload_types
from pydantic import BaseModel

from lustra.app.wiring import wire
from lustra.core.calls.registry import CALLS, Call
from lustra.core.wire import Wire
from lustra.protocol import commands

VERBS = re.compile(
    "(Add|Answer|Ask|Begin|Break|Build|Cancel|Change|Check|Close|Connect|Count|Create|Cut|Delete|Disconnect|Download|End|Erase"
    "|Exchange|Export|Find|Fit|Get|Give|Import|List|Log|Make|Mark|Open|Pause|Read|Record|Replace|Report|Reserve|Reset|Revoke|Save"
    "|Send|Set|Show|Snooze|Store|Take|Upload)\\b.*[.:)]"
)


def subclasses(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """All models below, each once, without the forms that a generic one takes."""
    for below in model.__subclasses__():
        if not below.__pydantic_generic_metadata__["origin"]:
            yield below
        yield from subclasses(below)


def undescribed(base: type[BaseModel], package: str) -> list[str]:
    """`module.Model.field` of each field that has no description, of the models of a package, where it is declared."""
    fields = {
        f"{model.__module__}.{model.__qualname__}.{name}"
        for model in subclasses(base)
        if model.__module__.startswith(package)
        for name in model.__annotations__
        if (field := model.__pydantic_fields__.get(name)) is not None and not field.description
    }
    return sorted(fields)


def undescribed_messages(kinds: Iterable[type[msgspec.Struct]]) -> list[str]:
    """`Struct` or `Struct.field` of each that has no description, nested ones included."""
    _, schemas = msgspec.json.schema_components(tuple(kinds))
    out = [name for name, schema in schemas.items() if not schema.get("description")]
    for name, schema in schemas.items():
        out += [f"{name}.{field}" for field, about in schema["properties"].items() if not about.get("description")]
    return sorted(out)


def unclear(calls: Iterable[Call]) -> list[str]:
    """Each call whose docstring does not begin with a sentence that says what it does."""
    summaries = {call.path: ((call.handler.__doc__ or "").splitlines() or [""])[0] for call in calls}
    return sorted(
        f"{path}: '{summary}' is no sentence that begins with a verb"
        for path, summary in summaries.items()
        if not VERBS.fullmatch(summary)
    )


def problems(_: Path) -> list[str]:
    wire()
    bases = (Wire, *commands.MODELS)
    fields = [f"{field} has no description (protocol/doc)" for base in bases for field in undescribed(base, "lustra.")]
    fields += [f"{name} has no description (msgspec.Meta)" for name in undescribed_messages(payload_types())]
    return fields + unclear(CALLS.values())


if __name__ == "__main__":
    tell(problems)
