"""Connections to addresses that people have typed, over HTTP and WebSocket.

Rule: only public addresses are reached, and networks that the operator has named. The address is judged where the
socket is made: so it makes no difference whether it was typed, came from a name server or from a redirect, and no
second answer of a name server can slip in between. Redirects are refused besides: none of the protocols needs them.
"""

import ipaddress
import socket
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any

import aiohttp

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052: the last 32 bits are the IPv4 address that is reached
GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")  # RFC 4291: all that is assigned so far
SPECIAL = [  # inside those, but no host of its own: 6to4 relays, 6to4, documentation, and IPv4's protocol assignments
    ipaddress.ip_network(network) for network in ("192.0.0.0/24", "192.88.99.0/24", "2002::/16", "3fff::/20")
]
REDIRECTS = {
    HTTPStatus.MOVED_PERMANENTLY,
    HTTPStatus.FOUND,
    HTTPStatus.SEE_OTHER,
    HTTPStatus.TEMPORARY_REDIRECT,
    HTTPStatus.PERMANENT_REDIRECT,
}


class Inside(OSError):
    """The address lies in our own network and may not be reached."""


class Redirected(aiohttp.ClientError):
    """The server sent us elsewhere."""


def networks(text: str) -> list[Network]:
    """CIDR networks, separated by commas. Raises ValueError."""
    return [ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip()]


def reachable(address: str, allowed: Sequence[Network], *, public: bool = True) -> bool:
    """Whether this IP address may be reached: a public one (where `public`), or one of the operator's networks.

    IPv4 in another dress is judged as the IPv4 address that it leads to, where we know which (mapped, NAT64), and
    refused elsewhere (6to4, Teredo, compatible, site-local).
    """
    ip = ipaddress.ip_address(address.split("%", maxsplit=1)[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped:
            ip = ip.ipv4_mapped
        elif ip in NAT64:
            ip = ipaddress.IPv4Address(ip.packed[-4:])
    if any(ip.version == network.version and ip in network for network in allowed):
        return True
    if not public:
        return False
    if ip.version == GLOBAL_UNICAST.version and ip not in GLOBAL_UNICAST:
        return False
    special = any(ip.version == network.version and ip in network for network in SPECIAL)
    return ip.is_global and not ip.is_multicast and not special


def socket_maker(allowed: Sequence[Network], *, public: bool = True) -> Callable[[Any], socket.socket]:
    """Makes the sockets of aiohttp's connector, which asks for one with each address that it is about to reach."""

    def make_socket(info: tuple[int, int, int, str, tuple[Any, ...]]) -> socket.socket:
        family, kind, protocol, _, address = info
        if not reachable(str(address[0]), allowed, public=public):
            raise Inside(f"{address[0]} is not an address outside")
        return socket.socket(family, kind, protocol)

    return make_socket


async def refuse_redirects(
    request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
) -> aiohttp.ClientResponse:
    response = await handler(request)
    if response.status in REDIRECTS:
        response.close()
        raise Redirected(f"{request.url.host} answers {response.status}")
    return response


def client(
    allowed: Sequence[Network], seconds: float, *, public: bool = True, unpack: bool = True
) -> aiohttp.ClientSession:
    """A session for HTTP and WebSocket that reaches public addresses and the `allowed` networks only.

    `seconds` bounds each request; `unpack`: answers that come compressed. Raises aiohttp.ClientConnectorError (an
    OSError) for an address inside, and Redirected.
    """
    connector = aiohttp.TCPConnector(socket_factory=socket_maker(allowed, public=public), use_dns_cache=False)
    return aiohttp.ClientSession(
        connector=connector,
        timeout=aiohttp.ClientTimeout(total=seconds),
        trust_env=False,
        auto_decompress=unpack,
        middlewares=(refuse_redirects,),
    )
