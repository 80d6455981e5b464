"""Secrets at rest: AES-GCM under a key that is derived from the installation's secret, one for each purpose.

Rule: what a secret belongs to is sealed along, so that one cannot stand for another.
"""

import os

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from lustra.core.settings import Settings

NONCE = 12


def _key(settings: Settings, purpose: str) -> AESGCM:
    derived = HKDF(hashes.SHA256(), 32, None, f"lustra {purpose}".encode())
    return AESGCM(derived.derive(settings.secret.encode()))


def seal(settings: Settings, purpose: str, of: int, secret: str) -> bytes:
    nonce = os.urandom(NONCE)
    return nonce + _key(settings, purpose).encrypt(nonce, secret.encode(), str(of).encode())


def unseal(settings: Settings, purpose: str, of: int, sealed: bytes) -> str:
    return _key(settings, purpose).decrypt(sealed[:NONCE], sealed[NONCE:], str(of).encode()).decode()
