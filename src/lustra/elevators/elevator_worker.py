"""One elevator at work: its session, its adapter, and who is informed of changes."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog

from lustra.elevators.provider import ElevatorConfig, Full, Provider, Unable
from lustra.elevators.session import ElevatorState, Order, Ride, Session

log = structlog.get_logger(__name__)
BUSY_S = 0.3
REST_S = 5.0
PATIENCE_S = 20.0  # with an elevator that cannot be reached, before the ride ends
Changed = Callable[["ElevatorWorker", list[Ride]], Awaitable[None]]


@dataclass
class ElevatorWorker:
    config: ElevatorConfig
    session: Session
    clock: Callable[[], float]
    make: Callable[[ElevatorConfig, Callable[[], float]], Provider]
    changed: Changed
    provider: Provider | None = None
    seen: ElevatorState | None = None
    trouble: str = ""
    again_at: float = 0.0  # not before then is it asked to be reserved
    unwell_since: float | None = None
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    reported: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    async def run(self) -> None:
        while True:
            await self.once()
            wait = BUSY_S if self.session.rides or (self.seen and self.seen.held) else REST_S
            self.woken.clear()
            try:
                async with asyncio.timeout(wait):
                    await self.woken.wait()
            except TimeoutError:
                pass

    async def once(self) -> None:
        """Reads the state, decides, acts; then reports the rides that have changed."""
        try:
            await self._once()
        except Full as why:
            self.again_at = self.clock() + why.wait_s
            self._record_trouble("lift_full", fatal=False)
        except Unable as why:
            self._record_trouble(why.reason, fatal=True)
        except (OSError, TimeoutError) as why:
            log.info("lift.unreached", lift=self.config.id, why=repr(why))
            self._record_trouble("lift_unreached", fatal=False)
            await self.end()
        await self.changed(self, self._changed_rides())

    async def _once(self) -> None:
        if self.provider is None:
            self.provider = self.make(self.config, self.clock)
        self.seen = await self.provider.look()
        order = self.session.step(self.seen, self.clock())
        await self.provider.serve(self.session.holder)
        if order:
            await self._do(self.provider, order)
            self.seen = await self.provider.look()
        self.trouble, self.unwell_since = "", None

    async def _do(self, provider: Provider, order: Order) -> None:
        match order.action:
            case "reserve":
                if self.clock() >= self.again_at:
                    await provider.reserve()
            case "call":
                await provider.call(order.floor)
            case "go":
                await provider.go(order.floor)
            case "open":
                await provider.open()
            case "release":
                await provider.release()

    def _record_trouble(self, reason: str, *, fatal: bool) -> None:
        """An elevator that is out of reach is tried for a while; one that says no is believed."""
        now = self.clock()
        self.trouble, self.unwell_since = reason, self.unwell_since or now
        self.session.step(ElevatorState(held=False, floor="", door="between"), now)  # time passes, nothing else
        if fatal or (reason != "lift_full" and now - self.unwell_since > PATIENCE_S):
            self.session.failed(reason, now)

    async def end(self) -> None:
        provider, self.provider = self.provider, None
        if provider:
            await provider.end()

    async def change(self, known: ElevatorConfig) -> None:
        """Follows a change of the elevator's settings."""
        if known != self.config:
            self.config = known
            await self.end()

    def _changed_rides(self) -> list[Ride]:
        """Rides whose phase has changed since they were reported."""
        changed = [
            ride for ride in (*self.session.rides, *self.session.over) if self.reported.get(key(ride)) != ride.phase
        ]
        self.reported = {key(ride): ride.phase for ride in (*self.session.rides, *self.session.over)}
        return changed


def key(ride: Ride) -> tuple[str, str]:
    return ride.robot, ride.id
