"""Handlers of the local API by the name of the command. A test asserts that this table equals the command table."""

from collections.abc import Awaitable, Callable
from typing import Any

from lustra.protocol.commands import COMMANDS
from lustra.robot.robot import Robot

Answer = dict[str, Any]
Handler = Callable[[Robot, Any], Answer | Awaitable[Answer]]
HANDLERS: dict[str, Handler] = {}


def handles(name: str) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        HANDLERS[COMMANDS[name].name] = handler
        return handler

    return register
