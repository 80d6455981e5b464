"""The profile picture: uploaded, then taken by an account."""

from typing import Annotated

from pydantic import Field
from starlette.datastructures import UploadFile

from lustra.core import jobs
from lustra.core.calls.rpc import PUBLIC, SESSION, Ctx, Nothing, Raw, Upload, Wire, call
from lustra.core.errors import Code, Refusal
from lustra.core.files import pictures
from lustra.core.wire import Id, Int32, doc
from lustra.domains.account import avatars

LARGEST_FORM = 16 << 20  # so that a picture that is too large is refused with words


class AvatarUrl(Wire):
    url: Annotated[str, doc("Address of the picture at this server; empty: none.")]


class AvatarChoice(Wire):
    url: Annotated[
        str, doc("Address as /public/uploadAvatar answered it; empty: the account has no picture any more.")
    ] = Field("", max_length=200)
    account: Annotated[str, doc("Ignored: `userId` names the account. Sent by the specification's console.")] = ""
    user_id: Annotated[Id | None, doc("Account that gets the picture, one's own or one below; null: one's own.")] = None


class AvatarSize(Wire):
    name: Annotated[str, doc("Name of the picture: 32 hexadecimal digits, the end of its address.")] = Field(
        pattern=r"^[0-9a-f]{32}$"
    )
    size: Annotated[Int32, doc("Edge of the square picture in pixels: 60 or 120.")] = 120


@call("/public/uploadAvatar", needs=SESSION, upload=Upload(LARGEST_FORM))
async def upload_avatar(ctx: Ctx, _: Nothing, files: list[UploadFile]) -> AvatarUrl:
    """Upload a picture, cropped to 60 and 120 pixels; /user/updateHeadPicture gives it to an account."""
    if not files or not (data := await files[0].read(pictures.LARGEST + 1)):
        raise Refusal(Code.BAD_INPUT, "file", reason="picture_chosen")
    return AvatarUrl(url=await avatars.store_avatar(ctx, data))


@call("/user/updateHeadPicture", needs=SESSION, changes=("user",), audit="user.avatar")
async def update_avatar(ctx: Ctx, payload: AvatarChoice) -> AvatarUrl:
    """Set one's own profile picture, or that of an account below."""
    await avatars.assign_avatar(ctx, payload.user_id, payload.url)
    return AvatarUrl(url=payload.url)


@call("/public/avatar/{name}", method="GET", needs=PUBLIC, raw="image/png")
async def show_avatar(ctx: Ctx, payload: AvatarSize) -> Raw:
    """Show a profile picture."""
    headers = {"cache-control": "public, max-age=31536000, immutable"}
    return Raw(await avatars.read_avatar(ctx, payload.name, payload.size), "image/png", headers=headers)


jobs.job("account.avatars", cron="27 3 * * *")(avatars.purge)
