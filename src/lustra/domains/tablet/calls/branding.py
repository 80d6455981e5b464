"""/user/…PadConfig: what tablets of a dealer's robots look like. Only the changing is given; the others are ours."""

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError
from starlette.datastructures import UploadFile

from lustra.core import jobs
from lustra.core.calls.rpc import PUBLIC, SESSION, Ctx, Nothing, Raw, Upload, Wire, call
from lustra.core.errors import Code, Refusal
from lustra.core.files.pictures import LARGEST
from lustra.core.wire import Commas, Id, SeenUpdateTime, UpdateTime, doc
from lustra.domains.tablet import pictures, service

LARGEST_FORM = 16 << 20  # so that a picture that is too large is refused with words
COLOURS = ", ".join([service.USUAL_COLOR, *(f"{colour} ({name})" for name, colour in service.CHOICES.items())])
PICTURE = "address as the upload answered it"


def _chosen(url: str) -> str:
    if not url:
        raise PydanticCustomError("picture_chosen", "Choose a picture")
    return url


def _choice(colour: str) -> str:
    if colour not in (service.USUAL_COLOR, *service.CHOICES.values()):
        raise PydanticCustomError("choice", "Not one of the colours")
    return colour


Url = Annotated[str, StringConstraints(max_length=200), AfterValidator(_chosen)]
NotChosen = Field("", validate_default=True)


class PadConfig(Wire):
    login_background: Annotated[Url, doc(f"Picture of 1280 × 800 behind the login: {PICTURE}.")] = NotChosen
    boot_animation: Annotated[Url, doc(f"Picture of 1280 × 800 while the robot starts: {PICTURE}.")] = NotChosen
    idle_animation: Annotated[Url, doc(f"Picture of 1280 × 800 while nothing happens: {PICTURE}.")] = NotChosen
    login_logo: Annotated[Url, doc(f"Logo of 800 × 326 on the login: {PICTURE}.")] = NotChosen
    main_logo: Annotated[Url, doc(f"Logo of 600 × 270 on the home page: {PICTURE}.")] = NotChosen
    home_tiles: Annotated[
        Commas[Url], doc("Pictures of 326 × 343, one for each entry of the home page: six addresses, in order.")
    ] = Field(min_length=service.HOME_TILES, max_length=service.HOME_TILES)
    about_us: Annotated[
        Annotated[
            str,
            StringConstraints(
                strip_whitespace=True, min_length=service.SHORTEST_ABOUT, max_length=service.LONGEST_ABOUT
            ),
        ],
        doc("Text about the dealer, 2 to 2000 characters."),
    ]
    theme_color: Annotated[
        str, AfterValidator(_choice), doc(f"Main colour of the tablet: {COLOURS}. Left out: the first.")
    ] = service.USUAL_COLOR


class PadConfigChange(PadConfig):
    user_id: Annotated[Id | None, doc("One's own account; any other is refused. Null: one's own.")] = None
    update_time: SeenUpdateTime = None


class PadConfigRow(PadConfig):
    user_id: Annotated[int, doc("Dealer whose robots look so.")]
    update_time: UpdateTime


class PadConfigView(Wire):
    pad_config: Annotated[PadConfigRow | None, doc("Null: nothing was chosen yet, tablets look as they come.")]


class PadPictureUpload(Wire):
    picture: Annotated[pictures.Picture, doc("What it is for, which says how large it must be.")]


class PadPicture(Wire):
    url: Annotated[str, doc("Address of the picture at this server, for /user/updatePadConfig.")]


class PadPictureName(Wire):
    name: Annotated[str, doc("Name of the picture, the end of its address.")] = Field(
        pattern=f"^{pictures.NAME}$", max_length=64
    )


@call("/user/selectPadConfig", needs=SESSION, reads=("tablet",))
async def read_pad_config(ctx: Ctx, _: Nothing) -> PadConfigView:
    """Read what tablets of the acting dealer's robots look like."""
    await service.demand_dealer(ctx)
    row = await service.load(ctx)
    if row is None:
        return PadConfigView(pad_config=None)
    fields = {name: getattr(row, name) for name in PadConfig.model_fields}
    return PadConfigView(pad_config=PadConfigRow(user_id=row.account_id, update_time=row.updated_at, **fields))


@call("/user/uploadPadPicture", needs=SESSION, upload=Upload(LARGEST_FORM))
async def upload_pad_picture(ctx: Ctx, payload: PadPictureUpload, files: list[UploadFile]) -> PadPicture:
    """Upload a picture (PNG, JPEG, GIF, WebP, at most 2 MB) of the exact size that its place has."""
    await service.demand_dealer(ctx)
    if not files or not (data := await files[0].read(LARGEST + 1)):
        raise Refusal(Code.BAD_INPUT, "file", reason="picture_chosen")
    return PadPicture(url=await pictures.store(ctx, payload.picture, data))


@call("/user/updatePadConfig", needs=SESSION, changes=("tablet",), audit="user.pad_config")
async def update_pad_config(ctx: Ctx, payload: PadConfigChange) -> Nothing:
    """Set what tablets of the acting dealer's robots look like: all of it at once."""
    if payload.user_id not in (None, ctx.actor.real_id, ctx.actor.acting_id):
        raise Refusal(Code.FORBIDDEN)
    fields = payload.model_dump(exclude={"user_id", "update_time"})
    await service.change(ctx, fields, payload.update_time)
    return Nothing()


@call("/public/tabletPicture/{name}", method="GET", needs=PUBLIC, raw="image/*")
async def show_pad_picture(ctx: Ctx, payload: PadPictureName) -> Raw:
    """Show a picture of a tablet."""
    data, kind = await pictures.read(ctx, payload.name)
    return Raw(data, kind, headers={"cache-control": "public, max-age=31536000, immutable"})


jobs.job("tablet.purge", cron="47 3 * * *")(pictures.purge)
