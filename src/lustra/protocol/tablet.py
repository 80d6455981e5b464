"""What a robot's tablet looks like: what the server orders, and what the robot says of it. docs/robot-tablet.md says it
for makers."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

TabletPart = Literal["look"]
TabletState = Literal["loading", "shown", "failed"]
PictureUrl = Annotated[str, Meta(max_length=2048)]
MOST_TILES = 6
LARGEST_PICTURE = 2 << 20  # bytes


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
