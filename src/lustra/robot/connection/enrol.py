"""A new robot asks to be let in, with the code that somebody reads to it: `lustra robot --enrol CODE`.

Rules: the private key is made here and never leaves the robot; what the server grants is written to the fleet's
file, for its owner's eyes only; a refusal is shown in the server's words, and nothing is written.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lustra.robot.updates.slots import FACTORY

WAIT_S = 20


class Refused(Exception):
    """In the server's words."""


@dataclass(frozen=True, slots=True)
class Newcomer:
    """`place`: building and floor of a plan that the virtual robot knows."""

    serial: str
    type_name: str = ""
    protocol: int = 3
    place: tuple[str, str] = ("", "")


def enrol(server: str, code: str, robot: Newcomer, fleet: Path) -> None:
    key = Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes(form.Encoding.OpenSSH, form.PublicFormat.OpenSSH).decode()
    grant = _post_enrolment(
        server,
        {
            "code": code,
            "deviceSerialNumber": robot.serial,
            "sshKey": public,
            "typeName": robot.type_name,
            "protocolVersion": robot.protocol,
            "softVersion": FACTORY["software"],
            "firmwareVersion": FACTORY["firmware"],
            "padVersion": FACTORY["app"],
        },
    )
    fleet.parent.mkdir(parents=True, exist_ok=True)
    private = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.OpenSSH, form.NoEncryption())
    key_file = fleet.parent / f"{robot.serial}.key"
    _write_private(key_file, private)
    entry = {
        "sn": robot.serial,
        "name": robot.serial,
        "password": grant["busPassword"],
        "key": str(key_file),
        "port": grant["port"],
        "protocol": grant["protocol"],
        "model": robot.type_name,
        "building": robot.place[0],
        "floor": robot.place[1],
    }
    whole = {
        "nats": grant["nats"],
        "mqtt": grant["mqtt"],
        "relays": grant["relays"],
        "hostKey": grant["hostKey"],
        "root": _fetch_root(server),
        "robots": [entry],
    }
    _write_private(fleet, json.dumps(whole, indent=1).encode())


def _post_enrolment(server: str, payload: dict[str, Any]) -> dict[str, Any]:
    """urllib: a robot's set-up needs no more."""
    if not server.startswith(("http://", "https://")):
        raise Refused(f"{server} is no address")
    request = Request(  # noqa: S310  the scheme is looked at above
        f"{server.rstrip('/')}/api/device/enrol", json.dumps(payload).encode(), {"content-type": "application/json"}
    )
    try:
        with urlopen(request, timeout=WAIT_S) as answer:  # noqa: S310  the scheme is looked at above
            envelope: dict[str, Any] = json.load(answer)
    except HTTPError as why:
        raise Refused(f"the server answered {why.code}") from why
    except OSError as why:
        raise Refused(f"{server} does not answer: {why}") from why
    if envelope["message"]["code"]:
        raise Refused(envelope["message"]["message"])
    data: dict[str, Any] = envelope["data"]
    return data


def _fetch_root(server: str) -> str:
    """What the robot trusts updates by, from where it was let in; without it the robot takes none."""
    address = f"{server.rstrip('/')}/api/version/root"
    try:
        with urlopen(address, timeout=WAIT_S) as answer:  # noqa: S310  the scheme is looked at above
            root = answer.read().decode()
    except OSError:
        return ""
    return root if root.startswith("{") and "signatures" in root else ""


def _write_private(file: Path, data: bytes) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as out:
        out.write(data)
