"""Connections to addresses that people have typed.

Rule: only public addresses are reached, and networks that the operator has named; what a name stands for is looked up
once and looked at before anything is sent, so that no answer of a name server leads inside. Redirects are not followed.
"""

import ipaddress
import socket
from collections.abc import Sequence

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.resolver import ThreadedResolver
from yarl import URL

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Inside(OSError):
    """The address is none that may be reached."""


def networks(told: str) -> list[Network]:
    return [ipaddress.ip_network(part.strip()) for part in told.split(",") if part.strip()]


def may(address: str, known: Sequence[Network]) -> bool:
    ip = ipaddress.ip_address(address.split("%", maxsplit=1)[0])
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    return (ip.is_global and not ip.is_multicast) or any(ip.version == one.version and ip in one for one in known)


class Resolver(AbstractResolver):
    def __init__(self, known: Sequence[Network]) -> None:
        self.known, self.plain = known, ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        found = [one for one in await self.plain.resolve(host, port, family) if may(one["host"], self.known)]
        if not found:
            raise Inside(f"{host} is no address outside")
        return found

    async def close(self) -> None:
        await self.plain.close()


def checked(url: str, known: Sequence[Network]) -> URL:
    """An address that is written as numbers asks no resolver: it is looked at here."""
    told = URL(url)
    try:
        ipaddress.ip_address((told.host or "").split("%")[0])
    except ValueError:
        return told
    if not may(told.host or "", known):
        raise Inside(f"{told.host} is no address outside")
    return told


def client(known: Sequence[Network], seconds: float) -> aiohttp.ClientSession:
    connector = aiohttp.TCPConnector(resolver=Resolver(known), use_dns_cache=False)
    return aiohttp.ClientSession(
        connector=connector, timeout=aiohttp.ClientTimeout(total=seconds), trust_env=False, auto_decompress=True
    )
