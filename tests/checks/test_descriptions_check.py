"""Models of the contract have names of their own and described fields; what is not yet described may only shrink."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import check_descriptions
from house import ROOT
from pydantic import BaseModel, Field

from lustra.app import openapi
from lustra.app.wiring import wire
from lustra.core.wire import doc


def test_a_field_of_its_own_needs_a_description():
    class Base(BaseModel):
        pass

    class Planted(Base):
        days: int
        size: Annotated[int, doc("Bytes.")]
        name: str = Field(description="The login name.")

    class Narrower(Planted):
        speed: float

    [(_, fields)] = check_descriptions.undescribed(Base, __name__).items()
    assert [field.rsplit(".", 2)[1:] for field in fields] == [["Narrower", "speed"], ["Planted", "days"]]


def test_more_undescribed_fields_than_allowed_are_refused(project: Callable[..., Path]):
    assert check_descriptions.problems(ROOT) == []
    assert any(
        "fields without a description, 0 are allowed" in line for line in check_descriptions.problems(project({}))
    )


def test_each_model_of_the_contract_has_a_name_of_its_own_without_a_modules_path():
    wire()
    assert [name for name in openapi.document()["components"]["schemas"] if "__" in name] == []
