from collections.abc import Callable
from pathlib import Path

import check_files
import pytest

MARK = "# no" + "qa: PLR2004"
REGISTRY = "npm" + "js.org"


@pytest.mark.parametrize(
    ("name", "text", "report"),
    [
        ("console/src/a.tsx", "let x\n" * 401, "401 lines"),
        ("console/package-lock.json", '{"resol' + f'ved": "https://registry.{REGISTRY}/a"}}', "names a registry"),
        ("requirements/run.txt", "--index-" + "url https://mirror.example/simple", "names a registry"),
        ("docs/a.md", "see ../shar" + "ed/notes", "where it was written"),
        ("src/a.py", "# as in calls" + ".txt 7.9", "where it was written"),
        ("src/a.py", "x = [1,  2]  # fmt" + ": skip", "keeps the formatter away"),
        ("src/a.py", "# TO" + "DO: later", "for later"),
        ("console/src/a.test.ts", "test.on" + "ly('a', () => {})", "for later"),
        ("src/a.py", f"x = 3  {MARK}", "without a reason"),
        ("src/a.py", "x = f()  # type" + ": ignore[arg-type]", "without a reason"),
        ("src/a.py", "x = f()  # pyright" + ": ignore[reportX]", "without a reason"),
        ("console/src/a.ts", "// biome" + "-ignore lint/style/noX:", "without a reason"),
        ("console/src/a.ts", "// @ts" + "-expect-error", "without a reason"),
        ("tests/test_a.py", "@pytest.mark.sk" + "ip", "without a reason"),
    ],
)
def test_planted_violation_is_found(project: Callable[..., Path], name: str, text: str, report: str):
    assert report in "\n".join(check_files.problems(project({name: text})))


@pytest.mark.parametrize(
    "text",
    [
        f"x = 3  {MARK} - a triangle has three corners",
        f"x = 3  # a triangle has three corners {MARK}",
        "x = f()  # type" + ": ignore[arg-type]  # the library's stub is wrong",
        "x = 400",
    ],
)
def test_reason_on_the_line_excuses_it(project: Callable[..., Path], text: str):
    assert check_files.problems(project({"src/a.py": text})) == []


def test_ignored_files_do_not_count(project: Callable[..., Path]):
    root = project({".gitignore": "dist/\n", "dist/a.py": "x = 1\n" * 500})
    assert check_files.problems(root) == []


def test_folder_of_more_than_twenty_files_is_found(project: Callable[..., Path]):
    root = project({f"src/full/part_{number}.py": "" for number in range(21)})
    assert check_files.problems(root) == ["src/full: 21 files of code, 20 are allowed in a folder"]
    (root / "src/full/part_0.py").rename(root / "src/full/part_0.sql")
    assert check_files.problems(root) == []
