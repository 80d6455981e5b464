"""How many calls of one account a process answers at the same time, so that a program that sends hundreds leaves the
database's connections to everybody else.

Rule: of an account so many calls are answered at a time, and the next ones wait in their sequence. A call that would
have to wait behind WAITING others is refused before its body is read.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from lustra.core.errors import Code, Refusal

WAITING = 200  # calls of one account; a browser sends six at a time
RETRY_AFTER_S = 2


@dataclass(slots=True)
class _Account:
    free: asyncio.Semaphore
    calls: int = 0  # that are answered or wait


@dataclass(slots=True)
class Turns:
    at_once: int
    accounts: dict[int, _Account] = field(default_factory=dict[int, _Account])

    def refuse_excess(self, account_id: int) -> None:
        """Raises the refusal of a call for which there is no place left."""
        account = self.accounts.get(account_id)
        if account and account.calls >= self.at_once + WAITING:
            raise Refusal(Code.TOO_MANY_CALLS, seconds=RETRY_AFTER_S)

    @asynccontextmanager
    async def take(self, account_id: int) -> AsyncGenerator[None]:
        """Waits for a turn of the account, and gives it back at the end; 0 needs none. Raises as `refuse_excess`:
        others may have come while the body was read."""
        if not account_id:
            yield
            return
        self.refuse_excess(account_id)
        account = self.accounts.get(account_id)
        if account is None:
            account = self.accounts[account_id] = _Account(asyncio.Semaphore(self.at_once))
        account.calls += 1
        try:
            async with account.free:
                yield
        finally:
            account.calls -= 1
            if not account.calls:
                del self.accounts[account_id]
