"""Texts that leave the server exist in nine languages, with the same values in them."""

import json
import string
from typing import Any

import pytest

from lustra.core import texts
from lustra.core.errors import Code, Refusal


def values(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.spec("const.languages", "q.language_set")
@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_every_language_has_every_text_with_the_same_values(language: Any):
    english = json.loads((texts.FOLDER / "en.json").read_text())
    pack = json.loads((texts.FOLDER / f"{language}.json").read_text())
    assert pack.keys() == english.keys()
    assert {key: values(text) for key, text in pack.items()} == {key: values(text) for key, text in english.items()}
    assert all(text.strip() for text in pack.values())


def test_every_code_has_a_text():
    assert [code.name for code in Code if code and not texts.known(f"code.{code.name}")] == []


@pytest.mark.spec("const.languages")
@pytest.mark.parametrize(
    ("header", "language"),
    [("", "zh-CN"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("xx,ar-EG", "ar"), ("zh-TW", "zh-CN"), ("xx", "zh-CN")],
)
def test_a_browsers_first_known_language_is_spoken_else_chinese(header: str, language: str):
    assert texts.preferred(header) == language


def test_values_are_put_in_and_braces_in_them_are_only_text():
    assert Refusal(Code.LOCKED, owner="{field}").text("en") == "{field} holds the control lock"
    assert Refusal(Code.BAD_INPUT, reason="json").text("en") == "Not valid JSON"
