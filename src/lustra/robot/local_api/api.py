"""The robot's local HTTP API on a loopback port: what the relay's tunnel ends at, and what its tablet shows.

A page that a browser on this machine opened elsewhere gets nothing here: the host must be this machine, and the origin
of a page none but the robot's own.
Answers are flat and HTTP 200; a refusal carries reason and field. Commands that move or destroy are refused under a
control number lower than the newest known; stop, pause and cancel never are, letting go of what holds the robot is.
"""

import json
from collections.abc import Awaitable
from typing import Any, get_args
from urllib.parse import urlsplit

from aiohttp import BodyPartReader, web
from aiohttp.typedefs import Handler
from pydantic import ValidationError
from pydantic_core import core_schema

from lustra.protocol.commands import Command, routes
from lustra.protocol.payloads.base import Payload
from lustra.protocol.payloads.maps import MapUpload
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.robot.clock import now_ms
from lustra.robot.local_api import (
    groups,
    map_building,
    map_sync,
    maps,
    motion,
    parts,
    paths,
    relocalization,
    run_control,
    sensors,
    tablet,
    tablet_page,
    tasks,
    timetasks,
)
from lustra.robot.local_api.handlers import HANDLERS
from lustra.robot.robot import Robot

__all__ = [
    "groups",
    "map_building",
    "map_sync",
    "maps",
    "motion",
    "parts",
    "paths",
    "relocalization",
    "run_control",
    "sensors",
    "serve",
    "tablet",
    "tasks",
    "timetasks",
]  # for their handlers
BUILT_IN = frozenset(get_args(core_schema.ErrorType))
LARGEST_FORM = 128 * 1024 * 1024
LARGEST_BODY = 1024 * 1024
LARGEST_FIELD = 1024 * 1024
LOCAL = {"127.0.0.1", "localhost", "::1"}


def is_local(request: web.Request) -> bool:
    """A name that points to this machine does not count, as it may be anybody's; and a page has no say elsewhere."""
    origin = request.headers.get("origin")
    try:
        named = urlsplit(f"//{request.host}").hostname in LOCAL
        return named and (origin is None or urlsplit(origin).netloc == request.host)
    except ValueError:
        return False


@web.middleware
async def refuse_foreign(request: web.Request, handler: Handler) -> web.StreamResponse:
    if is_local(request):
        return await handler(request)
    refusal = RobotRefusal(RelayCode.FORBIDDEN, "host_foreign", "The local API answers to this machine alone")
    return web.json_response(refusal.answer(), status=RelayCode.FORBIDDEN)


async def serve(robot: Robot) -> tuple[web.AppRunner, int]:
    """Listens on a free loopback port."""
    commands = routes(robot.spec.protocol)

    async def answer(request: web.Request) -> web.Response:
        try:
            command = commands.get(request.match_info["m"])
            content = await run_command(robot, command, request)
        except RobotRefusal as refusal:
            content = refusal.answer()
        return web.json_response(content)

    app = web.Application(client_max_size=LARGEST_BODY, middlewares=[refuse_foreign])
    tablet_page.add_routes(app, robot)
    app.router.add_route("*", "/{m:.+}", answer)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port: int = runner.addresses[0][1]
    return runner, port


def check_control_number(robot: Robot, header: str, *, locked: bool) -> None:
    number = int(header) if header.isdigit() else 0
    robot.lock.follow_number(number)
    if locked and number < robot.store.facts.number:
        raise RobotRefusal(RelayCode.FENCED, "control_lost", "Somebody else has taken control")


async def run_command(robot: Robot, command: Command | None, request: web.Request) -> dict[str, Any]:
    if command is None:
        raise RobotRefusal(RelayCode.UNKNOWN, "command_unknown", "The robot does not know this command")
    control = request.headers.get("control", "0")
    check_control_number(robot, control, locked=command.locked)
    try:
        payload: Any = (
            await read_upload(request) if command.form else command.payload.model_validate(await read_body(request))
        )
    except ValidationError as e:
        raise validation_refusal(e) from e
    if isinstance(payload, Payload) and payload.releases:
        check_control_number(robot, control, locked=True)
    if not (command.reads or command.flow):
        robot.journal.screen.write(now_ms(), f"command {command.name}")
    content = HANDLERS[command.name](robot, payload)
    content = await content if isinstance(content, Awaitable) else content
    robot.woken.set()
    return {"code": int(RelayCode.OK), "msg": ""} | content


async def read_body(request: web.Request) -> Any:
    """JSON, a form, or nothing."""
    if request.content_type in {"application/x-www-form-urlencoded", "multipart/form-data"}:
        return dict(await request.post())
    try:
        raw = await request.read()
        return json.loads(raw) if raw else dict(request.query)
    except ValueError as e:
        raise RobotRefusal(RelayCode.BAD_INPUT, "input_not_json", "The body is no JSON") from e
    except web.HTTPRequestEntityTooLarge as e:
        raise RobotRefusal(RelayCode.TOO_LARGE, "input_too_large", "The body is too large") from e


async def read_upload(request: web.Request) -> tuple[MapUpload, bytes]:
    """The form of map/Upload; its file is counted while it comes in."""
    if not request.content_type.startswith("multipart/"):
        raise RobotRefusal(RelayCode.BAD_INPUT, "input_not_a_form", "This command takes a form", "file")
    fields: dict[str, Any] = {}
    file = bytearray()
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader) or part.name is None:
            continue
        most = LARGEST_FORM if part.name == "file" else LARGEST_FIELD
        got = bytearray()
        while chunk := await part.read_chunk(256 * 1024):
            got += chunk
            if len(got) > most:
                raise RobotRefusal(RelayCode.TOO_LARGE, "map_too_large", "The map is too large", part.name)
        if part.name == "file":
            file = got
        elif got:
            fields[part.name] = got.decode("utf-8", "replace")
    if not file:
        raise RobotRefusal(RelayCode.BAD_INPUT, "map_file_missing", "The map's file is missing", "file")
    return MapUpload.model_validate(fields), bytes(file)


def validation_refusal(error: ValidationError) -> RobotRefusal:
    """The first thing that is wrong: a rule of ours carries its catalogue key, a wrong type `input_<type>`."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    reason = f"input_{first['type']}" if first["type"] in BUILT_IN else first["type"]
    where = ".".join(str(p) for p in first["loc"]) or first["type"].removesuffix("_required").split("_", 1)[-1]
    return RobotRefusal(RelayCode.BAD_INPUT, reason, first["msg"], where)
