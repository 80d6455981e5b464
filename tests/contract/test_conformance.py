"""Every call of the specification against the register: what it takes, in which forms, and what it answers.

The shapes come from docs/spec (scripts/make_spec.py). A call is built or stands in open.txt; where a built one is read
otherwise, the reason stands here, and an exception that is none any more fails.
"""

from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from pydantic import BaseModel, ValidationError

from lustra.app.wiring import wire
from lustra.core.calls.payloads import fields_by_spelling, settle_spellings, validate
from lustra.core.calls.registry import CALLS, Call, types_of
from lustra.core.errors import Refusal
from tests.world import World

SPEC = Path(__file__).parents[2] / "docs" / "spec"
ENDS_THE_SESSION = "/logout"
# `userId` of a call without that field is one's own or refused: test_changes. Of the others, why a field is not taken.
OTHER_FIELDS = {
    ("call.user.insertUser", "type"): "an account is a user, or a shadow by isShadow",
    ("call.user.insertUser", "deviceIds"): "robots are bound by /user/updateDeviceList, which tells their owner",
    ("call.user.updateUserPermission", "groupId"): "an account may have several: groupIds",
}
OTHER_ANSWERS = {
    ("call.user.selectUserList", "password"): "no password is ever answered",
    ("call.user.selectUserInfo", "password"): "no password is ever answered",
    ("call.user.selectUserList", "permissionKeys"): "a map that the console makes of the keys of the log-in",
    ("call.user.selectUserInfo", "permissionKeys"): "a map that the console makes of the keys of the log-in",
    ("call.device.selectDeviceAdvertising", "deviceSerialNumber"): "an advert is for several robots: deviceIds",
    ("call.version.selectVersion", "deviceSerialNumber"): "a line is for several robots: /version/selectDeviceRange",
}
IN_SHORT = {
    "call.user.selectUserDeviceList": "tells which robots are bound; /device/selectDevicePc {userId} tells the rest"
}
SAMPLES: dict[str, Any] = {"int": 1, "str": "1", "0/1": 0, "[int]": [1], "[str]": ["1"], "float": 1.5}


def rows(kind: str) -> list[dict[str, Any]]:
    return yaml.safe_load((SPEC / f"{kind}.yaml").read_text("utf-8"))


def specified() -> dict[str, tuple[dict[str, Any], tuple[str, str]]]:
    """Calls of the main server that have a path, by id."""
    calls: dict[str, tuple[dict[str, Any], tuple[str, str]]] = {}
    for row in rows("calls"):
        method, _, path = row["summary"].partition(" ")
        if path.startswith("/api/") and ".relay." not in row["id"]:
            calls[row["id"]] = row, (method, path.removeprefix("/api"))
    return calls


def built() -> dict[str, tuple[dict[str, Any], Call]]:
    wire()
    calls = {(str(method), path): entry for (method, path), entry in CALLS.items()}
    return {name: (row, calls[at]) for name, (row, at) in specified().items() if at in calls}


def model_of(entry: Call) -> type[BaseModel] | None:
    payload: type[BaseModel] | None = types_of(entry)[0]
    return payload


def fold(name: str) -> str:
    return name.replace("_", "").lower()


def taken(entry: Call) -> set[str]:
    payload = model_of(entry)
    return {fold(name) for name in fields_by_spelling(payload)} if payload else set()


def answered(answer: Any, seen: set[int]) -> set[str]:
    """Names of the fields of an answer's model and of all models in it."""
    if id(answer) in seen:
        return set()
    seen.add(id(answer))
    names: set[str] = set()
    if isinstance(answer, type) and issubclass(answer, BaseModel):
        for name, field in answer.model_fields.items():
            names |= {field.serialization_alias or field.alias or name} | answered(field.annotation, seen)
    for part in get_args(answer):
        names |= answered(part, seen)
    return names


def test_each_call_of_the_specification_is_built_or_open():
    missing = specified().keys() - built().keys()
    still_open = set((SPEC / "open.txt").read_text("utf-8").split())
    assert missing <= still_open
    assert len(built()) >= 122


def test_each_specified_field_is_taken():
    differences = {
        (name, field)
        for name, (row, entry) in built().items()
        for field in row.get("takes", {})
        if fold(field) not in taken(entry) and field != "userId"
    }
    assert differences == OTHER_FIELDS.keys()


@pytest.mark.parametrize("form", ["value", "text"])
def test_each_specified_field_is_taken_in_its_type_and_as_a_form_writes_it(form: str):
    differences: list[str] = []
    for name, (row, entry) in built().items():
        payload = model_of(entry)
        for field, kind in row.get("takes", {}).items():
            sample = SAMPLES.get(kind.split("=")[0].rstrip("?"))
            if payload is None or sample is None or fold(field) not in taken(entry):
                continue
            if form == "text" and not isinstance(sample, list):
                sample = str(sample)
            [(contract, value)] = settle_spellings(payload, {field: sample}).items()
            differences += [f"{name} {field}: {kind}" for error in type_errors(payload, contract, value) if error]
    assert differences == []


def type_errors(payload: type[BaseModel], field: str, value: Any) -> list[str]:
    """Of one field: what says that a value of this type is none."""
    try:
        payload.model_validate({field: value})
    except ValidationError as wrong:
        errors = wrong.errors(include_url=False, include_input=False, include_context=False)
        named = [error["type"] for error in errors if error["loc"][:1] == (field,)]
        return [kind for kind in named if kind.endswith(("_type", "_parsing"))]
    return []


@pytest.mark.parametrize("empty", [None, ""])
def test_each_specified_filter_may_be_empty(empty: str | None):
    differences: list[str] = []
    for name, (row, entry) in built().items():
        payload = model_of(entry)
        if payload is None or entry.audit:
            continue
        filters = [field for field, kind in row.get("takes", {}).items() if kind.endswith("?")]
        for field in filters:
            [(contract, value)] = settle_spellings(payload, {field: empty}).items()
            try:
                validate(payload, {contract: value})
            except Refusal as refusal:
                differences += [f"{name} {field}"] * (refusal.field == contract)
    assert differences == []


def test_each_answer_has_the_literal_fields_of_its_entity():
    literal = {row["id"]: row["literal"] for row in rows("entities")}
    differences = {
        (name, field)
        for name, (row, entry) in built().items()
        if name not in IN_SHORT
        for entity in row.get("answers", [])
        for field in literal.get(entity, [])
        if field not in answered(types_of(entry)[1], set())
    }
    assert differences == OTHER_ANSWERS.keys()


@pytest.mark.parametrize("form", ["json", "form"])
async def test_each_call_answers_an_empty_payload_in_the_envelope(world: World, form: str):
    await world.token("admin")
    differences: list[str] = []
    for name, (_, entry) in sorted(built().items(), key=lambda item: item[1][1].path == ENDS_THE_SESSION):
        headers = {"token": await world.token("admin")}
        body: dict[str, Any] = {"json": {}} if form == "json" else {"data": {}}
        if entry.method == "GET":
            body = {}
        answer = await world.http.request(
            entry.method, "/api" + entry.path.format(a="none", b="none"), headers=headers, **body
        )
        if answer.status_code != 200:
            differences.append(f"{name}: HTTP {answer.status_code}")
        elif not entry.raw and not isinstance(answer.json()["message"]["code"], int):
            differences.append(f"{name}: no envelope")
    assert differences == []
