"""What the processes' logs must not hold, since no erasure of a person reaches them: addresses of people in any sense.

Rule: mailboxes, phone numbers and the values that PostgreSQL quotes in its errors are replaced in every line; of a
caller's network address the log has the network alone. Whom a line is about, the audit says, which an erasure reaches.
"""

import ipaddress
import re
from collections.abc import MutableMapping
from functools import lru_cache
from typing import Any

MAILBOX = re.compile(r"[^\s@<>()'\"]+@[^\s@<>()'\"]+")
NUMBER = re.compile(r"\+?\d[\d ()-]{6,}\d")  # as long as a phone number
QUOTED = re.compile(r"DETAIL:((?!\\n).)*")  # up to the end of its line: "Key (account)=(ann) already exists."
TEXTS = ("event", "exception", "why")  # of a line: what somebody else has worded
PREFIXES = {4: 24, 6: 48}  # bits of the network that an address is logged as
REMEMBERED = 10_000  # addresses of callers


def redact(text: str) -> str:
    for pattern in (MAILBOX, NUMBER):
        text = pattern.sub("…", text)
    return QUOTED.sub("DETAIL: …", text)


def redact_line(_: object, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A processor of structlog."""
    for name in TEXTS:
        if isinstance(value := line.get(name), str):
            line[name] = redact(value)
    return line


@lru_cache(REMEMBERED)
def network_of(address: str) -> str:
    """192.0.2.0/24 of 192.0.2.7; empty for what is no address."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return ""
    return str(ipaddress.ip_network((ip, PREFIXES[ip.version]), strict=False))
