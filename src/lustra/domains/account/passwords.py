"""Passwords are kept as Argon2id hashes (19 MiB, 2 rounds). Hashing runs in threads, few at a time: it takes memory."""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)
_AT_ONCE = 4
_turns: dict[asyncio.AbstractEventLoop, asyncio.Semaphore] = {}
NOBODYS = _hasher.hash("nobody has this password")  # so that an unknown account takes as long as a known one


def _turn() -> asyncio.Semaphore:
    loop = asyncio.get_running_loop()
    if loop not in _turns:
        _turns.clear()
        _turns[loop] = asyncio.Semaphore(_AT_ONCE)
    return _turns[loop]


async def hashed(password: str) -> str:
    async with _turn():
        return await asyncio.to_thread(_hasher.hash, password)


async def matches(known: str, password: str) -> bool:
    async with _turn():
        try:
            return await asyncio.to_thread(_hasher.verify, known, password)
        except (VerifyMismatchError, InvalidHashError):
            return False
