"""Models of the contract have names of their own, and each of their fields is described."""

import gc
from typing import Annotated

import check_descriptions
import msgspec
import pytest
from house import ROOT
from pydantic import BaseModel, Field

from lustra.app.web import openapi
from lustra.app.wiring import wire
from lustra.core.calls.registry import Call
from lustra.core.wire import Wire, doc
from lustra.protocol.answers.base import Row
from lustra.protocol.payloads.base import Payload


def test_a_field_of_its_own_needs_a_description():
    class Base(BaseModel):
        pass

    class Planted(Base):
        days: int
        size: Annotated[int, doc("Bytes.")]
        name: str = Field(description="The login name.")

    class Narrower(Planted):
        speed: float

    assert Narrower.__pydantic_fields__.keys() == {"days", "size", "name", "speed"}
    assert [field.rsplit(".", 2)[1:] for field in check_descriptions.undescribed(Base, __name__)] == [
        ["Narrower", "speed"],
        ["Planted", "days"],
    ]


@pytest.mark.parametrize("base", [Wire, Payload, Row])
def test_a_model_of_a_call_or_a_command_with_an_undescribed_field_is_refused(base: type[BaseModel]):
    assert check_descriptions.problems(ROOT) == []
    planted = type("Planted", (base,), {"__annotations__": {"days": int}, "__module__": "lustra.planted"})
    assert check_descriptions.problems(ROOT) == ["lustra.planted.Planted.days has no description (protocol/doc)"]
    del planted
    gc.collect()
    assert check_descriptions.problems(ROOT) == []


def test_a_call_needs_a_summary_that_begins_with_a_verb():
    async def riddle() -> None:
        """To whom."""

    async def clear() -> None:
        """List all."""

    calls = [Call("/riddle", riddle, "index"), Call("/clear", clear, "index")]
    assert check_descriptions.unclear(calls) == ["/riddle: 'To whom.' is no sentence that begins with a verb"]


def test_each_model_of_the_contract_has_a_name_of_its_own_without_a_modules_path():
    wire()
    assert [name for name in openapi.document()["components"]["schemas"] if "__" in name] == []


def test_a_message_of_the_bus_without_a_description_is_refused():
    class Inner(msgspec.Struct):
        """Part of it."""

        size: int

    class Planted(msgspec.Struct):
        days: Annotated[int, msgspec.Meta(description="Days.")]
        inner: Annotated[list[Inner], msgspec.Meta(description="Its parts.")]

    assert check_descriptions.undescribed_messages([Planted]) == ["Inner.size", "Planted"]
