"""The building's end of Gausium's elevator control protocol V1.5, for the elevators of a virtual building.

It refuses as a real one does: without a token, for an elevator that it does not have (29001), while another has
reserved it (29008), and whatever wants a reservation without one (29009). A line that closes loses its reservation.
"""

import asyncio
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from lustra.protocol.cabin import Cabin

OK = 0
NO_LIFT = 29001
FULL = 29008
NOT_RESERVED = 29009
MESSAGES = {OK: "SUCCESS", NO_LIFT: "NO_LIFT_AVAILABLE", FULL: "LIFT_FULLY_RESERVED", NOT_RESERVED: "LIFT_NOT_RESERVED"}
DOORS = {"open": "OPENED", "opening": "OPENING", "closing": "CLOSING", "closed": "CLOSED"}
DIRECTIONS = {0: "STOP", 1: "UP", -1: "DOWN"}
LOOK_S = 0.1
TOKEN_S = 3600
Json = dict[str, Any]


@dataclass
class Elevator:
    """`out`: why it is out of service; empty: it is in service."""

    id: str
    cabin: Cabin
    holder: web.WebSocketResponse | None = None
    session: str = ""
    out: str = ""
    statuses: list[str] = field(default_factory=list[str])  # as robots have reported them

    def area(self, floor: str) -> str:
        return str(1000 * (self.cabin.floors.index(floor) + 1))

    def floor(self, area: object) -> str | None:
        return next((name for name in self.cabin.floors if self.area(name) == area), None)

    def config(self) -> Json:
        return {
            "liftId": self.id,
            "displayName": self.id,
            "destinations": [
                {"areaId": self.area(name), "floorId": str(n), "displayName": name, "doorId": 1}
                for n, name in enumerate(self.cabin.floors, 1)
            ],
            "cars": [{"carId": f"{self.id}-1", "doors": [1]}],
        }

    def status(self) -> Json:
        nearest = self.cabin.floors[round(self.cabin.at)]
        door = DOORS[self.cabin.door]
        return {
            "liftId": self.id,
            "type": "V1_LIFT_STATUS",
            "carId": f"{self.id}-1",
            "areaId": self.area(nearest),
            "doorId": "1",
            "status": door,
            "direction": DIRECTIONS[self.cabin.direction],
        } | ({"duration": 60} if door == "OPENED" else {})

    def mode(self) -> Json:
        message = {"liftId": self.id, "type": "V1_LIFT_MODE", "status": "UNAVAILABLE" if self.out else "AVAILABLE"}
        return message | ({"message": self.out} if self.out else {})


