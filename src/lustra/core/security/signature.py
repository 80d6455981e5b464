"""The signature header: the moment at which it ends, AES-CBC encrypted. Freshness only, never the only protection.

The text is unix ms + 20,000 in decimal digits, padded by PKCS 7; the header is base64(IV + cipher text).
"""

import base64
import binascii
import os
import time

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.padding import PKCS7

LIFE_MS = 20_000
SKEW_MS = 5_000  # a client's clock may be that much ahead
BLOCK = 16


def make(key: bytes, at_ms: int | None = None) -> str:
    text = str((at_ms if at_ms is not None else int(time.time() * 1000)) + LIFE_MS).encode()
    padder, iv = PKCS7(BLOCK * 8).padder(), os.urandom(BLOCK)
    encryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    padded = padder.update(text) + padder.finalize()
    return base64.b64encode(iv + encryptor.update(padded) + encryptor.finalize()).decode()


def valid(header: str, key: bytes, now_ms: int | None = None) -> bool:
    try:
        encrypted = base64.b64decode(header, validate=True)
        decryptor = Cipher(algorithms.AES(key), modes.CBC(encrypted[:BLOCK])).decryptor()
        unpadder = PKCS7(BLOCK * 8).unpadder()
        padded = decryptor.update(encrypted[BLOCK:]) + decryptor.finalize()
        ends = int(unpadder.update(padded) + unpadder.finalize())
    except (ValueError, binascii.Error):
        return False
    now_ms = now_ms if now_ms is not None else int(time.time() * 1000)
    return now_ms <= ends <= now_ms + LIFE_MS + SKEW_MS
