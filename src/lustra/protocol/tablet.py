"""What a robot's tablet looks like, and its adverts: what the server orders, and what the robot says of it.
docs/robot-tablet.md says it for makers."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

TabletPart = Literal["look"]
TabletState = Literal["loading", "shown", "failed"]
PictureUrl = Annotated[str, Meta(max_length=2048)]
MOST_TILES = 6
LARGEST_PICTURE = 2 << 20  # bytes
AdvertState = Literal["planned", "showing", "over"]
MOST_ADVERTS = 60  # of a robot
LARGEST_VIDEO = 50 << 20  # bytes
Day = Annotated[str, Meta(pattern=r"^(\d{4}-\d{2}-\d{2})?$")]
Clock = Annotated[str, Meta(pattern=r"^(\d{2}:\d{2})?$")]


class TabletLook(msgspec.Struct, kw_only=True):
    """The look that your dealer gives your tablet, all of it at once: fetch its pictures by their signed URLs, then
    show it. `theme_color`: #RRGGBB; `about_us`: text about the dealer. The same `revision` again carries fresh URLs;
    another one takes its place, whichever number is higher. Revision 0: no dealer gives it one, so look as you come."""

    revision: Annotated[int, Meta(ge=0)]
    theme_color: str = ""
    about_us: str = ""
    login_background: PictureUrl = ""
    boot_animation: PictureUrl = ""
    idle_animation: PictureUrl = ""
    login_logo: PictureUrl = ""
    main_logo: PictureUrl = ""
    home_tiles: Annotated[list[PictureUrl], Meta(max_length=MOST_TILES)] = []


class TabletProgress(msgspec.Struct, kw_only=True):
    """How far a robot is with an order for its tablet: `loading` its pictures, while it shows what it showed before;
    `shown`; or `failed` for a reason of the catalogue, and shows what it showed before."""

    part: TabletPart
    revision: Annotated[int, Meta(ge=0)]
    state: TabletState
    reason: Annotated[str, Meta(max_length=64)] = ""


class PlannedAdvert(msgspec.Struct, kw_only=True):
    """A picture that stands for `seconds`, or a video that runs to its end, on the days and between the hours of your
    own place; an empty date or hour is no bound. From 22:00 to 06:00 goes over midnight."""

    id: Annotated[int, Meta(gt=0)]
    name: Annotated[str, Meta(max_length=100)]
    url: Annotated[str, Meta(max_length=2048)]
    kind: Literal["image/png", "image/jpeg", "image/gif", "image/webp", "video/mp4", "video/webm"]
    size: Annotated[int, Meta(gt=0, le=LARGEST_VIDEO)]
    sha256: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$")]
    seconds: Annotated[int, Meta(ge=1, le=3600)]
    start_date: Day = ""
    end_date: Day = ""
    start_time: Clock = ""
    end_time: Clock = ""


class AdvertPlan(msgspec.Struct, kw_only=True):
    """All adverts that your tablet shows, in their order: fetch what you do not have by its signed URL, then show this
    plan. The same `revision` again carries fresh URLs; another one takes its place, whichever number is higher.
    Revision 0: show none."""

    revision: Annotated[int, Meta(ge=0)]
    adverts: Annotated[list[PlannedAdvert], Meta(max_length=MOST_ADVERTS)] = []


class AdvertProgress(msgspec.Struct, kw_only=True):
    """How far a robot is with a plan: `loading` its files, while it shows the plan before; `shown`; or `failed` for a
    reason of the catalogue, and shows the plan before."""

    revision: Annotated[int, Meta(ge=0)]
    state: Literal["loading", "shown", "failed"]
    reason: Annotated[str, Meta(max_length=64)] = ""


class AdvertCounts(msgspec.Struct, kw_only=True):
    """How often each advert, by its id, was shown to its end on a day of the robot's own place, all of that day until
    now."""

    day: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    times: Annotated[dict[str, Annotated[int, Meta(ge=0, le=100_000)]], Meta(max_length=1000)]


def state_at(local: datetime, days: tuple[str, str], hours: tuple[str, str]) -> AdvertState:
    """By the clock on the wall where the robot is. `days` and `hours`: from and to, empty where there is no bound."""
    day, clock = local.date().isoformat(), local.strftime("%H:%M")
    (first, last), (begins, ends) = days, hours
    if last and (day > last or (day == last and begins < ends <= clock)):
        return "over"
    if first and day < first:
        return "planned"
    within_hours = begins <= clock < ends if begins < ends else begins == ends or clock >= begins or clock < ends
    return "showing" if within_hours else "planned"
