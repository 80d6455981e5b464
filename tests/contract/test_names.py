"""Names are required: no call that creates or changes something takes an empty one."""

from typing import Any, Literal, get_origin

import pytest
from pydantic import BaseModel, ValidationError

from lustra.app.wiring import wire
from lustra.core.calls.registry import CALLS, types_of

# Fields that say a name and are not the name of what the call creates or changes.
NO_NAMES = {
    "/device/enrol type_name": "type that a robot says of itself; it may say none",
    "/device/insertDevice customer_name": "of whom it was sold to; it may be nobody",
    "/device/updateDeviceInfo customer_name": "as above",
    "/device/updateDeviceUserInfo customer_name": "as above",
    "/elevator/insertElevator contact_name": "of a person; there may be none",
    "/elevator/updateElevator contact_name": "as above",
    "/hire/insertHire customer_name": "of whom it is leased to; it may be an account",
    "/map/importMap name": "empty: the names that the file has",
    "/taskReport/insertTaskReport map_name": "of a map that there may be no more",
}


def names() -> list[tuple[str, type[BaseModel], str]]:
    wire()
    payloads = [(entry.path, types_of(entry)[0]) for entry in CALLS.values() if entry.audit]
    return [
        (f"{path} {name}", payload, field.alias or name)
        for path, payload in payloads
        if payload is not None
        for name, field in payload.model_fields.items()
        if name.endswith("name") and get_origin(field.annotation) is not Literal
    ]


def refuses(payload: type[BaseModel], field: str, value: Any) -> bool:
    try:
        payload.model_validate({field: value})
    except ValidationError as wrong:
        return any(error["loc"][:1] == (field,) for error in wrong.errors())
    return False


@pytest.mark.spec("rule.names.other")
def test_no_call_takes_an_empty_name():
    taken = {
        name for name, payload, field in names() if not all(refuses(payload, field, text) for text in ("", " ", "\t"))
    }
    assert taken == NO_NAMES.keys()
    assert len(names()) - len(NO_NAMES) >= 35