@dataclass
class Building:
    """`clients`: who may ask for a token, and their secrets."""

    elevators: dict[str, Elevator]
    clients: dict[str, str]
    tokens: set[str] = field(default_factory=set[str])

    @classmethod
    def of(cls, ids: list[str], floors: list[str], clients: dict[str, str], clock: Callable[[], float]) -> "Building":
        return cls({id_: Elevator(id_, Cabin(floors, clock)) for id_ in ids}, clients)

    async def serve(self, port: int = 0) -> tuple[web.AppRunner, int]:
        """Listens on loopback."""
        app = web.Application(client_max_size=64 * 1024)
        app.router.add_post("/v1/oauth2/token", self.token)
        app.router.add_get("/v1/lift/config", self.config)
        app.router.add_get("/v1/connect", self.connect)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        return runner, runner.addresses[0][1]

    async def token(self, request: web.Request) -> web.Response:
        form = await request.post()
        known = self.clients.get(str(form.get("clientId")), "")
        right = known and secrets.compare_digest(known, str(form.get("clientSecret")))
        if form.get("grantType") != "client_credentials" or not right:
            return web.json_response({"error": "invalid_client"}, status=401)
        token = secrets.token_urlsafe(24)
        self.tokens.add(token)
        return web.json_response({"accessToken": token, "tokenType": "Bearer", "expiresIn": TOKEN_S})

    async def config(self, request: web.Request) -> web.Response:
        if request.headers.get("authorization", "").removeprefix("Bearer ") not in self.tokens:
            return web.json_response({"error": "invalid_token"}, status=401)
        try:
            ids = json.loads(request.query.get("liftIds", "[]"))
        except ValueError:
            ids = []
        rows = [self.elevators[id_].config() for id_ in ids if id_ in self.elevators]
        return web.json_response({"code": OK, "msg": MESSAGES[OK], "data": rows} if rows else self.reply(NO_LIFT, {}))

    def reply(self, code: int, request: Json) -> Json:
        data = {"timestamp": now(), "sessionId": request.get("sessionId"), "requestId": request.get("requestId")}
        return {"code": code, "msg": MESSAGES[code], "data": data}

    async def connect(self, request: web.Request) -> web.StreamResponse:
        if request.query.get("accessToken", "").removeprefix("Bearer ") not in self.tokens:
            return web.json_response({"error": "invalid_token"}, status=401)
        line = web.WebSocketResponse(max_msg_size=64 * 1024)
        await line.prepare(request)
        watched: dict[str, set[str]] = {"V1_LIFT_STATUS": set(), "V1_LIFT_MODE": set()}
        pushing = asyncio.create_task(self.push_changes(line, watched))
        try:
            async for message in line:
                if message.type is WSMsgType.TEXT:
                    await line.send_json(self.handle(line, message.data, watched))
        finally:
            pushing.cancel()
            for elevator in self.elevators.values():
                if elevator.holder is line:
                    elevator.holder = None
        return line

    async def push_changes(self, line: web.WebSocketResponse, watched: dict[str, set[str]]) -> None:
        """Each change of what the client has subscribed to."""
        last: dict[tuple[str, str], Json] = {}
        while True:
            for kind, ids in watched.items():
                for id_ in sorted(ids):
                    elevator = self.elevators[id_]
                    message = elevator.status() if kind == "V1_LIFT_STATUS" else elevator.mode()
                    if last.get((kind, id_)) != message:
                        last[kind, id_] = message
                        await line.send_json(message | {"sessionId": elevator.session, "timestamp": now()})
            await asyncio.sleep(LOOK_S)

    def handle(self, line: web.WebSocketResponse, data: str, watched: dict[str, set[str]]) -> Json:
        try:
            request: Json = json.loads(data)
            kind = request.get("type")
            if kind in watched:
                ids = set(request.get("liftIds") or []) & self.elevators.keys()
                watched[kind] |= ids
                return self.reply(OK if ids else NO_LIFT, request)
            elevator = self.elevators.get(request.get("liftId", ""))
            code = NO_LIFT if elevator is None or elevator.out else self.execute(elevator, line, request)
        except (ValueError, AttributeError, TypeError):
            return self.reply(NO_LIFT, {})
        return self.reply(code, request)

    def execute(self, elevator: Elevator, line: web.WebSocketResponse, request: Json) -> int:
        if request["type"] == "V1_RESERVE":
            if elevator.holder not in {None, line}:
                return FULL
            elevator.holder, elevator.session = line, str(request.get("sessionId"))
            return OK
        if elevator.holder is not line or request.get("sessionId") != elevator.session:
            return NOT_RESERVED
        match request["type"]:
            case "V1_CALL_FROM" | "V1_CALL_TO" as call:
                floor = elevator.floor(request.get("fromAreaId" if call == "V1_CALL_FROM" else "toAreaId"))
                if floor is None:
                    return NO_LIFT
                elevator.cabin.go(floor)
            case "V1_OPEN_DOOR":
                elevator.cabin.open()
            case "V1_CLOSE_DOOR":
                elevator.cabin.close()
            case "V1_ROBOT_STATUS":
                elevator.statuses.append(str(request.get("status")))
            case "V1_CALL_CANCEL":
                elevator.holder = None
                elevator.cabin.close()
            case _:
                return NO_LIFT
        return OK


def now() -> int:
    return round(time.time() * 1000)
