"""The relay says on the bus that it is there, with how many tunnels: the list of nodes shows this, and nobody need call
an address that somebody has entered."""

import asyncio
import time
from typing import TYPE_CHECKING

import structlog

from lustra.core.follow import NOT_NOW
from lustra.core.http.addresses import relay_key
from lustra.core.process.tasks import ending

if TYPE_CHECKING:
    from lustra.core.bus import Bus
    from lustra.relay.tunnel_server import TunnelServer

log = structlog.get_logger(__name__)

BEAT_S = 5.0


class Announcer:
    def __init__(self, bus: "Bus", server: "TunnelServer", url: str) -> None:
        self.bus, self.server, self.url = bus, server, url
        self.since = int(time.time() * 1000)

    async def run(self) -> None:
        """For as long as its task lives. What the bus does not take now is sent with the next beat."""
        while not ending():
            try:
                await self.announce(up=True)
            except NOT_NOW as why:
                log.warning("announce.later", why=repr(why))
            await asyncio.sleep(BEAT_S)

    async def announce(self, *, up: bool) -> None:
        entry = {"url": self.url, "up": up, "since": self.since, "at": int(time.time() * 1000)}
        await self.bus.put("relays", relay_key(self.url), entry | {"tunnels": len(self.server.tunnels)})
