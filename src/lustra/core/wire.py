"""Shapes on the wire that many calls share: snake_case in Python, camelCase outside.

What comes in is bounded here, once: `Id`, `Int32`, `Moment` and `Day` hold nothing that the database could not store;
`unstorable_at` finds text that it could not (core/calls/rpc asks it of every payload). scripts/checks/check_inputs.py
refuses a payload field of a wider type.
"""

import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Annotated, Any, ClassVar, Final, Generic, Self, TypeVar, get_args

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from lustra.protocol.doc import doc
from lustra.protocol.hours import CLOCK

T = TypeVar("T")
# Of a date: sums with it stay within what Python and PostgreSQL can hold.
EARLIEST_YEAR = 1900
LATEST_YEAR = 2199
LEFT_OUT = "Left out: it stays."  # of a field of a change, in its description
SURROGATE: Final = re.compile("[\ud800-\udfff]")


def refuse_far_year(value: date) -> Any:
    if not EARLIEST_YEAR <= value.year <= LATEST_YEAR:
        raise PydanticCustomError("date", "No date of these centuries")
    return value


Id = Annotated[int, Field(ge=1, lt=2**63)]  # of a row
Int32 = Annotated[int, Field(ge=-(2**31), lt=2**31)]  # PostgreSQL's integer
Revision = Annotated[int, Field(ge=1, lt=2**31)]  # of a map
Moment = Annotated[AwareDatetime, AfterValidator(refuse_far_year)]  # with its zone: without one it is refused
Day = Annotated[date, AfterValidator(refuse_far_year)]
WeekDay = Annotated[int, Field(ge=1, le=7)]  # 1 is Monday
Clock = Annotated[str, Field(pattern=f"^{CLOCK.pattern}$")]  # HH:MM
ClockOrBlank = Annotated[str, Field(pattern=f"^({CLOCK.pattern})?$")]


def none_if_blank(value: Any) -> Any:
    """None for an empty text: forms cannot send null."""
    return None if value == "" else value


# Fields that many calls share, each described once.
DeviceId = Annotated[Id, doc("Number of the robot.")]
SerialNumber = Annotated[str, doc("Serial number of the robot, 1 to 32 letters, digits and - _ ..")]
DeviceName = Annotated[str, doc("Name of the robot; `deviceCode` in the specification.")]
DeviceZone = Annotated[str, doc("IANA time zone of the robot's place.")]
BuildingName = Annotated[str, doc("Building; empty: not known.")]
FloorName = Annotated[str, doc("Floor; empty: not known.")]
OwnerId = Annotated[Id, doc("Account that owns it.")]
ScopeAccountId = Annotated[Id | None, doc("Only what is in the scope of this account; null: in one's own.")]
CreateTime = Annotated[datetime, doc("When it was created.")]
UpdateTime = Annotated[
    datetime, doc("When it was last changed. A change sends it back, so that a late one is refused.")
]
SeenUpdateTime = Annotated[
    Moment | None,
    BeforeValidator(none_if_blank),
    doc("`updateTime` as it was shown: if somebody has changed it since, the change is refused; null: not compared."),
]


class Wire(BaseModel):
    """Base of all payloads and answers. Unknown fields are tolerated; numbers are finite. Each is made ready when it is
    used first: a start makes none of hundreds."""

    model_config = ConfigDict(
        defer_build=True,
        alias_generator=to_camel,
        populate_by_name=True,
        from_attributes=True,
        extra="ignore",
        allow_inf_nan=False,
        coerce_numbers_to_str=True,  # forms know only text, so a number may stand where text is due, and back
    )


CH = TypeVar("CH", bound="Change")


class Change(Wire):
    """What a change of a row sends. Rule: what is left out stays, and so does what is null, unless null is a value of
    the field (`optional_from`); a change that names nothing is refused."""

    identity: ClassVar[frozenset[str]] = frozenset({"user_id", "target_user_id", "device_id", "update_time"})
    nullable: ClassVar[frozenset[str]] = frozenset()

    def sent(self) -> dict[str, Any]:
        """The fields that the payload holds, with their values."""
        return {
            name: getattr(self, name)
            for name, field in type(self).model_fields.items()
            if name in self.model_fields_set
            and not field.is_required()
            and name not in self.identity
            and (getattr(self, name) is not None or name in self.nullable)
        }

    @model_validator(mode="after")
    def _refuse_empty_change(self) -> Self:
        """Refuses a change that names a row and nothing to change in it."""
        free = {name for name, field in type(self).model_fields.items() if not field.is_required()} - self.identity
        if free and not self.sent():
            raise PydanticCustomError("nothing_to_change", "Nothing to change was sent")
        return self


