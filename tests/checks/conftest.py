"""A small project of its own, in which each check's violation is planted."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "scripts" / "checks")]

GLOSSARY = """
meta: {plural_categories: {zh-CN: [other], ko: [other], ja: [other], en: [one, other], de: [one, other],
  nl: [one, other], fr: [one, many, other], es: [one, many, other], ar: [zero, one, two, few, many, other]}}
entries:
- id: robot
  kind: noun
  definition: The machine at work.
  t: {zh-CN: 机器人, en: Robot, fr: Robot, ko: 로봇, de: Roboter, nl: Robot, ja: ロボット, es: Robot, ar: روبوت}
  avoid: {de: [Robot], fr: [engin]}
"""


@pytest.fixture
def project(tmp_path: Path) -> Callable[..., Path]:
    """`project({"src/a.py": "…"})` writes the files into a repository and gives its folder."""
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)

    def write(contents: dict[str, str]) -> Path:
        for name, text in contents.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return tmp_path

    write({"docs/glossary.yaml": GLOSSARY})
    return write


@pytest.fixture
def commit() -> Callable[[Path], None]:
    def all_of(root: Path) -> None:
        git = ["git", "-C", str(root), "-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "--quiet", "-m", "a"], check=True)

    return all_of
