"""What may stand in a robot's fields. The same rules hold in the console (features/device/rules.ts)."""

import re
from typing import Annotated, LiteralString

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from lustra.core.http.addresses import OptionalAddress
from lustra.core.wire import Int32, none_if_blank
from lustra.protocol.subjects import SERIAL

RACK = re.compile(r"[A-Za-z][A-Za-z-]*[0-9]+")
SIM = re.compile(r"[0-9]{10,20}")
# Known ones (widgets/robot/robot.ts in the console) have a text in nine languages, others are shown as they are.
Ability = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[\w .-]{1,32}$")]
CommandName = Annotated[str, StringConstraints(pattern=r"^[\w/]{1,64}$")]
MOST_COMMANDS = 300
FIRST_PORT = 20_000
LAST_PORT = 30_000
SIM_PROVIDERS = 4


def _matching(pattern: re.Pattern[str], kind: LiteralString) -> AfterValidator:
    def check(value: str) -> str:
        if value and not pattern.fullmatch(value):
            raise PydanticCustomError(kind, "Not valid")  # the kind is the reason's key
        return value

    return AfterValidator(check)


def _port(value: int) -> int:
    if not FIRST_PORT <= value <= LAST_PORT:
        raise PydanticCustomError("port", "20000 to 30000")
    return value


def _required(value: str) -> str:
    if not value:
        raise PydanticCustomError("required", "Required")
    return value


Blank = BeforeValidator(none_if_blank)
Text = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]
Serial = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    AfterValidator(_required),
    _matching(SERIAL, "serial"),
    Field(json_schema_extra={"maxLength": 32}),  # as the pattern has it, for forms
]
Rack = Annotated[str, StringConstraints(strip_whitespace=True, max_length=32), _matching(RACK, "rack")]
SimCard = Annotated[str, StringConstraints(strip_whitespace=True), _matching(SIM, "sim")]
SimSupport = Annotated[int, Field(ge=0, lt=SIM_PROVIDERS)]
Port = Annotated[Int32, AfterValidator(_port)]
Latitude = Annotated[float, Field(ge=-90, le=90)]
Longitude = Annotated[float, Field(ge=-180, le=180)]
Country = Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^([A-Z]{2})?$")]
Host = OptionalAddress  # of a node, as its list has it
