"""What the tablet shall show, as the server orders it: fetched, then shown.

Rules: a new order is shown once all of its files are on the disk, and the former one until then. A line that breaks is
tried again for as long as the order stands; the newest order counts, also after a restart.
"""

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Literal, Protocol, TypeVar

import aiohttp
import msgspec

from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.protocol.tablet import AdvertPlan, TabletLook
from lustra.robot.outbox import Outbox
from lustra.robot.spec import Spec
from lustra.robot.store import write

log = logging.getLogger(__name__)
AGAIN_S = 5.0
LINE_BROKEN = (aiohttp.ClientError, TimeoutError, ConnectionError)
OK = 200  # statuses of HTTP; from BROKEN on they are no word of the server's
BROKEN = 500

Order = TypeVar("Order", TabletLook, AdvertPlan)
State = Literal["loading", "shown", "failed"]


class Host(Protocol):
    """The robot, as far as what its tablet shows needs it."""

    spec: Spec
    outbox: Outbox
    woken: asyncio.Event


def refuse_bad_link(answer: aiohttp.ClientResponse, reason: str) -> None:
    """Raises RobotRefusal where a link opens nothing any more, and ClientError where the server is in trouble."""
    if answer.status >= BROKEN:
        answer.raise_for_status()
    if answer.status != OK or answer.content_type == "application/json":  # a refusal is an envelope
        raise RobotRefusal(RelayCode.FAILED, reason, "A link opens nothing any more")


@dataclass
class Orders(ABC, Generic[Order]):
    """`shown`: what the tablet shows; `order`: what is fetched."""

    robot: Host
    folder: Path
    shown: Order
    order: Order | None = None
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        for name in ("shown", "order"):
            if (file := self._file(name)).exists():
                setattr(self, name, msgspec.json.decode(file.read_bytes(), type=type(self.shown)))

    def _take(self, order: Order) -> State:
        """How far it is with an order that has just come."""
        if order.revision == self.shown.revision:
            self._drop_order()
            return "shown"
        self._save("order", order)
        self.order = order
        self.woken.set()
        return "loading"

    async def run(self) -> None:
        """For as long as the robot is on."""
        while True:
            self.woken.clear()
            if order := self.order:
                await self._load(order)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(AGAIN_S if self.order else None):
                    await self.woken.wait()

    async def _load(self, order: Order) -> None:
        """Once; what another order has taken the place of meanwhile is not shown."""
        try:
            ready = await self._fetch(order)
        except LINE_BROKEN as why:
            log.info("%s: tablet: %r", self.robot.spec.sn, why)
            return
        except RobotRefusal as refusal:
            if self.order is order:
                self._drop_order()
                self._say(order, "failed", refusal.reason)
            return
        if self.order is order:
            self._show(ready)
            self._say(order, "shown")

    @abstractmethod
    async def _fetch(self, order: Order) -> Order:
        """The order with all of its files on the disk."""

    @abstractmethod
    def _say(self, order: Order, state: State, reason: str = "") -> None:
        """To the server, how the order ended."""

    def _show(self, order: Order) -> None:
        self._save("shown", order)
        self.shown = order
        self._drop_order()

    def _drop_order(self) -> None:
        self.order = None
        self._file("order").unlink(missing_ok=True)

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _save(self, name: str, content: msgspec.Struct) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        write(self._file(name), msgspec.json.encode(content))
