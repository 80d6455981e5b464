"""A name says what a value is or what a function does, in the field's words; the words below say neither.

A name counts where it is given: to a variable, parameter, attribute, function, class, import or file, not where it is
used. Most of the words count as a part of a name too (`heard_at`, `useTold`), but for names of tests, which are
sentences.
scripts/names.txt says how many of them each folder still has from before this rule. It may only shrink: `--update`
lowers it to what is left.
A type is a name too: one that the console claims by `as` holds in no check of the compiler. scripts/casts.txt says how
many each folder still has; it shrinks likewise. Tests may claim, as what they hand in need not be whole.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import typescript
from allowances import compare, update
from house import ROOT, files, tell

WORDS = {
    "told",
    "heard",
    "said",
    "kept",
    "asked",
    "wanted",
    "found",
    "one",
    "made",
    "mine",
    "what",
    "its",
    "there",
    "thing",
    "such",
    "come",
    "gone",
}
PYTHON_PARTS = {"told", "heard", "said", "asked", "wanted", "kept", "mine"}
SCRIPT_WORDS = WORDS | {"shown", "deed", "deeds", "things"}
SCRIPT_PARTS = {"told", "heard", "said", "asked", "wanted", "kept", "mine", "deed", "deeds", "thing", "things"}
PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
WIRE = {"askedAt", "asked_at"}  # names of the wire
ALLOWED = "scripts/names.txt"
CASTS = "scripts/casts.txt"
TESTING = (".test.ts", ".test.tsx", "/shared/test-setup.ts")
CHECKED = ("src", "tests", "scripts", "bench")
NESTED = ("src/lustra/domains/", "console/src/features/")


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
    parts = {part.lower() for part in PARTS.findall(name)}
    sentence = name.startswith("test_")
    of_words = name not in WIRE and not sentence and bool(parts & PYTHON_PARTS)
    return name.strip("_").lower() in WORDS or of_words


def banned_in_script(name: str) -> bool:
    parts = {part.lower() for part in PARTS.findall(name)}
    return name not in WIRE and (name.lower().strip("_#") in SCRIPT_WORDS or bool(parts & SCRIPT_PARTS))


def folder_of(path: str) -> str:
    """`src/lustra/robot`, `src/lustra/domains/device`, `tests/robot`, `scripts`, `console/src/features/map`."""
    depth = 4 if path.startswith(NESTED) else 3 if path.startswith(("src/", "console/src/")) else 2
    return "/".join(path.split("/")[:-1][:depth])


def script_occurrences(root: Path, named: Sequence[typescript.Named]) -> Iterator[tuple[str, str]]:
    """Of the console: the path, and `file:line: name` of every name of the list."""
    names = [(row.path, row.line, row.text) for row in named if row.kind == "name"]
    names += [(path, 1, Path(path).name.split(".")[0]) for path in typescript.sources(root)]
    for path, line, name in sorted(names):
        if banned_in_script(name):
            yield path, f"{path}:{line}: {name}"


def casts(named: Sequence[typescript.Named]) -> dict[str, list[str]]:
    """By folder of the console: `file:line: type` of every type that its code claims."""
    by_folder: dict[str, list[str]] = defaultdict(list)
    for row in named:
        tests = row.path.endswith(TESTING) or "/widgets/testing/" in row.path
        if row.kind == "cast" and row.path.startswith("console/src/") and not tests:
            by_folder[folder_of(row.path)].append(f"{row.path}:{row.line}: {row.text}")
    return by_folder


def occurrences(root: Path, named: Sequence[typescript.Named] | None = None) -> dict[str, list[str]]:
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
    for path, line in script_occurrences(root, typescript.named(root) if named is None else named):
        by_folder[folder_of(path)].append(line)
    return {folder: lines for folder, lines in by_folder.items() if lines}


def problems(root: Path) -> list[str]:
    named = typescript.named(root)
    names = compare(occurrences(root, named), root, ALLOWED, "names that say nothing")
    return names + compare(casts(named), root, CASTS, "types that are claimed and not held")


if __name__ == "__main__":
    if "--update" in sys.argv:
        update(occurrences(ROOT), ROOT, ALLOWED)
        update(casts(typescript.named(ROOT)), ROOT, CASTS)
    tell(problems)
