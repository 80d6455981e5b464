"""One way to answer a call: every encoding, the envelope, refusals, and the transaction."""

import ast
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession
from structlog.testing import capture_logs

from lustra import domains
from lustra.app.web import refusal_schema
from lustra.core import texts
from lustra.core.calls import registry
from lustra.core.calls.refusal_codes import codes_of
from lustra.core.context import Services
from lustra.core.database import edits
from lustra.core.errors import STATUS, Code, Refusal
from lustra.core.security.permission import SESSION
from tests.clients import Console, LogIn


@pytest.mark.spec("conv.encoding", "conv.envelope", "conv.base_path", "conv.method", "q.call_encoding")
async def test_json_form_and_multipart_are_the_same_call(user: Console):
    expected = {"deviceId": 7, "names": ["a", "b"], "beans": [1, 2]}
    fields = {"deviceId": "7", "names": "a,b", "beans": "[1,2]"}
    assert await user("/test/echo", **expected) == expected
    form = await user.http.post("/api/test/echo", data=fields)
    repeated = await user.http.post("/api/test/echo", data={**fields, "names": ["a", "b"]})
    multipart = await user.http.post("/api/test/echo", files={name: (None, value) for name, value in fields.items()})
    for answer in (form, repeated, multipart):
        assert answer.json() == {"message": {"code": 0, "message": ""}, "data": expected}


async def test_a_field_may_stand_in_the_path_and_unknown_fields_are_tolerated(user: Console):
    answer = await user.http.get("/api/test/part/41?other=1")
    assert answer.json()["data"] == 41


@pytest.mark.spec("rule.form.failed", "err.env.other")
@pytest.mark.parametrize(
    ("fields", "field", "says"),
    [
        ({}, "deviceId", "This field is required"),
        ({"deviceId": "x"}, "deviceId", "Enter a number"),
        ({"deviceId": 1, "note": "n" * 11}, "note", "At most 10 characters"),
        ({"deviceId": 1, "beans": "[1"}, "beans", "Not valid"),
        ({"deviceId": 1, "beans": "[1,{}]"}, "beans.1", "Enter a number"),
    ],
)
async def test_refused_input_names_the_field_and_says_why(user: Console, fields: dict[str, Any], field: str, says: str):
    answer = await user.answer("/test/echo", **fields)
    assert answer["message"] == {"code": Code.BAD_INPUT, "message": f"{texts.field_name('en', field)}: {says}"}
    assert answer["data"]["field"] == field


async def test_a_refusal_speaks_the_sessions_language(console: LogIn):
    for language, expected in (("zh-CN", "设备：此项必填"), ("fr", "Appareil\u00a0: Champ obligatoire")):
        client = await console("user", language=language)
        assert (await client.answer("/test/echo"))["message"]["message"] == expected


