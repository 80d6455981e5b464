"""A robot that sends more than any robot has to say loses its connection, and is shut out for a while.

The bus counts what each connection sent, refused messages too: each of those costs the bus a line of its log and time
that is everybody's. Every look asks it for these numbers. The first time out is a minute, each next one twice as long.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog
from nats.aio.client import Client
from prometheus_client import Counter

from lustra.gate.connections import connections, throw_out
from lustra.protocol.subjects import ROBOTS_ACCOUNT

FLOODED = Counter("lustra_gate_flooded_total", "Robots that were thrown out because they flooded the bus")
log = structlog.get_logger(__name__)
# Two hours of states, and all reports and events that a robot keeps, may come at once after an outage; live pictures
# and answers are some tens a second.
BURST = 20_000  # messages
EACH_S = 100.0  # messages
LOOK_S = 2.0
FIRST_OUT_S = 60.0
LONGEST_OUT_S = 900.0
FORGIVEN_S = 3600.0


@dataclass(slots=True)
class Allowance:
    """Of one connection: messages that it may still send, and how many it had sent at the last look."""

    left: float
    sent: int
    at: float


@dataclass(slots=True)
class Punishment:
    until: float
    seconds: float


@dataclass
class Floods:
    clock: Callable[[], float] = time.monotonic
    allowances: dict[tuple[str, int], Allowance] = field(default_factory=dict[tuple[str, int], Allowance])
    out: dict[str, Punishment] = field(default_factory=dict[str, Punishment])

    def shut_out(self, sn: str) -> bool:
        return sn in self.out and self.clock() < self.out[sn].until

    def count(self, connection: tuple[str, int], sent: int) -> bool:
        """Whether this connection, that has sent so many messages by now, sent more than it may."""
        now = self.clock()
        allowance = self.allowances.setdefault(connection, Allowance(BURST, 0, now))
        allowance.left = min(BURST, allowance.left + (now - allowance.at) * EACH_S) - (sent - allowance.sent)
        allowance.sent, allowance.at = sent, now
        return allowance.left < 0

    def punish(self, sn: str) -> float:
        """Shuts a robot out that sends too much; for how many seconds."""
        before = self.out.get(sn)
        seconds = min(before.seconds * 2, LONGEST_OUT_S) if before else FIRST_OUT_S
        self.out[sn] = Punishment(self.clock() + seconds, seconds)
        return seconds

    def forgive(self) -> None:
        now = self.clock()
        for sn in [sn for sn, punishment in self.out.items() if now > punishment.until + FORGIVEN_S]:
            del self.out[sn]

    async def look(self, system: Client) -> None:
        """Counts every connection of a robot, on every server of the cluster, and throws out who floods."""
        flooding: set[str] = set()
        present: set[tuple[str, int]] = set()
        async for server, connection in connections(system, {"acc": ROBOTS_ACCOUNT}):
            place = (server, connection["cid"])
            present.add(place)
            if self.count(place, connection["in_msgs"]):
                flooding.add(connection["authorized_user"])
        self.allowances = {place: each for place, each in self.allowances.items() if place in present}
        self.forgive()
        for sn in flooding:
            seconds = self.punish(sn)
            FLOODED.inc()
            log.warning("robot.flooding", sn=sn, out_s=seconds, links=await throw_out(system, sn))
