"""Texts that leave the server, in nine languages: src/lustra/texts/<language>.json, flat keys, {name} for values.

A key that a language lacks is said in English; one that English lacks is an error (a test compares all files).
"""

import json
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "texts"
LANGUAGES = ("zh-CN", "en", "fr", "ko", "de", "nl", "ja", "es", "ar")
DEFAULT = "zh-CN"
FALLBACK = "en"


@cache
def _all(language: str) -> dict[str, str]:
    return json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))


def known(key: str) -> bool:
    return key in _all(FALLBACK)


def template(language: str, key: str) -> str:
    """With places for its values."""
    return _all(language if language in LANGUAGES else FALLBACK).get(key) or _all(FALLBACK)[key]


def say(language: str, key: str, **values: object) -> str:
    return template(language, key).format_map({name: str(value) for name, value in values.items()})


def preferred(header: str) -> str:
    """The first of a browser's languages (Accept-Language, in its order) that we speak."""
    for part in header.split(","):
        tag = part.split(";")[0].strip().lower()
        for language in LANGUAGES:
            if tag and tag.split("-")[0] == language.split("-")[0].lower():
                return language
    return DEFAULT
