"""Codes that people read and type: no letters or digits that look alike."""

import secrets

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"  # without 0 O 1 l I
LENGTH = 8


def random_code(length: int = LENGTH) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))
