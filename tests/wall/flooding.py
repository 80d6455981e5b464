"""Sends generated requests straight to the application, as several identities; the server may fail at none."""

import os
from collections.abc import Callable
from random import Random
from typing import Any

from starlette.applications import Starlette
from starlette.types import Message

from lustra.core.calls import rpc
from tests.wall import generated, tenants
from tests.world import World

SEED = int(os.environ.get("LUSTRA_TEST_SEED", "20261122"))
PARTS = 2  # each makes some four of every call; `make proof` has 58 more
REQUESTS = 2_000
IDENTITIES = ("admin", "admin", "admin", "dealer", "dealer", "user", "user", "rival", "sub", "aftersales", "key", "")
KEYS = ("device/index", "device/maplist", "device/report", "user/index", "index")  # of the API key, an admin's


async def refuse_failures(world: World, record_property: Callable[[str, object], None], part: int) -> None:
    """Makes the requests of one part, in a database of its own, since generated requests also delete."""
    seed = SEED + part
    failed = await failures(world, seed)
    record_property("tried", f"{REQUESTS} generated requests, seed {seed}")
    assert failed == [], f"{len(failed)} with seed {seed}:\n" + "\n".join(failed[:30])


async def failures(world: World, seed: int) -> list[str]:
    """What was answered with a 5xx."""
    things = await tenants.furnished(world)
    random, tokens, failed = Random(seed), Tokens(world), list[str]()
    app = Starlette(routes=[rpc.CallRoute(world.services)])
    for request in generated.requests(random, things, REQUESTS):
        identity = random.choice(IDENTITIES)
        status, answer = await answer_to(app, request, await tokens.of(identity))
        if status >= 500 or b'"code":5000' in answer[:30]:
            failed.append(f"{status} as {identity or 'nobody'}: {request.target} {request.kind} {request.body[:300]!r}")
        tokens.ended |= b'"code":10003' in answer[:30] and identity != ""
    return failed


class Tokens:
    """Of the identities; begun anew when a request has ended one."""

    def __init__(self, world: World) -> None:
        self.world, self.key, self.ended = world, "", True

    async def of(self, identity: str) -> str:
        if self.ended:
            self.ended = False
            self.world.tokens.clear()
            payload = {"name": "generator", "keys": list(KEYS), "days": 1}
            code, answer = await self.world.raw("admin", "/user/apiKey/insert", **payload)
            self.key = answer["secret"] if code == 0 else self.key
        if identity == "key":
            return self.key
        return await self.world.token(identity) if identity else ""


async def answer_to(app: Starlette, request: generated.Generated, token: str) -> tuple[int, bytes]:
    """Status and body."""
    path, _, query = request.target.partition("?")
    headers = [(b"content-type", request.kind.encode()), (b"content-length", b"%d" % len(request.body))]
    scope: dict[str, Any] = {
        "type": "http",
        "method": request.call.method,
        "path": f"/api{path}",
        "query_string": query.encode(),
        "headers": [*headers, (b"token", token.encode())],
        "client": ("127.0.0.1", 1),
        "server": ("test", 80),
        "scheme": "http",
        "http_version": "1.1",
        "root_path": "",
    }
    status, parts, bodies = 0, list[bytes](), [request.body]

    async def receive() -> Message:
        body = bodies.pop() if bodies else None
        return {"type": "http.disconnect"} if body is None else {"type": "http.request", "body": body}

    async def send(message: Message) -> None:
        nonlocal status
        status = message.get("status", status)
        parts.append(message.get("body", b""))

    await app(scope, receive, send)
    return status, b"".join(parts)
