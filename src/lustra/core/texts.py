"""Texts that leave the server, in nine languages: src/lustra/texts/<language>.json, flat keys, {name} for values.

A key that a language lacks is said in English; one that English lacks is an error (a test compares all files). A text
that counts something has a key for each form of the plural that its language has, as in the console: `rows_one`,
`rows_other`, in Arabic six. The form goes by `count`, or by `limit` where the text counts what is allowed.
"""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "texts"
LANGUAGES = ("zh-CN", "en", "fr", "ko", "de", "nl", "ja", "es", "ar")
DEFAULT = "zh-CN"
FALLBACK = "en"


@cache
def _all(language: str) -> dict[str, str]:
    return json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))


@cache
def _plural_rule(language: str) -> Callable[[int], str]:
    from babel import Locale  # noqa: PLC0415  only who counts something needs its tables

    return Locale.parse(language, sep="-").plural_form


@cache
def direction(language: str) -> str:
    """In which its text runs: `ltr` or `rtl`."""
    from babel import Locale  # noqa: PLC0415  only pages need its tables

    return Locale.parse(language, sep="-").text_direction


def known(key: str) -> bool:
    return key in _all(FALLBACK) or f"{key}_other" in _all(FALLBACK)


def template(language: str, key: str, count: object = None) -> str:
    """With places for its values; in the plural's form for so many."""
    language = language if language in LANGUAGES else FALLBACK
    if f"{key}_other" in _all(FALLBACK):
        key = f"{key}_{_plural_rule(language)(count) if isinstance(count, int) else 'other'}"
    return _all(language).get(key) or _all(FALLBACK)[key]


def say(language: str, key: str, **values: object) -> str:
    text = template(language, key, values.get("count", values.get("limit")))
    return text.format_map({name: str(value) for name, value in values.items()})


def name_alarm(code: str, language: str) -> str:
    """What a code means; an unknown one is its own name."""
    return say(language, f"alarm.{code}") if known(f"alarm.{code}") else code


def field_name(language: str, path: str) -> str:
    """What people call the field of a payload: of `items.0.lifeHours` its last part that has a name; else the path."""
    named = [part for part in path.split(".") if known(f"field.{part}")]
    return say(language, f"field.{named[-1]}") if named else path


def preferred(header: str) -> str:
    """The first of a browser's languages (Accept-Language, in its order) that we speak."""
    for part in header.split(","):
        tag = part.split(";")[0].strip().lower()
        for language in LANGUAGES:
            if tag and tag.split("-")[0] == language.split("-")[0].lower():
                return language
    return DEFAULT
