"""How a call is answered: session, permission, payload, transaction, envelope. Once, for every call.

The session is checked before the body is read. The transaction is committed before the first byte of the answer, so a
failed commit is never answered with 0. A refusal is an envelope with a code, which core/errors gives its HTTP status.
"""

import asyncio
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import quote

import msgspec
import structlog
from pydantic import BaseModel, TypeAdapter
from sqlalchemy.exc import IntegrityError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Match, compile_path
from starlette.types import Receive, Scope, Send

from lustra.core import texts
from lustra.core.audit_trail import anonymous, audit
from lustra.core.calls import answer_check, body, payloads, refusal_codes
from lustra.core.calls.registry import CALLS, Call, Fast, Raw, Upload, call, types_of
from lustra.core.context import NOBODY, Actor, Ctx, Services, Session
from lustra.core.database import database_faults
from lustra.core.errors import COME_AGAIN, STATUS, Code, Refusal
from lustra.core.process import metrics
from lustra.core.process.redaction import network_of
from lustra.core.security import permission, signature
from lustra.core.security.permission import FIRST, PUBLIC, SESSION
from lustra.core.wire import Nothing, Wire, storable, unstorable_at

__all__ = [
    "CALLS",
    "FIRST",
    "PUBLIC",
    "SESSION",
    "Actor",
    "Call",
    "Ctx",
    "Fast",
    "Nothing",
    "Raw",
    "Services",
    "Upload",
    "Wire",
    "call",
]

log = structlog.get_logger(__name__)
ANSWERED = b'{"message":{"code":0,"message":""},"data":'
JSON = "application/json"
RETRY_AFTER_S = 2
GIVE_WAY_S = 0.1  # to the transaction that waits for what this one held
LONGEST_FAULT = 300  # characters of an error that passes by itself, in the log
UNKNOWN_FIELDS = "x-unknown-fields"  # names that came in and meant nothing
NO_STORE = {"cache-control": "no-store"}
CLASHES = {"23505": Code.EXISTS, "23P01": Code.CONFLICT, "23503": Code.CONFLICT}  # unique, exclusion, foreign key


