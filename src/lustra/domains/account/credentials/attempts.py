"""How often one may try a password.

A try is judged when its password was looked at, in one short transaction: of many at the same time as many are answered
as are free, and the others are told to wait, right or wrong. Counted are failures: of an account from an address, of
an account from anywhere, and of an address the different names that it failed with. A right log-in forgives what
this account did from this address, and the account, and nothing else of the address.

Past the free ones the wait of an account doubles with each failure, up to 15 minutes; an address gets one more name
each 10 minutes. Where an account has logged in from an address before, the failures of others, there or elsewhere, do
not keep it out.

Rows are locked in one order, pair, account, address, so that no two tries wait for each other. Names stand in no key,
only their digests: people type passwords into the field of the name.
"""

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker

from lustra.core.errors import Code, Refusal
from lustra.core.http.peers import limit_key
from lustra.core.scope import shared
from lustra.core.settings import Settings
from lustra.domains.account.tables import Attempt

FREE = {"pair": 5, "account": 50, "address": 20}
SHORTEST_S = 1
LONGEST_S = 900
NAME_EACH = timedelta(minutes=10)  # one more name for an address past its free ones
FORGOTTEN = timedelta(days=1)
KNOWN = timedelta(days=30)  # how long an address counts as one from which the account logs in


@dataclass(frozen=True, slots=True)
class AttemptKeys:
    """What one try to log in is counted by, in the order of locking: account and address, account, address."""

    pair: str
    account: str
    address: str


def digest(settings: Settings, name: str) -> str:
    """What stands for a login name that is perhaps none, in keys and records. Only the installation can make it."""
    return hmac.new(settings.secret.encode(), f"login name {name.lower()}".encode(), hashlib.sha256).hexdigest()[:24]


def keys_of(settings: Settings, name: str, address: str) -> AttemptKeys:
    account, peer = digest(settings, name), limit_key(address)
    return AttemptKeys(f"pair:{account}@{peer}", f"account:{account}", f"address:{peer}")


async def refuse_waiting(db: AsyncSession, keys: AttemptKeys) -> None:
    """Refuses a try that comes too soon, before its password costs anything. Locks nothing."""
    pair, account, address = [await _read_counter(db, key) for key in (keys.pair, keys.account, keys.address)]
    _refuse_while_waiting(_wait_seconds(pair, account, address))


async def record_attempt(db: AsyncSession, keys: AttemptKeys, *, right: bool) -> None:
    """Count a failure, or forgive. Whoever would have to wait is refused, whether the password was right or not.

    In a transaction of its own: what the caller refuses afterwards must not undo it.
    """
    pair, account = await _lock_counter(db, keys.pair), await _lock_counter(db, keys.account)
    alone = right and not pair.row.failures  # the address is only read: all its people would wait for each other
    address = await _read_counter(db, keys.address) if alone else await _lock_counter(db, keys.address)
    _refuse_while_waiting(_wait_seconds(pair, account, address))
    if right:
        if pair.row.failures and address.row.failures:
            address.row.failures -= 1
        pair.row.failures, account.row.failures, pair.row.known_at = 0, 0, pair.now
        return
    if pair.add_failure() == 1:
        address.add_failed_name()
    account.add_failure()


async def refuse_waiting_for(db: AsyncSession, key: str, free: int) -> None:
    """As `refuse_waiting`, for a single key; the first `free` tries need not wait."""
    _refuse_while_waiting((await _read_counter(db, key)).wait_seconds(free))


async def record_failure(db: AsyncSession, key: str, free: int) -> int:
    """One more failure of this key; answers how many in a row. Whoever would have to wait is refused."""
    counter = await _lock_counter(db, key)
    _refuse_while_waiting(counter.wait_seconds(free))
    return counter.add_failure()


async def count_use(sessions: async_sessionmaker[AsyncSession], key: str, free: int) -> None:
    """Count one use of something that costs others. Refused while a wait runs."""
    async with sessions.begin() as db:
        await record_failure(db, key, free)


async def reset_failures(db: AsyncSession, key: str) -> None:
    (await _lock_counter(db, key)).row.failures = 0


@dataclass(slots=True)
class _Counter:
    """A row, and the database's time: the clocks of servers may differ."""

    row: Attempt
    now: datetime

    def wait_seconds(self, free: int) -> float:
        """Seconds until the next try, by doubling."""
        past = self.row.failures - free
        if past < 0 or self._is_forgotten():
            return 0
        wait = min(LONGEST_S, SHORTEST_S * 2 ** min(past, 20))
        return wait - (self.now - self.row.at).total_seconds()

    def add_failure(self) -> int:
        self.row.failures = 1 if self._is_forgotten() else self.row.failures + 1
        self.row.at = self.now
        return self.row.failures

    def names_left(self) -> tuple[int, datetime]:
        """How many names count still, and since when the next one is being forgotten."""
        forgotten = (self.now - self.row.at) // NAME_EACH
        left = self.row.failures - forgotten
        return (left, self.row.at + forgotten * NAME_EACH) if left > 0 else (0, self.now)

    def name_wait_seconds(self) -> float:
        left, since = self.names_left()
        past = left - FREE["address"] + 1
        return ((since - self.now) + past * NAME_EACH).total_seconds() if past > 0 else 0

    def add_failed_name(self) -> None:
        left, self.row.at = self.names_left()
        self.row.failures = left + 1

    def is_known(self) -> bool:
        return self.row.known_at is not None and self.row.known_at > self.now - KNOWN

    def _is_forgotten(self) -> bool:
        return self.row.at < self.now - FORGOTTEN


def _wait_seconds(pair: _Counter, account: _Counter, address: _Counter) -> float:
    pair_wait = pair.wait_seconds(FREE["pair"])
    return (
        pair_wait
        if pair.is_known()
        else max(pair_wait, account.wait_seconds(FREE["account"]), address.name_wait_seconds())
    )


def _refuse_while_waiting(seconds: float) -> None:
    if seconds > 0:
        raise Refusal(Code.TOO_MANY_TRIES, seconds=max(1, round(seconds)))


async def _read_counter(db: AsyncSession, key: str, *, lock: bool = False) -> _Counter:
    query = shared.select(Attempt, func.clock_timestamp()).where(Attempt.key == key)
    query = query.execution_options(populate_existing=True)
    row = (await db.execute(query.with_for_update() if lock else query)).first()
    if row:
        return _Counter(row[0], row[1])
    at = await db.scalar(func.clock_timestamp())
    return _Counter(Attempt(key=key, failures=0, at=at), at)


async def _lock_counter(db: AsyncSession, key: str) -> _Counter:
    fresh = shared.insert(Attempt).values(key=key, failures=0, at=func.now())
    await db.execute(fresh.on_conflict_do_nothing())
    return await _read_counter(db, key, lock=True)
