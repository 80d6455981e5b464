"""A failed call is made again by core/retry alone, so that waits, counts and log lines are the same everywhere.

What counts as a hand-written one: inside a loop, a handler of an exception that sleeps. The robot is left out: it knows
the protocol only, and its own rules (longer waits after each refused log-in, the next relay) stand in robot/connection.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from house import tell

DOOR = "lustra/core/retry.py"
ROBOT = "lustra/robot/"


def is_sleep(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "sleep"


def sleeping_handlers(tree: ast.AST) -> Iterator[int]:
    """Lines of the handlers, in loops, that sleep."""
    loops = [node for node in ast.walk(tree) if isinstance(node, ast.While | ast.For | ast.AsyncFor)]
    handlers = {node for loop in loops for node in ast.walk(loop) if isinstance(node, ast.ExceptHandler)}
    for handler in handlers:
        if any(is_sleep(node) for node in ast.walk(handler)):
            yield handler.lineno


def problems(root: Path) -> list[str]:
    source = root / "src"
    reports: list[str] = []
    for path in sorted((source / "lustra").rglob("*.py")):
        name = path.relative_to(source).as_posix()
        if name == DOOR or name.startswith(ROBOT):
            continue
        lines = sorted(set(sleeping_handlers(ast.parse(path.read_text("utf-8")))))
        reports += [f"src/{name}:{line}: sleeps and tries again; use core.retry.retry_on" for line in lines]
    return reports


if __name__ == "__main__":
    tell(problems)
