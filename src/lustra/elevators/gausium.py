"""Elevators that speak Gausium's elevator control protocol V1.5: the building is the server, we are its client.

A token (client credentials), the elevator's configuration, then one socket for requests and for the elevator's states.
Rules: 29001, no elevator: the ride ends; 29008, fully reserved: asked again after a minute; 29009, not reserved: we no
longer hold it, and reserve anew. Whatever the building sends is checked: it may be anything.
"""

import asyncio
import contextlib
import json
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from yarl import URL

from lustra.core.http import outbound_http
from lustra.elevators.provider import ElevatorConfig, Full, Unable
from lustra.elevators.session import Door, ElevatorState, Ride

OK = 0
NO_LIFT = 29001
FULL = 29008
NOT_RESERVED = 29009
FULL_S = 60.0  # the protocol's own pause
ANSWER_S = 5.0
LARGEST = 256 * 1024  # bytes of one answer or message
SUBSCRIBED_S = 1200
RENEW_S = 600.0
HELD_OPEN_S = 60
CLOSES_S = 1
DOORS: dict[str, Door] = {"OPENED": "open", "CLOSED": "closed"}
STATUS = {
    "reserved": "WAITING",
    "coming": "WAITING",
    "open": "ENTERING",
    "boarded": "TAKING",
    "moving": "TAKING",
    "arrived": "EXITING",
}


def normalise(text: object) -> str:
    return str(text).strip().casefold()


