"""Which codes a call may refuse with: those of its frame (core/calls/rpc) and all that its handler's code can reach.

Read from the functions themselves: what a handler names (functions, their modules, classes, events with their
handlers, what a process has open) is followed, and what it names of `Code` is taken. Rather one too many than one too
few: with `check_answers` core/calls/rpc finds a refusal that is missing here.
"""

import inspect
import types
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from lustra.core import events
from lustra.core.bus import Bus
from lustra.core.calls.registry import Call, types_of
from lustra.core.errors import Code
from lustra.core.files.intake import Intake, Queue
from lustra.core.files.objects import Objects
from lustra.core.security.permission import FIRST, PUBLIC

OURS = "lustra."
# What names behind a dot stand for: fields of core/context.Services that refuse, and of these.
OPEN: dict[str, type] = {"objects": Objects, "bus": Bus, "intake": Intake, "queue": Queue}


@cache
def codes_of(entry: Call) -> tuple[Code, ...]:
    """In the sequence of their numbers, without OK."""
    return tuple(sorted((_of_frame(entry) | _reachable(entry.handler)) - {Code.OK}))


def _of_frame(entry: Call) -> set[Code]:
    codes = {Code.SIGNATURE_INVALID, Code.FAILED, Code.UNAVAILABLE}
    if entry.needs is not PUBLIC:
        codes |= {Code.SESSION_INVALID, Code.FORBIDDEN}
    if not entry.upload:
        codes.add(Code.TOO_MANY_CALLS)
    if entry.needs not in (FIRST, PUBLIC):
        codes.add(Code.PASSWORD_FIRST)
    if types_of(entry)[0] is not None or entry.method != "GET":
        codes.add(Code.BAD_INPUT)
    if entry.method != "GET":
        codes |= {Code.BODY_TOO_LARGE, Code.BROKEN_OFF}
    if entry.upload:
        codes |= {Code.TOO_LARGE, Code.DISK_FULL}
    if entry.door:
        codes |= {Code.TOO_MANY_TRIES, Code.LOGIN_BUSY}
    if entry.audit or entry.changes:  # two at the same time: see core/calls/rpc.CLASHES
        codes |= {Code.EXISTS, Code.CONFLICT}
    return codes


def _reachable(handler: Any) -> set[Code]:
    codes: set[Code] = set()
    seen: set[types.CodeType] = set()
    waiting: list[Any] = [handler]
    while waiting:
        function = inspect.unwrap(waiting.pop())
        code = getattr(function, "__code__", None)
        if code is None or code in seen or not (function is handler or function.__module__.startswith(OURS)):
            continue
        seen.add(code)
        names = set(_names(code))
        codes |= {Code[name] for name in names & Code.__members__.keys()} if "Code" in names else set()
        own_class = function.__qualname__.split(".")[0]  # of a method, which names others of its class behind `self`
        for value in _values(names | {own_class}, function.__globals__):
            if isinstance(value, Code):
                codes.add(value)
            else:
                waiting += _functions(value, names)
    return codes


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _values(names: set[str], known: Mapping[str, Any]) -> Iterator[Any]:
    """What the names stand for: of a module what is named of it, of a collection its members."""
    for value in (place[name] for name in names for place in (known, OPEN) if name in place):
        if isinstance(value, types.ModuleType):
            yield from (vars(value)[inner] for inner in names if inner in vars(value))
        elif isinstance(value, Mapping):
            yield from value.values()
        elif isinstance(value, (tuple, list, set, frozenset)):
            yield from value
        else:
            yield value


def _functions(value: Any, names: set[str]) -> Iterable[Any]:
    """A function of ours with the methods that are named of what it gives, a class' or an object's methods that are
    named, or what handles an event."""
    value = getattr(value, "func", value)  # of a partial
    if isinstance(value, types.FunctionType):
        given = inspect.get_annotations(value).get("return")
        return [value, *(_methods(given, names) if isinstance(given, type) else [])]
    kind = value if isinstance(value, type) else type(value)
    return [*_methods(kind, names | {"__init__", "__aenter__"}), *events.handlers_of(kind)]


def _methods(kind: type, names: Iterable[str]) -> list[Any]:
    if not kind.__module__.startswith(OURS):
        return []
    methods = [getattr(kind, name, None) for name in names]
    return [method for method in methods if isinstance(method, types.FunctionType)]
