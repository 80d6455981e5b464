"""Secrets and signatures by Standard Webhooks: `v1`, HMAC-SHA256 over id, time and body.

Rule: a secret is shown once, when it is made, and sealed at rest. After a change the former one signs too for OVERLAP,
so that a receiver may be changed at any moment in between.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import timedelta

PREFIX = "whsec_"
LENGTH = 32  # bytes
SHORTEST = 24  # bytes, by Standard Webhooks
OVERLAP = timedelta(hours=24)
SEALED_AS = "webhook secret"


def create_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(LENGTH)).decode()


def fits(secret: str) -> bool:
    """Whether a secret is long enough, and base64, to sign with."""
    try:
        key = base64.b64decode(secret.removeprefix(PREFIX), validate=True)
    except ValueError:
        return False
    return secret.startswith(PREFIX) and len(key) >= SHORTEST


def sign(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    content = f"{message_id}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode()


def headers(keys: Sequence[str], message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Those of a message; a receiver takes it when one of the signatures fits."""
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(sign(key, message_id, timestamp, body) for key in keys),
        "content-type": "application/json",
        "user-agent": "Lustra-Webhooks",
    }
