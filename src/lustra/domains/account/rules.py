"""What may stand in an account's fields, and who may make whom. The same rules hold in the console."""

import re
from typing import Annotated, Any
from zoneinfo import available_timezones

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, StringConstraints
from pydantic_core import PydanticCustomError

from lustra.core.wire import Commas, doc
from lustra.domains.account import keys

LOGIN_NAME = re.compile(r"[A-Za-z0-9]+")
# 11 digits, as in China, or an international number by E.164: then those of China have their 11 digits too.
PHONE = re.compile(r"[0-9]{11}|\+86[0-9]{11}|\+(?!86)[1-9][0-9]{6,14}")
# RFC 5321 and 6531: a local part in dots or quotes, letters of any language; the last label has 1 to 6 letters. The
# console compiles the same patterns.
_OTHER = r"\u00a1-\u1fff\u2070-\u2fff\u3001-\ud7ff"
_ATOM = rf"[A-Za-z0-9!#$%&'*+/=?^_`{{|}}~{_OTHER}-]+"
_QUOTED = r'"(?:[^"\\\r\n,]|\\[^\r\n,])+"'
_LABEL = rf"[A-Za-z0-9{_OTHER}](?:[A-Za-z0-9{_OTHER}-]*[A-Za-z0-9{_OTHER}])?"
MAILBOX = re.compile(rf"(?:{_ATOM}(?:\.{_ATOM})*|{_QUOTED})@(?:{_LABEL}\.)+[A-Za-z{_OTHER}]{{1,6}}")
SHORTEST_PASSWORD = 8
FRESH_MINUTES = 15  # after its log-in, in which a session is asked for no password

CREATES = {1: 2, 2: 3, 3: 4}  # an account of this level makes accounts of that one
SEARCHES = {1: (1, 2, 3, 4), 2: (3, 4), 3: (4,)}  # levels that its user search may be narrowed to
DEFAULT_ROLE = {1: keys.ADMIN, 2: keys.DEALER, 3: keys.ORDINARY, 4: keys.ORDINARY, 5: keys.ORDINARY}


def _check_login_name(text: str) -> str:
    if not LOGIN_NAME.fullmatch(text):
        raise PydanticCustomError("login_name", "Letters and digits only")
    return text


def _check_name(text: str) -> str:
    if not text:
        raise PydanticCustomError("name_required", "Enter a name")
    return text


def _check_phone(text: str) -> str:
    if text and not PHONE.fullmatch(text):
        raise PydanticCustomError("phone", "11 digits, or + with the country code")
    return text


def parse_mailboxes(text: str) -> str:
    """Several, split at commas; their domain ends in 1 to 6 letters. An empty text passes."""
    boxes = [box.strip() for box in text.split(",")] if text else []
    if not all(MAILBOX.fullmatch(box) for box in boxes):
        raise PydanticCustomError("mailbox", "No mailbox")
    return ",".join(boxes)


def _check_zone(text: str) -> str:
    if text not in available_timezones():
        raise PydanticCustomError("zone", "No time zone")
    return text


def _keys_of_map(value: Any) -> Any:
    return [key for key, on in value.items() if on] if isinstance(value, dict) else value


LoginName = Annotated[str, StringConstraints(max_length=64), AfterValidator(_check_login_name)]
Name = Annotated[str, StringConstraints(strip_whitespace=True, max_length=100), AfterValidator(_check_name)]
Phone = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_check_phone)]
Keys = Annotated[Commas[str], BeforeValidator(_keys_of_map)]  # a list, "a,b", or a map of key to true
Mailboxes = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500), AfterValidator(parse_mailboxes)]
Zone = Annotated[str, StringConstraints(max_length=64), AfterValidator(_check_zone)]  # a name of the IANA's
PasswordAgain = Annotated[
    SecretStr | None,
    Field(min_length=1, max_length=256),
    doc(f"One's own password, 1 to 256 characters; null: enough in the first {FRESH_MINUTES} minutes of a session."),
]
SheetZone = Annotated[Zone, doc("IANA time zone of the times in the sheet.")]
