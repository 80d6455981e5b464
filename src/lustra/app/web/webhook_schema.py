"""What webhooks are sent, for the OpenAPI: one entry a kind of change, and the test message."""

from typing import Any

from pydantic import TypeAdapter

from lustra.app.web.refusal_schema import REF
from lustra.core.wire import Wire
from lustra.domains.change.api import KINDS, ChangeRow
from lustra.domains.webhook.api import TEST

HEADERS = {
    "webhook-id": "Names the message: the same at each attempt. What has come already is passed over by it.",
    "webhook-timestamp": "When it was sent, in seconds since 1970. One that is far from the present is refused.",
    "webhook-signature": "`v1,` and a Base64 HMAC-SHA256 of id, time and body (Standard Webhooks); several by spaces.",
}
TAKEN = {"2XX": {"description": "Taken. Anything else is sent again, for three days; 410 switches the webhook off."}}
ROW = REF.format(model=ChangeRow.__name__)


def _models() -> list[type[Wire]]:
    return [ChangeRow, *dict.fromkeys(kind.data for kind in KINDS.values())]


def schemas() -> dict[str, Any]:
    """Components, by name."""
    adapters: list[tuple[str, Any, TypeAdapter[Any]]] = [
        (model.__name__, "serialization", TypeAdapter(model)) for model in _models()
    ]
    return TypeAdapter.json_schemas(adapters, ref_template=REF)[1]["$defs"]


def webhooks() -> dict[str, Any]:
    """By the kind."""
    entries = {name: _entry(name, kind.summary, kind.data.__name__) for name, kind in KINDS.items()}
    return entries | {TEST: _entry(TEST, "Somebody tries the webhook.", "NoData")}


def _entry(name: str, summary: str, data: str) -> dict[str, Any]:
    fields = {"kind": {"const": name}, "data": {"$ref": REF.format(model=data)}}
    message = {"allOf": [{"$ref": ROW}, {"type": "object", "properties": fields}]}
    parameters = [
        {"name": header, "in": "header", "required": True, "schema": {"type": "string"}, "description": text}
        for header, text in HEADERS.items()
    ]
    return {
        "post": {
            "operationId": f"webhook_{name.replace('.', '_')}",
            "summary": summary,
            "parameters": parameters,
            "requestBody": {"required": True, "content": {"application/json": {"schema": message}}},
            "responses": TAKEN,
        }
    }
