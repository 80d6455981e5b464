"""What a call gets: who acts, the open transaction, and the services of the process."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from sqlalchemy.ext.asyncio import AsyncEngine, AsyncSession, async_sessionmaker

from lustra.core.database.batches import Batches
from lustra.core.http.doors import Doors
from lustra.core.http.turns import Turns
from lustra.core.scope import Scope
from lustra.core.settings import Settings

if TYPE_CHECKING:
    import asyncpg

    from lustra.core.bus import Bus
    from lustra.core.files.intake import Intake
    from lustra.core.files.objects import Objects


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts. A shadow sees by `acting_id` and `path`; keys, audit and own settings go by `real_id`.

    `path` is the root of what the account may see: its own place in the tree, for staff that of the admin that made it.
    `support`: an administrator, a dealer or staff, who see some of a customer's data only while it lets them
    (domains/account/access/support).
    """

    acting_id: int
    real_id: int
    path: str
    level: int
    keys: frozenset[str]
    session_id: str
    name: str = ""
    support: bool = False

    @property
    def scope(self) -> Scope:
        return Scope(self.path, self.real_id)


NOBODY = Actor(0, 0, "", 0, frozenset(), "")


@dataclass(frozen=True, slots=True)
class Session:
    """A valid log-in. `must_change`: with a first password that somebody else has seen; it may do nothing else yet.

    `api`: not a person but a program, with an API key.
    """

    actor: Actor
    language: str
    must_change: bool = False
    api: bool = False


class Sessions(Protocol):
    """Whose token is this? Given by app/wiring, since sessions are rows of the account domain.

    `changes` grows whenever somebody may see or do other things than before.
    """

    changes: int

    async def of(self, token: str, *, touch: bool = True) -> Session | None: ...

    def is_revoked(self, session_id: str) -> bool: ...

    def forget(self, session_id: str) -> None: ...

    def forget_account(self, account_id: int) -> None: ...


@dataclass(slots=True)
class Services:
    """The connections and pools of one process, which its calls and jobs share."""

    settings: Settings
    bus: "Bus"
    objects: "Objects"
    engine: AsyncEngine
    sessions: async_sessionmaker[AsyncSession]
    pool: "asyncpg.Pool"
    logins: Sessions
    intake: "Intake"
    doors: Doors = field(default_factory=Doors)
    batches: Batches = field(init=False)
    turns: Turns = field(init=False)

    def __post_init__(self) -> None:
        self.batches = Batches(self.pool)
        self.turns = Turns(self.settings.calls_at_once)


After = Callable[[], Awaitable[object]]


@dataclass(slots=True)
class Ctx:
    """What every call gets. `address` is the peer's; `language` the session's; no cookie ever says who acts. `headers`
    are for what HTTP itself asks (a part of a file)."""

    db: AsyncSession
    actor: Actor
    app: Services
    address: str
    language: str
    cookies: Mapping[str, str]
    later: list[After] = field(default_factory=list[After])
    noted: dict[str, object] = field(default_factory=dict[str, object])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def scope(self) -> Scope:
        """The rows that the actor may see. Every row of a customer is asked for through it."""
        return self.actor.scope

    def after_commit(self, do: After) -> None:
        """Run when the transaction stands, before the answer goes out. A failure is logged, not answered."""
        self.later.append(do)

    def note(self, **details: object) -> None:
        """What the audit keeps of a change beside what was asked: above all what was there `before`."""
        self.noted |= details
