"""What a relay knows of the world, from the bus: devices, control locks, revoked sessions; and how fresh that is.

Rule: without a word of the bus for 5 s it knows nothing of newer locks and revocations, and must refuse what moves.
"""

import asyncio
import time
from typing import TYPE_CHECKING, TypeVar

import msgspec
import nats.errors
import structlog

from lustra.core.bus import Bus
from lustra.core.follow import Follower
from lustra.core.http.addresses import canonical
from lustra.core.process.tasks import ending

if TYPE_CHECKING:
    from collections.abc import Callable

log = structlog.get_logger(__name__)

LOST_S = 5.0
NO_NODE = ""  # of a robot that was registered without one
BEAT_S = 0.5
Entry = TypeVar("Entry")


class Device(msgspec.Struct, rename="camel"):
    device_id: int
    port: int
    protocol: int
    ssh_key: str
    node: str = ""  # canonical URL of the node that it is registered at


class Control(msgspec.Struct, rename="camel"):
    """The newest lock of a robot; `until` in ms, 0 for long term; an empty owner: free."""

    number: int
    owner: str = ""
    owner_id: int = 0
    until: int = 0

    def held(self) -> bool:
        return bool(self.owner) and (self.until == 0 or self.until > time.time() * 1000)


class TunnelStatus(msgspec.Struct):
    """Where a robot's tunnel was last: URL of the relay that it came to, or left."""

    relay: str
    up: bool


class Support(msgspec.Struct):
    """A customer's support access, which is closed where there is no entry; `until` in ms."""

    until: int


class Known:
    """`nodes`: canonical URLs whose robots this relay takes: its own, then those of others and those that it had."""

    def __init__(self, *nodes: str) -> None:
        self.nodes = (*nodes, NO_NODE)
        self.devices: dict[str, Device] = {}
        self.ports: dict[int, set[str]] = {}  # serial numbers of the robots that this relay takes
        self.control: dict[str, Control] = {}
        self.revoked: set[str] = set()
        self.support: dict[str, Support] = {}
        self.tunnels: dict[str, TunnelStatus] = {}
        self.synced_at = 0.0  # monotonic clock; 0: never
        self.first = asyncio.Event()  # all was read once
        self.device_changed: Callable[[str], None] = lambda _: None

    @property
    def lost(self) -> bool:
        return self.synced_at == 0 or time.monotonic() - self.synced_at > LOST_S

    async def follow(self, bus: Bus) -> None:
        """For as long as its task lives. Heard means: the bus answers, and all is read since it last came back."""
        handlers = {
            "devices": self.on_device,
            "control": self.on_control,
            "revoked": self.on_revoked,
            "support": self.on_support,
            "tunnels": self.on_tunnel,
        }
        followers = [Follower(bus.link, bucket, tell) for bucket, tell in handlers.items()]
        async with asyncio.TaskGroup() as group:
            for follower in followers:
                group.create_task(follower.run())
            while True:
                try:
                    await bus.link.flush(timeout=1)
                    if all(follower.current for follower in followers):
                        self.synced_at = time.monotonic()
                        self.first.set()
                except (nats.errors.Error, OSError, TimeoutError):
                    pass  # LOST_S says what follows
                if ending():
                    raise asyncio.CancelledError
                await asyncio.sleep(BEAT_S if self.first.is_set() else 0.02)

    def on_device(self, sn: str, value: bytes | None) -> None:
        before = self.devices.pop(sn, None)
        if before is not None:
            self.ports.get(before.port, set()).discard(sn)
        if device := read(value, Device):
            self.devices[sn] = device
            if device.node in self.nodes:
                self.ports.setdefault(device.port, set()).add(sn)
        if before != device:
            self.device_changed(sn)

    def owner_of(self, port: int) -> str | None:
        """Serial number of the robot that has this port here, connected or not. A robot of this node comes before one
        that is still registered at a former address of it, and that before one without a node."""
        rank = {node: place for place, node in enumerate(self.nodes)}
        return min(self.ports.get(port, ()), key=lambda sn: (rank[self.devices[sn].node], sn), default=None)

    def is_of_this_node(self, port: int) -> bool:
        """Its robot names this node: a real port beside this relay is that robot's own."""
        sn = self.owner_of(port)
        return sn is not None and self.devices[sn].node != NO_NODE

    def is_elsewhere(self, sn: str) -> bool:
        """The robot's tunnel stands at another relay."""
        status = self.tunnels.get(sn)
        return status is not None and status.up and canonical(status.relay) != self.nodes[0]

    def on_control(self, sn: str, value: bytes | None) -> None:
        """Takes a value of the bucket `control`. One with a lower number is older, whenever it comes."""
        control, before = read(value, Control), self.control.get(sn)
        if control and (before is None or control.number >= before.number):
            self.control[sn] = control

    def on_revoked(self, session: str, value: bytes | None) -> None:
        if value is not None:
            self.revoked.add(session)
        else:
            self.revoked.discard(session)

    def on_support(self, customer: str, value: bytes | None) -> None:
        self.support.pop(customer, None)
        if access := read(value, Support):
            self.support[customer] = access

    def on_tunnel(self, sn: str, value: bytes | None) -> None:
        self.tunnels.pop(sn, None)
        if status := read(value, TunnelStatus):
            self.tunnels[sn] = status

    def open(self, customer: int) -> bool:
        """Whether support may look at what the customer owns; closed while the bus is silent."""
        access = self.support.get(str(customer))
        return not self.lost and access is not None and access.until > time.time() * 1000


def read(value: bytes | None, kind: type[Entry]) -> Entry | None:
    """What cannot be read counts as absent: that allows nothing."""
    try:
        return msgspec.json.decode(value, type=kind) if value is not None else None
    except msgspec.MsgspecError as why:
        log.warning("an entry of the bus cannot be read", kind=kind.__name__, why=str(why))
        return None