@dataclass
class Gausium:
    """`module`: the elevator's id there. Areas by the floor's name in the registry, which is the area's name, floor or
    id at the building."""

    config: ElevatorConfig
    networks: Sequence[outbound_http.Network]
    held: bool = False
    session: str = ""  # of the ride
    ride: Ride | None = None
    phase: str = ""
    bound: str = ""
    seen: ElevatorState | None = None
    usable: bool = True
    car: str = ""
    areas: dict[str, str] = field(default_factory=dict[str, str])
    renew_at: float = 0.0
    http: aiohttp.ClientSession | None = None
    socket: aiohttp.ClientWebSocketResponse | None = None
    listener: asyncio.Task[None] | None = None
    pending: dict[str, asyncio.Future[int]] = field(default_factory=dict[str, "asyncio.Future[int]"])

    # The interface

    async def look(self) -> ElevatorState:
        await self.connected()
        if not self.usable:
            raise Unable("lift_out_of_service")
        if self.held and time.monotonic() > self.renew_at:
            await self.subscribe()
        state = self.seen or ElevatorState(held=False, floor="", door="between")
        return ElevatorState(self.held, state.floor, state.door, self.bound)

    async def serve(self, ride: Ride | None) -> None:
        """Tells the building how far the robot is, and keeps the door open while it passes."""
        before, self.phase = self.phase, ride.phase if ride else ""
        if ride is None or not self.held or ride.phase == before:
            self.ride = ride or self.ride
            return
        self.ride = ride
        if (status := STATUS.get(ride.phase)) and status != STATUS.get(before):
            await self.request("V1_ROBOT_STATUS", status=status, robotSn=ride.robot)
        if ride.phase in {"open", "arrived"}:
            await self.open()
        elif ride.phase in {"boarded", "moving"} and before == "open":
            await self.request("V1_CLOSE_DOOR", **self.current_area(), delay=CLOSES_S)

    async def reserve(self) -> None:
        self.session = str(uuid.uuid4())
        robot = self.ride.robot if self.ride else ""
        code = await self.request("V1_RESERVE", **self.ride_areas(), robotSn=robot)
        self.held, self.bound = code == OK, ""
        if self.held:
            await self.subscribe()

    async def call(self, floor: str) -> None:
        if await self.request("V1_CALL_FROM", **self.ride_areas()) == OK:
            self.bound = floor

    async def go(self, floor: str) -> None:
        if await self.request("V1_CALL_TO", **self.ride_areas()) == OK:
            self.bound = floor

    async def open(self) -> None:
        await self.request("V1_OPEN_DOOR", **self.current_area(), duration=HELD_OPEN_S)

    async def release(self) -> None:
        ride, self.ride, self.phase = self.ride, None, ""
        done = ride is not None and ride.reason == "done"
        if ride and self.held:
            status = "COMPLETED" if done else "FAILED"
            await self.request("V1_ROBOT_STATUS", status=status, reason="" if done else "STOP", robotSn=ride.robot)
        if self.held:
            await self.request("V1_CALL_CANCEL", **self.ride_areas(ride), reason="COMPLETED" if done else "TERMINATED")
        self.held, self.bound = False, ""

    async def end(self) -> None:
        socket, http, ears = self.socket, self.http, self.listener
        self.socket = self.http = self.listener = self.seen = None
        self.held = False
        for future in self.pending.values():
            future.cancel()
        self.pending.clear()
        if ears:
            ears.cancel()
            await asyncio.gather(ears, return_exceptions=True)
        with contextlib.suppress(OSError, aiohttp.ClientError):
            if socket:
                await socket.close()
            if http:
                await http.close()

    # Words of the protocol

    def ride_areas(self, ride: Ride | None = None) -> dict[str, str]:
        """From where to where; one that woke up in the cabin comes from where this is."""
        ride = ride or self.ride
        origin, target = (ride.origin, ride.target) if ride else ("", "")
        here = self.seen.floor if self.seen else ""
        return {
            "liftId": self.config.module,
            "carId": self.car,
            "fromAreaId": self.area(origin or here or target),
            "toAreaId": self.area(target),
        }

    def current_area(self) -> dict[str, str]:
        area = self.area(self.seen.floor) if self.seen and self.seen.floor else ""
        return {"liftId": self.config.module, "carId": self.car, "areaId": area}

    def area(self, floor: str) -> str:
        return self.areas.get(floor, "")

    async def subscribe(self) -> None:
        self.renew_at = time.monotonic() + RENEW_S
        for kind in ("V1_LIFT_STATUS", "V1_LIFT_MODE"):
            await self.request(kind, liftIds=[self.config.module], duration=SUBSCRIBED_S)

    async def request(self, kind: str, **fields: Any) -> int:
        """Sends a request; the code of the answer. Raises where the connection cannot go on."""
        if self.socket is None or self.socket.closed:
            raise ConnectionError("the building has hung up")
        id_ = str(uuid.uuid4())
        answered = self.pending[id_] = asyncio.get_running_loop().create_future()
        head = {
            "sessionId": self.session,
            "requestId": id_,
            "timestamp": round(time.time() * 1000),
            "liftId": self.config.module,
            "type": kind,
        }
        try:
            await self.socket.send_json(head | fields)
            code = await asyncio.wait_for(answered, ANSWER_S)
        except aiohttp.ClientError as why:
            raise ConnectionError(repr(why)) from why
        finally:
            self.pending.pop(id_, None)
        if code == FULL:
            raise Full(FULL_S)
        if code == NOT_RESERVED:
            self.held = False
        elif code != OK:
            raise Unable("lift_unavailable" if code == NO_LIFT else "lift_refused")
        return code

    # The line

    async def connected(self) -> None:
        if self.socket is not None and not self.socket.closed:
            return
        await self.end()
        try:
            self.http = outbound_http.client(self.networks, ANSWER_S * 2)
            token = await self.token(self.http)
            await self.configure(self.http, token)
            where = URL(f"{self.config.server}/v1/connect").with_query(accessToken=token)
            self.socket = await self.http.ws_connect(where, max_msg_size=LARGEST, heartbeat=15.0)
        except (aiohttp.ClientError, ValueError) as why:
            raise ConnectionError(repr(why)) from why
        self.listener = asyncio.create_task(self.listen(self.socket), name=f"lift {self.config.id} hears")

    async def token(self, http: aiohttp.ClientSession) -> str:
        form = {"grantType": "client_credentials", "clientId": self.config.client, "clientSecret": self.config.secret}
        async with http.post(f"{self.config.server}/v1/oauth2/token", data=form) as answer:
            answer_body = await self.read(answer)
        token = answer_body.get("accessToken")
        if answer.status in {400, 401, 403} or not isinstance(token, str) or not token:
            raise Unable("lift_login_refused")
        return token

    async def configure(self, http: aiohttp.ClientSession, token: str) -> None:
        """Reads which of the server's areas each floor is, and takes the first car."""
        where = URL(f"{self.config.server}/v1/lift/config").with_query(
            requestId=str(uuid.uuid4()),
            timestamp=str(round(time.time() * 1000)),
            type="V1_LIFT_CONFIG",
            liftIds=json.dumps([self.config.module]),
        )
        async with http.get(where, headers={"authorization": token}) as answer:
            content = await self.read(answer)
        rows = content.get("data")
        elevators = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        elevator = next((row for row in elevators if row.get("liftId") == self.config.module), None)
        if content.get("code") != OK or elevator is None:
            raise Unable("lift_unavailable")
        cars = [row for row in elevator.get("cars") or [] if isinstance(row, dict)]
        self.car = str(cars[0].get("carId", "")) if cars else ""
        self.areas.clear()
        for floor in self.config.floors:
            for area in elevator.get("destinations") or []:
                names = {normalise(area.get(name)) for name in ("displayName", "floorId", "areaId")}
                if normalise(floor) in names:
                    self.areas.setdefault(floor, str(area.get("areaId")))
        if len(self.areas) < len(self.config.floors):
            raise Unable("lift_floors_differ")

    async def read(self, answer: aiohttp.ClientResponse) -> dict[str, Any]:
        raw = await answer.content.read(LARGEST)
        content = json.loads(raw)
        if not isinstance(content, dict):
            raise ValueError("no answer of the protocol")  # noqa: TRY004  what it is, is not our fault
        return content

    async def listen(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async for message in socket:
            if message.type is aiohttp.WSMsgType.TEXT:
                with contextlib.suppress(ValueError, TypeError, AttributeError):
                    self.receive(json.loads(message.data))
        for future in self.pending.values():
            if not future.done():
                future.set_exception(ConnectionError("the building has hung up"))

    def receive(self, message: dict[str, Any]) -> None:
        """An answer, or a state of the elevator. Messages about other elevators are ignored."""
        if "code" in message:
            future = self.pending.get(str((message.get("data") or {}).get("requestId")))
            if future and not future.done():
                future.set_result(int(message["code"]))
        elif message.get("liftId") != self.config.module:
            return
        elif message.get("type") == "V1_LIFT_MODE":
            self.usable = message.get("status") != "UNAVAILABLE"
        elif message.get("type") == "V1_LIFT_STATUS":
            floor = next((name for name, area in self.areas.items() if area == str(message.get("areaId"))), "")
            moves = message.get("direction") in {"UP", "DOWN"} and message.get("status") == "CLOSED"
            door = DOORS.get(str(message.get("status")), "between")
            self.seen = ElevatorState(held=self.held, floor="" if moves and floor != self.bound else floor, door=door)
            if floor and floor == self.bound and door == "open":
                self.bound = ""
