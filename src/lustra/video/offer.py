"""What a browser or a camera sends to open a connection by WebRTC: a description of a session (WHEP, WHIP)."""

from importlib.util import find_spec

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

LARGEST_OFFER = 64 << 10
SDP = "application/sdp"


class Refused(Exception):
    """No connection comes of this offer. `status`: of HTTP."""

    def __init__(self, reason: str, status: int = 406) -> None:
        super().__init__(reason)
        self.status = status


async def read_offer(request: Request) -> str | Response:
    """A description of a session, or why it is refused."""
    if find_spec("aiortc") is None:
        return PlainTextResponse("WebRTC needs the extra lustra[video]", 501)
    if request.headers.get("content-type", "").partition(";")[0].strip() != SDP:
        return PlainTextResponse(f"an offer is {SDP}", 415)
    offer = bytearray()
    async for part in request.stream():
        offer += part
        if len(offer) > LARGEST_OFFER:
            return PlainTextResponse("no offer is so long", 413, headers={"connection": "close"})
    return offer.decode(errors="replace")
