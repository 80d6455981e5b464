"""Why a robot or a relay says no. `reason` is a catalogue key: console, relay and robot say it in the same words.

Answers of robots and relays are flat: {"code": int, "msg": str, ...}; 0 is success. A refusal also carries `reason`,
for input `field`, and where the time is why `at`, the robot's clock in ms.
The robot's own fault codes appear as they are.
"""

from enum import IntEnum
from typing import Any


class RelayCode(IntEnum):
    """Codes of the flat answer. The robot's fault codes (0x0205 …) are above these and never collide."""

    OK = 0
    BAD_INPUT = 400
    NO_GRANT = 401
    FORBIDDEN = 403
    UNKNOWN = 404
    CONFLICT = 409
    TOO_LARGE = 413
    FENCED = 423
    FAILED = 500
    UNREACHABLE = 502
    LATE = 504


class RobotRefusal(Exception):
    """Raised by handlers of commands and by the relay; becomes the flat answer."""

    def __init__(self, code: int, reason: str, msg: str, field: str = "", *, at: int | None = None) -> None:
        super().__init__(msg)
        self.code, self.reason, self.msg, self.field, self.at = code, reason, msg, field, at

    def answer(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"code": int(self.code), "msg": self.msg, "reason": self.reason}
        return fields | ({"field": self.field} if self.field else {}) | ({} if self.at is None else {"at": self.at})
