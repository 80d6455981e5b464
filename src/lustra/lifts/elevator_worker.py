"""One lift at work: its session, its adapter, and who has to hear of what changes."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog

from lustra.lifts.provider import Full, Known, Provider, Unable
from lustra.lifts.session import Order, Ride, Seen, Session

log = structlog.get_logger(__name__)
BUSY_S, REST_S = 0.3, 5.0
PATIENCE_S = 20.0  # with a lift that cannot be reached, before the ride ends
Changed = Callable[["Shaft", list[Ride]], Awaitable[None]]


@dataclass
class Shaft:
    known: Known
    session: Session
    clock: Callable[[], float]
    make: Callable[[Known, Callable[[], float]], Provider]
    changed: Changed
    provider: Provider | None = None
    seen: Seen | None = None
    trouble: str = ""
    again_at: float = 0.0  # not before then is it asked to be reserved
    unwell_since: float | None = None
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    told: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

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
        """Looks, decides, does; then tells what has changed."""
        try:
            await self._once()
        except Full as why:
            self.again_at = self.clock() + why.wait_s
            self._ill("lift_full", fatal=False)
        except Unable as why:
            self._ill(why.reason, fatal=True)
        except (OSError, TimeoutError) as why:
            log.info("lift.unreached", lift=self.known.id, why=repr(why))
            self._ill("lift_unreached", fatal=False)
            await self.end()
        await self.changed(self, self._news())

    async def _once(self) -> None:
        if self.provider is None:
            self.provider = self.make(self.known, self.clock)
        self.seen = await self.provider.look()
        order = self.session.step(self.seen, self.clock())
        await self.provider.serve(self.session.holder)
        if order:
            await self._do(self.provider, order)
            self.seen = await self.provider.look()
        self.trouble, self.unwell_since = "", None

    async def _do(self, provider: Provider, order: Order) -> None:
        match order.what:
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

    def _ill(self, reason: str, *, fatal: bool) -> None:
        """A lift that is out of reach is tried for a while; one that says no is believed."""
        now = self.clock()
        self.trouble, self.unwell_since = reason, self.unwell_since or now
        self.session.step(Seen(held=False, floor="", door="between"), now)  # time passes, nothing else
        if fatal or (reason != "lift_full" and now - self.unwell_since > PATIENCE_S):
            self.session.failed(reason, now)

    async def end(self) -> None:
        provider, self.provider = self.provider, None
        if provider:
            await provider.end()

    async def change(self, known: Known) -> None:
        """The registry knows it differently now."""
        if known != self.known:
            self.known = known
            await self.end()

    def _news(self) -> list[Ride]:
        """Rides whose phase has changed since they were told."""
        found = [ride for ride in (*self.session.rides, *self.session.over) if self.told.get(key(ride)) != ride.phase]
        self.told = {key(ride): ride.phase for ride in (*self.session.rides, *self.session.over)}
        return found


def key(ride: Ride) -> tuple[str, str]:
    return ride.robot, ride.id
