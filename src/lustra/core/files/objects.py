"""Files, in a folder or in S3, by one interface (obstore).

A file is written under a temporary name, its content is checked by its bytes, then it is moved to its place: what stood
there before stays until the new one is whole. Signed URLs live 60 s and open one path.
"""

import hashlib
import io
from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlparse
from uuid import uuid4

import obstore
from obstore.store import LocalStore, from_url

from lustra.core.errors import Code, Refusal
from lustra.core.files import disk
from lustra.core.files.tickets import Tickets

URL_LIFE_S = 60
PART = 256 << 10
HEAD = 64  # bytes that show what a file is


@dataclass(frozen=True, slots=True)
class Stored:
    path: str
    size: int
    kind: str
    sha256: str


@dataclass(frozen=True, slots=True)
class About:
    """`etag` with its quotes, as HTTP has it."""

    kind: str
    size: int
    etag: str


def kind_of(head: bytes) -> str:
    """Media type by the first bytes; what we do not know is plain bytes, never served as a page."""
    for start, kind in (
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"GIF87a", "image/gif"),
        (b"GIF89a", "image/gif"),
        (b"PK\x03\x04", "application/zip"),
        (b"%PDF-", "application/pdf"),
        (b"\x1f\x8b", "application/gzip"),
        (b"P5\n", "image/x-portable-graymap"),
        (b"P5 ", "image/x-portable-graymap"),
    ):
        if head.startswith(start):
            return kind
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    if head[4:8] == b"ftyp":
        return "video/mp4"
    if head.startswith(b"\x1aE\xdf\xa3"):
        return "video/webm"
    return "application/octet-stream"


