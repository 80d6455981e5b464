"""How often one may try a password.

A try is judged when its password was looked at, in one short transaction: of many at the same time as many are answered
as are free, and the others have to wait, right or wrong. Counted are failures: of an account from an address, of
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


async def load_wait_seconds(db: AsyncSession, keys: AttemptKeys) -> float:
    """How long the next try has to wait, so that one that comes too soon is refused before its password costs anything.
    Locks nothing."""
    return _wait_seconds(*await _read_counters(db, keys.pair, keys.account, keys.address))


async def record_attempt(db: AsyncSession, keys: AttemptKeys, *, right: bool) -> None:
    """Count a failure, or forgive. Whoever would have to wait is refused, whether the password was right or not.

    In a transaction of its own: what the caller refuses afterwards must not undo it.
    """
    pair, account = await _lock_counters(db, keys.pair, keys.account)
    alone = right and not pair.row.failures  # the address is only read: all its people would wait for each other
    (address,) = await (_read_counters if alone else _lock_counters)(db, keys.address)
    refuse_while_waiting(_wait_seconds(pair, account, address))
    if right:
        if pair.row.failures and address.row.failures:
            address.row.failures -= 1
        pair.row.failures, account.row.failures, pair.row.known_at = 0, 0, pair.now
        return
    if pair.add_failure() == 1:
        address.add_failed_name()
    account.add_failure()


async def refuse_waiting_for(db: AsyncSession, key: str, free: int) -> None:
    """Refuses a try of this key that comes too soon; the first `free` tries need not wait. Locks nothing."""
    (counter,) = await _read_counters(db, key)
    refuse_while_waiting(counter.wait_seconds(free))


async def record_failure(db: AsyncSession, key: str, free: int) -> int:
    """One more failure of this key; answers how many in a row. Whoever would have to wait is refused."""
    (counter,) = await _lock_counters(db, key)
    refuse_while_waiting(counter.wait_seconds(free))
    return counter.add_failure()


async def count_use(sessions: async_sessionmaker[AsyncSession], key: str, free: int) -> None:
    """Count one use of something that costs others. Refused while a wait runs."""
    async with sessions.begin() as db:
        await record_failure(db, key, free)


async def reset_failures(db: AsyncSession, key: str) -> None:
    (counter,) = await _lock_counters(db, key)
    counter.row.failures = 0


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


def refuse_while_waiting(seconds: float) -> None:
    if seconds > 0:
        raise Refusal(Code.TOO_MANY_TRIES, seconds=max(1, round(seconds)))


async def _read_counters(db: AsyncSession, *keys: str, lock: bool = False) -> list[_Counter]:
    """One for each key; a key without a row has no failures. Locked from `pair` to `account`, as the rule has it."""
    query = shared.select(Attempt, func.clock_timestamp()).where(Attempt.key.in_(keys))
    query = query.order_by(Attempt.key.desc()).execution_options(populate_existing=True)
    rows = (await db.execute(query.with_for_update() if lock else query)).all()
    counters = {row.key: _Counter(row, at) for row, at in rows}
    if len(counters) < len(keys):
        at = rows[0][1] if rows else await db.scalar(func.clock_timestamp())
        counters = {key: _Counter(Attempt(key=key, failures=0, at=at), at) for key in keys} | counters
    return [counters[key] for key in keys]


async def _lock_counters(db: AsyncSession, *keys: str) -> list[_Counter]:
    fresh = shared.insert(Attempt).values([{"key": key, "failures": 0, "at": func.now()} for key in keys])
    await db.execute(fresh.on_conflict_do_nothing())
    return await _read_counters(db, *keys, lock=True)
