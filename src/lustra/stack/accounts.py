"""Accounts of the bus and its own users: the walls between robots and everything else.

Rules: robots live in ROBOTS, and what they say comes out by the exports of core/bus alone; streams, buckets and our
processes are in FLEET; GATE hears the questions "who is this?" (auth callout); SYS throws robots out. Each user of ours
touches what its process needs, and comes by NATS' own protocol only: nobody who is not listed here is let in unasked.
"""

import json
from collections.abc import Iterable
from typing import Any

from lustra.protocol.subjects import AUDIT, CORE_ACCOUNT, FROM_ROBOTS, ROBOTS_ACCOUNT, TO_ROBOTS

USERS = ("server", "relay", "roster", "gate", "sys")
# The sessions of MQTT robots, and the one message for each topic that a robot may ask the bus to retain.
MQTT_BYTES = 256 << 20
MQTT_MEMORY = 16 << 20
MQTT_STREAMS = 5
INBOX = "_INBOX.>"


def read_bucket(name: str) -> list[str]:
    """Subjects to which a user must publish in order to read and follow a bucket."""
    stream = f"KV_{name}"
    return [
        f"$JS.API.STREAM.INFO.{stream}",
        f"$JS.API.CONSUMER.CREATE.{stream}",
        f"$JS.API.CONSUMER.CREATE.{stream}.>",
        f"$JS.API.CONSUMER.INFO.{stream}.>",
        f"$JS.API.CONSUMER.DELETE.{stream}.>",
        f"$JS.FC.{stream}.>",
    ]


def follow(buckets: Iterable[str]) -> dict[str, list[str]]:
    """Rights to read these buckets and hear their changes."""
    names = list(buckets)
    return {
        "publish": [subject for name in names for subject in read_bucket(name)],
        "subscribe": [INBOX, *(f"$KV.{name}.>" for name in names)],
    }


def relay_rights() -> dict[str, list[str]]:
    """It reads who is who, says where tunnels are and that it lives, and tells the audit."""
    rights = follow(("devices", "control", "revoked", "support", "tunnels"))
    own = ["$JS.API.STREAM.INFO.KV_relays", "$KV.relays.>", "$KV.tunnels.>", "tunnel.*", AUDIT]
    return rights | {"publish": [*rights["publish"], *own]}


def user(name: str, password: str, rights: dict[str, Any] | None) -> dict[str, Any]:
    limits = {"permissions": rights} if rights else {}
    return {"user": name, "password": password, "allowed_connection_types": ["STANDARD"], **limits}


def accounts(passwords: dict[str, str]) -> dict[str, Any]:
    """The block `accounts` of the configuration; a password for each of USERS."""
    rights: dict[str, dict[str, Any] | None] = {
        "server": None,  # server, ingest, worker and elevators: the account is theirs
        "relay": relay_rights(),
        "roster": follow(("devices",)),
        "gate": {
            "publish": ["gate.ready"],
            "subscribe": ["$SYS.REQ.USER.AUTH", "gate.ready", INBOX],
            "allow_responses": True,
        },
        "sys": {"publish": ["$SYS.REQ.SERVER.PING.CONNZ", "$SYS.REQ.SERVER.*.KICK"], "subscribe": [INBOX]},
    }
    users = {name: user(name, passwords[name], rights[name]) for name in USERS}
    out = [{"stream": subject, "accounts": [CORE_ACCOUNT]} for subject in FROM_ROBOTS]
    taken = [{"stream": {"account": ROBOTS_ACCOUNT, "subject": subject}} for subject in FROM_ROBOTS]
    return {
        CORE_ACCOUNT: {
            "jetstream": "enabled",
            "users": [users[name] for name in ("server", "relay", "roster")],
            "imports": [*taken, {"service": {"account": ROBOTS_ACCOUNT, "subject": TO_ROBOTS}}],
        },
        ROBOTS_ACCOUNT: {
            "jetstream": {"max_memory": MQTT_MEMORY, "max_file": MQTT_BYTES, "max_streams": MQTT_STREAMS},
            "exports": [*out, {"service": TO_ROBOTS, "accounts": [CORE_ACCOUNT]}],
        },
        "GATE": {"users": [users["gate"]]},
        "SYS": {"users": [users["sys"]]},
    }


def block(passwords: dict[str, str]) -> str:
    """Users and passwords as a part of the NATS server's configuration, which takes JSON."""
    return "accounts " + json.dumps(accounts(passwords), indent=1)


SAMPLE = """# The bus in production. Replace what is written in capitals; the accounts stay as they are.
# Made by scripts/make_nats_conf.py from src/lustra/stack; change it there.
listen: "0.0.0.0:4222"
server_name: NAME
max_payload: 1MB
tls {{ cert_file: "CERTIFICATE.pem", key_file: "KEY.pem" }}
jetstream {{ store_dir: "/var/lib/nats", max_file_store: 50GB, sync_interval: 1s }}
mqtt {{
  listen: "0.0.0.0:8883"
  tls {{ cert_file: "CERTIFICATE.pem", key_file: "KEY.pem" }}
  reject_qos2_publish: true
  downgrade_qos2_subscribe: true
}}
# Of one of several servers, each with a NAME of its own; LUSTRA_STREAM_COPIES=3 then (docs/operate.md).
# cluster {{
#   name: lustra
#   listen: "0.0.0.0:6222"
#   routes: ["nats://FIRST:6222", "nats://SECOND:6222", "nats://THIRD:6222"]
#   tls {{ cert_file: "CERTIFICATE.pem", key_file: "KEY.pem", ca_file: "AUTHORITY.pem", verify: true }}
# }}
{accounts}
system_account: SYS
authorization {{
  auth_callout {{ issuer: PUBLIC_KEY_OF_THE_GATE, account: GATE, auth_users: {users} }}
  timeout: 3
}}
"""


def sample() -> str:
    """A whole configuration for production, with names in capitals for what each installation has of its own."""
    passwords = {name: f"{name.upper()}_PASSWORD" for name in USERS}
    return SAMPLE.format(accounts=block(passwords), users=json.dumps(USERS))
