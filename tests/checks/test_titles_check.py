"""A title that is too long, or begins without saying anything, is refused; what git cannot tell is not."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import check_titles
import pytest
from house import ROOT

needs_node = pytest.mark.skipif(
    not (ROOT / "console" / "node_modules").exists(), reason="console/node_modules is not installed"
)
GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org")


def commit(root: Path, title: str) -> str:
    """The hash of an empty commit with that title."""
    subprocess.run([*GIT, "commit", "--quiet", "--allow-empty", "-m", title], cwd=root, check=True)
    return subprocess.run(
        [*GIT, "rev-parse", "HEAD"], cwd=root, check=True, capture_output=True, text=True
    ).stdout.strip()


def test_long_commit_title_is_found_since_the_rule_began(project: Callable[..., Path]):
    root = project({})
    start = commit(root, "x" * 73)
    commit(root, "y" * 72)
    assert check_titles.commit_problems(root, start) == []
    commit(root, "z" * 73)
    (report,) = check_titles.commit_problems(root, start)
    assert "73 letters, 72 are allowed" in report


def test_without_the_first_commit_of_the_rule_no_commit_is_judged(
    project: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory
):
    root = project({})
    assert check_titles.commit_problems(root, "0" * 40) == []
    commit(root, "x" * 73)
    assert check_titles.commit_problems(root, "0" * 40) == []
    assert check_titles.commit_problems(tmp_path_factory.mktemp("bare"), "0" * 40) == []


def test_without_git_no_commit_is_judged(project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch):
    root = project({})
    start = commit(root, "a")
    commit(root, "x" * 73)
    monkeypatch.setenv("PATH", "")
    assert check_titles.commit_problems(root, start) == []


def test_long_name_of_a_test_in_python_is_found(project: Callable[..., Path]):
    root = project({"tests/test_a.py": f"def test_{'x' * 72}(): ...\nasync def test_{'y' * 73}(): ...\n"})
    (report,) = check_titles.function_problems(root)
    assert report.startswith("tests/test_a.py:2: 73 letters, 72 are allowed")


@pytest.mark.parametrize(
    "title",
    ["who_is_late_is_refused", "what_is_late_is_refused", "one_is_late", "its_edit_is_late", "a_late_edit_is_told"],
)
def test_refuse_a_vague_name_of_a_test_in_python(project: Callable[..., Path], title: str):
    root = project({"tests/test_a.py": f"def test_{title}(): ...\ndef test_refuse_a_late_edit(): ...\n"})
    (report,) = check_titles.function_problems(root)
    assert report.startswith("tests/test_a.py:1: says what the product does")


PLANTED = [
    (f"test('{'x' * 101}', () => {{}})", "101 letters"),
    (f"it('{'x' * 101}', () => {{}})", "101 letters"),
    (f"test.each([1])('{'x' * 101}', () => {{}})", "101 letters"),
    (f"test.each`a`('[a.b] {'x' * 101}', () => {{}})", "101 letters"),
    ("test('should save', () => {})", "without “should”"),
    ("it('[a.b] works', () => {})", "without “works”"),
    ("describe('Test of a map', () => {})", "without “Test”"),
    ("test('who is late is refused', () => {})", "beginning with a verb"),
    ("test('a late edit is told', () => {})", "without “told”"),
]
HARMLESS = [
    f"test('[rule.a] {'x' * 100}', () => {{}})",
    f"run('{'x' * 101}', () => {{}})",
    f"pattern.test('{'x' * 101}')",
    "test('a name is shown', () => {})",
]


@needs_node
def test_planted_titles_of_tests_are_found(project: Callable[..., Path]):
    """All in one look, as Node takes its time to start."""
    planted = {f"console/src/a{place}.test.ts": source for place, (source, _) in enumerate(PLANTED)}
    harmless = {f"console/src/b{place}.test.ts": source for place, source in enumerate(HARMLESS)}
    reports = check_titles.title_problems(project(planted | harmless))
    assert len(reports) == len(PLANTED)
    for path, each, (_, why) in zip(sorted(planted), sorted(reports), PLANTED, strict=True):
        assert each.startswith(f"{path}:1: ")
        assert why in each