class _Reader(io.RawIOBase):
    """A stored file as Python's own readers take it."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.file.read(len(buffer))
        buffer[: len(data)] = bytes(data)
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self.file.seek(offset, whence)

    def tell(self) -> int:
        return self.file.tell()


class Objects:
    def __init__(self, url: str, secret: str, reserve_mb: int = 0) -> None:
        self.links, self.uploads = Tickets(secret, "link"), Tickets(secret, "upload")
        self.folder, self.reserve_mb = disk.folder_of(url), reserve_mb
        place = urlparse(url)
        if place.scheme == "file":
            Path(place.path).mkdir(parents=True, exist_ok=True)
            self.store: Any = LocalStore(place.path, mkdir=True)
        else:
            self.store = from_url(url)

    def free_bytes(self) -> int:
        """Bytes that are free on the disk of the store; 0 for S3."""
        return disk.measure_space(self.folder, self.reserve_mb).free if self.folder else 0

    def space(self) -> disk.Space | None:
        """Free and whole size of the store's disk; None for S3, which has no end."""
        return disk.measure_space(self.folder, self.reserve_mb) if self.folder else None

    def demand_space(self, size: int = 0) -> None:
        """Refused when so many bytes more would touch the reserve of the disk. S3 has none."""
        if self.folder and self.reserve_mb and disk.measure_space(self.folder, self.reserve_mb).for_uploads <= size:
            raise Refusal(Code.DISK_FULL)

    async def put(
        self, path: str, parts: AsyncIterable[bytes], *, largest: int, kinds: tuple[str, ...] = (), field: str = "file"
    ) -> Stored:
        """Store a stream. Too large, or not one of `kinds` by its bytes: refused, and nothing is stored."""
        new, size, head, digest = f"new/{uuid4().hex}", 0, b"", hashlib.sha256()

        async def counted() -> AsyncIterator[bytes]:
            nonlocal size, head
            async for part in parts:
                size += len(part)
                if size > largest:
                    raise Refusal(Code.TOO_LARGE, field, limit=f"{largest / (1 << 20):g} MB")
                self.demand_space(len(part))
                head = (head + part)[:HEAD] if len(head) < HEAD else head
                digest.update(part)
                yield part

        try:
            await _write(self.store, new, counted())
            kind = _accepted(head, kinds, field)
            await obstore.rename_async(self.store, new, path)
        except BaseException:
            await self.delete(new)
            raise
        return Stored(path, size, kind, digest.hexdigest())

    async def put_bytes(self, path: str, data: bytes) -> None:
        new = f"new/{uuid4().hex}"
        await obstore.put_async(self.store, new, data)
        await obstore.rename_async(self.store, new, path)

    async def get(self, path: str) -> bytes:
        try:
            response = await obstore.get_async(self.store, path)
            return bytes(await response.bytes_async())
        except FileNotFoundError:
            raise Refusal(Code.NOT_FOUND, reason="file_unknown") from None

    async def about(self, path: str) -> About:
        """Media type by its bytes, size, and a tag that no other content of this path has."""
        try:
            meta = await obstore.head_async(self.store, path)
            head = await obstore.get_range_async(self.store, path, start=0, end=HEAD) if meta["size"] else b""
        except FileNotFoundError:
            raise Refusal(Code.NOT_FOUND, reason="file_unknown") from None
        tag = (meta["e_tag"] or f"{meta['last_modified'].timestamp()}").removeprefix("W/").strip('"')
        return About(kind_of(bytes(head)), meta["size"], f'"{tag}"')

    async def parts(self, path: str, start: int, end: int) -> AsyncIterator[bytes]:
        """A part of the content, as a stream."""
        response = await obstore.get_async(self.store, path, options={"range": (start, end)})
        async for part in response.stream(min_chunk_size=PART):
            yield bytes(part)

    def open_reader(self, path: str) -> io.BufferedReader:
        """For a library that seeks and reads, in a thread of its own."""
        return io.BufferedReader(_Reader(obstore.open_reader(self.store, path)), PART)

    async def exists(self, path: str) -> bool:
        try:
            await obstore.head_async(self.store, path)
        except FileNotFoundError:
            return False
        return True

    async def demand(self, path: str, field: str) -> None:
        """Raises a refusal of `field` where nothing lies at the path."""
        if not await self.exists(path):
            raise Refusal(Code.NOT_FOUND, field, reason="file_unknown")

    async def delete(self, path: str) -> None:
        try:
            await obstore.delete_async(self.store, path)
        except FileNotFoundError:
            return

    async def older(self, folder: str, than: datetime) -> AsyncIterator[list[str]]:
        """Paths in a folder that were written before then, some at a time."""
        async for entries in obstore.list(self.store, prefix=folder):
            yield [each["path"] for each in entries if each["last_modified"] < than]

    async def list_folder(self, folder: str) -> list[tuple[str, int]]:
        """Paths and sizes of what lies in a folder, by path."""
        entries = [each async for some in obstore.list(self.store, prefix=folder) for each in some]
        return sorted((each["path"], each["size"]) for each in entries)

    def signed(self, path: str, *, life_s: float = URL_LIFE_S) -> str:
        """Query of a URL that opens this path for a minute: `?link=…`."""
        return f"?link={self.links.sign({'path': path}, life_s)}"

    def linked(self, link: str) -> str:
        """The path that a signed URL opens. Raises where it is forged or over."""
        claims = self.links.read(link)
        if claims is None:
            raise Refusal(Code.LINK_EXPIRED)
        return claims["path"]

    def ticket(self, claims: dict[str, Any], life_ms: int) -> str:
        """For an upload: whoever brings it may store what the claims say."""
        return self.uploads.sign(claims, life_ms / 1000)

    def claims(self, ticket: str) -> dict[str, Any]:
        """What the ticket of an upload allows. Raises where it is forged or over."""
        claims = self.uploads.read(ticket)
        if claims is None:
            raise Refusal(Code.UPLOAD_EXPIRED)
        return claims


def _accepted(head: bytes, kinds: tuple[str, ...], field: str) -> str:
    kind = kind_of(head)
    if kinds and kind not in kinds:
        raise Refusal(Code.BAD_INPUT, field, reason="file_format")
    return kind


async def _write(store: Any, path: str, parts: AsyncIterator[bytes]) -> None:
    async with obstore.open_writer_async(store, path) as writer:
        async for part in parts:
            await writer.write(part)
