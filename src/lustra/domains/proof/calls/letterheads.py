"""/taskReport/…Letterhead: logo and colour of documents, and whether one's month comes by mail."""

from typing import Annotated

from pydantic import Field, StringConstraints
from starlette.datastructures import UploadFile

from lustra.core import jobs
from lustra.core.calls.rpc import PUBLIC, Ctx, Nothing, Raw, Upload, Wire, call
from lustra.core.errors import Code, Refusal
from lustra.core.files.pictures import LARGEST
from lustra.core.wire import SeenUpdateTime, UpdateTime, doc
from lustra.domains.proof import letterhead
from lustra.domains.proof.records import VIEW

LARGEST_FORM = 16 << 20  # so that a picture that is too large is refused with words
FOR_EVER = "public, max-age=31536000, immutable"


class LetterheadFields(Wire):
    logo: Annotated[
        Annotated[str, StringConstraints(max_length=200)],
        doc("Picture at the top: address as the upload answered it; empty: none."),
    ] = ""
    colour: Annotated[
        Annotated[str, StringConstraints(pattern="^(#[0-9A-Fa-f]{6})?$")],
        doc("Colour of headings, #rrggbb, dark enough to be read on white; empty: the usual."),
    ] = ""
    monthly: Annotated[bool, doc("Whether the account gets the document of each month by mail, on the first.")] = False


class LetterheadChange(LetterheadFields):
    update_time: SeenUpdateTime = None


class LetterheadRow(LetterheadFields):
    update_time: UpdateTime


class LetterheadLook(Wire):
    logo: Annotated[str, doc("Address of the picture at this server; empty: none.")]
    colour: Annotated[str, doc("Colour of headings, #rrggbb.")]


class LetterheadView(Wire):
    letterhead: Annotated[
        LetterheadRow | None, doc("Null: nothing was chosen; documents look as those of who stands above.")
    ]
    shown: Annotated[LetterheadLook, doc("What documents look like: one's own, else of the nearest above.")]
    mailbox: Annotated[bool, doc("Whether the account has an address that mails can go to.")]


class LogoFile(Wire):
    url: Annotated[str, doc("Address of the picture at this server, for /taskReport/updateLetterhead.")]


class LogoName(Wire):
    name: Annotated[str, doc("Name of the picture, the end of its address.")] = Field(
        pattern=f"^{letterhead.NAME}$", max_length=32
    )


@call("/taskReport/letterhead", needs=VIEW, reads=("letterhead",))
async def select_letterhead(ctx: Ctx, _: Nothing) -> LetterheadView:
    """Read what documents of one's account look like."""
    row = await letterhead.load(ctx)
    fields = row and {name: getattr(row, name) for name in LetterheadFields.model_fields}
    shown = LetterheadRow(update_time=row.updated_at, **fields) if row and fields else None
    logo, colour = await letterhead.find_look(ctx, ctx.actor.acting_id)
    look = LetterheadLook(logo=logo, colour=colour)
    return LetterheadView(letterhead=shown, shown=look, mailbox=bool(await letterhead.find_mailboxes(ctx)))


@call("/taskReport/uploadLogo", needs=VIEW, upload=Upload(LARGEST_FORM))
async def upload_logo(ctx: Ctx, _: Nothing, files: list[UploadFile]) -> LogoFile:
    """Upload a logo (PNG, JPEG, GIF, WebP, at most 2 MB); it is drawn anew, in at most 960 × 240 pixels."""
    if not files or not (data := await files[0].read(LARGEST + 1)):
        raise Refusal(Code.BAD_INPUT, "file", reason="picture_chosen")
    return LogoFile(url=await letterhead.store_logo(ctx, data))


@call("/taskReport/updateLetterhead", needs=VIEW, changes=("letterhead",), audit="report.letterhead")
async def update_letterhead(ctx: Ctx, payload: LetterheadChange) -> Nothing:
    """Set what documents of one's account, and of those below without their own, look like."""
    await letterhead.change(ctx, payload.model_dump(exclude={"update_time"}), payload.update_time)
    return Nothing()


@call("/public/letterheadLogo/{name}", method="GET", needs=PUBLIC, raw="image/png")
async def show_logo(ctx: Ctx, payload: LogoName) -> Raw:
    """Show a logo of documents."""
    content = await letterhead.read_logo(ctx.app, payload.name)
    return Raw(content, "image/png", headers={"cache-control": FOR_EVER})


jobs.job("letterhead.purge", cron="51 3 * * *")(letterhead.purge)
