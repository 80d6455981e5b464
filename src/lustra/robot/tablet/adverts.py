"""Adverts of the robot's tablet: fetched as the server has planned them, shown in their order, and counted.

Rules: a file counts with the right checksum alone. An advert counts where it was shown to its end; what a person, a
speech or a notification cut short does not.
"""

import hashlib
import shutil
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import aiohttp
import msgspec

from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.protocol.tablet import AdvertCounts, AdvertPlan, AdvertProgress, PlannedAdvert, state_at
from lustra.robot.tablet.orders import Orders, State, refuse_bad_link
from lustra.robot.tablet.video_length import read_length

PATIENCE = aiohttp.ClientTimeout(total=None, connect=10, sock_read=30)
TELL_MS = 300_000  # between two reports of counts
DAYS = 3  # whose counts are kept


class Counts(msgspec.Struct):
    """How often each advert was shown, by day and id; and when that was reported last, ms."""

    days: dict[str, dict[str, int]] = {}
    at: int = 0
    changed: bool = False


@dataclass
class Adverts(Orders[AdvertPlan]):
    """`playing`: the advert that is on the tablet, since `began` for `length` (ms)."""

    shown: AdvertPlan = field(default_factory=lambda: AdvertPlan(revision=0))
    counts: Counts = field(default_factory=Counts)
    playing: PlannedAdvert | None = None
    began: int = 0
    length: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if (file := self._file("counts")).exists():
            self.counts = msgspec.json.decode(file.read_bytes(), type=Counts)

    # Orders

    def accept(self, order: AdvertPlan) -> AdvertProgress:
        return AdvertProgress(revision=order.revision, state=self._take(order))

    async def _fetch(self, order: AdvertPlan) -> AdvertPlan:
        self.folder.mkdir(parents=True, exist_ok=True)
        missing = {each.sha256: each for each in order.adverts if not self.file(each).exists()}
        if sum(each.size for each in missing.values()) > shutil.disk_usage(self.folder).free:
            raise RobotRefusal(RelayCode.FAILED, "advert_space", "There is no room for the adverts")
        async with aiohttp.ClientSession(timeout=PATIENCE) as client:
            for each in missing.values():
                await self._fetch_file(client, each)
        return order

    async def _fetch_file(self, client: aiohttp.ClientSession, advert: PlannedAdvert) -> None:
        part, seen, size = self.file(advert).with_suffix(".part"), hashlib.sha256(), 0
        async with client.get(advert.url) as answer:
            refuse_bad_link(answer, "advert_link")
            with part.open("wb") as out:
                async for data in answer.content.iter_any():
                    size += len(data)
                    if size > advert.size:
                        break
                    seen.update(data)
                    out.write(data)
        if size != advert.size or seen.hexdigest() != advert.sha256:
            part.unlink()
            raise RobotRefusal(RelayCode.BAD_INPUT, "advert_file", "A file is not what was ordered")
        part.replace(self.file(advert))

    def _show(self, order: AdvertPlan) -> None:
        super()._show(order)
        self.playing = None
        used = {each.sha256 for each in order.adverts}
        for file in self.folder.glob("*"):
            if file.suffix != ".json" and file.name not in used:
                file.unlink()

    def _say(self, order: AdvertPlan, state: State, reason: str = "") -> None:
        progress = AdvertProgress(revision=order.revision, state=state, reason=reason)
        self.robot.outbox.event("adverts", "plan", content=progress)
        self.robot.woken.set()

    # On the tablet

    def step(self, now: int, *, free: bool) -> None:
        """`free`: nothing else is on the tablet."""
        local = datetime.fromtimestamp(now / 1000, ZoneInfo(self.robot.spec.zone))
        if self.playing and free and now >= self.began + self.length:
            self._count(self.playing, local.date().isoformat())
            self._play(self._after(self.playing, local), now)
        elif not free or not self.playing or not is_due(self.playing, local):
            self._play(self._after(self.playing, local) if free else None, now)
        if self.counts.changed and now >= self.counts.at + TELL_MS:
            self._tell(now)

    def _after(self, advert: PlannedAdvert | None, local: datetime) -> PlannedAdvert | None:
        """The next that is due; the only one again."""
        every = self.shown.adverts
        first = every.index(advert) + 1 if advert in every else 0
        return next((each for each in [*every[first:], *every[:first]] if is_due(each, local)), None)

    def _play(self, advert: PlannedAdvert | None, now: int) -> None:
        self.playing, self.began = advert, now
        if advert:
            own = read_length(self.file(advert)) if advert.kind.startswith("video/") else 0.0
            self.length = round((own or advert.seconds) * 1000)

    def _count(self, advert: PlannedAdvert, day: str) -> None:
        times = self.counts.days.setdefault(day, {})
        times[str(advert.id)] = times.get(str(advert.id), 0) + 1
        self.counts.changed = True
        self._save("counts", self.counts)

    def _tell(self, now: int) -> None:
        """All of each day until now, so that a repeated report counts once."""
        self.counts.days = dict(sorted(self.counts.days.items())[-DAYS:])
        for day, times in self.counts.days.items():
            self.robot.outbox.event("adverts", "shown", content=AdvertCounts(day=day, times=times))
        self.counts.at, self.counts.changed = now, False
        self._save("counts", self.counts)
        self.robot.woken.set()

    def picture(self, name: str) -> bytes:
        """Of an advert that is shown; empty: there is none."""
        advert = next((each for each in self.shown.adverts if each.sha256 == name), None)
        return self.file(advert).read_bytes() if advert and advert.kind.startswith("image/") else b""

    def file(self, advert: PlannedAdvert) -> Path:
        return self.folder / advert.sha256


def is_due(advert: PlannedAdvert, local: datetime) -> bool:
    days, hours = (advert.start_date, advert.end_date), (advert.start_time, advert.end_time)
    return state_at(local, days, hours) == "showing"
