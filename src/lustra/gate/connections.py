"""The connections of robots, as each server of the cluster tells them to the system account."""

import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

import nats.errors
from nats.aio.client import Client

SILENCE_S = 0.5  # servers of a cluster answer one by one
PAGE = 1024


async def connections(system: Client, query: dict[str, Any]) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """Open ones that match, each with its server's id. `query`: fields of NATS' CONNZ request, as `user` or `acc`."""
    inbox = system.new_inbox()
    answers = await system.subscribe(inbox)
    try:
        offset, more = 0, True
        while more:
            more = False
            request = query | {"auth": True, "state": 0, "limit": PAGE, "offset": offset}
            await system.publish("$SYS.REQ.SERVER.PING.CONNZ", json.dumps(request).encode(), reply=inbox)
            with contextlib.suppress(nats.errors.TimeoutError):  # silence: all servers have answered
                while True:
                    page = json.loads((await answers.next_msg(SILENCE_S)).data)
                    rows = page["data"]["connections"] or []
                    more = more or len(rows) == PAGE
                    for row in rows:
                        yield page["server"]["id"], row
            offset += PAGE
    finally:
        await answers.unsubscribe()


async def throw_out(system: Client, sn: str) -> int:
    """Ends a robot's connections on every server of the cluster; it must be forgotten, or shut out, before."""
    ended = 0
    async for server, connection in connections(system, {"user": sn}):
        if connection.get("authorized_user") == sn:
            cid = json.dumps({"cid": connection["cid"]}).encode()
            await system.request(f"$SYS.REQ.SERVER.{server}.KICK", cid, timeout=2)
            ended += 1
    return ended
