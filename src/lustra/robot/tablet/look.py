"""What the robot's tablet looks like: as its dealer has ordered by the server, or as it comes."""

import hashlib
from dataclasses import dataclass, field

import aiohttp
import msgspec

from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.protocol.tablet import LARGEST_PICTURE, TabletLook, TabletProgress
from lustra.robot.store import write
from lustra.robot.tablet.orders import Orders, State, refuse_bad_link

PATIENCE = aiohttp.ClientTimeout(total=60, connect=10)
KINDS = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif", b"RIFF": "image/webp"}
PICTURES = ("login_background", "boot_animation", "idle_animation", "login_logo", "main_logo")


def kind_of(data: bytes) -> str:
    """The media type of a picture, by its first bytes; empty: it is none."""
    return next((kind for head, kind in KINDS.items() if data.startswith(head)), "")


@dataclass
class Look(Orders[TabletLook]):
    """`shown` names the files of its pictures where an order has URLs."""

    shown: TabletLook = field(default_factory=lambda: TabletLook(revision=0))

    def accept(self, order: TabletLook) -> TabletProgress:
        if not order.revision and self.shown.revision:
            self._show(order)
        return self._progress(order, self._take(order))

    def picture(self, name: str) -> bytes:
        """A picture of the look that is shown; empty: there is none."""
        file = self.folder / "pictures" / name
        return file.read_bytes() if name and file.exists() else b""

    async def _fetch(self, order: TabletLook) -> TabletLook:
        """The look with its pictures on the disk."""
        files: dict[str, str] = {}
        async with aiohttp.ClientSession(timeout=PATIENCE) as client:
            for url in {url for url in _urls(order) if url}:
                data = await _read_picture(client, url)
                files[url] = hashlib.sha256(data).hexdigest()
                (self.folder / "pictures").mkdir(parents=True, exist_ok=True)
                write(self.folder / "pictures" / files[url], data)
        names = {name: files.get(getattr(order, name), "") for name in PICTURES}
        return msgspec.structs.replace(order, **names, home_tiles=[files.get(url, "") for url in order.home_tiles])

    def _show(self, order: TabletLook) -> None:
        super()._show(order)
        used = set(_urls(order))
        for file in (self.folder / "pictures").glob("*"):
            if file.name not in used:
                file.unlink()

    def _progress(self, order: TabletLook, state: State, reason: str = "") -> TabletProgress:
        return TabletProgress(part="look", revision=order.revision, state=state, reason=reason)

    def _say(self, order: TabletLook, state: State, reason: str = "") -> None:
        self.robot.outbox.event("tablet", "look", content=self._progress(order, state, reason))
        self.robot.woken.set()


def _urls(look: TabletLook) -> list[str]:
    return [*(getattr(look, name) for name in PICTURES), *look.home_tiles]


async def _read_picture(client: aiohttp.ClientSession, url: str) -> bytes:
    data = bytearray()
    async with client.get(url) as answer:
        refuse_bad_link(answer, "tablet_link")
        async for part in answer.content.iter_any():
            data += part
            if len(data) > LARGEST_PICTURE:
                break
    picture = bytes(data)
    if len(picture) > LARGEST_PICTURE or not kind_of(picture):
        raise RobotRefusal(RelayCode.BAD_INPUT, "tablet_picture", "What a link opens is no picture of at most 2 MB")
    return picture
