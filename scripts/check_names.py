"""A name says what a value is or what a function does, in the field's words; the words below say neither.

A name counts where it is given: to a variable, parameter, attribute, function, class, import or file, not where it is
used. scripts/names.txt says how many of them each folder still has from before this rule. It may only shrink:
`--update` lowers it to what is left.
"""

import ast
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from house import ROOT, files, tell

WORDS = {
    "told", "heard", "said", "kept", "asked", "wanted", "found", "one", "made", "mine", "what",
    "its", "there", "thing", "such", "come", "gone",
}  # fmt: skip
ALLOWED = "scripts/names.txt"
CHECKED = ("src", "tests", "scripts", "bench")
NESTED = "src/lustra/domains/"
VERSIONS_COMPARED = 40
SHOWN = 10


def given(node: ast.AST) -> Iterator[str]:
    """The names that this node of a syntax tree gives."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
            yield name
        case ast.alias(name=name, asname=renamed):
            yield renamed or ""
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case _:
            pass


def banned(name: str) -> bool:
    return name.strip("_").lower() in WORDS


def folder_of(path: str) -> str:
    """`src/lustra/robot`, `src/lustra/domains/device`, `tests/robot`, `scripts`."""
    depth = 4 if path.startswith(NESTED) else 3 if path.startswith("src/") else 2
    return "/".join(path.split("/")[:-1][:depth])


def occurrences(root: Path) -> dict[str, list[str]]:
    """By folder: `file:line: name` of every name of the list."""
    by_folder: dict[str, list[str]] = defaultdict(list)
    for path in files(root, ".py"):
        place = path.relative_to(root).as_posix()
        if not place.startswith(tuple(f"{folder}/" for folder in CHECKED)):
            continue
        names = [(1, path.stem)]
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names += [(getattr(node, "lineno", 1), name) for name in given(node)]
        by_folder[folder_of(place)] += [f"{place}:{line}: {name}" for line, name in sorted(names) if banned(name)]
    return {folder: lines for folder, lines in by_folder.items() if lines}


def parse_allowances(text: str) -> dict[str, int]:
    rows = (line.split() for line in text.splitlines())
    return {folder: int(count) for folder, count in rows}


def read_allowances(root: Path) -> dict[str, int]:
    path = root / ALLOWED
    return parse_allowances(path.read_text("utf-8")) if path.exists() else {}


def former_allowances(root: Path) -> dict[str, int]:
    """By folder the smallest count that any of the last versions allowed; 0 where one of them did not name it."""
    git = ["git", "-C", str(root)]
    commits = subprocess.run(
        [*git, "log", f"-{VERSIONS_COMPARED}", "--format=%H", "--", ALLOWED],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split()
    versions: list[dict[str, int]] = []
    for commit in commits:
        former = subprocess.run([*git, "show", f"{commit}:{ALLOWED}"], capture_output=True, text=True, check=False)
        if former.returncode == 0:
            versions.append(parse_allowances(former.stdout))
    folders = read_allowances(root).keys()
    return {folder: min(version.get(folder, 0) for version in versions) for folder in folders} if versions else {}


def problems(root: Path) -> list[str]:
    names, allowed, former = occurrences(root), read_allowances(root), former_allowances(root)
    reports: list[str] = []
    for folder in sorted(names.keys() | allowed.keys()):
        lines, most = names.get(folder, []), allowed.get(folder, 0)
        if most > former.get(folder, most):
            reports.append(f"{ALLOWED}: {folder} may only shrink, {former[folder]} were allowed before")
        if len(lines) < most:
            reports.append(f"{ALLOWED}: {folder} has {len(lines)} left of {most}: check_names.py --update")
        if len(lines) > most:
            reports.append(f"{folder}: {len(lines)} names that say nothing, {most} are allowed (see {ALLOWED})")
            reports += [f"  {line}" for line in lines[:SHOWN]]
    return reports


def update(root: Path) -> None:
    names = occurrences(root)
    rows = {folder: min(count, len(names.get(folder, []))) for folder, count in read_allowances(root).items()}
    text = "".join(f"{folder} {count}\n" for folder, count in sorted(rows.items()) if count)
    (root / ALLOWED).write_text(text, "utf-8")
    print(f"{sum(rows.values())} names are still allowed, in {sum(count > 0 for count in rows.values())} folders")


if __name__ == "__main__":
    if "--update" in sys.argv:
        update(ROOT)
    tell(problems)
