"""What may stand in an elevator's fields. The same rules hold in the console."""

from typing import Annotated

from pydantic import AfterValidator, Field, SecretStr, StringConstraints
from pydantic_core import PydanticCustomError

from lustra.core.http.addresses import LONGEST, canonical
from lustra.core.wire import Int32

VIRTUAL = 0  # the built-in one, for virtual robots
GAUSIUM = 7  # Gausium's elevator control protocol V1.5
PROVIDERS = {  # whose interface moves it
    VIRTUAL: "",
    1: "KONE",
    2: "Otis",
    3: "Schindler",
    4: "TK Elevator",
    5: "Mitsubishi Electric",
    6: "Hitachi",
    GAUSIUM: "Gausium V1.5",
}
SEALED_AS = "elevator secrets"
ADAPTED = frozenset({VIRTUAL, GAUSIUM})  # what Lustra can move; the others are only written down
LONGEST_FLOOR = 32


def _check_floors(value: str) -> str:
    """Names of floors, separated by commas; each may stand once."""
    names = [name.strip() for name in value.split(",") if name.strip()]
    if not names:
        raise PydanticCustomError("floors_required", "Enter the floors")
    if len(set(names)) < len(names):
        raise PydanticCustomError("floors_twice", "A floor stands twice")
    if any(len(name) > LONGEST_FLOOR for name in names):
        raise PydanticCustomError("floors_long", "A floor's name is too long")
    return ",".join(names)


def _check_provider(value: int) -> int:
    if value not in PROVIDERS:
        raise PydanticCustomError("choice", "None of the providers")
    return value


def _check_server(value: str) -> str:
    try:
        return canonical(value) if value else ""
    except ValueError:
        raise PydanticCustomError("address", "No address of a server") from None


Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=100)]
LongText = Annotated[str, StringConstraints(strip_whitespace=True, max_length=300)]
Secret = Annotated[SecretStr, Field(max_length=300)] | None
Reason = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]
Floors = Annotated[str, StringConstraints(max_length=1000), AfterValidator(_check_floors)]
Provider = Annotated[Int32, AfterValidator(_check_provider)]
Server = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST), AfterValidator(_check_server)]
