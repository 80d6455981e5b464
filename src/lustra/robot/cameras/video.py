"""Live pictures that the server asks for: drawn, encoded once, and put up in one request for each camera.

Rules: a camera works only while an order of the server's holds; a line that breaks is opened again until then; what
cannot be sent in time is not drawn, so nobody sees old pictures. By WebRTC where the robot is set to and UDP gets
through, else by HTTP. In a room that the map marks nothing is drawn at all;
the stream says that it pauses.
"""

import asyncio
import logging
import struct
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from importlib import import_module

import aiohttp

from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.protocol.video import PRIVATE, SendVideo, is_private
from lustra.robot.cameras import encoder, view
from lustra.robot.simulation.machine import Machine
from lustra.robot.simulation.people import find_people

log = logging.getLogger(__name__)
AGAIN_S = 0.5
PATIENCE = aiohttp.ClientTimeout(total=None, connect=10)
ENDED = (403, 410)
PAUSE = struct.pack(">I4s", 8 + len(PRIVATE), b"skip") + PRIVATE
LINE_BROKEN = (aiohttp.ClientError, TimeoutError, ConnectionError)


@dataclass
class Filming:
    """One camera that works. `until`: of the loop's clock. `whip`: URL for WebRTC; empty: by HTTP alone."""

    camera: str
    url: str
    whip: str
    until: float
    task: "asyncio.Task[None] | None" = None


@dataclass
class Cameras:
    machine: Machine
    webrtc: bool = False
    filming: dict[str, Filming] = field(default_factory=dict[str, Filming])

    def names(self) -> list[str]:
        return list(view.CAMERAS)

    def accept(self, order: SendVideo) -> None:
        """An order, a longer one, or the end of one or all."""
        if not order.seconds:
            self.end(order.camera)
            return
        if order.camera not in view.CAMERAS:
            raise RobotRefusal(RelayCode.UNKNOWN, "camera_unknown", "The robot has no such camera", "camera")
        if not encoder.is_installed():
            raise RobotRefusal(RelayCode.FAILED, "video_not_installed", "Live video needs the extra lustra[video]")
        until = asyncio.get_running_loop().time() + order.seconds
        if filming := self.filming.get(order.camera):
            filming.url, filming.until = order.url, until
            return
        whip = order.whip if self.webrtc else ""
        filming = self.filming[order.camera] = Filming(order.camera, order.url, whip, until)
        filming.task = asyncio.create_task(self.film(filming), name=f"camera {order.camera}")

    def end(self, camera: str = "") -> None:
        for name in [camera] if camera else list(self.filming):
            if (filming := self.filming.pop(name, None)) and filming.task:
                filming.task.cancel()

    async def run(self) -> None:
        """For as long as the robot is on."""
        try:
            await asyncio.Event().wait()
        finally:
            tasks = [filming.task for filming in self.filming.values() if filming.task]
            self.end()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def film(self, filming: Filming) -> None:
        loop = asyncio.get_running_loop()
        try:
            async with aiohttp.ClientSession(timeout=PATIENCE) as client:
                if filming.whip:
                    await self.film_by_webrtc(client, filming)
                while loop.time() < filming.until:
                    try:
                        async with client.put(filming.url, data=self.pictures(filming)) as answer:
                            log.info("camera %s: %s", filming.camera, answer.status)
                            if answer.status in ENDED:
                                return
                    except LINE_BROKEN as why:
                        log.info("camera %s: %r", filming.camera, why)
                    await asyncio.sleep(AGAIN_S)
        finally:
            if self.filming.get(filming.camera) is filming:
                del self.filming[filming.camera]

    async def film_by_webrtc(self, client: aiohttp.ClientSession, filming: Filming) -> None:
        """Until the connection ends. What goes on then goes by HTTP, which says whether anybody watches."""
        webrtc = await asyncio.to_thread(import_module, "lustra.robot.cameras.webrtc")
        try:
            await webrtc.send(client, filming.whip, webrtc.Track(self, filming))
        except Exception as why:  # noqa: BLE001  whatever it is, pictures go on by HTTP
            log.info("camera %s by WebRTC: %r", filming.camera, why)

    async def pictures(self, filming: Filming) -> AsyncIterator[bytes]:
        """The stream, until the order is over."""
        loop, coder = asyncio.get_running_loop(), encoder.Encoder()
        began = due = loop.time()
        paused = False
        try:
            yield coder.take()
            while (now := loop.time()) < filming.until:
                before, paused = paused, self.is_private()
                if paused and not before:
                    yield PAUSE
                elif not paused and (data := await asyncio.to_thread(self.encode, coder, filming.camera, now - began)):
                    yield data
                due = max(due + 1 / encoder.RATE, loop.time())
                await asyncio.sleep(due - loop.time())
        finally:
            coder.close()

    def is_private(self) -> bool:
        floor = self.machine.floor
        return floor is not None and is_private(floor.private_rooms, self.machine.pose.xy)

    def encode(self, coder: encoder.Encoder | encoder.PacketEncoder, camera: str, seconds: float) -> bytes:
        return coder.encode(self.picture(camera), seconds)

    def picture(self, camera: str) -> view.Picture:
        """What that camera sees now, with name and time."""
        pose, around = self.machine.pose, self.machine.surroundings
        caption = f"{self.machine.sn}  {camera}  {datetime.now(timezone.utc):%Y-%m-%d %H:%M:%S} UTC"
        if around is None:
            return view.draw_dark(caption)
        passers = find_people(around, time.time(), pose.xy)
        return view.draw(around, view.Eye(pose.x, pose.y, pose.yaw + view.CAMERAS[camera]), caption, passers)
