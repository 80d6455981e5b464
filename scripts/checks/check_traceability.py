"""What docs/spec lists is proven by a test that cites its id: every call, route, dialog, key, rule, state, error and
constant, every entity with each of its fields, every feature. A rule that both sides keep is cited on each.

A test cites ids by `@pytest.mark.spec("rule.task.one_area")`, or by `[route.device.index]` in the title of a vitest or
browser test; skipped tests prove nothing. What no test cites yet stands in docs/spec/open.txt: an entity for all of its
fields, `rule.file.name:client` where one side is missing. The list may only shrink: `--update` strikes out what is
proven by now.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml
from house import ROOT, files, tell

PROVEN = {"calls", "routes", "dialogs", "keys", "rules", "states", "errors", "constants", "entities", "features"}
SIDES = {"tests/": "server", "console/": "client"}  # by where a test stands
OPEN = "docs/spec/open.txt"
VERSIONS_COMPARED = 40
TITLE = re.compile(
    r"(?:\b(?:test|it|describe)(?P<how>(?:\.\w+)*)|\))\s*\(\s*(?P<quote>['\"`])(?P<title>(?:\\.|(?!(?P=quote))[^\\])*)"
)
SKIPPED = re.compile(r"\.(?:skip|todo|fixme|fails)\b")


class Known(NamedTuple):
    """All ids that may be cited; those that are owed a proof, with their side where each of two must be proven."""

    ids: frozenset[str]
    owed: frozenset[str]


def known(root: Path) -> Known:
    ids: set[str] = set()
    owed: set[str] = set()
    for spec in sorted((root / "docs" / "spec").glob("*.yaml")):
        for row in yaml.load(spec.read_text("utf-8"), yaml.CSafeLoader):
            named = {row["id"], *(f"{row['id']}.{field}" for field in row.get("fields", []))}
            ids |= named
            if spec.stem in PROVEN and not row.get("remark"):
                owed |= named | {f"{row['id']}:{side}" for side in row.get("sides", [])}
    return Known(frozenset(ids), frozenset(owed))


def proven(citations: list[tuple[str, str]]) -> set[str]:
    """What is cited: each id, and each with the side on which it is."""
    sides = {(i, side) for i, place in citations for start, side in SIDES.items() if place.startswith(start)}
    return {i for i, _ in citations} | {f"{i}:{side}" for i, side in sides}


def kind_of(owed: str) -> str:
    """What stands in the list together: `rule`, or `rule:client` of rules that one side lacks; fields of entities."""
    name, _, side = owed.partition(":")
    return name.split(".")[0] + side


def ids_of(argument: ast.expr, module: ast.Module) -> list[str]:
    """A literal, or `*NAMES` of a list that the module builds of literals alone."""
    if isinstance(argument, ast.Starred) and isinstance(argument.value, ast.Name):
        for line in module.body:
            if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == argument.value.id:
                built = compile(ast.Expression(line.value), "<ids>", "eval")
                return list(eval(built, {"__builtins__": {}}))  # noqa: S307 - literals of our own tests, no names
    return [str(argument.value) if isinstance(argument, ast.Constant) else ast.unparse(argument)]


def cited_in_python(source: str, place: str) -> Iterator[tuple[str, str]]:
    module = ast.parse(source)
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.spec"):
            for argument in node.args:
                yield from ((i, f"{place}:{node.lineno}") for i in ids_of(argument, module))


def cited_in_titles(source: str, place: str, kinds: set[str]) -> Iterator[tuple[str, str]]:
    for match in TITLE.finditer(source):
        if SKIPPED.search(match["how"] or ""):
            continue
        line = source.count("\n", 0, match.start()) + 1
        for group in re.findall(r"\[([^\]]+)\]", match["title"]):
            yield from (
                (i, f"{place}:{line}") for i in re.split(r"[,\s]+", group) if i.split(".")[0] in kinds and "." in i
            )


def cited(root: Path, kinds: set[str]) -> list[tuple[str, str]]:
    """(id, file:line) of every citation in the tests."""
    citations: list[tuple[str, str]] = []
    for path in files(root, ".py", ".ts", ".tsx"):
        place = path.relative_to(root).as_posix()
        if path.suffix == ".py" and place.startswith("tests/"):
            citations += cited_in_python(path.read_text("utf-8"), place)
        elif re.match(r"console/(?:.*\.(?:test|spec)\.tsx?$|e2e/)", place):
            citations += cited_in_titles(path.read_text("utf-8"), place, kinds)
    return citations


def listed_open(root: Path) -> list[str]:
    path = root / OPEN
    return path.read_text("utf-8").split() if path.exists() else []


def reopened(root: Path, now: set[str]) -> list[str]:
    """Ids that stand in the list now but are missing from a former version of it that had others of their kind."""
    git = ["git", "-C", str(root)]
    commits = subprocess.run(
        [*git, "log", f"-{VERSIONS_COMPARED}", "--format=%H", "--", OPEN], capture_output=True, text=True, check=False
    ).stdout.split()
    added: set[str] = set()
    for commit in commits:
        former = subprocess.run([*git, "show", f"{commit}:{OPEN}"], capture_output=True, text=True, check=False)
        if former.returncode == 0:
            then = set(former.stdout.split())
            kinds = {kind_of(i) for i in then}
            added |= {i for i in now - then if kind_of(i) in kinds}
    return sorted(added)


def problems(root: Path) -> list[str]:
    ids, owed = known(root)
    citations = cited(root, {i.split(".")[0] for i in ids})
    done, open_ids = proven(citations), listed_open(root)
    missing = {i for i in owed - done if not {i, i.partition(":")[0], i.rpartition(".")[0]} & set(open_ids)}
    return [
        *(f"{place}: cites {i}, which docs/spec does not know" for i, place in citations if i not in ids),
        *(f"{OPEN}: {i} is no id that wants a proof" for i in open_ids if i not in owed),
        *(f"{OPEN}: {i} stands twice" for i in sorted({i for i in open_ids if open_ids.count(i) > 1})),
        *(f"{OPEN}: {i} is cited by a test now: check_traceability.py --update" for i in open_ids if i in done),
        *(f"{OPEN}: {i} was closed before; the list may only shrink" for i in reopened(root, set(open_ids))),
        *(f"{i}: no test cites it, and it is not in {OPEN}" for i in sorted(missing)),
    ]


def update(root: Path) -> None:
    ids, owed = known(root)
    done = proven(cited(root, {i.split(".")[0] for i in ids}))
    still = [i for i in listed_open(root) if i in owed and i not in done]
    (root / OPEN).write_text("".join(f"{i}\n" for i in still), "utf-8")
    print(f"{len(owed) - len(still)} of {len(owed)} ids are proven, {len(still)} are open")


if __name__ == "__main__":
    if "--update" in sys.argv:
        update(ROOT)
    tell(problems)
