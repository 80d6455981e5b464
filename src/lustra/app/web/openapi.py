"""The OpenAPI of all registered calls, and a page of it that works offline: no script, no foreign address."""

import html
import json
import re
from inspect import cleandoc
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from lustra.app.web import beside_calls, refusal_schema, webhook_schema
from lustra.app.web.refusal_schema import REF
from lustra.core.calls.refusal_codes import codes_of
from lustra.core.calls.registry import CALLS, Call, reads_of, types_of
from lustra.core.csv_table import CSV
from lustra.core.security.permission import FIRST, PUBLIC, SESSION, keys_of
from lustra.core.settings import VERSION
from lustra.core.sheet import XLSX

JSON = "application/json"
DESCRIPTION = """Every call is a POST with JSON unless it says otherwise; the same fields are taken as a form
(application/x-www-form-urlencoded or multipart/form-data). Log in by /api/login, or with an API key, and send the token
in the header `token` or as a bearer. An answer is an envelope: `message.code` is 0, or says why nothing was done. A
refusal has the same envelope whatever its HTTP status; what is no form is read as JSON, whatever its content type."""
PAGE_OF = re.compile(r"\bPage_(\w+?)_(?=\W)")
PATH_FIELD = re.compile(r"{(\w+)}")
SchemaRequest = tuple[str, JsonSchemaMode, TypeAdapter[Any]]


def document() -> dict[str, Any]:
    requests: list[SchemaRequest] = []
    for (method, path), entry in CALLS.items():
        payload, answer = types_of(entry)
        if payload is not None:
            requests.append((f"{method} {path} in", "validation", TypeAdapter(payload)))
        requests.append((f"{method} {path} out", "serialization", TypeAdapter(answer)))
    schemas, shared = TypeAdapter.json_schemas(requests, ref_template=REF)
    _drop_titles([list(schemas.values()), shared])
    models = shared.get("$defs", {})
    paths: dict[str, dict[str, Any]] = {}
    for (method, path), entry in CALLS.items():
        taken = schemas.get((f"{method} {path} in", "validation"))
        given = schemas[f"{method} {path} out", "serialization"]
        paths.setdefault(f"/api{path}", {})[method.lower()] = _operation(entry, _resolve(taken, models), taken, given)
    components = {
        "schemas": models | refusal_schema.schemas() | beside_calls.schemas() | webhook_schema.schemas(),
        "responses": refusal_schema.responses(),
        "securitySchemes": _SCHEMES | beside_calls.SCHEMES,
    }
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Lustra", "version": VERSION, "description": DESCRIPTION, "license": LICENSE},
        "servers": [{"url": "/", "description": "The server that this document comes from"}],
        "paths": paths | beside_calls.paths(),
        "webhooks": webhook_schema.webhooks(),
        "components": components,
    }
    return _settle_titles(document)


def _settle_titles(document: dict[str, Any]) -> dict[str, Any]:
    """A component's title is its name, which occurs once and is a name in any language; fields have none: generators
    make types of them."""
    document = json.loads(PAGE_OF.sub(r"PageOf\1", json.dumps(document)))
    for name, schema in document["components"]["schemas"].items():
        _drop_titles(schema)
        schema["title"] = name
    return document


def _resolve(schema: Any, models: dict[str, Any]) -> dict[str, Any]:
    """The fields of a payload, also where it is a component; without one nothing."""
    reference = (schema or {}).get("$ref", "")
    return models[reference.rpartition("/")[2]] if reference else schema or {}


def _drop_titles(part: Any) -> None:
    if isinstance(part, list):
        for inner in part:
            _drop_titles(inner)
    elif isinstance(part, dict):
        if isinstance(part.get("title"), str):
            del part["title"]
        for inner in part.values():
            _drop_titles(inner)


LICENSE = {"name": "Apache-2.0", "identifier": "Apache-2.0"}
_SCHEMES = {
    "token": {"type": "apiKey", "in": "header", "name": "token", "description": "Of a log-in, or an API key"},
    "bearer": {"type": "http", "scheme": "bearer", "description": "The same token"},
}


