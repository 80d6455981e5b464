"""Fetches a package by its signed URL, and goes on where the line or the power broke."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import aiohttp

from lustra.robot.updates.trust import LineBroken, refuse

CHUNK = 64 * 1024
SYNC_BYTES = 1 << 20  # between two writes to the disk itself; what came after the last one is fetched again
PATIENCE = aiohttp.ClientTimeout(total=None, connect=10, sock_read=20)
WHOLE = 200  # statuses of HTTP
PART = 206


def bytes_on_disk(file: Path, size: int) -> int:
    """Bytes that are surely on the disk, whatever befell the robot."""
    have = file.stat().st_size if file.exists() else 0
    return have if have == size else have // SYNC_BYTES * SYNC_BYTES


async def fetch(url: str, file: Path, size: int, report: Callable[[int], None]) -> None:
    """What is still missing. `report`: called now and then with the bytes there; raises what ends the download."""
    have = bytes_on_disk(file, size)
    if have == size:
        return
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    try:
        async with (
            aiohttp.ClientSession(timeout=PATIENCE) as client,
            client.get(url, headers=headers) as answer,
        ):
            start = have if answer.status == PART else 0
            if answer.status not in {WHOLE, PART} or answer.content_type == "application/json":
                raise refuse("update_link", "The link opens nothing any more")  # a refusal is an envelope
            if answer.content_length is not None and start + answer.content_length != size:
                raise refuse("update_checksum", "The package is not as long as the metadata says")
            await _receive(answer, file, start, report)
    except (aiohttp.ClientError, TimeoutError, ConnectionError) as why:
        raise LineBroken from why


async def _receive(answer: aiohttp.ClientResponse, file: Path, start: int, report: Callable[[int], None]) -> None:
    synced = start
    with file.open("r+b" if start else "wb") as out:
        out.truncate(start)
        out.seek(start)
        async for piece in answer.content.iter_chunked(CHUNK):
            out.write(piece)
            if out.tell() - synced >= SYNC_BYTES:
                out.flush()
                os.fsync(out.fileno())
                synced = out.tell()
                report(synced)
        out.flush()
        os.fsync(out.fileno())


def check(file: Path, size: int, sha256: str) -> None:
    """Reads all of it."""
    with file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    if (file.stat().st_size, digest) != (size, sha256):
        file.unlink()
        raise refuse("update_checksum", "The package is not the one that the metadata names")
