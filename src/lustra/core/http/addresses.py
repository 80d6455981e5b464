"""Addresses of other servers, as people and their browsers enter them. Nothing here fetches one, and nothing in the
server but what posts to POSTED, by the rules of core/http/outbound_post.

A relay says on the bus that it is there (relay/announce): so no address that somebody typed lets anybody look inside
our network.
"""

import base64
import re
from typing import Annotated
from urllib.parse import urlsplit, urlunsplit

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError

LONGEST = 200
LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
HOST = re.compile(rf"(?=.{{1,253}}$)(?:(?:{LABEL}\.)*{LABEL}|[0-9a-f:.]*:[0-9a-f:.]*)")


def canonical(address: str) -> str:
    """One spelling of an address. A domain alone means its secure page. Raises ValueError."""
    parts = urlsplit(address if "://" in address else f"https://{address}")
    host = (parts.hostname or "").lower()
    if parts.scheme not in ("http", "https") or not HOST.fullmatch(host):
        raise ValueError("no host")
    if "@" in parts.netloc or "\\" in address or parts.query or parts.fragment or re.search(r"\s", address):
        raise ValueError("more than an address")
    shown = f"[{host}]" if ":" in host else host
    port = f":{parts.port}" if parts.port else ""
    return urlunsplit((parts.scheme, f"{shown}{port}", parts.path.rstrip("/"), "", ""))


def relay_key(url: str) -> str:
    """The relay's place in the bucket `relays`, whose keys know no slashes."""
    return base64.urlsafe_b64encode(canonical(url).encode()).decode().rstrip("=")


def _address(text: str) -> str:
    try:
        return canonical(text)
    except ValueError:
        raise PydanticCustomError("address", "No address of a server") from None


def _address_or_none(text: str) -> str:
    return _address(text) if text else ""


OptionalAddress = Annotated[  # empty: none
    str, StringConstraints(strip_whitespace=True, max_length=LONGEST), AfterValidator(_address_or_none)
]
Address = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST), AfterValidator(_address)]


def _check_posted(text: str) -> str:
    try:
        url = urlsplit(text)
        port = url.port
    except ValueError:
        raise PydanticCustomError("address", "No address of a server") from None
    if url.scheme not in ("http", "https") or not url.hostname or "@" in url.netloc or url.fragment or port == 0:
        raise PydanticCustomError("address", "No address of a server")
    if not text.isascii() or not text.isprintable() or " " in text or "\\" in text:
        raise PydanticCustomError("address", "No address of a server")
    return text


POSTED = AfterValidator(_check_posted)  # an address that things are posted to, kept as it was entered
