"""docs/robot.openapi.json: the local API of a robot as OpenAPI 3.1, from src/lustra/protocol/commands.

The console's types of payloads and answers are made from it (console/scripts/gen.ts); makers of robots read it.
"""

import json
from inspect import cleandoc
from typing import Any

import robot_reasons
from house import ROOT
from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode

from lustra.protocol.answers.base import Refusal
from lustra.protocol.command_summaries import SUMMARIES
from lustra.protocol.commands import API1_SINCE, COMMANDS, Command
from lustra.protocol.payloads.base import Empty
from lustra.protocol.telemetry import BANNERS, MODES, VERSION

PAGE = ROOT / "docs" / "robot.openapi.json"
GUIDE = ROOT / "docs" / "robot-local-api.md"
CONTROL = {
    "name": "control",
    "in": "header",
    "required": False,
    "description": "Number of the control lock of who sends the command; left out: 0, none.",
    "schema": {"type": "integer", "minimum": 0, "default": 0},
}
REF = "#/components/schemas/{model}"
MODE: JsonSchemaMode = "validation"
Schema = dict[str, Any]


class Untitled(GenerateJsonSchema):
    """Fields have their names and descriptions; a title would repeat the name."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - pydantic calls it so
        return False


def prefixes(command: Command) -> list[str]:
    """The first parts of its path that robots may know it under."""
    own = [command.prefix] if command.prefix else ["api"] * (command.since < API1_SINCE) + ["api1"]
    return own + ([command.also] if command.also else [])


def inline(schema: Schema, shared: dict[str, Schema]) -> Schema:
    return shared[schema["$ref"].rsplit("/", 1)[-1]] if "$ref" in schema else schema


def parameters(command: Command, payload: Schema, shared: dict[str, Schema]) -> list[Schema]:
    """The part of the path, where there are several, and the payload of a GET."""
    choices = prefixes(command)
    about = "Robots below protocol 3 answer under api, from 3 on under api1."
    prefix = {"name": "prefix", "in": "path", "required": True, "description": about, "schema": {"enum": choices}}
    own = inline(payload, shared) if command.method == "GET" else {}
    query = [
        {"name": name, "in": "query", "required": name in own.get("required", ()), "schema": field}
        for name, field in own.get("properties", {}).items()
    ]
    return [CONTROL, *([prefix] if len(choices) > 1 else []), *query]


def operation(command: Command, payload: Schema, answer: Schema, shared: dict[str, Schema]) -> Schema:
    content = {"oneOf": [answer, {"$ref": REF.format(model=Refusal.__name__)}]}
    description = cleandoc(command.payload.__doc__ or "") if command.payload is not Empty else ""
    body: Schema = {}
    if command.method == "POST" and command.payload is not Empty:
        kind = "multipart/form-data" if command.form else "application/json"
        body = {"requestBody": {"required": True, "content": {kind: {"schema": payload}}}}
    return {
        "operationId": command.name,
        "summary": SUMMARIES[command.name],
        **({"description": description} if description else {}),
        "parameters": parameters(command, payload, shared),
        **body,
        "x-since": command.since,
        "x-danger": command.danger,
        "x-lock": command.locked,
        "x-needs": command.needs,
        "x-reasons": robot_reasons.of(command),
        "responses": {
            "200": {
                "description": "The answer, or a refusal: its code is not 0.",
                "content": {"application/json": {"schema": content}},
            }
        },
    }


def form_schema(schema: Schema) -> Schema:
    """A form has its file beside the fields that the payload declares."""
    file = {"type": "string", "format": "binary", "description": "The bundle: a zip of map.yaml and its image."}
    return schema | {"properties": schema["properties"] | {"file": file}, "required": ["file"]}


def document() -> Schema:
    requests: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [("refusal", MODE, TypeAdapter(Refusal))]
    for command in COMMANDS.values():
        requests.append((f"{command.name} in", MODE, TypeAdapter(command.payload)))
        requests.append((f"{command.name} out", MODE, TypeAdapter(command.answer)))
    schemas, definitions = TypeAdapter.json_schemas(requests, ref_template=REF, schema_generator=Untitled)
    shared: dict[str, Schema] = definitions["$defs"]
    paths: dict[str, Schema] = {}
    for command in COMMANDS.values():
        payload, answer = schemas[f"{command.name} in", MODE], schemas[f"{command.name} out", MODE]
        if command.form:
            payload = form_schema(inline(payload, shared))
        choices = prefixes(command)
        path = f"/{choices[0] if len(choices) == 1 else '{prefix}'}/{command.name}"
        paths[path] = {command.method.lower(): operation(command, payload, answer, shared)}
    del shared[Empty.__name__]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Local API of a robot",
            "version": str(VERSION),
            "description": GUIDE.read_text("utf-8").split("\n", 2)[2],
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "http://127.0.0.1:8000", "description": "The robot; relays reach it by its tunnel."}],
        "x-reasons": robot_reasons.catalogue(),
        "x-faults": robot_reasons.faults(),
        "x-modes": MODES,
        "x-banners": BANNERS,
        "paths": paths,
        "components": {"schemas": shared},
    }


def page() -> str:
    return json.dumps(document(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
