"""A name of the list is refused wherever it is given; what a folder still has of them may only shrink."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import allowances
import check_names
import pytest
from house import ROOT

ALLOWED = "scripts/names.txt"
needs_node = pytest.mark.skipif(
    not (ROOT / "console" / "node_modules").exists(), reason="console/node_modules is not installed"
)


def report(root: Any) -> str:
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
        "heard_at = 1",
        "class SupportAsked: ...",
    ],
)
def test_planted_name_is_found(project: Callable[..., Path], source: str):
    assert "src/lustra/robot/a.py:" in report(project({"src/lustra/robot/a.py": source}))


def test_file_name_counts(project: Callable[..., Path]):
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
def test_names_of_others_and_other_words_do_not_count(project: Callable[..., Path], source: str):
    assert check_names.problems(project({"src/lustra/robot/a.py": source})) == []


def test_folder_has_as_many_as_it_is_allowed(project: Callable[..., Path]):
    root = project({"src/lustra/domains/task/calls/a.py": "told = said = 1", ALLOWED: "src/lustra/domains/task 2\n"})
    assert check_names.problems(root) == []
    project({"src/lustra/domains/task/b.py": "kept = 1"})
    assert "src/lustra/domains/task: 3 names" in report(root)


def test_allowance_follows_what_is_left(project: Callable[..., Path]):
    root = project({"src/lustra/core/a.py": "told = 1", ALLOWED: "src/lustra/core 3\n"})
    assert "1 left of 3" in report(root)
    allowances.update(check_names.occurrences(root), root, ALLOWED)
    assert check_names.problems(root) == []
    assert (root / ALLOWED).read_text("utf-8") == "src/lustra/core 1\n"


def test_allowance_never_grows(project: Callable[..., Path], commit: Callable[[Path], None]):
    root = project({"src/lustra/core/a.py": "told = 1", ALLOWED: "src/lustra/core 1\n"})
    commit(root)
    project({"src/lustra/core/a.py": "told = 1\nsaid = 2", "src/lustra/relay/a.py": "told = 1"})
    project({ALLOWED: "src/lustra/core 2\nsrc/lustra/relay 1\n"})
    assert "src/lustra/core may only shrink, 1 were allowed" in report(root)
    assert "src/lustra/relay may only shrink, 0 were allowed" in report(root)


def test_update_never_raises_an_allowance(project: Callable[..., Path]):
    root = project({"src/lustra/core/a.py": "told = said = 1", ALLOWED: "src/lustra/core 1\n"})
    allowances.update(check_names.occurrences(root), root, ALLOWED)
    assert allowances.read_allowances(root, ALLOWED) == {"src/lustra/core": 1}


PLANTED = [
    "const told = 1",
    "let [a, { b: [asked] }] = x",
    "const { found } = x",
    "function said() {}",
    "const f = (one: number) => one",
    "class Kept {}",
    "class A { private wanted = 1 }",
    "class A { #what = 1 }",
    "interface Asked { a: number }",
    "interface A { readonly mine: boolean }",
    "type Such = 1",
    "enum Made { a }",
    "import { a as heard } from './a'",
    "import * as there from './a'",
    "for (const one of x) {}",
    "try { x() } catch (what) {}",
    "export const useTold = 1",
    "const [x, setAsked] = useState(1)",
    "const onDeed = 1",
    "const SHOWN = 1",
    "const a = x as Row",
    "const b = <T,>(y: unknown) => y as unknown as T",
    "f(z as never)",
]
HARMLESS = [
    "send({ mine: row.told })",
    "const { what: kind } = x",
    "import { told } from 'x'",
    "x.said()",
    "const NotFound = 1",
    "const isShown = 1",
    "interface Row { askedAt: number }",
    "test('what is kept', () => {})",
    "const a = [1] as const",
]
FILES = ["told.ts", "use-told.tsx", "own-deeds.test.ts"]


@needs_node
def test_planted_names_and_casts_are_found_in_typescript(project: Callable[..., Path]):
    """All in one look, as Node takes its time to start; each in a folder of its own, of which all is shown."""
    planted = {f"console/src/features/part{place}/a.tsx": source for place, source in enumerate(PLANTED)}
    planted |= {f"console/src/features/{name.split('.')[0]}/{name}": "" for name in FILES}
    problems = report(project(planted))
    assert [(path, source) for path, source in planted.items() if f"{path}:1:" not in problems] == []


@needs_node
def test_uses_and_keys_that_are_sent_do_not_count_in_typescript(project: Callable[..., Path]):
    sources = {f"console/src/shared/a{place}.tsx": source for place, source in enumerate(HARMLESS)}
    generated = {"console/src/shared/rpc/schema.d.ts": "interface Told { mine: boolean }"}
    tests = {"console/src/shared/a.test.ts": "const b = x as Row"}
    assert check_names.problems(project(sources | generated | tests)) == []


@needs_node
def test_folders_of_the_console_are_counted_by_feature(project: Callable[..., Path]):
    root = project({"console/src/features/map/editor/a.ts": "const told = 1", "console/e2e/a.ts": "const told = 1"})
    assert {"console/src/features/map", "console/e2e"} == check_names.occurrences(root).keys()