def _operation(entry: Call, fields: dict[str, Any], taken: Any, given: Any) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": _operation_id(entry),
        "tags": [entry.path.split("/")[1]],
        "summary": _summary(entry),
        **_description(entry),
        "security": [] if entry.needs is PUBLIC else [{"token": []}, {"bearer": []}],
        "x-needs": list(keys_of(entry.needs)),
        "x-changes": list(entry.changes),
        "x-reads": [] if entry.changes else list(reads_of(entry)),
        "x-refusals": [code.name for code in codes_of(entry)],
        "x-person": entry.person or entry.needs in (SESSION, FIRST),
        "responses": {
            "200": {"description": "The answer, or a refusal: its code is not 0", "content": _answer(entry, given)},
            **refusal_schema.beside_200(codes_of(entry), landing=bool(entry.landing)),
        },
    }
    if parameters := _parameters(entry, fields):
        operation["parameters"] = parameters
    if entry.method == "GET" or len(parameters) == len(fields.get("properties", ())) > 0:
        return operation
    if entry.upload and entry.upload.stream:
        operation["requestBody"] = {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}
    elif entry.upload:
        operation["requestBody"] = {"content": {"multipart/form-data": {"schema": taken or {"type": "object"}}}}
    elif taken:
        operation["requestBody"] = {"required": "required" in fields, "content": {JSON: {"schema": taken}}}
    return operation


def _operation_id(entry: Call) -> str:
    """device_selectDevicePc; what is not a POST says so at its end."""
    words = [word for word in re.split(r"\W+", entry.path) if word]
    return "_".join(words if entry.method == "POST" else [*words, entry.method.lower()])


def _parameters(entry: Call, fields: dict[str, Any]) -> list[dict[str, Any]]:
    """Fields of the path, and where there is no body all others in the query."""
    in_path = PATH_FIELD.findall(entry.path)
    return [
        {
            "name": name,
            "in": "path" if name in in_path else "query",
            "required": name in in_path or name in fields.get("required", ()),
            "schema": schema,
            "description": schema.get("description", ""),
        }
        for name, schema in fields.get("properties", {}).items()
        if in_path or entry.method == "GET"
    ]


def _answer(entry: Call, given: Any) -> dict[str, Any]:
    refusal = {"$ref": REF.format(model="Refusal")}
    if entry.raw:
        kinds = (XLSX, CSV) if entry.raw == XLSX else entry.raw.split(",")
        file = {kind: {"schema": {"type": "string", "format": "binary"}} for kind in kinds}
        if entry.landing:
            return file
        return file | {JSON: {"schema": {"anyOf": [{"type": "object"}, refusal]} if JSON in kinds else refusal}}
    message = {
        "type": "object",
        "required": ["code", "message"],
        "properties": {"code": {"type": "integer", "const": 0}, "message": {"type": "string"}},
    }
    title = "".join(word.title() for word in _operation_id(entry).split("_")) + "Answer"
    envelope = {
        "title": title,
        "type": "object",
        "required": ["message", "data"],
        "properties": {"message": message, "data": given},
    }
    return {JSON: {"schema": envelope if entry.landing else {"oneOf": [envelope, refusal]}}}


def _summary(entry: Call) -> str:
    return cleandoc(entry.handler.__doc__ or entry.path).splitlines()[0]


def _description(entry: Call) -> dict[str, str]:
    """The lines of the call's docstring below its summary, if there are any."""
    text = "\n".join(cleandoc(entry.handler.__doc__ or "").splitlines()[1:]).strip()
    return {"description": text} if text else {}


def _row(entry: Call) -> str:
    needs = ", ".join(keys_of(entry.needs)) or str(getattr(entry.needs, "value", ""))
    cells = (entry.method, f"/api{entry.path}", needs, _summary(entry))
    return "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"


def page() -> str:
    """All calls on one plain page."""
    rows = [_row(entry) for entry in sorted(CALLS.values(), key=lambda entry: entry.path)]
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>Lustra: calls</title>"
        f"<h1>Lustra {VERSION}</h1><p>{len(rows)} calls; machine-readable: <a href=openapi.json>openapi.json</a>"
        "<table><tr><th>Method<th>Path<th>Needs<th>What it does</tr>" + "".join(rows) + "</table></html>"
    )
