"""Every field of a payload or an answer says in the OpenAPI what it means, with its unit and range (core/wire: doc)."""

from collections.abc import Iterator
from pathlib import Path

from house import tell
from pydantic import BaseModel

from lustra.app.wiring import wire
from lustra.core.wire import Wire


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


def problems(_: Path) -> list[str]:
    wire()
    return [f"{field} has no description (core/wire: doc)" for field in undescribed(Wire, "lustra.")]


if __name__ == "__main__":
    tell(problems)
