"""The look of a robot's tablet, and its adverts: the server's orders, and the robot's progress.
docs/robot-tablet.md describes this for makers."""

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
    """The look that your dealer gives your tablet, all of it at once: fetch its images, then show it. The same
    `revision` again brings fresh URLs; another one replaces it, whichever number is higher."""

    revision: Annotated[int, Meta(ge=0, description="Number of this look; 0: there is none, use your default.")]
    theme_color: Annotated[str, Meta(description="Main colour, #RRGGBB.")] = ""
    about_us: Annotated[str, Meta(description="Text about the dealer.")] = ""
    login_background: Annotated[PictureUrl, Meta(description="Signed URL of the image behind the login.")] = ""
    boot_animation: Annotated[PictureUrl, Meta(description="Signed URL of the image while the robot starts.")] = ""
    idle_animation: Annotated[PictureUrl, Meta(description="Signed URL of the image while it is at rest.")] = ""
    login_logo: Annotated[PictureUrl, Meta(description="Signed URL of the login's logo.")] = ""
    main_logo: Annotated[PictureUrl, Meta(description="Signed URL of the home page's logo.")] = ""
    home_tiles: Annotated[
        list[PictureUrl], Meta(max_length=MOST_TILES, description="Signed URLs of the home page's entries, in order.")
    ] = []


class TabletProgress(msgspec.Struct, kw_only=True):
    """How far a robot is with the look of its tablet. Until it is `shown`, the former one is."""

    part: Annotated[TabletPart, Meta(description="Always `look`.")]
    revision: Annotated[int, Meta(ge=0, description="Revision of the look.")]
    state: Annotated[TabletState, Meta(description="How far it is.")]
    reason: Annotated[str, Meta(max_length=64, description="Why it failed: a reason of the catalogue.")] = ""


class PlannedAdvert(msgspec.Struct, kw_only=True):
    """An image, or a video that runs to its end, and when to show it, in your own time zone. From 22:00 to 06:00 spans
    midnight."""

    id: Annotated[int, Meta(gt=0, description="Id of the advert.")]
    name: Annotated[str, Meta(max_length=100, description="Name of the advert.")]
    url: Annotated[str, Meta(max_length=2048, description="Signed URL of the file.")]
    kind: Annotated[
        Literal["image/png", "image/jpeg", "image/gif", "image/webp", "video/mp4", "video/webm"],
        Meta(description="Media type of the file."),
    ]
    size: Annotated[int, Meta(gt=0, le=LARGEST_VIDEO, description="Bytes of the file.")]
    sha256: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$", description="Of the file.")]
    seconds: Annotated[int, Meta(ge=1, le=3600, description="For how long an image is shown, s.")]
    start_date: Annotated[Day, Meta(description="First day, YYYY-MM-DD; empty: no bound.")] = ""
    end_date: Annotated[Day, Meta(description="Last day, YYYY-MM-DD; empty: no bound.")] = ""
    start_time: Annotated[Clock, Meta(description="From this time of day, HH:MM; empty: no bound.")] = ""
    end_time: Annotated[Clock, Meta(description="To this time of day, HH:MM; empty: no bound.")] = ""


class AdvertPlan(msgspec.Struct, kw_only=True):
    """All adverts of your tablet: fetch the files that you do not have, then show this plan. The same `revision` again
    brings fresh URLs; another one replaces it, whichever number is higher."""

    revision: Annotated[int, Meta(ge=0, description="Number of this plan; 0: show none.")]
    adverts: Annotated[
        list[PlannedAdvert], Meta(max_length=MOST_ADVERTS, description="In the order to show them.")
    ] = []


class AdvertProgress(msgspec.Struct, kw_only=True):
    """How far a robot is with its adverts. Until the plan is `shown`, the former one is."""

    revision: Annotated[int, Meta(ge=0, description="Revision of the plan.")]
    state: Annotated[Literal["loading", "shown", "failed"], Meta(description="How far it is.")]
    reason: Annotated[str, Meta(max_length=64, description="Why it failed: a reason of the catalogue.")] = ""


class AdvertCounts(msgspec.Struct, kw_only=True):
    """How often each advert was shown to its end on a day, so far."""

    day: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$", description="In the robot's own time zone, YYYY-MM-DD.")]
    times: Annotated[
        dict[str, Annotated[int, Meta(ge=0, le=100_000)]],
        Meta(max_length=1000, description="How often each was shown, by its id."),
    ]


def state_at(local: datetime, days: tuple[str, str], hours: tuple[str, str]) -> AdvertState:
    """By the local time of the robot. `days` and `hours`: from and to, empty where there is no bound."""
    day, clock = local.date().isoformat(), local.strftime("%H:%M")
    (first, last), (begins, ends) = days, hours
    if last and (day > last or (day == last and begins < ends <= clock)):
        return "over"
    if first and day < first:
        return "planned"
    within_hours = begins <= clock < ends if begins < ends else begins == ends or clock >= begins or clock < ends
    return "showing" if within_hours else "planned"
