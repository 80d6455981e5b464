"""What orders about backups need of the robot, and how both kinds of them end."""

import asyncio
from typing import Protocol

import aiohttp

from lustra.robot.clock import Clock
from lustra.robot.outbox import Outbox
from lustra.robot.plans import Plans
from lustra.robot.spec import Spec
from lustra.robot.store import Store

CHUNK = 64 * 1024
PATIENCE = aiohttp.ClientTimeout(total=None, connect=10, sock_read=30)
REMEMBERED = 3


class Dropped(Exception):
    """Somebody has cancelled it meanwhile."""


class LinkExpired(Exception):
    """The URL opens nothing any more: only the server can give another."""


class Holder(Protocol):
    """The robot, as far as its backups need it."""

    spec: Spec
    store: Store
    plans: Plans
    outbox: Outbox
    clock: Clock
    woken: asyncio.Event

    def keep(self, *, run: bool = True) -> None: ...
    def reason_to_wait(self) -> str: ...
    def follow_store(self) -> None: ...
    def versions(self) -> dict[str, str]: ...
