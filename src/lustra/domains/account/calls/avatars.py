"""The profile picture: uploaded, then taken by an account."""

from pydantic import Field
from starlette.datastructures import UploadFile

from lustra.core import jobs, pictures
from lustra.core.errors import Code, Refusal
from lustra.core.rpc import PUBLIC, SESSION, Ctx, Nothing, Raw, Upload, Wire, call
from lustra.core.wire import Id, Int32
from lustra.domains.account import avatars

LARGEST_FORM = 16 << 20  # so that a picture that is too large is refused with words


class AvatarUrl(Wire):
    url: str


class AvatarChoice(Wire):
    """`url`: as the upload answered it. Without `userId` one's own; `account` is its login name."""

    url: str = Field("", max_length=200)
    account: str = ""
    user_id: Id | None = None


class AvatarSize(Wire):
    """`size`: pixels of its edge, 60 or 120."""

    name: str = Field(pattern=r"^[0-9a-f]{32}$")
    size: Int32 = 120


@call("/public/uploadAvatar", needs=SESSION, upload=Upload(LARGEST_FORM))
async def upload_avatar(ctx: Ctx, _: Nothing, files: list[UploadFile]) -> AvatarUrl:
    """Upload a picture, cropped to 60 and 120 pixels; /user/updateHeadPicture gives it to an account."""
    if not files or not (data := await files[0].read(pictures.LARGEST + 1)):
        raise Refusal(Code.BAD_INPUT, "file", reason="avatar_chosen")
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
