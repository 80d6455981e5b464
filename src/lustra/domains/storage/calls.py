"""/oss: uploading, finding and deleting files. The bytes travel by PUT and GET /api/oss/object, by signed URLs."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from pydantic import Field
from starlette.datastructures import UploadFile

from lustra.core import jobs, quota
from lustra.core.calls.rpc import PUBLIC, SESSION, Ctx, Nothing, Raw, Upload, Wire, call
from lustra.core.errors import Code, Refusal
from lustra.core.files import disk, upload_parts
from lustra.core.http import ranges
from lustra.core.wire import Commas, doc
from lustra.domains.storage import disk_monitor, incoming, robot_files, service

INLINE = ("image/",)
LARGEST_FORM = service.LARGEST + (1 << 20)


class UploadRequest(Wire):
    is_private: Annotated[
        bool, doc("True: only the owner and those above it read the file; false: those below the owner, too.")
    ] = True
    file: Annotated[str, doc("Name of the file; or the file itself, as a part of a form.")] = ""
    target_path: Annotated[str, doc("Folder to store it in, at most 512 characters; empty: the account's own.")] = (
        Field("", max_length=512)
    )


class FilePath(Wire):
    is_private: Annotated[
        bool, doc("Ignored: the path alone says which file. Sent by the specification's console.")
    ] = True
    save_path: Annotated[str, doc("Path of the file, 1 to 1024 characters.")] = Field(min_length=1, max_length=1024)


class FilePaths(Wire):
    is_private: Annotated[
        bool, doc("Ignored: the paths alone say which files. Sent by the specification's console.")
    ] = True
    save_path: Annotated[Commas[str], doc("Paths of the files, 1 to 1000, separated by commas or as a list.")] = Field(
        min_length=1, max_length=1000
    )


class UploadToken(Wire):
    token: Annotated[str, doc("Token that /oss/upload answered.")] = Field(min_length=1, max_length=4096)
    size: Annotated[int, doc("Number of bytes; only of a file that a robot was asked for.")] = Field(
        0, ge=0, le=1 << 50
    )
    sha256: Annotated[str, doc("Their SHA-256 in hex; only of a file that a robot was asked for.")] = Field(
        "", max_length=64
    )


class Received(Wire):
    """How an upload stands: of one that comes in parts only `received` counts until all of them are there."""

    save_path: Annotated[str, doc("Path of the stored file; empty: more parts of it are to come.")]
    size: Annotated[int, doc("Size in bytes of the whole.")]
    kind: Annotated[str, doc("MIME type, judged by the first bytes; empty as long as more is to come.")]
    received: Annotated[int, doc("Bytes that have come; the next part begins there.")]


class SignedLink(Wire):
    link: Annotated[str, doc("Signed path of the file with its end.")] = Field(min_length=1, max_length=4096)
    name: Annotated[str, doc("Name that the browser saves the file by, at most 128 characters.")] = Field(
        "file", max_length=128
    )


class Held(Wire):
    kind: Annotated[quota.Kind, doc("Kind of data.")]
    used: Annotated[int, doc("Bytes of it that the caller holds.")]
    limit: Annotated[int, doc("Bytes that the caller may hold; 0: no limit.")]


class DiskSpace(Wire):
    """The disk on which files lie; where they lie in S3, nothing is ever low."""

    low: Annotated[bool, doc("Whether uploads are refused, or soon will be.")]
    free: Annotated[int, doc("Free bytes.")]
    reserve: Annotated[int, doc("Bytes that uploads leave free.")]


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
async def put_object(ctx: Ctx, payload: UploadToken, content: AsyncIterator[bytes]) -> Received:
    """Store the bytes of an upload token, or of the delivery of a robot that the token names: all of them, or the part
    that a Content-Range header names (`bytes 0-8388607/20000000`), which goes on where the parts before it end. A part
    that does not is passed over; `received` says where to go on. `bytes */20000000` without content asks for that."""
    claims = ctx.app.objects.claims(payload.token)
    span = upload_parts.parse_span(ctx.headers)
    if span is None:
        return await store_content(ctx, payload, claims, content)
    upload = upload_parts.PartUpload(ctx.app.objects, payload.token)
    received = await incoming.add_part(ctx, claims, upload, span, content)
    if received < span.total:
        return Received(save_path="", size=span.total, kind="", received=received)
    try:
        async with ctx.db.begin_nested():
            await quota.release(ctx.db, [upload.folder])
            largest, _ = incoming.part_limits(claims)
            stored = await store_content(ctx, payload, claims, upload.read_whole(), largest=largest)
    except Refusal:
        await incoming.drop(ctx.app, upload)
        raise
    ctx.after_commit(upload.delete)
    return stored


async def store_content(
    ctx: Ctx, payload: UploadToken, claims: dict[str, Any], content: AsyncIterator[bytes], *, largest: int = 0
) -> Received:
    """Put a whole content where its token says. `largest`: see service.store_file."""
    if robot_files.ORDER in claims:
        stored = await robot_files.store(ctx, claims, content, payload.size, payload.sha256)
        return Received(save_path=stored.path, size=stored.size, kind=stored.kind, received=stored.size)
    if place := claims.get("place"):
        stored = await ctx.app.objects.put(place, content, largest=claims["largest"])
        return Received(save_path=place, size=stored.size, kind=stored.kind, received=stored.size)
    file = await service.store_file(ctx, claims, content, largest=largest)
    return Received(save_path=file.path, size=file.size, kind=file.kind, received=file.size)


@call("/oss/downloadUrl", needs=SESSION)
async def sign_download_url(ctx: Ctx, payload: FilePath) -> str:
    """Answer a URL that opens a file for a minute."""
    file = await service.find_file(ctx.db, ctx.actor, payload.save_path)
    return service.sign_url(ctx.app.objects, file)


@call("/oss/delete", needs=SESSION, changes=("oss",), audit="oss.delete")
async def delete_files(ctx: Ctx, payload: FilePaths) -> Nothing:
    """Delete files, given as a comma-joined list of paths."""
    await service.delete_files(ctx.db, ctx.actor, payload.save_path)
    return Nothing()


@call("/oss/object", method="GET", needs=PUBLIC, raw="application/octet-stream")
async def get_object(ctx: Ctx, link: SignedLink) -> Raw:
    """Send a file by its signed URL, whole or the part that a Range header names; only pictures open in the page."""
    objects = ctx.app.objects
    path = objects.linked(link.link)
    about = await objects.about(path)
    part = ranges.parse_range(ctx.headers, about.size, about.etag)
    headers = part.headers | {"cache-control": "private, max-age=60", "content-security-policy": "sandbox"}
    body = objects.parts(path, part.start, part.end) if part.end else b""
    name = "" if about.kind.startswith(INLINE) else link.name
    return Raw(body, about.kind, name=name, headers=headers, status=part.status)


jobs.job("storage.disk", cron="*/5 * * * *")(disk_monitor.measure_disk)
jobs.job("storage.purge", cron="17 3 * * *")(service.purge)
jobs.job("storage.purge_parts", cron="27 3 * * *")(incoming.purge)
