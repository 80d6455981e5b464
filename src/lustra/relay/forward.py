"""POST /?m=api1/task_list&p=20017 with the header `grant`: a call to a robot, and its answer as it came.

Rules: nothing of the caller's headers, host, scheme or redirects gets through, only the body and the fencing number;
bodies and waiting are bounded; every refusal is a flat answer {"code", "msg", "reason"}; refusals, and every command
that is no mere read, are published for the audit with who sent what.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl

import msgspec
import structlog
from prometheus_client import Counter, Histogram
from pydantic import ValidationError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from lustra.core.bus import Sent
from lustra.core.security.grants import Checker, Grant
from lustra.protocol.commands import Command
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.relay.authorization import RelayCall, authorize, check_fencing_token, verify_grant
from lustra.relay.known import Known
from lustra.relay.records import Records
from lustra.relay.robot_http import Answer, AnswerTooLarge, Call, RobotHttp
from lustra.relay.tunnel_server import Unreachable

CALLED = Counter("lustra_relay_calls_total", "Calls to robots, refused ones included", ["command", "code"])
SECONDS = Histogram(
    "lustra_relay_seconds",
    "Time until a robot's answer was passed on, or given up",
    ["command"],
    buckets=(0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60),
)
log = structlog.get_logger(__name__)

LARGEST = 1 << 20
LARGEST_FORM = 128 << 20
LARGEST_ANSWER = 32 << 20
WAIT_S = 10.0
WAIT_FORM_S = 300.0
# Of a payload, in the audit.
LONGEST_VALUE = 100
MOST_FIELDS = 12
# For a browser that shows an answer as a page.
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
KINDS = ("application/json", "application/x-www-form-urlencoded", "multipart/form-data")


class TooLarge(RobotRefusal):
    def __init__(self, whose: str, most: int) -> None:
        super().__init__(RelayCode.TOO_LARGE, "body_too_large", f"the {whose} is larger than {most >> 20} MiB")


class Bounded:
    """A body as it comes in, read no further than allowed. `length` is None where the caller did not say it."""

    def __init__(self, request: Request, most: int) -> None:
        self.request, self.most = request, most
        length = request.headers.get("content-length")
        self.length = int(length) if length is not None else None
        if self.length is not None and self.length > most:
            raise TooLarge("body", most)

    async def parts(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self.request.stream():
            size += len(part)
            if size > self.most:
                raise TooLarge("body", self.most)
            yield part

    async def whole(self) -> bytes:
        return b"".join([part async for part in self.parts()])


@dataclass
class Relay:
    """What the calls share; one a process."""

    known: Known
    checker: Checker
    robots: RobotHttp
    records: Records

    async def __call__(self, request: Request) -> Response:
        call = RelayCall(
            request.method,
            request.query_params.getlist("m"),
            request.query_params.getlist("p"),
            request.headers.get("grant", ""),
        )
        grant: Grant | None = None
        command: Command | None = None
        try:
            grant = verify_grant(call, self.checker, self.known)
            command = authorize(call, grant, self.known)
            with SECONDS.labels(call.m[0]).time():
                answer, content = await self.send(request, grant, call.m[0], command)
            code = code_of(answer)
        except RobotRefusal as why:
            CALLED.labels("" if command is None else call.m[0], int(why.code)).inc()
            self.record(request, call, grant, int(why.code), refused=True)
            return JSONResponse(why.answer(), headers=HEADERS)
        except ClientDisconnect:
            refusal = {"code": int(RelayCode.BAD_INPUT), "msg": "the caller left", "reason": "caller_left"}
            return JSONResponse(refusal, headers=HEADERS)
        CALLED.labels(call.m[0], code).inc()
        if not command.reads and not (command.flow and self.records.recorded_recently((grant.sid, call.m[0]))):
            self.record(request, call, grant, code, refused=False, content=content)
        return Response(answer, media_type="application/json", headers=HEADERS)

    async def send(self, request: Request, grant: Grant, m: str, command: Command) -> tuple[bytes, dict[str, Any]]:
        """The robot's answer, and of what was sent what the audit says."""
        kind, body = kind_of(request), Bounded(request, LARGEST_FORM if command.form else LARGEST)
        content: dict[str, Any] = {}
        if command.form:
            call = Call(command.method, f"/{m}", kind, grant.number, body.parts(), body.length)
        else:
            data = await body.whole()
            if command.always and releases(command, data):
                check_fencing_token(grant, self.known)
            content = plain_fields(command, kind, data)
            call = Call(command.method, f"/{m}", kind, grant.number, data)
        answer = await self.ask(grant, call, WAIT_FORM_S if command.form else WAIT_S)
        if answer.status != HTTPStatus.OK:
            raise RobotRefusal(RelayCode.FAILED, "robot_failed", f"the robot answered {answer.status}")
        return answer.body, content

    async def ask(self, grant: Grant, call: Call, wait_s: float) -> Answer:
        try:
            async with asyncio.timeout(wait_s):
                return await self.robots.send(grant.port, call, LARGEST_ANSWER)
        except AnswerTooLarge:
            raise TooLarge("answer", LARGEST_ANSWER) from None
        except TimeoutError as why:
            raise RobotRefusal(RelayCode.LATE, "robot_late", "the robot does not answer in time") from why
        except (Unreachable, ConnectionError) as why:
            # Where nothing was sent the call may be made again: a newer grant names the relay where the tunnel is.
            if isinstance(why, Unreachable) and self.known.is_elsewhere(grant.sn):
                raise RobotRefusal(RelayCode.NO_GRANT, "tunnel_moved", "the robot is at another relay") from why
            raise RobotRefusal(RelayCode.UNREACHABLE, "robot_unreachable", "the robot cannot be reached") from why

    def record(
        self,
        request: Request,
        call: RelayCall,
        grant: Grant | None,
        code: int,
        *,
        refused: bool,
        content: dict[str, Any] | None = None,
    ) -> None:
        who: dict[str, Any] = (
            {}
            if grant is None
            else {
                "sn": grant.sn,
                "device_id": grant.device,
                "account": grant.account,
                "acting": grant.acting,
                "name": grant.name,
                "session": grant.sid,
                "number": grant.number,
            }
        )
        self.records.add(
            Sent(
                at=int(time.time() * 1000),
                command=",".join(call.m)[:200],
                port=",".join(call.p)[:40],
                code=code,
                address=request.client.host if request.client else "",
                refused=refused,
                content=content or {},
                **who,
            )
        )


