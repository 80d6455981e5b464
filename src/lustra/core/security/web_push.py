"""Messages to browsers: encrypted for one browser alone (RFC 8291), in our name (VAPID, RFC 8292).

Rules: the key of this installation is made from its secret, so that no file and no row holds it. A browser's service
passes on what only the browser can read. The packages that do this post by themselves, past the guard of addresses
outside (outbound_http); so here the message is made, and core/http/outbound_post posts it.
"""

import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from joserfc import jwt
from joserfc.jwk import ECKey

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of its group
POINT = 65  # bytes of a public key, uncompressed
SALT = 16
AUTH = 16
RECORD = 4096  # bytes, of which a message is one
LAST = b"\x02"  # what the last record ends with
PROVES_S = 12 * 3600  # how long a proof of who we are is good
WAITS_S = 24 * 3600  # how long the service keeps a message for a browser that is away


class Unfit(ValueError):
    """No key of a browser."""


def encode(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def decode(text: str) -> bytes:
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise Unfit(text) from None


def read_public(text: str) -> ec.EllipticCurvePublicKey:
    """Raises Unfit."""
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode(text))
    except ValueError:
        raise Unfit(text) from None


def point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


@lru_cache(maxsize=4)
def installation_key(secret: str) -> ec.EllipticCurvePrivateKey:
    number = int.from_bytes(HKDF(hashes.SHA256(), 48, None, b"lustra web push").derive(secret.encode()), "big")
    return ec.derive_private_key(number % (ORDER - 1) + 1, CURVE)


def public_key(secret: str) -> str:
    """As a browser asks for it."""
    return encode(point_of(installation_key(secret).public_key()))


def encrypt(
    message: bytes,
    browser: str,
    auth: str,
    *,
    salt: bytes | None = None,
    own: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """One record of aes128gcm. `browser`, `auth`: the keys that it gave. Raises Unfit."""
    theirs = read_public(browser)
    salt, own = salt or os.urandom(SALT), own or ec.generate_private_key(CURVE)
    ours = point_of(own.public_key())
    info = b"WebPush: info\0" + point_of(theirs) + ours
    shared = HKDF(hashes.SHA256(), 32, decode(auth), info).derive(own.exchange(ec.ECDH(), theirs))
    key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(shared)
    nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(shared)
    head = salt + RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return head + AESGCM(key).encrypt(nonce, message + LAST, None)


def headers(secret: str, endpoint: str, contact: str) -> dict[str, str]:
    """`contact`: where the service reaches the operator, an https or mailto address."""
    parts = urlsplit(endpoint)
    pem = installation_key(secret).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + PROVES_S, "sub": contact}
    token = jwt.encode({"alg": "ES256", "typ": "JWT"}, claims, ECKey.import_key(pem))
    return {
        "authorization": f"vapid t={token}, k={public_key(secret)}",
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        "ttl": str(WAITS_S),
        "urgency": "high",
    }
