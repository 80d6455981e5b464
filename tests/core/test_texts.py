"""Texts that leave the server exist in nine languages, with the same values in them."""

import json
import re
import string

import pytest
from babel import Locale

from lustra.core import texts
from lustra.core.errors import Code, Refusal

SINGLE_FORM = re.compile("_(zero|one|two|few|many)$")


def read(language: str) -> dict[str, str]:
    return json.loads((texts.FOLDER / f"{language}.json").read_text())


def values(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.spec("const.languages", "q.language_set")
@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_every_language_has_every_text_with_the_same_values(language: str):
    english, pack = (
        {key.removesuffix("_other"): text for key, text in read(name).items() if not SINGLE_FORM.search(key)}
        for name in ("en", language)
    )
    assert pack.keys() == english.keys()
    assert {key: values(text) for key, text in pack.items()} == {key: values(text) for key, text in english.items()}
    assert all(text.strip() for text in pack.values())


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_a_counting_text_has_each_form_of_the_languages_plural(language: str):
    pack, rule = read(language), Locale.parse(language, sep="-").plural_form
    stems = [key.removesuffix("_other") for key in pack if key.endswith("_other")]
    assert len(stems) > 10
    for stem in stems:
        forms = {key.removeprefix(f"{stem}_") for key in pack if SINGLE_FORM.sub("_other", key) == f"{stem}_other"}
        assert forms == rule.tags | {"other"}, stem


@pytest.mark.parametrize(
    ("language", "count", "text"),
    [
        ("en", 1, "This user has 1 sub-user. Move or delete it first"),
        ("en", 2, "This user has 2 sub-users. Move or delete them first"),
        ("fr", 1, "1 utilisateur se trouve au-dessous. Déplacez-le ou supprimez-le d’abord"),
        ("ja", 1, "下位ユーザーが1人います。先に移動または削除してください"),
        ("ar", 2, "يوجد تحته مستخدمان. انقلهما أو احذفهما أولا"),
        ("ar", 3, "يوجد تحته 3 مستخدمين. انقلهم أو احذفهم أولا"),
        ("ar", 11, "يوجد تحته 11 مستخدما. انقلهم أو احذفهم أولا"),
        ("ar", 100, "يوجد تحته 100 مستخدم. انقلهم أو احذفهم أولا"),
    ],
)
def test_refuse_with_the_plural_form_of_the_language(language: str, count: int, text: str):
    assert Refusal(Code.CONFLICT, reason="has_children", count=count).text(language) == text


def test_choose_the_plural_form_by_the_limit_without_a_count():
    assert texts.say("en", "input.too_long", limit=1) == "At most 1 character"
    assert texts.say("en", "input.too_long", limit=30) == "At most 30 characters"


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
    assert Refusal(Code.LOCKED, owner="{field}").text("en") == "{field} has control of this robot"
    assert Refusal(Code.BAD_INPUT, reason="json").text("en") == "Not valid JSON"


def test_name_a_refused_field_in_peoples_words_and_in_the_data_by_its_name():
    refusal = Refusal(Code.BAD_INPUT, "items.0.lifeHours", reason="too_few", limit=1)
    assert refusal.text("en") == "Service life (h): At least 1 entry"
    assert refusal.text("zh-CN").endswith("至少 1 项") or "：" in refusal.text("zh-CN")
    assert refusal.data() == {"field": "items.0.lifeHours", "limit": 1}
    assert Refusal(Code.BAD_INPUT, "mosaic", reason="required").text("en") == "mosaic: This field is required"
