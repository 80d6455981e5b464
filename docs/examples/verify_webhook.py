"""Verifies a webhook of Lustra's (Standard Webhooks) with the standard library alone."""

import base64
import hashlib
import hmac
import time
from collections.abc import Mapping

TOLERANCE_S = 300


def verify(secret: str, headers: Mapping[str, str], body: bytes) -> bool:
    """`secret` as the console shows it; `headers` by lower-case names; `body` as it came, before it is parsed."""
    if abs(time.time() - int(headers["webhook-timestamp"])) > TOLERANCE_S:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, content, hashlib.sha256)).decode()
    return any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split(" "))
