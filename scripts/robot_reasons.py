"""Why robots refuse: the catalogue of reasons with their texts, and which of them a command may answer.

Read from the sources: a reason is a text that a handler of the virtual robot, or a rule of the command's payload, names
where it refuses; what a handler calls is followed by name. Rather one too many than one too few.
"""

import ast
import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from house import ROOT

from lustra.protocol.commands import COMMANDS, Command
from lustra.robot.local_api import api

LOCALE = ROOT / "console" / "locales" / "en"
PREFIX = "no-"
SOURCES = ("src/lustra/robot", "src/lustra/protocol")
PASSED_OVER = ("demo", "connection", "buildings")
DEEPEST = 4  # calls from a handler to what refuses
# Names of many functions: whom a call of them means is not seen.
COMMON = {"__init__", "open", "keep", "end", "start", "begin", "content", "save", "read", "load", "get", "add"}
FRAME = ("command_unknown", "input_not_json", "input_too_large", "input_wrong")
LOCK = ("control_lost",)


@cache
def texts() -> dict[str, str]:
    """Reason by its key in the console's catalogue, where `_` and `.` are dashes."""
    entries = json.loads((LOCALE / "robot.json").read_text("utf-8"))
    return {key.removeprefix(PREFIX): text for key, text in entries.items() if key.startswith(PREFIX)}


@cache
def faults() -> dict[str, str]:
    """Text by fault code."""
    entries = json.loads((LOCALE / "common.json").read_text("utf-8"))
    codes = {key.removeprefix("alarm-"): text for key, text in entries.items() if key.startswith("alarm-")}
    return {f"0x{code}": text for code, text in codes.items() if code.isdigit()}


@cache
def _functions() -> dict[str, tuple[set[str], set[str]]]:
    """Of each function, by its bare name: what it names, and the reasons among its texts."""
    known: defaultdict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for folder in SOURCES:
        for file in sorted((ROOT / folder).rglob("*.py")):
            if file.parent.name not in PASSED_OVER:
                for name, node in _defined(ast.parse(file.read_text("utf-8"))):
                    named, reasons = known[name]
                    named |= {_called(call) for call in ast.walk(node) if isinstance(call, ast.Call)} - COMMON
                    reasons |= set(_reasons(node))
    return known


def _defined(module: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Functions, methods and classes; what stands within a function is part of it."""
    for node in module.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            yield node.name, node
            yield from _defined(ast.Module(node.body, []))


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _reasons(node: ast.AST) -> Iterator[str]:
    """Texts in the arguments of a call that are keys of the catalogue."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call):
            for argument in [*call.args, *(keyword.value for keyword in call.keywords)]:
                text = argument.value if isinstance(argument, ast.Constant) else None
                if isinstance(text, str) and key_of(text) in texts() and ("_" in text or "." in text):
                    yield text


def catalogue() -> dict[str, str]:
    """Text by reason, of all that commands may answer."""
    reasons = sorted({reason for command in COMMANDS.values() for reason in of(command)})
    return {reason: texts().get(key_of(reason), texts()["input-wrong"]) for reason in reasons}


def key_of(reason: str) -> str:
    return reason.replace("_", "-").replace(".", "-")


def of(command: Command) -> list[str]:
    """The reasons that it may be refused with, those of every command first."""
    functions = _functions()
    form = ["read_bundle"] if command.form else []
    payload = [kind.__name__ for kind in command.payload.__mro__ if kind.__module__.startswith("lustra")]
    level, seen, reasons = {api.HANDLERS[command.name].__name__, *payload, *form}, set[str](), set[str]()
    for _ in range(DEEPEST):
        seen |= level
        reasons |= {reason for name in level if name in functions for reason in functions[name][1]}
        level = {called for name in level if name in functions for called in functions[name][0]} - seen
    own = sorted(reasons - set(FRAME) - set(LOCK))
    return [*FRAME, *(LOCK if command.locked else ()), *own]


if __name__ == "__main__":
    for each in COMMANDS.values():
        print(each.name, of(each)[len(FRAME) :])
