"""JSON web tokens as NATS wants them: Ed25519 nkeys, and an id that is a hash of the claims."""

import base64
import hashlib
import json
import secrets
import time
from typing import Any

import nkeys


def new_seed() -> str:
    """A new private key of an account of NATS, in its form `SA…`."""
    return bytes(nkeys.encode_seed(secrets.token_bytes(32), nkeys.PREFIX_BYTE_ACCOUNT)).decode()


def from_seed(seed: str) -> nkeys.KeyPair:
    return nkeys.from_seed(bytearray(seed.encode()))


def public(key: nkeys.KeyPair) -> str:
    return bytes(key.public_key).decode()


def encode(claims: dict[str, Any], key: nkeys.KeyPair) -> str:
    def part(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    claims |= {"iat": int(time.time()), "iss": public(key)}
    claims["jti"] = base64.b32encode(hashlib.sha256(json.dumps(claims).encode()).digest()).rstrip(b"=").decode()
    body = part(b'{"typ":"JWT","alg":"ed25519-nkey"}') + "." + part(json.dumps(claims).encode())
    return body + "." + part(key.sign(body.encode()))


def decode(token: bytes) -> dict[str, Any]:
    """The claims, unchecked: the question comes over GATE, which only the server and we can use."""
    body = token.split(b".")[1]
    return json.loads(base64.urlsafe_b64decode(body + b"=" * (-len(body) % 4)))
