"""The OpenAPI of all registered calls, and a page of it that works offline: no script, no foreign address."""

import html
from inspect import cleandoc
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from lustra.app.web import refusal_schema
from lustra.app.web.refusal_schema import REF
from lustra.core.calls.refusal_codes import codes_of
from lustra.core.calls.registry import CALLS, Call, reads_of, types_of
from lustra.core.security.permission import FIRST, PUBLIC, SESSION, keys_of
from lustra.core.settings import VERSION

ENCODINGS = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")
SchemaRequest = tuple[str, JsonSchemaMode, TypeAdapter[Any]]


def document() -> dict[str, Any]:
    requests: list[SchemaRequest] = []
    for (method, path), entry in CALLS.items():
        payload, answer = types_of(entry)
        if payload is not None:
            requests.append((f"{method} {path} in", "validation", TypeAdapter(payload)))
        requests.append((f"{method} {path} out", "serialization", TypeAdapter(answer)))
    schemas, shared = TypeAdapter.json_schemas(requests, ref_template=REF)
    paths: dict[str, dict[str, Any]] = {}
    for (method, path), entry in CALLS.items():
        taken = schemas.get((f"{method} {path} in", "validation"))
        given = schemas[f"{method} {path} out", "serialization"]
        paths.setdefault(f"/api{path}", {})[method.lower()] = _operation(entry, taken, given)
    components = {
        "schemas": shared.get("$defs", {}) | refusal_schema.schemas(),
        "responses": refusal_schema.responses(),
        "securitySchemes": _SCHEMES,
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Lustra", "version": VERSION},
        "paths": paths,
        "components": components,
    }


_SCHEMES = {
    "token": {"type": "apiKey", "in": "header", "name": "token"},
    "bearer": {"type": "http", "scheme": "bearer"},
}


def _operation(entry: Call, taken: Any, given: Any) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": f"{entry.method} {entry.path}",
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
            **refusal_schema.beside_200(landing=bool(entry.landing)),
        },
    }
    if entry.method == "GET" and taken:
        operation["parameters"] = _parameters(taken)
    elif entry.upload and entry.upload.stream:
        operation["requestBody"] = {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}
    elif entry.upload:
        operation["requestBody"] = {"content": {"multipart/form-data": {"schema": taken or {"type": "object"}}}}
    elif taken:
        operation["requestBody"] = {"content": {kind: {"schema": taken} for kind in ENCODINGS}}
    return operation


def _parameters(taken: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "query", "required": name in taken.get("required", ()), "schema": schema}
        for name, schema in taken.get("properties", {}).items()
    ]


def _answer(entry: Call, given: Any) -> dict[str, Any]:
    refusal = {"$ref": REF.format(model="Refusal")}
    if entry.raw:
        file = {entry.raw: {"schema": {"type": "string", "format": "binary"}}}
        return file if entry.landing else file | {"application/json": {"schema": refusal}}
    message = {
        "type": "object",
        "required": ["code", "message"],
        "properties": {"code": {"type": "integer", "const": 0}, "message": {"type": "string"}},
    }
    envelope = {"type": "object", "required": ["message", "data"], "properties": {"message": message, "data": given}}
    return {"application/json": {"schema": envelope if entry.landing else {"oneOf": [envelope, refusal]}}}


def _summary(entry: Call) -> str:
    return cleandoc(entry.handler.__doc__ or entry.path).splitlines()[0]


def _description(entry: Call) -> dict[str, str]:
    """What its docstring says below the first line, if anything."""
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
        f"<h1>Lustra {VERSION}</h1><p>{len(rows)} calls; machine-readable: <a href=/api/openapi.json>openapi.json</a>"
        "<table><tr><th>Method<th>Path<th>Needs<th>What it does</tr>" + "".join(rows) + "</table></html>"
    )
