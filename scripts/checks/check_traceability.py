"""Every call, route, dialog, key, rule, state, error and constant is proven by a test that cites its id.

A test cites ids by `@pytest.mark.spec("rule.task.one_area")`, or by `[route.device.index]` in the title of a vitest or
browser test; skipped tests prove nothing. What no test cites yet stands in docs/spec/open.txt, which may only shrink:
`--update` strikes out what is proven by now.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml
from house import ROOT, files, tell

PROVEN = ("calls", "routes", "dialogs", "keys", "rules", "states", "errors", "constants")
OPEN = "docs/spec/open.txt"
VERSIONS_COMPARED = 40
TITLE = re.compile(
    r"(?:\b(?:test|it|describe)(?P<how>(?:\.\w+)*)|\))\s*\(\s*(?P<quote>['\"`])(?P<title>(?:\\.|(?!(?P=quote))[^\\])*)"
)
SKIPPED = re.compile(r"\.(?:skip|todo|fixme|fails)\b")


def known(root: Path) -> dict[str, str]:
    """All ids that may be cited, each with its kind."""
    specs = sorted((root / "docs" / "spec").glob("*.yaml"))
    return {row["id"]: spec.stem for spec in specs for row in yaml.load(spec.read_text("utf-8"), yaml.CSafeLoader)}


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
    """Ids that stand in the list now but are missing from a former version of it."""
    git = ["git", "-C", str(root)]
    commits = subprocess.run(
        [*git, "log", f"-{VERSIONS_COMPARED}", "--format=%H", "--", OPEN], capture_output=True, text=True, check=False
    ).stdout.split()
    added: set[str] = set()
    for commit in commits:
        former = subprocess.run([*git, "show", f"{commit}:{OPEN}"], capture_output=True, text=True, check=False)
        if former.returncode == 0:
            added |= now - set(former.stdout.split())
    return sorted(added)


def problems(root: Path) -> list[str]:
    ids = known(root)
    citations = cited(root, {i.split(".")[0] for i in ids})
    proven, open_ids = {i for i, _ in citations}, listed_open(root)
    owed = {i for i, kind in ids.items() if kind in PROVEN}
    return [
        *(f"{place}: cites {i}, which docs/spec does not know" for i, place in citations if i not in ids),
        *(f"{OPEN}: {i} is no id that wants a proof" for i in open_ids if i not in owed),
        *(f"{OPEN}: {i} stands twice" for i in sorted({i for i in open_ids if open_ids.count(i) > 1})),
        *(f"{OPEN}: {i} is cited by a test now: check_traceability.py --update" for i in open_ids if i in proven),
        *(f"{OPEN}: {i} was closed before; the list may only shrink" for i in reopened(root, set(open_ids))),
        *(f"{i}: no test cites it, and it is not in {OPEN}" for i in sorted(owed - proven - set(open_ids))),
    ]


def update(root: Path) -> None:
    ids = known(root)
    proven = {i for i, _ in cited(root, {i.split(".")[0] for i in ids})}
    still = [i for i in listed_open(root) if i in ids and i not in proven]
    (root / OPEN).write_text("".join(f"{i}\n" for i in still), "utf-8")
    owed = sum(kind in PROVEN for kind in ids.values())
    print(f"{owed - len(still)} of {owed} ids are proven, {len(still)} are open")


if __name__ == "__main__":
    if "--update" in sys.argv:
        update(ROOT)
    tell(problems)
