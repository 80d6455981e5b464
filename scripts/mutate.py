"""Breaks pure modules in small ways, one at a time, and counts how often their tests notice: `make proof`.

A change is a comparison turned, `and` for `or`, a `not` taken away, a number one higher, + for -, or a function that
returns at once. Each runs in a process of its own, forked after the libraries are loaded. What nobody noticed is
printed with its line; SAME has the changes that make the same function in other words, and are not counted.
`mutate.py NAME …` takes some modules only.
"""

import ast
import contextlib
import copy
import importlib
import os
import re
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

from house import ROOT

LEAST = 0.9
LINE = re.compile(r":\d+ ")
LONGEST_S = 60  # a change that makes a loop endless is noticed by that
AT_ONCE = min(2, os.cpu_count() or 1)
MODULES = {  # pure module: the tests that hold it
    "lustra.protocol.recurrence": ["tests/protocol/test_recurrence.py"],
    "lustra.protocol.hours": ["tests/protocol/test_hours.py"],
    "lustra.protocol.geometry": ["tests/protocol/test_geometry.py"],
    "lustra.domains.task.calendar": ["tests/task/test_calendar_rules.py"],
    "lustra.domains.telemetry.chunk_codec": [
        "tests/live/test_chunk_codec.py",
        "tests/wire/test_samples.py::test_packed_minutes_stay_readable",
        "tests/wire/test_samples.py::test_a_field_added_to_the_history_is_0_in_older_minutes",
    ],
    "lustra.robot.navigation.boustrophedon": ["tests/robot/test_boustrophedon.py"],
}
SAME = {
    # Bisection ends at the second anyhow, and never looks at the moment of the jump itself.
    "recurrence.py after - before > SECOND -> after - before >= SECOND",
    (
        "recurrence.py middle.astimezone(where).replace(tzinfo=None) < wall.replace(tzinfo=None)"
        " -> middle.astimezone(where).replace(tzinfo=None) <= wall.replace(tzinfo=None)"
    ),
    "recurrence.py 2 -> 3",
    # Two days show every minute, whether they are counted or known.
    "hours.py until - since >= 2 * timedelta(days=1) -> until - since > 2 * timedelta(days=1)",
    "hours.py 2 -> 3",
    # Hours that are empty are refused before.
    "hours.py start < end -> start <= end",
}
LIBRARIES = ("numpy", "hypothesis", "pytest", "msgspec", "pydantic", "zstandard", "cv2")
TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


def variants(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """What may stand in the place of a node, and how that is called."""
    match node:
        case ast.Compare(ops=[*ops]) if type(ops[0]) in TURNED:
            other = copy.deepcopy(node)
            other.ops[0] = TURNED[type(ops[0])]()
            yield other, f"{ast.unparse(node)} -> {ast.unparse(other)}"
        case ast.BoolOp():
            other = copy.deepcopy(node)
            other.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield other, f"{ast.unparse(node)} -> {ast.unparse(other)}"
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand, f"{ast.unparse(node)} -> without not"
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            yield ast.Constant(value + 1), f"{value} -> {value + 1}"
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            other = copy.deepcopy(node)
            other.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
            yield other, f"{ast.unparse(node)} -> {ast.unparse(other)}"
        case _:
            pass


class Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return ast.copy_location(self.new, node) if node is self.old else self.generic_visit(node)


def mutants(path: Path) -> Iterator[tuple[str, CodeType]]:
    """Each change with its line, and the module that has it."""
    source = path.read_text()
    places = sum(1 for _ in ast.walk(ast.parse(source)))
    for place in range(places):
        tree = ast.parse(source)
        node = list(ast.walk(tree))[place]
        if node in decorating(tree):
            continue
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns is not None:
            body = node.body
            node.body = [ast.Return(ast.Constant(None))]
            if ast.unparse(node.returns) != "None":
                yield f"{path.name}:{node.lineno} {node.name} returns at once", compiled(tree, path)
            node.body = body
        for new, change in variants(node):
            changed = Replace(node, new).visit(tree)
            yield f"{path.name}:{getattr(node, 'lineno', 0)} {change}", compiled(changed, path)


def decorating(tree: ast.AST) -> set[ast.AST]:
    """What decorators consist of: a cache of another size is the same function."""
    decorated = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef))
    return {part for node in decorated for decorator in node.decorator_list for part in ast.walk(decorator)}


def compiled(tree: ast.AST, path: Path) -> CodeType:
    module = ast.fix_missing_locations(tree)
    assert isinstance(module, ast.Module)
    return compile(module, str(path), "exec")


def notice(path: Path, codes: Sequence[CodeType | None], tests: list[str]) -> list[bool]:
    """Whether the tests fail with each of these in the module's place; None is the module itself."""
    noticed = [False] * len(codes)
    waiting, running = list(enumerate(codes))[::-1], dict[int, tuple[int, float]]()  # pid: place, since when
    while waiting or running:
        while waiting and len(running) < AT_ONCE:
            place, code = waiting.pop()
            child = os.fork()
            if child == 0:
                run_tests(path, code, tests)
            running[child] = place, time.monotonic()
        for child, (place, since) in list(running.items()):
            late = time.monotonic() - since > LONGEST_S
            if late:
                os.kill(child, signal.SIGKILL)
            done, status = os.waitpid(child, 0 if late else os.WNOHANG)
            if done:
                noticed[place] = status != 0
                del running[child]
        time.sleep(0.02)
    return noticed


def run_tests(path: Path, code: CodeType | None, tests: list[str]) -> None:
    """In a process of its own; does not come back."""
    import pytest  # noqa: PLC0415  the parent has loaded it

    usual = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        return code if code and loader.path == str(path) else usual(loader, name)

    pytest.MonkeyPatch().setattr(SourceFileLoader, "get_code", get_code)
    out = os.open(os.devnull, os.O_WRONLY)
    os.dup2(out, 1)
    os.dup2(out, 2)
    options = ["-x", "-q", "--assert=plain", "--noconftest", "-p", "no:cacheprovider"]
    os._exit(int(pytest.main([*options, *tests])))


def judge(name: str, tests: list[str]) -> bool:
    path = ROOT / "src" / f"{name.replace('.', '/')}.py"  # not imported here: the children load it themselves
    if notice(path, [None], tests) != [False]:
        raise SystemExit(f"{name}: its tests fail without any change")
    cases = [(change, code) for change, code in mutants(path) if LINE.sub(" ", change) not in SAME]
    outcomes = notice(path, [code for _, code in cases], tests)
    share = sum(outcomes) / len(cases)
    print(f"{name}: {sum(outcomes)} of {len(cases)} changes are noticed, {share:.0%}", flush=True)
    for (change, _), noticed in zip(cases, outcomes, strict=True):
        if not noticed:
            print(f"  not noticed: {change}")
    return share >= LEAST


def main(names: list[str]) -> int:
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    for library in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(library)
    chosen = {name: tests for name, tests in MODULES.items() if not names or name.rpartition(".")[2] in names}
    judged = [judge(name, tests) for name, tests in chosen.items()]
    return 0 if all(judged) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
