"""docs/robot.asyncapi.json: the messages of robots and server on the bus, as AsyncAPI 3.1, from src/lustra/protocol.

The same payloads as docs/robot-bus.md, for programs: generators of clients, validators, registries.
"""

import inspect
import json
from typing import Any

import msgspec
from house import ROOT

from lustra.protocol import backups, bus, files, tablet, telemetry, updates, video

PAGE = ROOT / "docs" / "robot.asyncapi.json"
LIVE = {"lidar": bus.Lidar, "path": bus.Path, "cells": bus.Cells, "log": files.LogLines}
PUBLISHED = {
    "state": telemetry.State,
    "alarm": bus.Alarm,
    "report": bus.Report,
    "event": bus.Event,
    "lift": bus.ElevatorWish,
}
COMMANDS = {
    "watch": bus.Watch,
    "control": bus.Control,
    "kept": bus.Receipt,
    "refused": bus.Refused,
    "simulate": bus.Simulate,
    "fault": bus.Fault,
    "send": bus.Send,
    "erase": bus.Erase,
    "password": bus.Password,
    "home": bus.Home,
    "pause": bus.Pause,
    "lift": bus.ElevatorOffer,
    "takemap": bus.TakeMap,
    "notify": bus.Notification,
    "sendfile": files.SendFile,
    "deletefiles": files.DeleteFiles,
    "followlog": files.FollowLog,
    "backup": backups.Backup,
    "contents": backups.Contents,
    "restore": backups.Restore,
    "cameras": video.Cameras,
    "sendvideo": video.SendVideo,
    "update": updates.Update,
    "tablet": tablet.TabletLook,
    "adverts": tablet.AdvertPlan,
    "configure": updates.Configuration,
}
CONTENTS = (
    bus.MapContent,
    bus.Taken,
    files.FileList,
    files.FileProgress,
    backups.BackupProgress,
    backups.RestoreProgress,
    updates.UpdateProgress,
    tablet.TabletProgress,
    tablet.AdvertProgress,
    tablet.AdvertCounts,
    updates.ConfigurationProgress,
)  # what an event's content may be: Any, as far as the envelope goes
ANSWER = {
    "type": "object",
    "required": ["code", "msg"],
    "properties": {"code": {"type": "integer", "description": "0: done"}, "msg": {"type": "string"}},
}


def ref(*path: str) -> dict[str, str]:
    return {"$ref": "#/" + "/".join(part.replace("/", "~1") for part in path)}


def summary(kind: type) -> str:
    return inspect.cleandoc(kind.__doc__ or kind.__name__).split("\n\n")[0].replace("\n", " ")


def payload_types() -> list[type[msgspec.Struct]]:
    return [*PUBLISHED.values(), *LIVE.values(), *COMMANDS.values(), *CONTENTS]


def document() -> dict[str, Any]:
    """Addresses are NATS subjects; over MQTT the same with slashes. Actions are the robot's."""
    channels: dict[str, Any] = {}
    operations: dict[str, Any] = {}
    messages: dict[str, Any] = {"Answer": {"payload": ref("components", "schemas", "Answer")}}

    def channel(name: str, address: str, kind: type | None) -> None:
        known = kind.__name__ if kind else "Answer"
        if kind:
            messages[known] = {"summary": summary(kind), "payload": ref("components", "schemas", known)}
        channels[name] = {
            "address": address,
            "parameters": {"sn": {"description": "the robot's serial number"}},
            "messages": {known: ref("components", "messages", known)},
        }

    for name, kind in (PUBLISHED | {f"live.{part}": kind for part, kind in LIVE.items()}).items():
        channel(name, f"robots.{{sn}}.{name}", kind)
        operations[f"send.{name}"] = {"action": "send", "channel": ref("channels", name), "summary": summary(kind)}
    for command, kind in COMMANDS.items():
        name = f"cmd.{command}"
        channel(name, f"robots.{{sn}}.{name}", kind)
        channel(f"answer.{name}", f"robots.{{sn}}.answer.{command}", None)
        operations[f"receive.{name}"] = {
            "action": "receive",
            "channel": ref("channels", name),
            "summary": summary(kind),
            "reply": {"channel": ref("channels", f"answer.{name}")},
        }
    _, schemas = msgspec.json.schema_components(payload_types(), ref_template="#/components/schemas/{name}")
    return {
        "asyncapi": "3.1.0",
        "info": {
            "title": "Messages of robots",
            "version": str(telemetry.VERSION),
            "description": "JSON over NATS subjects, or over MQTT 3.1.1 topics with slashes instead of dots. A robot "
            "logs in with its serial number and its bus password, publishes under its own number and subscribes to its "
            "own commands. Over NATS it answers to the reply subject, over MQTT under `answer`. See robot-protocol.md.",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages, "schemas": schemas | {"Answer": ANSWER}},
    }


def page() -> str:
    return json.dumps(document(), indent=1) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
