"""Which addresses a server may reach on somebody's word."""

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from lustra.core.http import outbound_http

INSIDE = ("127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.0.1", "100.64.0.1", "0.0.0.0")


@pytest.mark.parametrize(
    ("address", "networks", "reachable"),
    [
        ("8.8.8.8", "", True),
        ("2606:4700::1111", "", True),
        ("10.1.2.3", "10.1.0.0/16", True),
        ("::ffff:10.1.2.3", "10.1.0.0/16", True),
        ("::1", "10.0.0.0/8", False),
        ("fd00::1", "fd00::/8", True),
        ("169.254.169.254", "10.0.0.0/8", False),
        ("224.0.0.1", "", False),
        ("ff02::1", "", False),
        ("fe80::1%eth0", "", False),
        ("fec0::1", "", False),
        ("64:ff9b::808:808", "", True),
        ("2002:808:808::", "", False),
        ("2001:0:808:808::1", "", False),
        ("::8.8.8.8", "", False),
        ("192.88.99.1", "", False),
        ("fd00::1", "", False),
        ("64:ff9b:1::1", "", False),
        ("255.255.255.255", "", False),
        ("::", "", False),
        ("192.0.0.8", "", False),
    ],
)
def test_only_public_addresses_and_named_networks_are_reachable(address: str, networks: str, reachable: bool):
    assert outbound_http.reachable(address, outbound_http.networks(networks)) is reachable


@pytest.mark.parametrize("address", INSIDE)
@pytest.mark.parametrize("dress", ["::ffff:0:0/96", "64:ff9b::/96", "2002::/16", "::/96"])
def test_an_inside_ipv4_address_is_not_reachable_in_any_dress(address: str, dress: str):
    network = IPv6Network(dress)
    place = 128 - 16 - 32 if dress == "2002::/16" else 0
    dressed = IPv6Address(int(network.network_address) | int(IPv4Address(address)) << place)
    assert not outbound_http.reachable(str(dressed), [])


@given(st.ip_addresses(v=6))
def test_reach_only_global_unicast_and_public_ipv4_over_ipv6(address: Any):
    if outbound_http.reachable(str(address), []):
        leads = address.ipv4_mapped or (IPv4Address(address.packed[-4:]) if address in outbound_http.NAT64 else None)
        assert leads.is_global if leads else address in outbound_http.GLOBAL_UNICAST


@pytest.fixture
async def server():
    """A server on loopback that sends everybody to itself, at /inside; its port, and the paths that it was asked."""
    paths: list[str] = []

    async def answer(request: web.Request) -> web.Response:
        paths.append(request.path)
        return web.Response(status=307, headers={"location": f"http://127.0.0.1:{port}/inside"})

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    yield port, paths
    await runner.cleanup()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1", "127.1"])
async def test_no_spelling_of_loopback_is_reached(server: tuple[int, list[str]], host: str):
    port, paths = server
    async with outbound_http.client([], 5) as http:
        for connect in (http.get, http.ws_connect):
            with pytest.raises((aiohttp.ClientError, ValueError)):
                await connect(f"http://{host}:{port}/")
    assert paths == []


async def test_a_redirect_is_refused_even_within_a_named_network(server: tuple[int, list[str]]):
    port, paths = server
    async with outbound_http.client(outbound_http.networks("127.0.0.0/8"), 5) as http:
        for connect in (http.get, http.ws_connect):
            with pytest.raises(outbound_http.Redirected):
                await connect(f"http://127.0.0.1:{port}/")
    assert paths == ["/", "/"]


async def test_a_name_is_judged_by_the_address_that_is_connected_to(
    server: tuple[int, list[str]], monkeypatch: pytest.MonkeyPatch
):
    """A name server that answers with a public address first and a private one later gains nothing."""
    port, paths = server
    answers = iter(["8.8.8.8", "127.0.0.1"])

    def resolve(*_args: Any, **_kwargs: Any):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (next(answers), port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    assert resolve()[0][4][0] == "8.8.8.8"  # what a check before the request would have seen
    async with outbound_http.client([], 5) as http:
        with pytest.raises(aiohttp.ClientConnectorError):
            await http.get(f"http://rebinding.test:{port}/")
    assert paths == []