@pytest.mark.parametrize("body", [b"{", b"[1]", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"a":' * 30 + b"1" + b"}" * 30])
async def test_a_body_that_is_no_shallow_object_is_refused(user: Console, body: bytes):
    answer = await user.http.post("/api/test/echo", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 200
    assert answer.json()["message"]["code"] == Code.BAD_INPUT


async def test_a_body_over_one_mebibyte_is_413_with_and_without_its_length(user: Console):
    async def parts():
        for _ in range(5):
            yield b" " * (300 << 10)

    answer = await user.http.post("/api/test/echo", content=b" " * ((1 << 20) + 1))
    streamed = await user.http.post("/api/test/echo", content=parts())
    assert [answer.status_code, streamed.status_code] == [413, 413]
    assert refusal_schema.Refusal.model_validate(answer.json()).message.code is Code.BODY_TOO_LARGE


@pytest.mark.spec("err.http.404")
async def test_an_unknown_path_is_404_and_names_the_url(plain: AsyncClient):
    answer = await plain.post("/api/no/such/call")
    refusal = answer.json()
    assert (answer.status_code, refusal["message"]["code"]) == (404, Code.NO_CALL)
    assert refusal["data"] == {"url": "/api/no/such/call"}
    assert refusal["message"]["message"] == "No such call: /api/no/such/call"


async def test_a_path_with_names_in_it_reaches_its_call(plain: AsyncClient):
    answer = await plain.get("/api/ddi/DEFAULT/controller/v1/SC0001")
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "TargetToken")
    assert (await plain.get("/api/ddi/DEFAULT/controller/v1/SC0001/none")).status_code == 404


async def test_a_path_asked_for_by_another_method_is_405_and_names_those_it_has(plain: AsyncClient):
    for path, allowed in (("/api/login", "POST"), ("/api/openapi.json", "GET, HEAD")):
        answer = await plain.request("DELETE", path)
        assert (answer.status_code, answer.headers["allow"]) == (405, allowed)
        assert answer.json()["message"]["code"] == Code.WRONG_METHOD
        assert answer.json()["data"] == {"allowed": allowed}


async def test_answer_refusals_of_http_in_the_callers_language(plain: AsyncClient):
    answer = await plain.post("/api/no/such/call", headers={"accept-language": "de"})
    assert answer.json()["message"]["message"] == "Diesen Aufruf gibt es nicht: /api/no/such/call"


@pytest.mark.spec("err.env.10003", "q.http_vs_envelope", "conv.token", "conv.headers")
async def test_the_session_is_asked_for_before_the_body_is_read(plain: AsyncClient, user: Console):
    read = 0

    async def parts():
        nonlocal read
        for _ in range(5):
            read += 1
            yield b" " * 1000

    answer = await plain.post("/api/test/echo", content=parts(), headers={"token": "wrong"})
    assert (answer.status_code, answer.json()["message"]["code"], read) == (200, Code.SESSION_INVALID, 0)
    bearer = {"authorization": f"Bearer {user.session['token']}", "platform": "web_cloud", "username": "-"}
    answer = await plain.post("/api/test/echo", json={"deviceId": 1}, headers=bearer)
    assert answer.json()["message"]["code"] == 0


async def test_a_token_in_a_cookie_or_the_address_counts_for_nothing(plain: AsyncClient, user: Console):
    token = user.session["token"]
    answer = await plain.post(
        f"/api/test/echo?token={token}", json={"deviceId": 1}, headers={"cookie": f"token={token}"}
    )
    assert answer.json()["message"]["code"] == Code.SESSION_INVALID


@pytest.mark.spec("prule.allowed", "prule.server_enforce", "q.enforcement")
async def test_without_the_key_a_call_is_refused_and_any_of_several_keys_suffices(console: LogIn, user: Console):
    assert (await user.raw("/test/drive", deviceId=1))[0] == Code.FORBIDDEN
    assert (await user.raw("/test/any", deviceId=1))[0] == 0
    admin = await console("admin")
    assert (await admin.raw("/test/drive", deviceId=1))[0] == 0


async def test_a_commit_that_fails_is_never_answered_with_success(user: Console):
    answer = await user.http.post("/api/test/unlucky")
    assert answer.json()["message"]["code"] not in (0, None)


def test_no_domain_ends_the_transaction_of_a_call():
    """What a call writes stands whole or not at all: core/calls/rpc alone commits it."""
    ends = [
        f"{path.name}:{node.lineno}"
        for path in Path(domains.__path__[0]).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in {"commit", "rollback"}
        if getattr(node.value, "attr", getattr(node.value, "id", "")) == "db"
    ]
    assert ends == []


async def test_undo_what_a_refused_call_wrote(user: Console, db: AsyncSession):
    answer = await user.answer("/test/refuse", deviceId=1)
    assert answer["message"] == {"code": Code.LOCKED, "message": "dealer has control of this robot"}
    assert answer["data"] == {"owner": "dealer"}
    assert await db.scalar(text("SELECT count(*) FROM account WHERE name = 'changed'")) == 0


@pytest.mark.spec("err.http.500")
async def test_a_fault_of_ours_is_500_in_the_envelope_and_tells_nothing_of_its_cause(user: Console):
    answer = await user.http.post("/api/test/breaks")
    assert answer.status_code == 500
    assert answer.json()["message"] == {"code": Code.FAILED, "message": "Internal server error"}


@pytest.mark.spec("err.http.503")
async def test_a_database_that_is_away_is_503(services: Services, user: Console, monkeypatch: pytest.MonkeyPatch):
    async def away(*_: object) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(services.logins, "of", away)
    answer = await user.http.post("/api/test/echo", json={"deviceId": 1})
    assert (answer.status_code, answer.json()["message"]["code"]) == (503, Code.UNAVAILABLE)


async def test_leave_the_success_of_a_call_that_fails_after_its_commit(user: Console):
    assert (await user.raw("/test/after"))[0] == 0


async def test_raw_and_fast_answers_come_as_they_are(user: Console):
    picture = await user.http.get("/api/test/picture")
    assert (picture.content, picture.headers["content-type"]) == (b"\x89PNG", "image/png")
    assert await user("/test/fast") == {"deviceId": 1, "names": [], "beans": []}


async def test_uploads_are_bounded_in_number_and_size(user: Console):
    files = [("file", ("a.txt", b"12345")), ("file", ("b.txt", b"1"))]
    answer = await user.http.post("/api/test/sizes", files=files)
    assert answer.json()["data"] == {"names": ["a.txt", "b.txt"], "sizes": [5, 1]}
    three = await user.http.post("/api/test/sizes", files=[*files, ("file", ("c.txt", b"1"))])
    assert three.json()["message"] == {"code": Code.BAD_INPUT, "message": "File: Too many files: 2 at most"}
    large = await user.http.post("/api/test/sizes", files=[("file", ("a.txt", b"1" * 200_000))])
    assert large.status_code == 413
    uninvited = await user.http.post("/api/test/echo", files=files)
    assert uninvited.json()["message"]["code"] == Code.BAD_INPUT


async def test_a_streamed_body_is_handed_on_as_it_comes_up_to_its_limit(user: Console):
    assert (await user.http.put("/api/test/streamed", content=b"1" * 1000)).json()["data"] == 1000

    async def parts():
        for _ in range(11):
            yield b"1" * 100

    assert (await user.http.put("/api/test/streamed", content=parts())).status_code == 413


def test_a_call_is_declared_once():
    with pytest.raises(ValueError, match="twice"):
        registry.call("/login", needs=SESSION)(lambda: None)


async def test_the_openapi_says_how_each_call_refuses_and_refusals_are_as_it_says(user: Console):
    document = (await user.http.get("/api/openapi.json")).json()
    refusal = {"$ref": "#/components/schemas/Refusal"}
    for path, operations in document["paths"].items():
        for operation in (operations[method] for method in operations if method != "servers"):
            answers = operation["responses"]
            if "302" in answers or "x-needs" not in operation:
                continue
            statuses = {str(STATUS[Code[name]]) for name in operation["x-refusals"] if Code[name] in STATUS}
            assert statuses | {"405", "421"} == answers.keys() - {"200"}, path
            form = answers["200"]["content"]["application/json"]["schema"]
            others = form.get("oneOf") or form.get("anyOf") or [form]  # any: a file that is JSON itself
            assert others[-1] == refusal, path
    for status, answer in document["components"]["responses"].items():
        assert status == "302" or answer["content"]["application/json"]["schema"] == refusal
    for path, payload in (("/test/refuse", {"deviceId": 1}), ("/test/echo", {"names": ["x"]}), ("/test/breaks", {})):
        answer = (await user.http.post(f"/api{path}", json=payload)).json()
        read = refusal_schema.Refusal.model_validate(answer)
        assert read.message.message
        assert read.model_dump(mode="json", by_alias=True, exclude_unset=True) == answer


def test_the_openapi_names_every_code_and_what_a_program_needs_to_react():
    document = refusal_schema.schemas()
    assert set(document["RefusalMessage"]["properties"]["code"]["enum"]) == {*map(int, Code)} - {0}
    assert {"field", "fields", "seconds", "limit", "used", "url"} <= document["RefusalData"]["properties"].keys()


@pytest.mark.spec("conv.base_path")
async def test_the_openapi_describes_every_call_with_what_it_changes(user: Console):
    answer = (await user.http.get("/api/openapi.json")).json()
    refuse = answer["paths"]["/api/test/refuse"]["post"]
    assert refuse["x-changes"] == ["test"]
    assert set(refuse["requestBody"]["content"]) == {"application/json"}
    assert len(answer["paths"]) >= len({path for _, path in registry.CALLS})
    echo = answer["components"]["schemas"]["EchoPayload"]
    assert echo["required"] == ["deviceId"]
    page = (await user.http.get("/api/docs")).text
    assert "/api/test/echo" in page
    assert "<script" not in page
    json.dumps(answer)


@pytest.mark.parametrize(
    ("form", "fault"),
    [
        ("missing", "beans: Field required"),
        ("extra", "age: The model has no such field"),
        ("type", "deviceId: Input should be a valid integer"),
    ],
)
async def test_a_ready_answer_that_is_not_as_declared_fails(user: Console, form: str, fault: str):
    with capture_logs() as logs:
        answer = await user.http.post("/api/test/misshapen", json={"deviceId": 1, "note": form})
    assert (answer.status_code, answer.json()["message"]["code"]) == (500, Code.FAILED)
    [failed] = [entry for entry in logs if entry["event"] == "call.failed"]
    assert str(failed["exc_info"]) == f"the answer of /test/misshapen is not as declared: {fault}"


async def test_the_demo_logs_an_answer_that_is_not_as_declared_and_sends_it(user: Console, services: Services):
    services.settings = replace(services.settings, check_answers="log")
    with capture_logs() as logs:
        answer = await user("/test/misshapen", deviceId=1, note="extra")
    assert answer["age"] == 1
    assert [entry["fault"] for entry in logs if entry["event"] == "call.undeclared"] == [
        "age: The model has no such field"
    ]


async def test_a_call_is_logged_without_the_callers_address(user: Console):
    with capture_logs() as logs:
        await user.http.post("/api/test/undeclared")
    [line] = [entry for entry in logs if entry["event"] == "call"]
    assert line.keys() == {"event", "log_level", "path", "code", "status", "ms", "network"}


async def test_a_refusal_that_the_call_does_not_declare_fails(user: Console):
    answer = await user.http.post("/api/test/undeclared")
    assert answer.json()["message"]["code"] == Code.FAILED


async def test_the_openapi_names_the_codes_that_a_call_refuses_with(user: Console):
    paths = (await user.http.get("/api/openapi.json")).json()["paths"]
    refuse = paths["/api/test/refuse"]["post"]["x-refusals"]
    assert {"LOCKED", "SESSION_INVALID", "PASSWORD_FIRST", "FAILED", "EXISTS"} <= set(refuse)
    assert "LEASED" not in refuse
    assert "SESSION_INVALID" not in paths["/api/test/public"]["post"]["x-refusals"]


def test_codes_are_found_behind_modules_classes_and_events(user: Console):
    reached = {
        "/map/importMap": {Code.MAP_REFUSED, Code.BUSY, Code.QUOTA, Code.DISK_FULL},  # by what reads files, and queues
        "/device/updateDeviceUserInfo": {Code.LEASED},  # by a domain above that hears of the event
        "/device/takeControl": {Code.LOCKED},
    }
    for path, codes in reached.items():
        assert codes <= set(codes_of(registry.CALLS["POST", path])), path


def test_fields_that_somebody_else_changed_are_named_in_the_payloads_sequence():
    class Row:
        updated_at = edits.now()
        changes = dict.fromkeys(("zone", "address", "deviceCode", "area"), updated_at.isoformat())
        name = address = area = ""

    row: Any = Row()
    before = row.updated_at.replace(year=2000)
    with pytest.raises(Refusal) as refused:
        edits.apply(row, {"name": "a", "area": "b", "address": "c"}, before, {"name": "deviceCode"})
    assert refused.value.values["fields"] == ["deviceCode", "area", "address", "zone"]
