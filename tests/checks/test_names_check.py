"""A name of the list is refused wherever it is given; what a folder still has of them may only shrink."""

import check_names
import pytest

ALLOWED = "scripts/names.txt"


def report(root) -> str:
    return "\n".join(check_names.problems(root))


@pytest.mark.parametrize(
    "source",
    [
        "told = 1",
        "TOLD = 1",
        "a, (b, *heard) = x",
        "def said(): ...",
        "async def said(): ...",
        "class Kept: ...",
        "def f(asked): ...",
        "def f(*, wanted=1): ...",
        "def f(**what): ...",
        "f = lambda one: one",
        "self.found = 1",
        "class A:\n    made: int",
        "import x as mine",
        "from x import y as told",
        "for one in x: ...",
        "y = [1 for one in x]",
        "with x as told: ...",
        "if (told := x): ...",
        "try: ...\nexcept ValueError as what: ...",
        "match x:\n    case {'a': told}: ...",
        "match x:\n    case [*told]: ...",
        "_told = 1",
    ],
)
def test_planted_name_is_found(project, source):
    assert "src/lustra/robot/a.py:" in report(project({"src/lustra/robot/a.py": source}))


def test_file_name_counts(project):
    assert "src/lustra/robot/told.py:1: told" in report(project({"src/lustra/robot/told.py": ""}))


@pytest.mark.parametrize(
    "source",
    [
        "report = row.told",
        "run(what=1)",
        "from x import told",
        "x = 'told'",
        "untold = 1",
        "def test_it_is_kept(): ...",
    ],
)
def test_names_of_others_and_other_words_do_not_count(project, source):
    assert check_names.problems(project({"src/lustra/robot/a.py": source})) == []


def test_folder_has_as_many_as_it_is_allowed(project):
    root = project({"src/lustra/domains/task/calls/a.py": "told = said = 1", ALLOWED: "src/lustra/domains/task 2\n"})
    assert check_names.problems(root) == []
    project({"src/lustra/domains/task/b.py": "kept = 1"})
    assert "src/lustra/domains/task: 3 names" in report(root)


def test_allowance_follows_what_is_left(project):
    root = project({"src/lustra/core/a.py": "told = 1", ALLOWED: "src/lustra/core 3\n"})
    assert "1 left of 3" in report(root)
    check_names.update(root)
    assert check_names.problems(root) == []
    assert (root / ALLOWED).read_text("utf-8") == "src/lustra/core 1\n"


def test_allowance_never_grows(project, commit):
    root = project({"src/lustra/core/a.py": "told = 1", ALLOWED: "src/lustra/core 1\n"})
    commit(root)
    project({"src/lustra/core/a.py": "told = 1\nsaid = 2", "src/lustra/relay/a.py": "told = 1"})
    project({ALLOWED: "src/lustra/core 2\nsrc/lustra/relay 1\n"})
    assert "src/lustra/core may only shrink, 1 were allowed" in report(root)
    assert "src/lustra/relay may only shrink, 0 were allowed" in report(root)


def test_update_never_raises_an_allowance(project):
    root = project({"src/lustra/core/a.py": "told = said = 1", ALLOWED: "src/lustra/core 1\n"})
    check_names.update(root)
    assert check_names.read_allowances(root) == {"src/lustra/core": 1}
