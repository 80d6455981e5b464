"""Every field of a payload or an answer says in the OpenAPI what it means, with its unit and range (core/wire: doc).

scripts/descriptions.txt says how many fields each domain still has without a description. It may only shrink:
`--update` lowers it to what is left.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from allowances import compare, update
from house import ROOT, tell
from pydantic import BaseModel

from lustra.app.wiring import wire
from lustra.core.wire import Wire

ALLOWED = "scripts/descriptions.txt"


def part_of(model: type[BaseModel]) -> str:
    """`domains/account`, `core`, `live`: where a model stands."""
    words = model.__module__.split(".")[1:]
    return "/".join(words[: 2 if words[:1] == ["domains"] else 1])


def subclasses(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """All models below, each once, without the forms that a generic one takes."""
    for below in model.__subclasses__():
        if not below.__pydantic_generic_metadata__["origin"]:
            yield below
        yield from subclasses(below)


def undescribed(base: type[BaseModel], package: str) -> dict[str, list[str]]:
    """By part: `module.Model.field` of each field of its own that has no description, of the models in a package."""
    by_part: defaultdict[str, set[str]] = defaultdict(set)
    for model in subclasses(base):
        if not model.__module__.startswith(package):
            continue
        for name in model.__annotations__:
            field = model.__pydantic_fields__.get(name)
            if field is not None and not field.description:
                by_part[part_of(model)].add(f"{model.__module__}.{model.__qualname__}.{name}")
    return {part: sorted(fields) for part, fields in by_part.items()}


def problems(root: Path) -> list[str]:
    wire()
    return compare(undescribed(Wire, "lustra."), root, ALLOWED, "fields without a description")


if __name__ == "__main__":
    if "--update" in sys.argv:
        wire()
        update(undescribed(Wire, "lustra."), ROOT, ALLOWED)
    tell(problems)
