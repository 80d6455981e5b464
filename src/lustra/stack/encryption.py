"""An archive under a passphrase: read and written as a stream, in frames of which none can be changed, moved or
left out.

A file begins with MAGIC and the salt from which scrypt makes the key (AES-256-GCM). Each frame is the length of its
sealed content in 4 bytes and that content; its nonce is its number, so that no frame stands in for another, and what it
is sealed with says whether it is the last, so that a file cut at the end of a frame is noticed.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

MAGIC = b"LUSTRA-SEALED-1\n"
SALT = 16  # bytes
FRAME = 1 << 20  # bytes of content
TAG = 16  # bytes that GCM adds
LENGTH = 4  # bytes
NONCE = 12  # bytes
# Of scrypt, OWASP's first choice: 128 MB and about half a second for each try of a passphrase.
COST = 1 << 17
BLOCK = 8
PARALLEL = 1


class Unsealable(Exception):
    """The passphrase is another, or a byte is not as it was written."""


def is_sealed(file: Path) -> bool:
    with file.open("rb") as start:
        return start.read(len(MAGIC)) == MAGIC


def derive_key(passphrase: str, salt: bytes) -> AESGCM:
    return AESGCM(Scrypt(salt, 32, COST, BLOCK, PARALLEL).derive(passphrase.encode()))


def nonce_of(number: int) -> bytes:
    """No nonce occurs twice: each file has a key of its own, by its salt."""
    return number.to_bytes(NONCE, "big")


def seal_of(*, last: bool) -> bytes:
    return MAGIC + (b"last" if last else b"more")


class Sealer:
    """What is written to it goes sealed to `out`, which stays open."""

    def __init__(self, out: BinaryIO, passphrase: str) -> None:
        self.out, salt = out, os.urandom(SALT)
        self.key, self.number, self.waiting = derive_key(passphrase, salt), 0, bytearray()
        out.write(MAGIC + salt)

    def write(self, data: bytes) -> int:
        self.waiting += data
        while len(self.waiting) > FRAME:
            self._put(bytes(self.waiting[:FRAME]), last=False)
            del self.waiting[:FRAME]
        return len(data)

    def finish(self) -> None:
        """A file that was not finished is refused when it is read: what failed half-way is no backup."""
        self._put(bytes(self.waiting), last=True)

    def _put(self, content: bytes, *, last: bool) -> None:
        sealed = self.key.encrypt(nonce_of(self.number), content, seal_of(last=last))
        self.out.write(len(sealed).to_bytes(LENGTH, "big") + sealed)
        self.number += 1


class Opener:
    """What was sealed, as a stream. Reading raises Unsealable at the first frame that is not as it was written."""

    def __init__(self, file: BinaryIO, passphrase: str) -> None:
        start = file.read(len(MAGIC) + SALT)
        self.frames = open_frames(file, derive_key(passphrase, start[len(MAGIC) :]))
        self.rest = b""

    def read(self, size: int) -> bytes:
        while len(self.rest) < size and (frame := next(self.frames, None)) is not None:
            self.rest += frame
        content, self.rest = self.rest[:size], self.rest[size:]
        return content


def open_frames(file: BinaryIO, key: AESGCM) -> Iterator[bytes]:
    number, length = 0, file.read(LENGTH)
    while length:
        size = int.from_bytes(length, "big")
        sealed = file.read(min(size, FRAME + TAG))
        length = file.read(LENGTH)
        try:
            yield key.decrypt(nonce_of(number), sealed, seal_of(last=not length))
        except (InvalidTag, ValueError):
            raise Unsealable from None
        number += 1
    if not number:
        raise Unsealable
