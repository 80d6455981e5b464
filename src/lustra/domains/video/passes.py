"""What opens pictures: a signed URL, and whether its bearer still may see what it opens.

Rules: a pass opens one camera that runs, or one recording, for one session; keys, scope, support access and the session
are looked at again and again while somebody watches. The link of a clip is anybody's. `/camera` and `/whip` take what a
robot sends, as long as its order holds.
"""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, TypeVar
from urllib.parse import quote

import msgspec

from lustra.core.context import Actor, Ctx, Services
from lustra.core.errors import Code, Refusal
from lustra.core.files.objects import URL_LIFE_S
from lustra.core.files.tickets import Tickets
from lustra.core.settings import Settings
from lustra.domains.account.api import find_actor, support
from lustra.domains.video.tables import LiveVideo, VideoRecord, ViewKind
from lustra.protocol.video import LONGEST_S, SendVideo

PAGE = "device/videoHistory"
LIVE = "device/videoHistory/live"
Row = TypeVar("Row", LiveVideo, VideoRecord)


@dataclass(frozen=True, slots=True)
class Pass:
    """`kind` and `row`: what it opens. `session` and `account` of whom it was made for, at `address`."""

    kind: ViewKind
    row: int
    account: int
    session: str
    address: str = ""


@dataclass(frozen=True, slots=True)
class CameraPass:
    """A robot's, for what one of its cameras sees."""

    device: int
    camera: str


@dataclass(frozen=True, slots=True)
class ClipPass:
    """Anybody's, for a clip."""

    clip: int


def open_tickets(settings: Settings) -> Tickets:
    return Tickets(settings.secret, "video")


def read_pass(tickets: Tickets, ticket: str, kind: type[Pass] | type[CameraPass] | type[ClipPass]) -> Any:
    """None: it is no such pass, or over."""
    try:
        return msgspec.convert(tickets.read(ticket), kind)
    except msgspec.ValidationError:
        return None


def sign_url(settings: Settings, path: str, claims: dict[str, Any], life_s: float) -> str:
    if not settings.video_url:
        raise Refusal(Code.VIDEO_OFF)
    ticket = open_tickets(settings).sign(claims, life_s)
    return f"{settings.video_url.rstrip('/')}/{path}?ticket={quote(ticket, safe='')}"


def sign_view(ctx: Ctx, path: str, kind: ViewKind, row: int) -> str:
    """Opens the camera or the recording for the session that calls."""
    given = Pass(kind, row, ctx.actor.real_id, ctx.actor.session_id, ctx.address)
    return sign_url(ctx.app.settings, path, asdict(given), URL_LIFE_S)


def sign_order(settings: Settings, device: int, camera: str, seconds: float = LONGEST_S) -> SendVideo:
    """What a robot is sent: where its camera's pictures go, by HTTP or by WebRTC, and for how long."""
    claims = asdict(CameraPass(device, camera))
    url, whip = (sign_url(settings, path, claims, LONGEST_S) for path in ("camera", "whip"))
    return SendVideo(camera=camera, url=url, whip=whip, seconds=seconds)


async def load_open(app: Services, given: Pass, table: type[Row], key: str) -> tuple[Row, Actor] | None:
    """The row that a pass opens, and who sees it; None: not any more."""
    if app.logins.is_revoked(given.session):
        return None
    async with app.sessions() as db:
        actor = await find_actor(db, given.account)
        if actor is None or key not in actor.keys:
            return None
        rows = actor.scope.select(table).where(table.id == given.row, support.condition(actor, table.owner_path))
        row = await db.scalar(rows)
        return None if row is None else (row, actor)


async def load_camera(app: Services, given: Pass, at: datetime) -> tuple[LiveVideo, Actor] | None:
    """One that runs then."""
    opened = await load_open(app, given, LiveVideo, LIVE)
    return opened if opened and opened[0].until_at > at else None


async def load_record(app: Services, given: Pass) -> tuple[VideoRecord, Actor] | None:
    """One that is whole, and not deleted."""
    opened = await load_open(app, given, VideoRecord, PAGE)
    return opened if opened and opened[0].place and opened[0].deleted_at is None else None
