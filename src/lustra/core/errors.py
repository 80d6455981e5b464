"""Refusals: what the server answers when it will not do what was asked.

A refusal is a code of the answer envelope; its text stands in texts/<language>.json under `code.<NAME>`. Refused input
names its field and gives the reason as `input.<reason>`. Its HTTP status is 200, unless `STATUS` names another: what is
a matter of the transport has the same envelope.
"""

from enum import IntEnum
from typing import Final

from lustra.core import texts


class Code(IntEnum):
    """Codes of the answer envelope. 0 and 10003 are the specification's; the others are ours."""

    OK = 0
    SESSION_INVALID = 10003
    BAD_INPUT = 40000
    FORBIDDEN = 40003
    NOT_FOUND = 40004
    CONFLICT = 40009  # changed by somebody since it was read: {fields}
    EXISTS = 40010
    LOCKED = 40011  # control of the robot is held by {owner}
    OFFLINE = 40012
    TOO_LARGE = 40013
    TOO_MANY_ROWS = 40014  # {count} rows, {limit} allowed
    NOT_SIMULATED = 40015
    ROBOT_REFUSED = 40016  # {reason}
    ROBOT_SILENT = 40017
    NO_TUNNEL = 40018
    LOGIN_REFUSED = 40020
    TOO_MANY_TRIES = 40021  # wait {seconds} s
    SIGNATURE_INVALID = 40022
    LINK_EXPIRED = 40023
    UPLOAD_EXPIRED = 40024
    MAP_REFUSED = 40025  # {reason}
    PASSWORD_FIRST = 40026  # the first password is to be changed before anything else
    SUPPORT_CLOSED = 40027  # {customer} alone opens it
    BUSY = 40028  # as many files are read as may be at once; try again
    QUOTA = 40029  # {used} of {limit} are used
    MAIL_OFF = 40030  # no mail server is set
    MAIL_FAILED = 40031  # {reason}
    SSO_OFF = 40032  # no provider is set
    SSO_PROVIDER = 40033  # it does not answer, or not as its protocol demands
    SSO_REFUSED = 40034  # by the provider, or its answer proves nothing
    SSO_OVER = 40035  # too late, used before, or begun in another browser
    SSO_UNKNOWN = 40036  # no account is connected with this person
    SSO_TAKEN = 40037  # another account is
    FIRST_PASSWORD_OVER = 40038  # nobody changed it in time: somebody above makes a new one
    DISK_FULL = 40039  # less is free at the server than uploads leave
    ERASING = 40050  # the robot still has what was its former owner's
    CODE_INVALID = 40051  # a one-time code that is used, over, or none
    SIM_OFF = 40052  # no provider is set for {vendor}
    PLACE_UNKNOWN = 40053  # no location service knows where the robot is
    MAP_NOT_DELETED = 40054  # {reason}
    NO_CALL = 40055  # {url}
    WRONG_METHOD = 40056  # {allowed}
    BODY_TOO_LARGE = 40057
    BROKEN_OFF = 40058  # the body ended before it was whole
    WRONG_HOST = 40059  # a name that is not this server's
    LEASED = 40060  # to {lessee}: it keeps its owner until the lease is ended
    CURSOR_OVER = 40061  # what came after it is gone
    CHANNEL_FAILED = 40062  # {reason}
    VIDEO_OFF = 40063  # no process passes live pictures on
    SPEECH_OFF = 40064  # neither a gateway nor espeak-ng is there
    SPEECH_FAILED = 40065  # {reason}
    FAILED = 50000
    UNAVAILABLE = 50003
    LOGIN_BUSY = 50004  # more log-ins wait than can be looked at in time: again in {seconds} s
    TOO_MANY_CALLS = 50005  # of this account wait: again in {seconds} s


COME_AGAIN = (429, 503)  # statuses whose answer says after how many seconds
STATUS: Final = {
    Code.BROKEN_OFF: 400,
    Code.NO_CALL: 404,
    Code.WRONG_METHOD: 405,
    Code.BODY_TOO_LARGE: 413,
    Code.WRONG_HOST: 421,
    Code.TOO_MANY_CALLS: 429,
    Code.FAILED: 500,
    Code.UNAVAILABLE: 503,
    Code.LOGIN_BUSY: 503,
}
BUSINESS = 200


class Refusal(Exception):
    """`raise Refusal(Code.BAD_INPUT, "name", reason="required")`; values fill the text and are answered as data.

    The text calls the field as people do, the data as the payload does."""

    def __init__(self, code: Code, field: str = "", *, reason: str = "", **values: object) -> None:
        super().__init__(code.name, field, reason, values)
        self.code, self.field, self.reason, self.values = code, field, reason, values
        self.noted: dict[str, object] = {}

    @property
    def status(self) -> int:
        return STATUS.get(self.code, BUSINESS)

    def text(self, language: str) -> str:
        reason = self.reason
        if reason:
            key = f"input.{reason}"
            reason = texts.say(language, key, **self.values) if texts.known(key) else reason
        if reason and (not self.field or self.code in {Code.EXISTS, Code.NOT_FOUND}):
            return reason
        field = texts.field_name(language, self.field)
        return texts.say(language, f"code.{self.code.name}", **{"field": field, "reason": reason, **self.values})

    def note(self, **noted: object) -> "Refusal":
        """What the record of the refused try keeps beside what was asked."""
        self.noted |= noted
        return self

    def data(self) -> dict[str, object] | None:
        return ({"field": self.field} if self.field else {}) | self.values or None
