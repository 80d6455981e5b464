"""A relay's ticket: which account may send what to which robot, until when.

`base64(claims).base64(Ed25519 signature)`. The server signs; relays hold the public key, keep no state and no secret.
"""

import base64
import json
import time
from dataclasses import asdict, dataclass, field

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

LIFE_MS = 60_000
LONGEST = 8192  # characters; one with all keys has 3,300
REMEMBERED = 10_000
REMEMBERED_CHARACTERS = 16 << 20


@dataclass(frozen=True, slots=True)
class Grant:
    """`account` is the real account, `acting` the one whose robots it sees; `number` is the fencing number of the
    control lock that the account holds, 0 without one; `exp` in ms. `customer`: whose support access must be open for
    what shows the floor; 0: no matter. `commands`: those that the robot has; empty: all of its protocol."""

    sid: str
    account: int
    acting: int
    name: str
    device: int
    sn: str
    port: int
    protocol: int
    keys: list[str] = field(default_factory=list[str])
    number: int = 0
    exp: int = 0
    customer: int = 0
    commands: list[str] = field(default_factory=list[str])


class Refused(Exception):
    """The grant is forged, broken or over."""


def private(hexadecimal: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(hexadecimal))


def public(hexadecimal: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(hexadecimal))


def new_keys() -> tuple[str, str]:
    """A fresh pair, private and public, in hex."""
    key = Ed25519PrivateKey.generate()
    return key.private_bytes_raw().hex(), key.public_key().public_bytes_raw().hex()


def sign(grant: Grant, key: Ed25519PrivateKey) -> str:
    claims = json.dumps(asdict(grant), separators=(",", ":")).encode()
    return b".".join(map(base64.urlsafe_b64encode, (claims, key.sign(claims)))).decode()


class Checker:
    """Checks a signature once: a grant is used for a minute, at many requests a second. Expiry is checked each time.

    What is remembered is bounded; the oldest are forgotten, which are over first. A grant has one spelling alone.
    """

    def __init__(self, key: Ed25519PublicKey) -> None:
        self.key = key
        self.known: dict[str, Grant] = {}
        self.characters = 0

    def check(self, text: str) -> Grant:
        grant = self.known.get(text) or self._verify(text)
        if grant.exp < time.time() * 1000:
            raise Refused("the grant is over")
        return grant

    def _verify(self, text: str) -> Grant:
        if len(text) > LONGEST:
            raise Refused("no grant is so long")
        try:
            claims, signature = map(_decoded, text.split("."))
            self.key.verify(signature, claims)
            grant = Grant(**json.loads(claims))
        except (ValueError, TypeError, InvalidSignature):
            raise Refused("no valid grant") from None
        self.known[text] = grant
        self.characters += len(text)
        while len(self.known) > REMEMBERED or self.characters > REMEMBERED_CHARACTERS:
            oldest = next(iter(self.known))
            del self.known[oldest]
            self.characters -= len(oldest)
        return grant


def _decoded(part: str) -> bytes:
    """Raises ValueError for what is not written as `sign` writes it."""
    data = base64.b64decode(part, altchars=b"-_", validate=True)
    if base64.urlsafe_b64encode(data).decode() != part:
        raise ValueError("another spelling")
    return data