def optional_from(fields: type[Wire]) -> Callable[[type[CH]], type[CH]]:
    """Makes the fields that a change shares with what creates the row ones that it may leave out. Null is the value of
    those that are null by default; of the others it is as if left out."""

    def loosen(change: type[CH]) -> type[CH]:
        for name in fields.model_fields:
            field = change.model_fields[name]
            if type(None) in get_args(field.annotation):
                change.nullable |= {name}
            else:
                bounded: Any = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
                optional: Any = bounded | None
                field.annotation, field.metadata = optional, []
            field.default = None
            field.description = f"{field.description} {LEFT_OUT}"
        change.model_rebuild(force=True)
        return change

    return loosen


class Nothing(Wire):
    """An answer without content."""


class ById(Wire):
    id: Annotated[Id, doc("Number of the row that the call is about.")]


class PageOf(Wire):
    """Filter base for paged lists."""

    current_page: int = Field(1, ge=1, le=1_000_000, description="Which page to answer, from 1.")
    page_size: int = Field(30, ge=1, le=1_000_000, description="Rows of a page.")


def to_moment(ms: int) -> datetime:
    """Of a robot's clock, which counts ms since 1970."""
    return datetime.fromtimestamp(ms / 1000, UTC)


class SpanFilter(Wire):
    """Filter base for lists of what lies between two moments: `start_date` and `end_date`, or `start_time` and
    `end_time`, the start declared first."""

    @field_validator("end_date", "end_time", check_fields=False)
    @classmethod
    def _refuse_reversed(cls, end: date | None, info: ValidationInfo) -> date | None:
        start = info.data.get(str(info.field_name).replace("end", "start"))
        if start is not None and end is not None and start > end:
            raise PydanticCustomError("date_order", "The start must not be after the end")
        return end


class Page(Wire, Generic[T]):
    """One page of a list."""

    list: Annotated[list[T], doc("The rows of this page.")]
    page_num: Annotated[int, doc("Number of pages.")]
    total: Annotated[int, doc("Number of rows on all pages.")]


def unstorable_at(value: Any) -> str | None:
    """Where in a JSON-like value stands text that PostgreSQL cannot store: a NUL, or half of a surrogate pair. As a
    path, "list.0.name"; a key that is such a text ends it. None: nowhere."""
    open_parts: list[tuple[str, Any]] = [("", value)]
    while open_parts:
        path, part = open_parts.pop()
        if isinstance(part, str):
            if _unstorable(part):
                return path
        elif isinstance(part, Mapping):
            for key, inner in part.items():
                if isinstance(key, str) and _unstorable(key):
                    return path
                if isinstance(inner, (str, Mapping, list)):
                    open_parts.append((f"{path}.{key}" if path else str(key), inner))
        elif isinstance(part, list):
            inners = ((place, inner) for place, inner in enumerate(part) if isinstance(inner, (str, Mapping, list)))
            open_parts += [(f"{path}.{place}" if path else str(place), inner) for place, inner in inners]
    return None


def _unstorable(text: str) -> bool:
    return "\0" in text or (not text.isascii() and SURROGATE.search(text) is not None)


def storable(text: str) -> str:
    """The text with a mark where something could not be stored."""
    return SURROGATE.sub("\ufffd", text.replace("\0", "\ufffd"))


def _split(read: Callable[[str], Any]) -> Callable[[Any], Any]:
    def parse(value: Any) -> Any:
        return read(value) if isinstance(value, str) else value

    return parse


def _commas(text: str) -> Any:
    return [part.strip() for part in text.split(",") if part.strip()]


def _json(text: str) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise ValueError("no JSON") from wrong
    if unstorable_at(value) is not None:
        raise PydanticCustomError("characters", "Text that cannot be stored")
    return value


Commas = Annotated[list[T], BeforeValidator(_split(_commas))]  # "a,b" or ["a", "b"]
Json = Annotated[T, BeforeValidator(_split(_json))]  # JSON text in a field, or the value itself


def _title(title: str) -> str:
    if not title:
        raise PydanticCustomError("title_required", "Enter a name")
    return title


Title = Annotated[str, StringConstraints(strip_whitespace=True, max_length=100), AfterValidator(_title)]  # of a thing