def plain_fields(command: Command, kind: str, body: bytes) -> dict[str, Any]:
    """The names and numbers of a payload, so that the audit says which task was deleted; not what has parts."""
    if command.reads or command.flow:
        return {}
    try:
        sent = dict(parse_qsl(body.decode())) if kind.startswith(KINDS[1]) else msgspec.json.decode(body or b"{}")
        fields = command.payload.model_validate(sent).model_dump(mode="json", by_alias=True, exclude_unset=True)
    except (ValueError, msgspec.MsgspecError):
        return {}
    plain = [(name, value) for name, value in fields.items() if isinstance(value, (str, int, float, bool))]
    return {name: value[:LONGEST_VALUE] if isinstance(value, str) else value for name, value in plain[:MOST_FIELDS]}


def releases(command: Command, body: bytes) -> bool:
    """Whether this input lets go of what holds the robot. What cannot be read is for the robot to refuse."""
    try:
        return command.payload.model_validate_json(body or b"{}").releases
    except ValidationError:
        return False


def kind_of(request: Request) -> str:
    """The body's kind, boundary included; what is none of the three is taken for JSON."""
    content_type = request.headers.get("content-type", "")
    return content_type if content_type.split(";")[0].strip().lower() in KINDS else KINDS[0]


class Flat(msgspec.Struct):
    """What every answer of a robot has."""

    code: int


def code_of(answer: bytes) -> int:
    """Of a robot's flat answer. What is none (garbage, half of one, another's page) does not reach the caller."""
    try:
        return msgspec.json.decode(answer, type=Flat).code
    except (msgspec.MsgspecError, UnicodeError):
        raise RobotRefusal(RelayCode.FAILED, "robot_failed", "the robot's answer cannot be read") from None
