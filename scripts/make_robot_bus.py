"""docs/robot-bus.md: the tables of subjects, payloads and commands, as src/lustra/protocol has them."""

import builtins
import inspect
import typing
from collections.abc import Iterable
from types import ModuleType, NoneType
from typing import Annotated, Any, get_args, get_origin

import msgspec
from house import ROOT
from make_asyncapi import COMMANDS

from lustra.protocol import backups, bus, commands, files, tablet, telemetry, updates, video

PAGE = ROOT / "docs" / "robot-bus.md"
MARK = "<!-- Below: made by scripts/make_robot_bus.py from src/lustra/protocol; change it there. -->\n"
SN = "<sn>"
JSON = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null", Any: "any"}
ENDLESS = 1e6  # a bound from here on only keeps nonsense out
SUBJECTS = [
    (bus.state(SN), "State", "robot", "stream STATE, 24 h or its size limit, oldest dropped"),
    (bus.alarm(SN), "Alarm", "robot", "stream ALARM, never dropped: kept by the robot until `cmd.kept`"),
    (bus.report(SN), "Report", "robot", "stream REPORT, never dropped: kept by the robot until `cmd.kept`"),
    (bus.event(SN), "Event", "robot", "stream EVENT, never dropped: kept by the robot until `cmd.kept`"),
    (bus.live(SN, "lidar"), "Lidar", "robot", "no stream; only while watched"),
    (bus.live(SN, "path"), "Path", "robot", "no stream; only while watched"),
    (bus.live(SN, "cells"), "Cells", "robot", "no stream; only while watched"),
    (bus.live(SN, "log"), "LogLines", "robot", "no stream; only while somebody follows the log"),
    (bus.lift(SN), "ElevatorWish", "robot", "no stream; sent every 2 s until `cmd.lift` ends the ride"),
    *((bus.cmd(SN, name), kind.__name__, "server", "request and reply") for name, kind in COMMANDS.items()),
    (bus.tunnel(SN), "relay's URL, up or down", "relay", "no stream; also bucket `tunnels`"),
]


def table(head: tuple[str, ...], rows: Iterable[Iterable[object]]) -> str:
    cells = ["| " + " | ".join(str(c).replace("|", "\\|").replace("\n", " ") for c in row) + " |" for row in rows]
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *cells]) + "\n"


def structs() -> Iterable[type[msgspec.Struct]]:
    yield telemetry.State
    for module in (bus, files, backups, updates, video, tablet):
        for struct in vars(module).values():
            if inspect.isclass(struct) and issubclass(struct, msgspec.Struct) and is_of(struct, module):
                yield struct


def is_of(struct: type[msgspec.Struct], module: ModuleType) -> bool:
    return struct.__module__ == module.__name__ or struct.__module__.startswith(f"{module.__name__}.")


def payloads() -> Iterable[str]:
    for struct in structs():
        description = inspect.cleandoc(struct.__doc__ or "")
        stamps = {"at", "v"} if issubclass(struct, telemetry.Payload) else set[str]()
        own = [f for f in msgspec.structs.fields(struct) if f.name not in stamps]
        rows = [(f"`{f.name}`", kind(f.type), "yes" if f.required else "no", meaning(f.type)) for f in own]
        stamped = "`v`, `at`, and:\n" if stamps else ""
        yield "\n".join(part for part in (f"### {struct.__name__}\n", f"{description}\n", stamped) if part)
        if rows:
            yield table(("field", "type", "always sent", "meaning"), rows)


def meaning(annotation: object) -> str:
    """The outermost description: a named type may have one of its own."""
    metas = [meta for meta in metas_of(annotation) if meta.description]
    return metas[-1].description if metas else ""


def metas_of(annotation: object) -> tuple[Any, ...]:
    return get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()


def kind(annotation: Any) -> str:
    """A type as JSON has it, with its bounds: `number (0 to 100)`, `list of Zone`."""
    parts = get_args(annotation)
    match get_origin(annotation):
        case typing.Annotated:
            shown = kind(parts[0]) + bounds(metas_of(annotation))
        case typing.Literal:
            shown = " or ".join(f"`{word}`" if word else "empty" for word in parts)
        case builtins.list:
            shown = f"list of {kind(parts[0])}"
        case builtins.dict:
            shown = f"object of {kind(parts[1])}"
        case builtins.tuple:
            shown = f"[{', '.join(map(kind, parts))}]"
        case None:
            shown = JSON.get(annotation) or annotation.__name__
        case _:
            shown = " or ".join(kind(part) for part in parts if part is not msgspec.UnsetType)
    return shown


def bounds(metas: Iterable[Any]) -> str:
    """Of numbers their range, of texts and lists how long they may be; patterns are in the AsyncAPI."""
    pairs = [(meta.ge if meta.gt is None else meta.gt, meta.le) for meta in metas]
    pairs += [(meta.min_length, meta.max_length) for meta in metas]
    return "".join(
        f" ({least:g} to {most:g})" if least is not None and most is not None else f" (up to {most:g})"
        for least, most in pairs
        if most is not None and most < ENDLESS
    )


def local_commands() -> str:
    def line(c: commands.Command) -> tuple[str, ...]:
        older = f"`{commands.route(c, 2)}`" if c.since < commands.API1_SINCE else ""
        newer = f"`{commands.route(c, commands.API1_SINCE)}`"
        return (
            newer,
            older,
            c.method,
            c.payload.__name__,
            c.answer.__name__,
            c.danger,
            "lock" if c.locked else "",
            f"`{c.needs}`",
        )

    rows = map(line, commands.COMMANDS.values())
    return table(("protocol 3", "protocol 2", "method", "payload", "answer", "danger", "wants", "key"), rows)


def page() -> str:
    written = PAGE.read_text("utf-8").split(MARK)[0]
    subjects = table(("subject", "payload", "sent by", "kept"), ((f"`{s}`", *rest) for s, *rest in SUBJECTS))
    parts = [
        "\n## Subjects\n",
        subjects,
        "\n## Payloads\n",
        "In brackets: the range of a number, the length of a string, or how many entries a list or an object has.\n",
        *payloads(),
        "\n## Commands of the local API\n",
        local_commands(),
    ]
    return written + MARK + "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
