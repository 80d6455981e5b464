"""What the console's generated files are made from, as one JSON object: console/scripts/gen.ts reads it.

`api`, `robot` and `live` are OpenAPI documents: of the calls, of what robots take and answer, and of the live socket's
frames (schemas alone). The rest are facts that stand in the server once.
"""

import json
from typing import Any, get_args

import make_robot_openapi

from lustra.app.web import openapi
from lustra.app.wiring import wire
from lustra.core.errors import Code
from lustra.domains.account import keys
from lustra.domains.account import rules as account
from lustra.domains.elevator import rules as elevator
from lustra.domains.node import rules as node
from lustra.domains.telemetry import rows
from lustra.live.push import frames, socket
from lustra.protocol import telemetry
from lustra.protocol.commands import COMMANDS

COMMAND_FIELDS = ("prefix", "since", "method", "needs", "locked")
TYPES = {"text": "string", "text[]": "readonly string[]", "jsonb": "Readonly<Record<string, number>>"}  # by column
EMPTY: dict[str, Any] = {"text": "", "text[]": [], "jsonb": {}}


def describe_live() -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {"title": "Live frames", "version": "1"},
        "paths": {},
        "components": {"schemas": frames.schemas(socket.Selection)},
    }


def describe_people() -> dict[str, Any]:
    return {
        "KEYS": [{"key": each.key, "kind": each.kind} for each in keys.catalogue().values()],
        "STAFF": keys.STAFF,
        "CREATES": account.CREATES,
        "SEARCHES": account.SEARCHES,
        "DEFAULT_ROLE": account.DEFAULT_ROLE,
        "SHORTEST_PASSWORD": account.SHORTEST_PASSWORD,
        "LOGIN_NAME": account.LOGIN_NAME.pattern,
        "PHONE": account.PHONE.pattern,
        "MAILBOX": account.MAILBOX.pattern,
    }


def describe_places() -> dict[str, Any]:
    return {
        "FIRST_PORT": node.FIRST_PORT,
        "LAST_PORT": node.LAST_PORT,
        "PROVIDERS": list(elevator.PROVIDERS.values()),
        "LONGEST_FLOOR": elevator.LONGEST_FLOOR,
    }


def describe_field(shown: telemetry.Field) -> dict[str, Any]:
    """Of a robot's state; `empty`: of a robot that has said nothing."""
    optional = type(None) in get_args(shown.type)
    return {
        "key": shown.key,
        "type": TYPES.get(shown.column, "number") + " | null" * optional,
        "description": shown.description,
        "empty": None if optional else EMPTY.get(shown.column, 0),
    }


def main() -> None:
    wire()
    contract = {
        "api": openapi.document(),
        "live": describe_live(),
        "robot": make_robot_openapi.document(),
        "commands": {
            name: {field: getattr(command, field) for field in COMMAND_FIELDS} for name, command in COMMANDS.items()
        },
        "people": describe_people(),
        "places": describe_places(),
        "codes": {code.name: code.value for code in Code},
        "telemetry": {"modes": rows.ORDER, "fields": [describe_field(shown) for shown in telemetry.SHOWN]},
    }
    print(json.dumps(contract, ensure_ascii=False))


if __name__ == "__main__":
    main()
