"""Addresses of a recording for who has no session: a part of it to download, or all of it for a viewer elsewhere.

Rules: who may open the recording is given one, and that is recorded each time; it opens what it says and nothing else.
A part is for a minute. A viewer, which reads ranges for as long as somebody looks, has an hour, and pages of its one
origin alone (`LUSTRA_LICHTBLICK_URL`) may read what an address opens.
"""

from collections.abc import AsyncIterable, Sequence
from datetime import datetime
from pathlib import PurePath
from urllib.parse import urlencode, urlsplit

import msgspec
from starlette.concurrency import iterate_in_threadpool

from lustra.core.context import Ctx, Services
from lustra.core.errors import Code, Refusal
from lustra.core.files.tickets import Tickets
from lustra.core.settings import Settings
from lustra.domains.device_log.contents import Cut
from lustra.domains.device_log.recordings import Ready, find_recording

PATH = "/deviceLog/recording.mcap"  # viewers go by the ending
PART_S = 60.0
VIEWER_S = 3600.0
PREFLIGHT_S = 600
EXPOSED = "accept-ranges, content-length, content-range, etag"


class Opening(msgspec.Struct):
    """What an address opens: all of a copy, or a part of it."""

    place: str
    name: str
    cut: Cut | None = None


def _tickets(settings: Settings) -> Tickets:
    return Tickets(settings.secret, "recording")


def _sign(settings: Settings, opening: Opening, life_s: float) -> str:
    return f"/api{PATH}?{urlencode({'link': _tickets(settings).sign(msgspec.to_builtins(opening), life_s)})}"


def read_link(settings: Settings, link: str) -> Opening:
    """Raises where it is forged or over."""
    claims = _tickets(settings).read(link)
    if claims is None:
        raise Refusal(Code.LINK_EXPIRED)
    return msgspec.convert(claims, Opening)


async def sign_part(ctx: Ctx, log_id: int, start: datetime, end: datetime, topics: Sequence[str]) -> str:
    ready = await find_recording(ctx, log_id)
    cut = _cut(ready, start, end, topics)
    ctx.note(start=start.isoformat(), end=end.isoformat(), topics=list(topics))
    name = f"{PurePath(ready.log.name).stem}-part.mcap"
    return _sign(ctx.app.settings, Opening(ready.log.recording_place, name, cut), PART_S)


def _cut(ready: Ready, start: datetime, end: datetime, topics: Sequence[str]) -> Cut:
    """A channel's number is its place among the topics that the conversion counted, from 1."""
    contents = ready.contents
    first, last = round(start.timestamp() * 1000), round(end.timestamp() * 1000)
    if last < contents.start or first > contents.end:
        raise Refusal(Code.BAD_INPUT, "startTime", reason="recording_outside")
    if unknown := set(topics) - {topic.name for topic in contents.topics}:
        raise Refusal(Code.BAD_INPUT, "topics", reason="recording_no_topic", topic=min(unknown))
    chosen = [number for number, topic in enumerate(contents.topics, 1) if topic.name in topics]
    return Cut(max(first, contents.start), min(last, contents.end), chosen)


def stream_part(app: Services, opening: Opening, cut: Cut) -> AsyncIterable[bytes]:
    try:
        from lustra.domains.device_log.cutting import cut_recording  # noqa: PLC0415  needs an extra
    except ModuleNotFoundError:
        raise Refusal(Code.BAD_INPUT, "link", reason="recording_libraries") from None
    return iterate_in_threadpool(cut_recording(app.objects.open_reader(opening.place), cut))


async def sign_for_viewer(ctx: Ctx, log_id: int) -> str:
    """Where the viewer opens the recording of itself."""
    settings = ctx.app.settings
    ready = await find_recording(ctx, log_id)
    if not settings.lichtblick_url:
        raise Refusal(Code.BAD_INPUT, "id", reason="viewer_unset")
    name = f"{PurePath(ready.log.name).stem}.mcap"
    path = _sign(settings, Opening(ready.log.recording_place, name), VIEWER_S)
    ctx.note(viewer=viewer_origin(settings))
    query = urlencode({"ds": "remote-file", "ds.url": f"{settings.public_url.rstrip('/')}{path}"})
    return f"{settings.lichtblick_url.rstrip('/')}/?{query}"


def viewer_origin(settings: Settings) -> str:
    """As browsers say it; empty: there is none."""
    address = urlsplit(settings.lichtblick_url)
    return f"{address.scheme}://{address.netloc}".lower() if address.netloc else ""


def share_headers(settings: Settings, origin: str) -> dict[str, str]:
    """For pages of the viewer's origin alone: from others, that are given none, their browser keeps the answer."""
    headers = {"vary": "origin"}
    if origin and origin == viewer_origin(settings):
        headers |= {"access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED}
    return headers


def preflight_headers(settings: Settings, origin: str) -> dict[str, str]:
    headers = share_headers(settings, origin)
    if "access-control-allow-origin" in headers:
        allowed = {"methods": "GET", "headers": "range, if-range"}
        headers |= {f"access-control-allow-{name}": value for name, value in allowed.items()}
        headers["access-control-max-age"] = str(PREFLIGHT_S)
    return headers
