"""One attempt to post a body to an address outside.

Rules: https to public addresses alone; the operator may name networks (LUSTRA_WEBHOOK_NETWORKS) that are reached
besides, over http too. The address is judged where the connection is made (outbound_http). No redirect is followed,
an answer is read up to `longest` bytes, and all of it takes LONGEST_S at most. What is not 2xx has failed.
"""

import ssl
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import aiohttp

from lustra.core.http import outbound_http
from lustra.core.http.outbound_http import Network

LONGEST_S = 10.0
LONGEST_ANSWER = 1024  # bytes
DELIVERED = range(200, 300)
SECURE = "https"


@dataclass(frozen=True, slots=True)
class Outcome:
    """`status` None: there was no answer, for this `reason`. `kind`: media type of the body."""

    status: int | None
    ms: int
    body: bytes = b""
    kind: str = ""
    reason: str = ""

    @property
    def answer(self) -> str:
        return self.body.decode(errors="replace").replace("\0", "\ufffd")

    @property
    def delivered(self) -> bool:
        return self.status in DELIVERED


async def send(
    url: str, headers: Mapping[str, str], body: bytes, networks: Sequence[Network], *, longest: int = LONGEST_ANSWER
) -> Outcome:
    began = time.monotonic()

    def outcome(status: int | None = None, answer: bytes = b"", kind: str = "", reason: str = "") -> Outcome:
        return Outcome(status, round((time.monotonic() - began) * 1000), answer, kind, reason)

    try:
        async with (
            outbound_http.client(networks, LONGEST_S, public=urlsplit(url).scheme == SECURE, unpack=False) as client,
            client.post(url, data=body, headers=headers) as response,
        ):
            return outcome(response.status, await _read(response, longest), response.content_type)
    except outbound_http.Redirected:
        return outcome(reason="redirected")
    except TimeoutError:
        return outcome(reason="timeout")
    except (aiohttp.ClientError, OSError, ValueError) as why:
        return outcome(reason=_reason_of(why))


async def _read(response: aiohttp.ClientResponse, longest: int) -> bytes:
    """The first `longest` bytes of the answer."""
    parts = bytearray()
    while len(parts) < longest and (part := await response.content.read(longest - len(parts))):
        parts += part
    return bytes(parts)


def _reason_of(why: Exception) -> str:
    inner = getattr(why, "os_error", why)
    if isinstance(inner, outbound_http.Inside):
        return "inside"
    if isinstance(why, aiohttp.ClientConnectorDNSError):
        return "unknown_host"
    if isinstance(why, (aiohttp.ClientSSLError, ssl.SSLError)):
        return "certificate"
    return "unreachable"
