"""/oss: uploading, finding and deleting files. The bytes travel by PUT and GET /api/oss/object, by signed URLs."""

from collections.abc import AsyncIterator
from typing import Literal
from urllib.parse import quote

from pydantic import Field
from starlette.datastructures import UploadFile

from lustra.core import disk, jobs, ranges
from lustra.core.errors import Code, Refusal
from lustra.core.rpc import PUBLIC, SESSION, Ctx, Nothing, Raw, Upload, Wire, call
from lustra.core.wire import Commas, Id
from lustra.domains.storage import disk_monitor, service

INLINE = ("image/",)
LARGEST_FORM = service.LARGEST + (1 << 20)


class UploadRequest(Wire):
    """`file` is the name, or the file itself in a form."""

    is_private: bool = True
    file: str = ""
    target_path: str = Field("", max_length=512)


class FilePath(Wire):
    is_private: bool = True
    save_path: str = Field(min_length=1, max_length=1024)


class FilePaths(Wire):
    is_private: bool = True
    save_path: Commas[str] = Field(min_length=1, max_length=1000)


class UploadToken(Wire):
    token: str = Field(min_length=1, max_length=4096)


class FileView(Wire):
    save_path: str
    size: int
    kind: str


class SignedLink(Wire):
    path: str
    exp: Id
    sig: str
    name: str = Field("file", max_length=128)


class Held(Wire):
    """Bytes of one kind that the caller holds; `limit` 0: without limit."""

    kind: Literal["files", "adverts", "maps", "pictures"]
    used: int
    limit: int


class DiskSpace(Wire):
    """Bytes. `low`: uploads will soon be refused, or are. Nothing is low where files lie in S3."""

    low: bool
    free: int
    reserve: int


async def read_parts(file: UploadFile) -> AsyncIterator[bytes]:
    while part := await file.read(256 << 10):
        yield part


@call("/oss/upload", needs=SESSION, upload=Upload(LARGEST_FORM), changes=("oss",), audit="oss.upload")
async def upload_file(ctx: Ctx, payload: UploadRequest, files: list[UploadFile]) -> str:
    """Answer a token for PUT /api/oss/object, good for 110 minutes; a file in the form is stored at once."""
    name = (files[0].filename or "") if files else payload.file
    if not name:
        raise Refusal(Code.BAD_INPUT, "file", reason="required")
    path = service.path_of(payload.target_path, name)
    token = service.upload_token(ctx.app.objects, ctx.actor, path, private=payload.is_private)
    if files:
        await service.store_file(ctx, ctx.app.objects.claims(token), read_parts(files[0]))
    return token


@call("/oss/holdings", needs=SESSION)
async def find_holdings(ctx: Ctx, _: Nothing) -> list[Held]:
    """List how much the caller holds of each kind, and how much it may."""
    return [Held(kind=kind, used=used, limit=limit) for kind, used, limit in await service.holdings(ctx)]


@call("/oss/diskSpace", needs="index", person=True)
async def find_disk_space(ctx: Ctx, _: Nothing) -> DiskSpace:
    """Show administrators (level 1) whether the disk on which files lie has room."""
    if ctx.actor.level != 1:
        raise Refusal(Code.FORBIDDEN)
    space = ctx.app.objects.space() or disk.Space(0, 0, 0)
    return DiskSpace(low=space.low, free=space.free, reserve=space.reserve)


@call("/oss/object", method="PUT", needs=PUBLIC, upload=Upload(LARGEST_FORM, stream=True), changes=("oss",))
async def put_object(ctx: Ctx, payload: UploadToken, content: AsyncIterator[bytes]) -> FileView:
    """Store the bytes of an upload token, or of the delivery of a robot that the token names."""
    claims = ctx.app.objects.claims(payload.token)
    if place := claims.get("place"):
        stored = await ctx.app.objects.put(place, content, largest=claims["largest"])
        return FileView(save_path=place, size=stored.size, kind=stored.kind)
    file = await service.store_file(ctx, claims, content)
    return FileView(save_path=file.path, size=file.size, kind=file.kind)


@call("/oss/downloadUrl", needs=SESSION)
async def sign_download_url(ctx: Ctx, payload: FilePath) -> str:
    """Answer a URL that opens a file for a minute."""
    file = await service.find_file(ctx.db, ctx.actor, payload.save_path)
    name = quote(file.path.rsplit("/", 1)[-1])
    return f"/api/oss/object{ctx.app.objects.signed(file.place)}&name={name}"


@call("/oss/delete", needs=SESSION, changes=("oss",), audit="oss.delete")
async def delete_files(ctx: Ctx, payload: FilePaths) -> Nothing:
    """Delete files, given as a comma-joined list of paths."""
    await service.delete_files(ctx.db, ctx.actor, payload.save_path)
    return Nothing()


@call("/oss/object", method="GET", needs=PUBLIC, raw="application/octet-stream")
async def get_object(ctx: Ctx, link: SignedLink) -> Raw:
    """Send a file by its signed URL, whole or the part that a Range header names; only pictures open in the page."""
    objects = ctx.app.objects
    if not objects.genuine(link.path, link.exp, link.sig):
        raise Refusal(Code.LINK_EXPIRED)
    about = await objects.about(link.path)
    part = ranges.parse_range(ctx.headers, about.size, about.etag)
    headers = part.headers | {"cache-control": "private, max-age=60", "content-security-policy": "sandbox"}
    body = objects.parts(link.path, part.start, part.end) if part.end else b""
    name = "" if about.kind.startswith(INLINE) else link.name
    return Raw(body, about.kind, name=name, headers=headers, status=part.status)


jobs.job("storage.disk", cron="*/5 * * * *")(disk_monitor.measure_disk)
jobs.job("storage.purge", cron="17 3 * * *")(service.purge)
