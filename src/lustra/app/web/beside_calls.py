"""What is beside the calls, for the OpenAPI: the live socket, a relay, and what watches a process."""

import json
import re
from typing import Any

from lustra.live.push import frames, socket

FRAME_REF = re.compile(r"#/components/schemas/(?!Live)(\w+)")
TEXT = {"type": "string"}
SCHEMES = {
    "grant": {"type": "apiKey", "in": "header", "name": "grant", "description": "From /api/device/relayGrant, 60 s"},
    "metrics": {"type": "http", "scheme": "bearer", "description": "LUSTRA_METRICS_TOKEN of the operator"},
}
LIVE = """A WebSocket. Within 10 s send `{"token": "…"}` as text, then `{"show": …}` (LiveSelection) whenever the choice
changes. What comes is a LiveFrame: a snapshot, then changes with a sequence number `seq`. After a gap show again. A
program that only keeps lists fresh sends `{"show": {"stale": true}}` and reads anew what a frame `stale` names; which
calls a topic concerns stands in their `x-reads`."""
RELAY = """A call to one robot, through its tunnel. Ask /api/device/relayGrant for the relay's address, the grant and
the port. `m` is the command with its prefix, as the robot's own OpenAPI lists it (docs/robot.openapi.json). A call that
moves the robot needs its control lock: the grant carries its number."""


def _prefixed(name: str) -> str:
    return name if name.startswith("Live") else f"Live{name}"


def schemas() -> dict[str, Any]:
    """Frames of the live socket, by name."""
    text = FRAME_REF.sub(r"#/components/schemas/Live\1", json.dumps(frames.schemas(socket.Selection)))
    return {_prefixed(name): schema for name, schema in json.loads(text).items()}


def _plain(summary: str, kind: str, schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = {"description": "The answer", "content": {kind: {"schema": schema}}}
    return {"summary": summary, "security": [], "responses": {"200": answer}} | more


def paths() -> dict[str, Any]:
    ready = {
        "type": "object",
        "required": ["ready", "faults"],
        "properties": {
            "ready": {"type": "boolean", "description": "Whether calls will succeed."},
            "faults": {
                "type": "object",
                "additionalProperties": TEXT,
                "description": "What is missing, by part, in words for an operator.",
            },
        },
    }
    return {
        "/api/live": {
            "get": {
                "operationId": "live",
                "tags": ["live"],
                "summary": "Follow robots and lists over a WebSocket.",
                "description": LIVE,
                "security": [],
                "responses": {"101": {"description": "From now on text frames, each a LiveFrame"}},
            }
        },
        "/": {
            "servers": [
                {
                    "url": "{relay}",
                    "description": "A relay: which one, /api/device/relayGrant says",
                    "variables": {"relay": {"default": "https://relay.example"}},
                }
            ],
            "post": _relay_call(),
        },
        "/metrics": {
            "get": _plain(
                "Show the process's figures for Prometheus; a relay has the same page.",
                "text/plain",
                TEXT,
                operationId="metrics",
                tags=["watching"],
                security=[{"metrics": []}],
            )
        },
        "/authority.pem": {
            "get": _plain(
                "Give out the authority that browsers and robots must trust; 404 where the certificate is another's.",
                "text/plain",
                TEXT,
                operationId="authority",
                tags=["watching"],
            )
        },
        "/healthz": {
            "get": _plain("Say that the process lives.", "text/plain", TEXT, operationId="healthz", tags=["watching"])
        },
        "/readyz": {
            "get": _plain(
                "Say whether calls will succeed.", "application/json", ready, operationId="readyz", tags=["watching"]
            )
        },
    }


def _relay_call() -> dict[str, Any]:
    flat = {
        "type": "object",
        "required": ["code", "msg"],
        "properties": {
            "code": {"type": "integer", "description": "0: done."},
            "msg": {"type": "string", "description": "Why not, in English."},
            "reason": {"type": "string", "description": "Key of the reason, for programs."},
        },
    }
    parameters = [
        {"name": "m", "in": "query", "required": True, "schema": TEXT, "description": "As api1/task_list."},
        {"name": "p", "in": "query", "required": True, "schema": {"type": "integer"}, "description": "Its port."},
        {
            "name": "fencing",
            "in": "header",
            "schema": {"type": "integer"},
            "description": "Number of the control lock.",
        },
    ]
    return {
        "operationId": "relay",
        "tags": ["relay"],
        "summary": "Call a robot through its relay.",
        "description": RELAY,
        "security": [{"grant": []}],
        "parameters": parameters,
        "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}},
        "responses": {
            "200": {"description": "As the robot answered", "content": {"application/json": {"schema": flat}}}
        },
    }
