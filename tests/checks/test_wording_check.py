import json
from collections.abc import Callable
from pathlib import Path

import check_wording
import pytest
from house import LANGUAGES

WELL = {
    "zh-CN": "请选择 3 台机器人：{{name}}",
    "en": "Pauses the task first",
    "fr": "Supprimer «\u00a0{{name}}\u00a0»\u202f? Sinon\u00a0: {{way}}",
    "ko": "{{name}} 님이 2 MB를 사용합니다",
    "de": "„{{name}}“ löschen?",
    "nl": "‘{{name}}’ verwijderen",
    "ja": "{{name}}のIPアドレス：3件",
    "es": "¿Eliminar «{{name}}»?",
    "ar": "حذف «{{name}}»، ثم المتابعة",
}


@pytest.fixture
def wording(project: Callable[..., Path]):
    """A pack of one text in nine languages, one of them replaced."""

    def problems(language: str = "", text: str = "") -> list[str]:
        root = project({"README.md": ""})
        for each in LANGUAGES:
            shown = text if each == language else WELL[each]
            project({f"console/locales/{each}/device.json": json.dumps({"key": shown})})
        return check_wording.problems(root)

    return problems


def test_texts_that_are_set_as_their_language_sets_them_pass(wording: Callable[..., list[str]]):
    assert wording() == []


@pytest.mark.parametrize(
    ("language", "text", "report"),
    [
        ("en", "Take the wheels", "says 'Take the wheels'"),
        ("en", "Waits for the lift", "says 'lift'"),
        ("en", "The last FRP port", "says 'FRP'"),
        ("zh-CN", "您的机器人", "says '您'"),
        ("zh-CN", "选择机器人: {{name}}", "half-width"),
        ("zh-CN", "共3台", "no space between Chinese and Latin"),
        ("de", "Sie haben die Kontrolle", "says 'Kontrolle'"),
        ("de", "”{{name}}” löschen", "quotes other than"),
        ("fr", "Supprimer ?", "narrow space"),
        ("fr", "Sinon : {{way}}", "before a colon"),
        ("fr", "« {{name}} »", "within the quotes"),
        ("nl", "“{{name}}” verwijderen", "quotes other than"),
        ("es", "Eliminar?", "opening sign"),
        ("ja", "{{name}} の IP アドレス", "a space between Japanese and Latin"),
        ("ko", "최대 2MB", "no space before the unit"),
        ("ar", "أيضًا", "vowel marks"),
        ("ar", "حذف, ثم", "a Latin sign"),
    ],
)
def test_find_text_that_its_language_sets_otherwise(
    wording: Callable[..., list[str]], language: str, text: str, report: str
):
    reports = wording(language, text)
    assert len(reports) == 1
    assert reports[0].startswith(f"{language} console/locales/*/device.json: key ")
    assert report in reports[0]
