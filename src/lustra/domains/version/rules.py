"""What may stand in the fields of versions. The same rules hold in the console (features/version/rules.ts)."""

from typing import Annotated, LiteralString

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError

from lustra.core.wire import Commas
from lustra.domains.device.api import Serial

LONGEST_VERSION = 64
LONGEST_LOG = 10_000
MOST_ROBOTS = 10_000
MOST_TYPES = 200

SOFT = "version/soft"
FIRMWARE = "version/fireware"
ENABLE = "version/fireware/enable"
APP = "version/app"
PUBLISH_APP = "version/app/publish"
WHOLE = "version/index/whole_version"
PUBLISH_WHOLE = "version/index/whole_version/publish"
CLOUD = "version/index/cloud_version"
PARAMETERS = "version/configure"


def _required(reason: LiteralString) -> AfterValidator:
    def check(value: str) -> str:
        if not value:
            raise PydanticCustomError(reason, "Required")  # the kind is the reason's key
        return value

    return AfterValidator(check)


Short = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_VERSION)]
Path = Annotated[str, StringConstraints(min_length=1, max_length=1024)]
OptionalPath = Annotated[str, StringConstraints(max_length=1024)]
Log = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_LOG)]
SoftNumber = Annotated[Short, _required("soft_version_required")]
FirmwareNumber = Annotated[Short, _required("firmware_version_required")]
Number = Annotated[Short, _required("version_number_required")]
Robots = Commas[Serial]
