"""Lifts that speak Gausium's elevator control protocol V1.5: the building is the server, we are its client.

A token (client credentials), the lift's configuration, then one socket for requests and for what the lift tells of
itself. Rules: 29001, no lift: the ride ends; 29008, fully reserved: asked again after a minute; 29009, not reserved: we
no longer hold it, and reserve anew. What the building tells is read with care: it may be anything.
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

from lustra.core import outside
from lustra.lifts.provider import Full, Known, Unable
from lustra.lifts.session import Door, Ride, Seen

OK, NO_LIFT, FULL, NOT_RESERVED = 0, 29001, 29008, 29009
FULL_S = 60.0  # the protocol's own pause
ANSWER_S = 5.0
LARGEST = 256 * 1024  # bytes of one answer or message
SUBSCRIBED_S, RENEW_S = 1200, 600.0
HELD_OPEN_S, CLOSES_S = 60, 1
DOORS: dict[str, Door] = {"OPENED": "open", "CLOSED": "closed"}
STATUS = {
    "reserved": "WAITING", "coming": "WAITING", "open": "ENTERING", "boarded": "TAKING", "moving": "TAKING",
    "arrived": "EXITING",
}  # fmt: skip


def plain(text: object) -> str:
    return str(text).strip().casefold()


@dataclass
class Gausium:
    """`module`: the lift's id there. Areas by the floor's name in the registry, which is the area's name, floor or id
    at the building."""

    known: Known
    networks: Sequence[outside.Network]
    held: bool = False
    session: str = ""  # of the ride
    ride: Ride | None = None
    phase: str = ""
    bound: str = ""
    seen: Seen | None = None
    usable: bool = True
    car: str = ""
    areas: dict[str, str] = field(default_factory=dict[str, str])
    renew_at: float = 0.0
    http: aiohttp.ClientSession | None = None
    socket: aiohttp.ClientWebSocketResponse | None = None
    ears: asyncio.Task[None] | None = None
    asked: dict[str, asyncio.Future[int]] = field(default_factory=dict[str, "asyncio.Future[int]"])

    # The interface

    async def look(self) -> Seen:
        await self.connected()
        if not self.usable:
            raise Unable("lift_out_of_service")
        if self.held and time.monotonic() > self.renew_at:
            await self.subscribe()
        told = self.seen or Seen(held=False, floor="", door="between")
        return Seen(self.held, told.floor, told.door, self.bound)

    async def serve(self, ride: Ride | None) -> None:
        """Tells the building how far the robot is, and keeps the door open while it passes."""
        before, self.phase = self.phase, ride.phase if ride else ""
        if ride is None or not self.held or ride.phase == before:
            self.ride = ride or self.ride
            return
        self.ride = ride
        if (status := STATUS.get(ride.phase)) and status != STATUS.get(before):
            await self.ask("V1_ROBOT_STATUS", status=status, robotSn=ride.robot)
        if ride.phase in {"open", "arrived"}:
            await self.open()
        elif ride.phase in {"boarded", "moving"} and before == "open":
            await self.ask("V1_CLOSE_DOOR", **self.here(), delay=CLOSES_S)

    async def reserve(self) -> None:
        self.session = str(uuid.uuid4())
        robot = self.ride.robot if self.ride else ""
        code = await self.ask("V1_RESERVE", **self.way(), robotSn=robot)
        self.held, self.bound = code == OK, ""
        if self.held:
            await self.subscribe()

    async def call(self, floor: str) -> None:
        if await self.ask("V1_CALL_FROM", **self.way()) == OK:
            self.bound = floor

    async def go(self, floor: str) -> None:
        if await self.ask("V1_CALL_TO", **self.way()) == OK:
            self.bound = floor

    async def open(self) -> None:
        await self.ask("V1_OPEN_DOOR", **self.here(), duration=HELD_OPEN_S)

    async def release(self) -> None:
        ride, self.ride, self.phase = self.ride, None, ""
        done = ride is not None and ride.reason == "done"
        if ride and self.held:
            status = "COMPLETED" if done else "FAILED"
            await self.ask("V1_ROBOT_STATUS", status=status, reason="" if done else "STOP", robotSn=ride.robot)
        if self.held:
            await self.ask("V1_CALL_CANCEL", **self.way(ride), reason="COMPLETED" if done else "TERMINATED")
        self.held, self.bound = False, ""

    async def end(self) -> None:
        socket, http, ears = self.socket, self.http, self.ears
        self.socket = self.http = self.ears = self.seen = None
        self.held = False
        for future in self.asked.values():
            future.cancel()
        self.asked.clear()
        if ears:
            ears.cancel()
            await asyncio.gather(ears, return_exceptions=True)
        with contextlib.suppress(OSError, aiohttp.ClientError):
            if socket:
                await socket.close()
            if http:
                await http.close()

    # Words of the protocol

    def way(self, ride: Ride | None = None) -> dict[str, str]:
        """From where to where; one that woke up in the cabin comes from where this is."""
        ride = ride or self.ride
        origin, target = (ride.origin, ride.target) if ride else ("", "")
        here = self.seen.floor if self.seen else ""
        return {
            "liftId": self.known.module, "carId": self.car, "fromAreaId": self.area(origin or here or target),
            "toAreaId": self.area(target),
        }  # fmt: skip

    def here(self) -> dict[str, str]:
        area = self.area(self.seen.floor) if self.seen and self.seen.floor else ""
        return {"liftId": self.known.module, "carId": self.car, "areaId": area}

    def area(self, floor: str) -> str:
        return self.areas.get(floor, "")

    async def subscribe(self) -> None:
        self.renew_at = time.monotonic() + RENEW_S
        for what in ("V1_LIFT_STATUS", "V1_LIFT_MODE"):
            await self.ask(what, liftIds=[self.known.module], duration=SUBSCRIBED_S)

    async def ask(self, what: str, **told: Any) -> int:
        """The answer's code. What cannot be gone on with is raised."""
        if self.socket is None or self.socket.closed:
            raise ConnectionError("the building has hung up")
        id_ = str(uuid.uuid4())
        came = self.asked[id_] = asyncio.get_running_loop().create_future()
        head = {
            "sessionId": self.session, "requestId": id_, "timestamp": round(time.time() * 1000),
            "liftId": self.known.module, "type": what,
        }  # fmt: skip
        try:
            await self.socket.send_json(head | told)
            code = await asyncio.wait_for(came, ANSWER_S)
        except aiohttp.ClientError as why:
            raise ConnectionError(repr(why)) from why
        finally:
            self.asked.pop(id_, None)
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
            self.http = outside.client(self.networks, ANSWER_S * 2)
            token = await self.token(self.http)
            await self.configure(self.http, token)
            where = URL(f"{self.known.server}/v1/connect").with_query(accessToken=token)
            self.socket = await self.http.ws_connect(where, max_msg_size=LARGEST, heartbeat=15.0)
        except (aiohttp.ClientError, ValueError) as why:
            raise ConnectionError(repr(why)) from why
        self.ears = asyncio.create_task(self.listen(self.socket), name=f"lift {self.known.id} hears")

    async def token(self, http: aiohttp.ClientSession) -> str:
        what = {"grantType": "client_credentials", "clientId": self.known.client, "clientSecret": self.known.secret}
        async with http.post(f"{self.known.server}/v1/oauth2/token", data=what) as answer:
            told = await self.read(answer)
        token = told.get("accessToken")
        if answer.status in {400, 401, 403} or not isinstance(token, str) or not token:
            raise Unable("lift_login_refused")
        return token

    async def configure(self, http: aiohttp.ClientSession, token: str) -> None:
        """Which area each of our floors is, and the first car."""
        where = URL(f"{self.known.server}/v1/lift/config").with_query(
            requestId=str(uuid.uuid4()), timestamp=str(round(time.time() * 1000)), type="V1_LIFT_CONFIG",
            liftIds=json.dumps([self.known.module]),
        )  # fmt: skip
        async with http.get(where, headers={"authorization": token}) as answer:
            told = await self.read(answer)
        rows = told.get("data")
        lifts = [one for one in rows if isinstance(one, dict)] if isinstance(rows, list) else []
        lift = next((one for one in lifts if one.get("liftId") == self.known.module), None)
        if told.get("code") != OK or lift is None:
            raise Unable("lift_unavailable")
        cars = [one for one in lift.get("cars") or [] if isinstance(one, dict)]
        self.car = str(cars[0].get("carId", "")) if cars else ""
        self.areas.clear()
        for floor in self.known.floors:
            for area in lift.get("destinations") or []:
                names = {plain(area.get(name)) for name in ("displayName", "floorId", "areaId")}
                if plain(floor) in names:
                    self.areas.setdefault(floor, str(area.get("areaId")))
        if len(self.areas) < len(self.known.floors):
            raise Unable("lift_floors_differ")

    async def read(self, answer: aiohttp.ClientResponse) -> dict[str, Any]:
        raw = await answer.content.read(LARGEST)
        told = json.loads(raw)
        if not isinstance(told, dict):
            raise ValueError("no answer of the protocol")  # noqa: TRY004  what it is, is not our fault
        return told

    async def listen(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async for message in socket:
            if message.type is aiohttp.WSMsgType.TEXT:
                with contextlib.suppress(ValueError, TypeError, AttributeError):
                    self.hear(json.loads(message.data))
        for future in self.asked.values():
            if not future.done():
                future.set_exception(ConnectionError("the building has hung up"))

    def hear(self, told: dict[str, Any]) -> None:
        """An answer, or what the lift tells of itself. Of other lifts nothing is believed."""
        if "code" in told:
            future = self.asked.get(str((told.get("data") or {}).get("requestId")))
            if future and not future.done():
                future.set_result(int(told["code"]))
        elif told.get("liftId") != self.known.module:
            return
        elif told.get("type") == "V1_LIFT_MODE":
            self.usable = told.get("status") != "UNAVAILABLE"
        elif told.get("type") == "V1_LIFT_STATUS":
            floor = next((name for name, area in self.areas.items() if area == str(told.get("areaId"))), "")
            moves = told.get("direction") in {"UP", "DOWN"} and told.get("status") == "CLOSED"
            door = DOORS.get(str(told.get("status")), "between")
            self.seen = Seen(held=self.held, floor="" if moves and floor != self.bound else floor, door=door)
            if floor and floor == self.bound and door == "open":
                self.bound = ""
