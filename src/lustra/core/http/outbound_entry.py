"""Which addresses may be entered that things are posted to, by the rules of core/http/outbound_post."""

import asyncio
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

from lustra.core.errors import Code, Refusal
from lustra.core.http import outbound_http
from lustra.core.http.outbound_http import Network
from lustra.core.http.outbound_post import SECURE

RESOLVE_S = 5.0


async def refuse_unreachable(url: str, networks: Sequence[Network], field: str = "url") -> None:
    """Where the address leads now: said at once to who enters it. It is judged again at each attempt."""
    parts = urlsplit(url)
    if parts.scheme != SECURE and not networks:
        raise Refusal(Code.BAD_INPUT, field, reason="hook_https")
    try:
        async with asyncio.timeout(RESOLVE_S):
            infos = await asyncio.get_running_loop().getaddrinfo(parts.hostname, parts.port, type=socket.SOCK_STREAM)
    except (OSError, TimeoutError, UnicodeError):
        raise Refusal(Code.BAD_INPUT, field, reason="hook_inside") from None  # as if inside: names of ours stay ours
    public = parts.scheme == SECURE
    if not all(outbound_http.reachable(str(address[0]), networks, public=public) for *_, address in infos):
        raise Refusal(Code.BAD_INPUT, field, reason="hook_inside")