class CallRoute(BaseRoute):
    """All registered calls as one route, each found by the path's own text. With a route for each, Starlette would try
    hundreds of patterns, one after the other."""

    def __init__(self, services: Services) -> None:
        self.fixed: dict[str, dict[str, _CallHandler]] = {}
        self.patterns: dict[re.Pattern[str], dict[str, _CallHandler]] = {}
        for entry in CALLS.values():
            path = f"/api{entry.path}"
            pattern = _pattern_of(path)
            methods = self.patterns.setdefault(pattern, {}) if pattern else self.fixed.setdefault(path, {})
            handler = _CallHandler(entry, services)
            methods |= {"GET": handler, "HEAD": handler} if entry.method == "GET" else {entry.method: handler}

    def find(self, path: str) -> tuple[Mapping[str, "_CallHandler"], dict[str, str]]:
        """The methods of a path, and the names in it."""
        if methods := self.fixed.get(path):
            return methods, {}
        matches = ((methods, pattern.match(path)) for pattern, methods in self.patterns.items())
        return next(((methods, match.groupdict()) for methods, match in matches if match), ({}, {}))

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if scope["type"] == "http":
            methods, names = self.find(scope["path"])
            if handler := methods.get(scope["method"]):
                return Match.FULL, {"endpoint": handler, "path_params": names}
        return Match.NONE, {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        response = await _respond(request)
        await response(scope, receive, send)


@cache
def _pattern_of(path: str) -> re.Pattern[str] | None:
    """Of a path with names in it."""
    pattern, _, parameters = compile_path(path)
    return pattern if parameters else None


def token_of(request: Request) -> str:
    """Only the headers count, never a cookie: so there is no request forgery across sites."""
    bearer = request.headers.get("authorization", "")
    return request.headers.get("token", "") or (bearer[7:].strip() if bearer[:7].lower() == "bearer " else "")


def address_of(request: Request) -> str:
    return request.client.host if request.client else ""


@dataclass(frozen=True, slots=True)
class Caller:
    actor: Actor
    language: str
    address: str
    cookies: Mapping[str, str]
    headers: Mapping[str, str]


class _CallHandler:
    """One call of the register, made ready: its payload type and how its answer is written."""

    def __init__(self, entry: Call, app: Services) -> None:
        self.call, self.app = entry, app
        self.payload, self.writer = _adapters(entry)

    async def answer(self, request: Request) -> Response:
        try:
            early = await self._read_early(request)
        except Refusal as refusal:
            return self._refused(request, refusal, language_of(request))
        session, language = await self._session(request, early)
        actor = session.actor if session else NOBODY
        account_id = 0 if self.call.upload else actor.real_id  # uploads wait in a queue of their own
        address = address_of(request)
        payload: BaseModel | None = None
        if self.call.door and (closed := self.app.doors.closed(address)):
            return self._refused(request, closed, language)
        try:
            self._let_in(request, session)
            self.app.turns.refuse_excess(account_id)
            if self.call.upload:
                self.app.objects.demand_space(body.length_of(request))
            content = early or await body.read(request, self.call.upload)
            try:
                if self.payload:
                    content.fields = payloads.settle_spellings(self.payload, content.fields)
                payload = self._payload(actor, content)
                caller = Caller(actor, language, address, request.cookies, request.headers)
                async with self.app.turns.take(account_id):
                    response = await self._run_twice(caller, payload, content)
                if unknown := payloads.unknown_header(self.payload, content.fields):
                    response.headers[UNKNOWN_FIELDS] = unknown
                return response
            finally:
                await content.close()
        except Refusal as refusal:
            if refusal.code not in STATUS:
                if self.call.door:
                    self.app.doors.spend(address)
                await self._record(actor, address, refusal, payload)
            return self._refused(request, refusal, language)

    def _refused(self, request: Request, refusal: Refusal, language: str) -> Response:
        request.state.code = int(refusal.code)
        if self.app.settings.check_answers != "off" and refusal.code not in refusal_codes.codes_of(self.call):
            self._complain(f"{refusal.code.name} is none of its refusals (core/calls/refusal_codes)")
        return refused(self.call, refusal, language)

    async def _read_early(self, request: Request) -> body.Body | None:
        """The body, where it is what carries the token: a small one, for nobody knows yet whose it is."""
        if not self.call.form_token or token_of(request):
            return None
        if "token" in request.query_params:  # addresses stand in logs
            raise Refusal(Code.SESSION_INVALID)
        return await body.read(request, None, body.LARGEST_UNKNOWN)

    async def _session(self, request: Request, early: body.Body | None) -> tuple[Session | None, str]:
        token = str(early.fields.pop("token", "")) if early else token_of(request)
        session = await self.app.logins.of(token) if token else None
        if session and session.language:
            return session, session.language
        return session, language_of(request)

    def _let_in(self, request: Request, session: Session | None) -> None:
        if session is None and self.call.needs is not PUBLIC:
            raise Refusal(Code.SESSION_INVALID)
        if session and session.must_change and self.call.needs not in (FIRST, PUBLIC):
            raise Refusal(Code.PASSWORD_FIRST)
        if not permission.allowed(session.actor if session else NOBODY, self.call.needs):
            raise Refusal(Code.FORBIDDEN)
        if session and session.api and (self.call.person or self.call.needs in (SESSION, FIRST)):
            raise Refusal(Code.FORBIDDEN, reason="api_key")
        header, key = request.headers.get("signature", ""), self.app.settings.signature_key
        if header and key and not signature.valid(header, bytes.fromhex(key)):
            raise Refusal(Code.SIGNATURE_INVALID)

    def _payload(self, actor: Actor, content: body.Body) -> BaseModel | None:
        if self.call.audit:
            payloads.refuse_foreign_account(self.payload, content.fields, actor)
        if self.payload is None:
            return None
        if (field := unstorable_at(content.fields)) is not None:
            raise Refusal(Code.BAD_INPUT, storable(field), reason="characters")
        return payloads.validate(self.payload, content.fields)

    async def _run_twice(self, caller: Caller, payload: BaseModel | None, content: body.Body) -> Response:
        """Once more where two transactions stood in each other's way; what was uploaded can be read only once. The
        other goes first: who begins again before it woke takes its row from it, and they stand as before."""
        try:
            return await self._run(caller, payload, content)
        except Exception as error:
            if self.call.upload or not database_faults.clashed(error):
                raise
        await asyncio.sleep(GIVE_WAY_S)
        return await self._run(caller, payload, content)

    async def _run(self, caller: Caller, payload: BaseModel | None, content: body.Body) -> Response:
        upload = [content.stream if self.call.upload.stream else content.files] if self.call.upload else []
        arguments = [*([payload] if self.payload else []), *upload]
        async with self.app.sessions() as db:
            ctx = Ctx(
                db, caller.actor, self.app, caller.address, caller.language, caller.cookies, headers=caller.headers
            )
            try:
                value = await self.call.handler(ctx, *arguments)
                if self.call.audit:
                    audit.write(
                        db,
                        ctx.actor,
                        self.call.audit,
                        address=ctx.address,
                        detail=_detail(payload) | ctx.noted,
                        device_id=_device(payload),
                    )
                written = self._written(value)
                if db.in_transaction():  # a call that only reads what is remembered opens none
                    await db.commit()
            except IntegrityError as clash:  # two at the same time: the second is refused, not failed
                code = CLASHES.get(getattr(clash.orig, "sqlstate", ""))
                if code is None:
                    raise
                raise Refusal(code) from clash
        for do in ctx.later:
            try:
                await do()
            except Exception:
                log.exception("call.after_commit", path=self.call.path)
        return written

    def _written(self, value: Any) -> Response:
        if isinstance(value, Raw):
            return _raw(value)
        if isinstance(value, Fast):
            data = msgspec.json.encode(value.value)
            self._check(data)
        else:
            data = self.writer.dump_json(self.writer.validate_python(value), by_alias=True)
        return Response(ANSWERED + data + b"}", media_type=JSON, headers=NO_STORE)

    def _check(self, data: bytes) -> None:
        """In tests and the demo: whether bytes that the call wrote itself are as its answer model says."""
        if self.app.settings.check_answers == "off":
            return
        if fault := answer_check.find_fault(self.writer, data):
            self._complain(fault)

    def _complain(self, fault: str) -> None:
        """Raises in tests, logs in the demo: an answer is not as the contract has it."""
        if self.app.settings.check_answers == "refuse":
            raise ValueError(f"the answer of {self.call.path} is not as declared: {fault}")
        log.error("call.undeclared", path=self.call.path, fault=fault)

    async def _record(self, actor: Actor, address: str, refusal: Refusal, payload: BaseModel | None) -> None:
        """A denied try, and a refused change, in a transaction of its own: the call's was rolled back. Of input that
        was refused only which field and why; of what cannot be stored that it was tried."""
        if refusal.code is not Code.FORBIDDEN and not self.call.audit:
            return
        action = self.call.audit or self.call.path
        detail = (_detail(payload) if payload else {"field": refusal.field, "reason": refusal.reason}) | refusal.noted
        for content, device in ((detail, _device(payload)), ({}, None)):
            try:
                async with self.app.sessions.begin() as db:
                    if actor is NOBODY:
                        await anonymous.record(db, action, address, refusal.code, content)
                    else:
                        audit.write(
                            db, actor, action, address=address, code=refusal.code, detail=content, device_id=device
                        )
            except Exception:
                log.exception("audit.lost", action=action, account=actor.real_id, code=refusal.code, address=address)
            else:
                return


async def _respond(request: Request) -> Response:
    handler: _CallHandler = request.scope["endpoint"]
    began, request.state.code = time.perf_counter(), 0
    path = handler.call.path
    try:
        response = await handler.answer(request)
    except Exception as why:  # noqa: BLE001  # the last net: whatever broke is logged and answered
        response = _failed(request, handler.call, why)
    seconds = time.perf_counter() - began
    metrics.called(path, request.state.code, response.status_code, seconds)
    log.info(
        "call",
        path=path,
        code=request.state.code,
        status=response.status_code,
        ms=round(seconds * 1000, 1),
        network=network_of(address_of(request)),
    )
    return response


def _failed(request: Request, entry: Call, why: Exception) -> Response:
    unavailable = database_faults.unavailable(why)
    if unavailable:
        log.warning("call.unavailable", path=entry.path, why=repr(why)[:LONGEST_FAULT])
    else:
        log.error("call.failed", path=entry.path, exc_info=why)
    refusal = Refusal(Code.UNAVAILABLE if unavailable else Code.FAILED)
    request.state.code = int(refusal.code)
    return refused(entry, refusal, language_of(request))


def language_of(request: Request) -> str:
    """The browser's language, for somebody who is not logged in."""
    return texts.preferred(request.headers.get("accept-language", ""))


def refused(entry: Call, refusal: Refusal, language: str) -> Response:
    if entry.landing:
        return RedirectResponse(f"{entry.landing}?refused={refusal.code.name}", 302, NO_STORE)
    return envelope(refusal, language)


def envelope(refusal: Refusal, language: str) -> Response:
    content = {"message": {"code": int(refusal.code), "message": refusal.text(language)}, "data": refusal.data()}
    retry = {"retry-after": str(refusal.values.get("seconds", RETRY_AFTER_S))} if refusal.status in COME_AGAIN else {}
    return Response(msgspec.json.encode(content), refusal.status, media_type=JSON, headers=NO_STORE | retry)


def _raw(value: Raw) -> Response:
    headers = dict(value.headers)
    if value.name:
        headers["content-disposition"] = f"attachment; filename*=UTF-8''{quote(value.name, safe='')}"
    if isinstance(value.body, bytes):
        return Response(value.body, value.status, headers, value.media_type)
    return StreamingResponse(value.body, value.status, headers, value.media_type)


@cache
def _adapters(entry: Call) -> tuple[type[BaseModel] | None, TypeAdapter[Any]]:
    """What a call takes, and what writes its answer. Kept: a process may have several servers."""
    payload, answer = types_of(entry)
    return payload, TypeAdapter(answer)


def _detail(payload: BaseModel | None) -> dict[str, Any]:
    """The payload as the audit keeps it: passwords and other secrets as stars."""
    return payload.model_dump(mode="json", by_alias=True, exclude_unset=True) if payload else {}


def _device(payload: BaseModel | None) -> int | None:
    """The id of the robot that a call is about; None where it is about none."""
    device_id = getattr(payload, "device_id", None)
    return device_id if isinstance(device_id, int) else None
