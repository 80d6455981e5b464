"""docs/robot-bus.md: the tables of subjects, payloads and commands, as src/lustra/protocol has them."""

import inspect
import re
from collections.abc import Iterable
from typing import Annotated, get_args, get_origin

import msgspec
from house import ROOT
from make_asyncapi import COMMANDS

from lustra.protocol import backups, bus, commands, files, tablet, telemetry, updates, video

PAGE = ROOT / "docs" / "robot-bus.md"
MARK = "<!-- Below: made by scripts/make_robot_bus.py from src/lustra/protocol; change it there. -->\n"
SN = "<sn>"
SUBJECTS = [
    (bus.state(SN), "State", "robot", "stream STATE, 24 h or its limit in bytes, oldest dropped"),
    (bus.alarm(SN), "Alarm", "robot", "stream ALARM, never dropped: kept by the robot until `cmd.kept`"),
    (bus.report(SN), "Report", "robot", "stream REPORT, never dropped: kept by the robot until `cmd.kept`"),
    (bus.event(SN), "Event", "robot", "stream EVENT, never dropped: kept by the robot until `cmd.kept`"),
    (bus.live(SN, "lidar"), "Lidar", "robot", "no stream; only while watched"),
    (bus.live(SN, "path"), "Path", "robot", "no stream; only while watched"),
    (bus.live(SN, "cells"), "Cells", "robot", "no stream; only while watched"),
    (bus.live(SN, "log"), "LogLines", "robot", "no stream; only while somebody follows the log"),
    (bus.lift(SN), "ElevatorWish", "robot", "no stream; said every 2 s until `cmd.lift` tells the ride's end"),
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
            if inspect.isclass(struct) and issubclass(struct, msgspec.Struct) and struct.__module__ == module.__name__:
                yield struct


def payloads() -> Iterable[str]:
    for struct in structs():
        description = inspect.cleandoc(struct.__doc__ or "")
        own = [f for f in msgspec.structs.fields(struct) if f.name not in {"at", "v"}]
        rows = [(f"`{f.name}`", f"`{kind(f.type)}`", "yes" if f.required else "no", meaning(f.type)) for f in own]
        stamped = "`v`, `at`, and:\n" if issubclass(struct, telemetry.Payload) else ""
        yield "\n".join(
            part for part in (f"### {struct.__name__}\n", description + "\n" if description else "", stamped) if part
        )
        columns = ("field", "type", "always sent", "meaning")
        shown = len(columns) if any(row[-1] for row in rows) else len(columns) - 1
        yield table(columns[:shown], (row[:shown] for row in rows))


def meaning(annotation: object) -> str:
    metas = get_args(annotation)[1:] if get_origin(annotation) is Annotated else ()
    return next((meta.description for meta in metas if meta.description), "")


def kind(annotation: object) -> str:
    if get_origin(annotation) is Annotated:
        return kind(get_args(annotation)[0])
    named = annotation.__name__ if isinstance(annotation, type) and "[" not in str(annotation) else str(annotation)
    return re.sub(r"typing\.|lustra\.protocol\.(bus|files|backups|updates|video|tablet)\.", "", named)


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
        *payloads(),
        "\n## Commands of the local API\n",
        local_commands(),
    ]
    return written + MARK + "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
