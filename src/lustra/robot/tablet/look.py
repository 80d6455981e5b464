"""What the robot's tablet looks like: as its dealer has ordered by the server, or as it comes.

Rules: the new look is shown once all of its pictures are on the disk, and the former one until then. A line that breaks
is tried again for as long as the order stands; the newest order counts, also after a restart.
"""

import asyncio
import contextlib
import hashlib
import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import aiohttp
import msgspec

from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.protocol.tablet import LARGEST_PICTURE, TabletLook, TabletProgress, TabletState
from lustra.robot.outbox import Outbox
from lustra.robot.spec import Spec
from lustra.robot.store import write

log = logging.getLogger(__name__)
AGAIN_S = 5.0
PATIENCE = aiohttp.ClientTimeout(total=60, connect=10)
LINE_BROKEN = (aiohttp.ClientError, TimeoutError, ConnectionError)
OK = 200  # statuses of HTTP; from BROKEN on they are no word of the server's
BROKEN = 500
KINDS = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif", b"RIFF": "image/webp"}
PICTURES = ("login_background", "boot_animation", "idle_animation", "login_logo", "main_logo")


class Dressed(Protocol):
    """The robot, as far as its tablet needs it."""

    spec: Spec
    outbox: Outbox
    woken: asyncio.Event


def kind_of(data: bytes) -> str:
    """The media type of a picture, by its first bytes; empty: it is none."""
    return next((kind for head, kind in KINDS.items() if data.startswith(head)), "")


@dataclass
class Look:
    """`shown` names the files of its pictures where an order has URLs."""

    robot: Dressed
    folder: Path
    shown: TabletLook = field(default_factory=lambda: TabletLook(revision=0))
    order: TabletLook | None = None
    woken: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        for name in ("shown", "order"):
            if (file := self._file(name)).exists():
                setattr(self, name, msgspec.json.decode(file.read_bytes(), type=TabletLook))

    def accept(self, order: TabletLook) -> TabletProgress:
        if order.revision == self.shown.revision:
            self._drop_order()
            return self._progress(order, "shown")
        if not order.revision:
            self._show(order)
            return self._progress(order, "shown")
        self._save("order", order)
        self.order = order
        self.woken.set()
        return self._progress(order, "loading")

    def picture(self, name: str) -> bytes:
        """A picture of the look that is shown; empty: there is none."""
        file = self.folder / "pictures" / name
        return file.read_bytes() if name and file.exists() else b""

    async def run(self) -> None:
        """For as long as the robot is on."""
        while True:
            self.woken.clear()
            if order := self.order:
                await self._load(order)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(AGAIN_S if self.order else None):
                    await self.woken.wait()

    async def _load(self, order: TabletLook) -> None:
        """Once; what another order has taken the place of meanwhile is not shown."""
        try:
            look = await self._fetch(order)
        except LINE_BROKEN as why:
            log.info("%s: tablet: %r", self.robot.spec.sn, why)
            return
        except RobotRefusal as refusal:
            if self.order is order:
                self._drop_order()
                self._say(order, "failed", refusal.reason)
            return
        if self.order is order:
            self._show(look)
            self._say(order, "shown")

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

    def _show(self, look: TabletLook) -> None:
        self._save("shown", look)
        self.shown = look
        self._drop_order()
        used = set(_urls(look))
        for file in (self.folder / "pictures").glob("*"):
            if file.name not in used:
                file.unlink()

    def _drop_order(self) -> None:
        self.order = None
        self._file("order").unlink(missing_ok=True)

    def _progress(self, order: TabletLook, state: TabletState, reason: str = "") -> TabletProgress:
        return TabletProgress(part="look", revision=order.revision, state=state, reason=reason)

    def _say(self, order: TabletLook, state: TabletState, reason: str = "") -> None:
        self.robot.outbox.event("tablet", "look", content=self._progress(order, state, reason))
        self.robot.woken.set()

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def _save(self, name: str, look: TabletLook) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        write(self._file(name), msgspec.json.encode(look))


def _urls(look: TabletLook) -> list[str]:
    return [*(getattr(look, name) for name in PICTURES), *look.home_tiles]


async def _read_picture(client: aiohttp.ClientSession, url: str) -> bytes:
    data = bytearray()
    async with client.get(url) as answer:
        if answer.status >= BROKEN:
            answer.raise_for_status()
        if answer.status != OK or answer.content_type == "application/json":  # a refusal is an envelope
            raise RobotRefusal(RelayCode.FAILED, "tablet_link", "A link opens nothing any more")
        async for part in answer.content.iter_any():
            data += part
            if len(data) > LARGEST_PICTURE:
                break
    picture = bytes(data)
    if len(picture) > LARGEST_PICTURE or not kind_of(picture):
        raise RobotRefusal(RelayCode.BAD_INPUT, "tablet_picture", "What a link opens is no picture of at most 2 MB")
    return picture
