import json
from collections.abc import Callable
from pathlib import Path

import check_glossary
import check_licences
import make_glossary
import make_licences
import pytest


@pytest.mark.parametrize(
    ("old", "new", "report"),
    [
        ("de: Roboter", "de: Robot", "robot: de says a word that it avoids"),
        (", ar: روبوت", "", "robot: languages"),
        ("- id: robot", "- id: robot\n  t: {}\n- id: robot", "robot: stands twice"),
    ],
)
def test_planted_violation_in_the_glossary_is_found(project: Callable[..., Path], old: str, new: str, report: str):
    whole = (project({}) / "docs/glossary.yaml").read_text("utf-8")
    root = project({"docs/glossary.yaml": whole.replace(old, new), "docs/glossary.md": ""})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(make_glossary, "page", lambda _: "")
        assert report in "\n".join(check_glossary.problems(root))


def test_page_that_was_not_made_anew_is_found(project: Callable[..., Path]):
    root = project({"docs/glossary.md": "old"})
    assert check_glossary.problems(root) == ["docs/glossary.md differs from glossary.yaml: scripts/make_glossary.py"]


def test_package_with_a_strange_licence_is_found(project: Callable[..., Path]):
    lock = {"packages": {"": {}, "node_modules/a": {"version": "1", "license": "GPL-3.0"}}}
    root = project({"requirements/run.txt": "pydantic==2.14 \\\n", "console/package-lock.json": json.dumps(lock)})
    project({"docs/licences.md": make_licences.page(root)})
    assert check_licences.problems(root) == ["a 1: GPL-3.0: neither permissive nor noted"]
    project({"docs/licences.md": "old"})
    assert "is not what is installed" in check_licences.problems(root)[-1]
