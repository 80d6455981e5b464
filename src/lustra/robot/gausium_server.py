"""The building's end of Gausium's elevator control protocol V1.5, for the lifts of a virtual building.

It refuses as a real one does: without a token, for a lift that it does not have (29001), while another has reserved it
(29008), and whatever wants a reservation without one (29009). A line that closes loses its reservation.
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

OK, NO_LIFT, FULL, NOT_RESERVED = 0, 29001, 29008, 29009
SAID = {OK: "SUCCESS", NO_LIFT: "NO_LIFT_AVAILABLE", FULL: "LIFT_FULLY_RESERVED", NOT_RESERVED: "LIFT_NOT_RESERVED"}
DOORS = {"open": "OPENED", "opening": "OPENING", "closing": "CLOSING", "closed": "CLOSED"}
DIRECTIONS = {0: "STOP", 1: "UP", -1: "DOWN"}
LOOK_S = 0.1
TOKEN_S = 3600
Told = dict[str, Any]


@dataclass
class Lift:
    """`out`: why it is not to be used."""

    id: str
    cabin: Cabin
    holder: web.WebSocketResponse | None = None
    session: str = ""
    out: str = ""
    statuses: list[str] = field(default_factory=list[str])  # what robots said of themselves

    def area(self, floor: str) -> str:
        return str(1000 * (self.cabin.floors.index(floor) + 1))

    def floor(self, area: object) -> str | None:
        return next((name for name in self.cabin.floors if self.area(name) == area), None)

    def config(self) -> Told:
        return {
            "liftId": self.id,
            "displayName": self.id,
            "destinations": [
                {"areaId": self.area(name), "floorId": str(n), "displayName": name, "doorId": 1}
                for n, name in enumerate(self.cabin.floors, 1)
            ],
            "cars": [{"carId": f"{self.id}-1", "doors": [1]}],
        }

    def status(self) -> Told:
        nearest = self.cabin.floors[round(self.cabin.at)]
        door = DOORS[self.cabin.door]
        return {
            "liftId": self.id, "type": "V1_LIFT_STATUS", "carId": f"{self.id}-1", "areaId": self.area(nearest),
            "doorId": "1", "status": door, "direction": DIRECTIONS[self.cabin.direction],
        } | ({"duration": 60} if door == "OPENED" else {})  # fmt: skip

    def mode(self) -> Told:
        told = {"liftId": self.id, "type": "V1_LIFT_MODE", "status": "UNAVAILABLE" if self.out else "AVAILABLE"}
        return told | ({"message": self.out} if self.out else {})


@dataclass
class Building:
    """`clients`: who may ask for a token, and their secrets."""

    lifts: dict[str, Lift]
    clients: dict[str, str]
    tokens: set[str] = field(default_factory=set[str])

    @classmethod
    def of(cls, ids: list[str], floors: list[str], clients: dict[str, str], clock: Callable[[], float]) -> "Building":
        return cls({id_: Lift(id_, Cabin(floors, clock)) for id_ in ids}, clients)

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
        told = await request.post()
        known = self.clients.get(str(told.get("clientId")), "")
        right = known and secrets.compare_digest(known, str(told.get("clientSecret")))
        if told.get("grantType") != "client_credentials" or not right:
            return web.json_response({"error": "invalid_client"}, status=401)
        token = secrets.token_urlsafe(24)
        self.tokens.add(token)
        return web.json_response({"accessToken": token, "tokenType": "Bearer", "expiresIn": TOKEN_S})

    async def config(self, request: web.Request) -> web.Response:
        if request.headers.get("authorization", "").removeprefix("Bearer ") not in self.tokens:
            return web.json_response({"error": "invalid_token"}, status=401)
        try:
            wanted = json.loads(request.query.get("liftIds", "[]"))
        except ValueError:
            wanted = []
        found = [self.lifts[id_].config() for id_ in wanted if id_ in self.lifts]
        return web.json_response({"code": OK, "msg": SAID[OK], "data": found} if found else self.said(NO_LIFT, {}))

    def said(self, code: int, asked: Told) -> Told:
        data = {"timestamp": now(), "sessionId": asked.get("sessionId"), "requestId": asked.get("requestId")}
        return {"code": code, "msg": SAID[code], "data": data}

    async def connect(self, request: web.Request) -> web.StreamResponse:
        if request.query.get("accessToken", "").removeprefix("Bearer ") not in self.tokens:
            return web.json_response({"error": "invalid_token"}, status=401)
        line = web.WebSocketResponse(max_msg_size=64 * 1024)
        await line.prepare(request)
        watched: dict[str, set[str]] = {"V1_LIFT_STATUS": set(), "V1_LIFT_MODE": set()}
        telling = asyncio.create_task(self.tell(line, watched))
        try:
            async for message in line:
                if message.type is WSMsgType.TEXT:
                    await line.send_json(self.answer(line, message.data, watched))
        finally:
            telling.cancel()
            for lift in self.lifts.values():
                if lift.holder is line:
                    lift.holder = None
        return line

    async def tell(self, line: web.WebSocketResponse, watched: dict[str, set[str]]) -> None:
        """Each change of what the client has subscribed to."""
        last: dict[tuple[str, str], Told] = {}
        while True:
            for what, ids in watched.items():
                for id_ in sorted(ids):
                    lift = self.lifts[id_]
                    told = lift.status() if what == "V1_LIFT_STATUS" else lift.mode()
                    if last.get((what, id_)) != told:
                        last[what, id_] = told
                        await line.send_json(told | {"sessionId": lift.session, "timestamp": now()})
            await asyncio.sleep(LOOK_S)

    def answer(self, line: web.WebSocketResponse, data: str, watched: dict[str, set[str]]) -> Told:
        try:
            asked: Told = json.loads(data)
            what = asked.get("type")
            if what in watched:
                ids = set(asked.get("liftIds") or []) & self.lifts.keys()
                watched[what] |= ids
                return self.said(OK if ids else NO_LIFT, asked)
            lift = self.lifts.get(asked.get("liftId", ""))
            code = NO_LIFT if lift is None or lift.out else self.do(lift, line, asked)
        except (ValueError, AttributeError, TypeError):
            return self.said(NO_LIFT, {})
        return self.said(code, asked)

    def do(self, lift: Lift, line: web.WebSocketResponse, asked: Told) -> int:
        if asked["type"] == "V1_RESERVE":
            if lift.holder not in {None, line}:
                return FULL
            lift.holder, lift.session = line, str(asked.get("sessionId"))
            return OK
        if lift.holder is not line or asked.get("sessionId") != lift.session:
            return NOT_RESERVED
        match asked["type"]:
            case "V1_CALL_FROM" | "V1_CALL_TO" as call:
                floor = lift.floor(asked.get("fromAreaId" if call == "V1_CALL_FROM" else "toAreaId"))
                if floor is None:
                    return NO_LIFT
                lift.cabin.go(floor)
            case "V1_OPEN_DOOR":
                lift.cabin.open()
            case "V1_CLOSE_DOOR":
                lift.cabin.close()
            case "V1_ROBOT_STATUS":
                lift.statuses.append(str(asked.get("status")))
            case "V1_CALL_CANCEL":
                lift.holder = None
                lift.cabin.close()
            case _:
                return NO_LIFT
        return OK


def now() -> int:
    return round(time.time() * 1000)
