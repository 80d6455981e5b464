from datetime import date, datetime

import pytest
from check_inputs import problems, schema_of, unbounded
from house import ROOT
from pydantic import AwareDatetime, Field

from lustra.core.wire import Commas, Day, Id, Moment, PageOf, Wire


class Item(Wire):
    amount: int = Field(ge=1)


class Taken(PageOf):
    user_id: int | None = None
    ids: Commas[int] = Field(default=[], max_length=10)
    near: AwareDatetime | None = None
    seen: datetime | None = None
    day: date | None = None
    items: list[Item] = Field(default=[])


class Bounded(PageOf):
    user_id: Id | None = None
    ids: Commas[Id] = Field(default=[], max_length=10)
    seen: Moment | None = None
    day: Day | None = None


def test_every_field_without_bounds_is_found_wherever_it_stands():
    fields = {field for field, _ in unbounded(schema_of(Taken))}
    assert fields == {"user_id", "ids", "near", "seen", "day", "amount"}


def test_types_of_the_wire_have_bounds():
    assert list(unbounded(schema_of(Bounded))) == []


@pytest.mark.timeout(60)
def test_every_call_takes_bounded_fields_alone():
    assert problems(ROOT) == []
