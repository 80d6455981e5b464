import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import check_locales
import pytest
from house import LANGUAGES

ROBOT = {"zh-CN": "机器人", "ko": "로봇", "de": "Roboter", "ja": "ロボット", "ar": "روبوت"}
FORMS = {
    "fr": ["one", "many", "other"],
    "es": ["one", "many", "other"],
    "zh-CN": ["other"],
    "ko": ["other"],
    "ja": ["other"],
    "ar": ["zero", "one", "two", "few", "many", "other"],
}
SCREEN = (
    "const { t } = useTranslation('device'); t('robot'); t('rows', { count }); t('held', { by }); t(`mode-${mode}`)"
)


@pytest.fixture
def locales(project: Callable[..., Path]):
    """A console with one feature in nine languages; `change(language, key=text)` spoils one (None: drops the key)."""

    def write(spoiled: str = "", screen: str = SCREEN, **changed: str | None):
        root = project({"console/src/features/device.tsx": screen})
        for language in LANGUAGES:
            texts = {"robot": ROBOT.get(language, "Robot"), "held": "{{by}}", "mode-idle": "–"}
            texts |= {f"rows_{form}": "{{count, number}}" for form in FORMS.get(language, ["one", "other"])}
            if language == spoiled:
                texts |= changed
            remaining = {key: text for key, text in texts.items() if text is not None}
            project({f"console/locales/{language}/device.json": json.dumps(remaining)})
        return check_locales.problems(root)

    return write


def test_complete_texts_pass(locales: Callable[..., list[str]]):
    assert locales() == []


@pytest.mark.parametrize(
    ("language", "changed", "report"),
    [
        ("ko", {"held": None}, "ko console/locales/*/device.json: held is missing"),
        ("nl", {"more": "x"}, "more is too much"),
        ("fr", {"held": "tenu"}, "held fills in []"),
        ("es", {"held": "{{owner}}"}, "held fills in ['owner']"),
        ("ar", {"rows_few": None}, "rows_few is missing"),
        ("ja", {"rows_one": "{{count, number}}"}, "rows_one is too much"),
        ("de", {"held": ""}, "held is empty"),
        ("de", {"held": "{{by}}..."}, "three dots"),
        ("de", {"robot": "Maschine"}, "robot says 'Maschine', the glossary 'Roboter'"),
        ("en", {"unheard": "x"}, "nobody uses unheard"),
    ],
)
def test_planted_violation_is_found(
    locales: Callable[..., list[str]], language: str, changed: dict[str, Any], report: str
):
    assert report in "\n".join(locales(language, **changed))


def test_text_that_is_asked_for_must_exist(locales: Callable[..., list[str]]):
    assert "t('absent') has no text" in "\n".join(locales(screen=SCREEN + "; t('absent')"))


def test_word_that_the_glossary_avoids_is_found_in_sentences(
    project: Callable[..., Path], locales: Callable[..., list[str]]
):
    screen = SCREEN + "; t('calls')"
    locales(screen=screen)
    sentences = {lang: f"The robot calls {lang}" for lang in LANGUAGES} | {"de": "Der Robot ruft"}
    root = project({})
    for language, text in sentences.items():
        path = f"console/locales/{language}/device.json"
        texts = json.loads((root / path).read_text("utf-8")) | {"calls": text}
        project({path: json.dumps(texts)})
    assert check_locales.problems(root) == [
        "de console/locales/*/device.json: calls says 'Robot', which the glossary avoids for robot"
    ]


def test_language_without_its_file_is_found(project: Callable[..., Path], locales: Callable[..., list[str]]):
    locales()
    root = project({})
    (root / "console/locales/ar/device.json").unlink()
    assert "ar console/locales/*/device.json: the file is missing" in check_locales.problems(root)


def test_code_without_text_is_found(project: Callable[..., Path]):
    root = project(
        {
            "src/lustra/core/errors.py": "class Code(IntEnum):\n    OK = 0\n    CONFLICT = 1\n    EXISTS = 2\n",
            "src/lustra/core/say.py": 'f"code.{name}"',
        }
    )
    for language in LANGUAGES:
        project({f"src/lustra/texts/{language}.json": '{"code.CONFLICT": "x", "stray": "x"}'})
    reports = check_locales.problems(root)
    assert reports == ["src/lustra/texts: code.EXISTS is missing", "src/lustra/texts: nobody uses stray"]


def test_text_of_another_feature_is_not_found(locales: Callable[..., list[str]], project: Callable[..., Path]):
    for language in LANGUAGES:
        project({f"console/locales/{language}/other.json": '{"elsewhere": "–"}'})
    assert locales(screen=SCREEN + "; t('other:elsewhere')") == []
    assert "t('elsewhere') has no text" in "\n".join(locales(screen=SCREEN + "; t('elsewhere')"))
