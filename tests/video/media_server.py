"""A media server for tests: takes a camera by WHIP and shows it by WHEP, to whoever has the token."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import uvicorn
from aiortc import MediaStreamTrack, RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.contrib.media import MediaRelay
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

TOKEN = "Bearer of-the-media-server"
SDP = "application/sdp"


@dataclass
class MediaServer:
    """`refusing`: it answers nothing but errors."""

    url: str = ""
    refusing: bool = False
    tracks: dict[str, MediaStreamTrack] = field(default_factory=dict[str, MediaStreamTrack])
    connections: dict[str, RTCPeerConnection] = field(default_factory=dict[str, RTCPeerConnection])
    relay: MediaRelay = field(default_factory=MediaRelay)

    async def open(self, request: Request) -> Response:
        kind, stream = request.path_params["kind"], request.path_params["stream"]
        if self.refusing or request.headers.get("authorization") != TOKEN:
            return Response(status_code=401)
        if kind == "whep" and stream not in self.tracks:
            return Response(status_code=404)
        connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        if kind == "whip":
            connection.on("track", lambda track: self.tracks.update({stream: track}))
        else:
            connection.addTrack(self.relay.subscribe(self.tracks[stream]))
        await connection.setRemoteDescription(RTCSessionDescription((await request.body()).decode(), "offer"))
        await connection.setLocalDescription(await connection.createAnswer())
        name = f"{kind}-{len(self.connections)}"
        self.connections[name] = connection
        return Response(connection.localDescription.sdp, 201, {"location": f"/session/{name}"}, SDP)

    async def end(self, request: Request) -> Response:
        with suppress(KeyError):
            await self.connections.pop(request.path_params["name"]).close()
        return Response(status_code=200)

    def count(self, kind: str) -> int:
        return sum(name.startswith(kind) for name in self.connections)


@asynccontextmanager
async def media_servers() -> AsyncIterator[MediaServer]:
    media = MediaServer()
    routes = [
        Route("/{stream}/{kind}", media.open, methods=["POST"]),
        Route("/session/{name}", media.end, methods=["DELETE"]),
    ]
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), port=0, log_config=None, lifespan="off"))
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110  # uvicorn has no event for it
        await asyncio.sleep(0.01)
    media.url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    try:
        yield media
    finally:
        for connection in media.connections.values():
            await connection.close()
        server.should_exit = True
        await serving
