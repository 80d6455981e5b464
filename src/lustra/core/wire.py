"""Shapes on the wire that many calls share: snake_case in Python, camelCase outside."""

import json
from collections.abc import Callable
from typing import Annotated, Any, Generic, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

T = TypeVar("T")


class Wire(BaseModel):
    """Base of all payloads and answers. Unknown fields are tolerated; numbers are finite."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        from_attributes=True,
        extra="ignore",
        allow_inf_nan=False,
        coerce_numbers_to_str=True,  # forms know only text, so a number may stand where text is wanted, and back
    )


class Nothing(Wire):
    """An answer without content."""


class ById(Wire):
    id: int


class PageOf(Wire):
    """Filter base for paged lists."""

    current_page: int = Field(1, ge=1, le=1_000_000)
    page_size: int = Field(30, ge=1, le=1_000_000)


class Page(Wire, Generic[T]):
    """`page_num` is the number of pages."""

    list: list[T]
    page_num: int
    total: int


def _split(read: Callable[[str], Any]) -> Callable[[Any], Any]:
    def parse(value: Any) -> Any:
        return read(value) if isinstance(value, str) else value

    return parse


def _commas(text: str) -> Any:
    return [part.strip() for part in text.split(",") if part.strip()]


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise ValueError("no JSON") from wrong


Commas = Annotated[list[T], BeforeValidator(_split(_commas))]  # "a,b" or ["a", "b"]
Json = Annotated[T, BeforeValidator(_split(_json))]  # JSON text in a field, or the value itself


def _title(told: str) -> str:
    if not told:
        raise PydanticCustomError("title_required", "Enter a name")
    return told


Title = Annotated[str, StringConstraints(strip_whitespace=True, max_length=100), AfterValidator(_title)]  # of a thing
