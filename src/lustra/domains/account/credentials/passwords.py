"""Passwords are kept as Argon2id hashes (19 MiB, 2 rounds).

Hashing costs CPU and memory before anybody is known, so it runs in as many threads as there are cores, behind all else
that the process does, and those who wait for it take turns by their address. Nobody may hold a connection to the
database, or a row of it, while a password is hashed: the queue may be long.

A new password is none of those that many people have, not the login name with a few signs more, and not spaces alone.
"""

import asyncio
import contextlib
import os
import re
import threading
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from lustra.core.errors import Code, Refusal
from lustra.core.http.fair_queue import FairQueue, Full

T = TypeVar("T")

THREADS = os.cpu_count() or 1
QUEUE_LIMIT = 512  # about ten seconds of two cores
BUSY_S = 5  # after which somebody who found no place may try again
GENTLER = 5  # steps of niceness: calls that need no hash come first

ROUNDS = 2
MEMORY_KIB = 19 * 1024
hasher = PasswordHasher(time_cost=ROUNDS, memory_cost=MEMORY_KIB, parallelism=1)
_queues: dict[asyncio.AbstractEventLoop, FairQueue] = {}
COMMON = Path(__file__).with_name("common_passwords.txt")
NAME_WORD = re.compile(r"[a-z]{4,}")  # of a login name, which has letters and digits
FEWEST_BESIDE_NAME = 5  # characters that a password must have beside the login name


@cache
def nobodys_hash() -> str:
    """What the password of an unknown account is compared with, so that it takes as long as a known one's."""
    return hasher.hash("nobody has this password")


def _lower_priority() -> None:
    """Lets the thread that hashes passwords give way to others (Linux keeps niceness by thread)."""
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), GENTLER)


_pool = ThreadPoolExecutor(THREADS, "hash", initializer=_lower_priority)


async def _in_turn(address: str, work: Callable[[], T]) -> T:
    loop = asyncio.get_running_loop()
    if loop not in _queues:
        _queues.clear()
        _queues[loop] = FairQueue(_pool, THREADS, QUEUE_LIMIT)
    try:
        return await _queues[loop].run(address, work)
    except Full:
        raise Refusal(Code.LOGIN_BUSY, seconds=BUSY_S) from None


async def hash_password(password: str, address: str = "") -> str:
    """`address`: of whoever asked. Raises LOGIN_BUSY."""
    return await _in_turn(address, lambda: hasher.hash(password))


async def password_matches(known: str, password: str, address: str = "") -> bool:
    """`known`: a hash. Raises LOGIN_BUSY."""

    def verify() -> bool:
        try:
            return hasher.verify(known, password)
        except (VerifyMismatchError, InvalidHashError):
            return False

    return await _in_turn(address, verify)


@cache
def common_passwords() -> frozenset[str]:
    """Casefolded, of at least 8 characters."""
    lines = COMMON.read_text("utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def check_new_password(field: str, password: str, account: str) -> None:
    """Refuse a password that would soon be guessed. `account`: the login name."""
    folded = _folded(password)
    if not folded.strip():
        raise Refusal(Code.BAD_INPUT, field, reason="password_spaces")
    if folded in common_passwords():
        raise Refusal(Code.BAD_INPUT, field, reason="password_common")
    name = _folded(account)
    for part in {name, *NAME_WORD.findall(name)}:
        if part and (folded in part or (part in folded and len(folded.replace(part, "")) < FEWEST_BESIDE_NAME)):
            raise Refusal(Code.BAD_INPUT, field, reason="password_name")


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
