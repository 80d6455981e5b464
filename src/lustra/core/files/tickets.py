"""Claims that come back genuine and in time, or not at all: signed JSON Web Tokens (HS256) of this installation.

Each purpose has a key of its own, made from the secret, so that no token passes for one of another purpose.
"""

import hashlib
import hmac
import time
from typing import Any, Literal

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

ALGORITHM = "HS256"
Purpose = Literal["upload", "link", "video", "push", "recording"]


class Tickets:
    def __init__(self, secret: str, purpose: Purpose) -> None:
        self.key = OctKey.import_key(hmac.digest(secret.encode(), purpose.encode(), hashlib.sha256))

    def sign(self, claims: dict[str, Any], life_s: float) -> str:
        """A token of the claims, in letters that a URL may have. It ends after `life_s` seconds."""
        return jwt.encode({"alg": ALGORITHM}, claims | {"exp": int(time.time() + life_s)}, self.key)

    def read(self, token: str) -> dict[str, Any] | None:
        """The claims; None: spoiled, over, or of somebody else's making."""
        try:
            claims = jwt.decode(token, self.key, [ALGORITHM]).claims
            jwt.JWTClaimsRegistry(exp={"essential": True}).validate(claims)
        except (JoseError, ValueError):
            return None
        return claims
