"""Sends a file up to a signed URL of the server, which checks its size and SHA-256."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import aiohttp

CHUNK = 64 * 1024
PART = 8 << 20  # bytes that a cut costs at most
REPORT_EACH_S = 2.0
PATIENCE = aiohttp.ClientTimeout(total=None, connect=10, sock_read=60)
LINE_BROKEN = (aiohttp.ClientError, TimeoutError, ConnectionError)
BROKEN = 500  # statuses from here on are no word of the server's


class NotTaken(Exception):
    """The server does not take the file. `field`: of what it complains (sha256, file, …); empty: of all of it."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


async def put_file(url: str, file: Path, size: int, sha256: str, report: Callable[[int], None]) -> None:
    """`report`: called now and then with how many bytes are sent. What was cut off goes on with the part in which it
    was, as long as the URL is the same. Raises NotTaken, or one of LINE_BROKEN."""
    address = f"{url}&{urlencode({'size': size, 'sha256': sha256})}"
    async with aiohttp.ClientSession(timeout=PATIENCE) as client:
        if size <= PART:
            await _put(client, address, _read(file, 0, size, report), {"Content-Length": str(size)})
            return
        have = await _put(client, address, b"", {"Content-Range": f"bytes */{size}"})
        while have < size:
            end = min(have + PART, size)
            fields = {"Content-Length": str(end - have), "Content-Range": f"bytes {have}-{end - 1}/{size}"}
            received = await _put(client, address, _read(file, have, end, report), fields)
            if received <= have:
                raise ConnectionError("the server did not receive the part")
            have = received


async def _put(
    client: aiohttp.ClientSession, address: str, data: bytes | AsyncIterator[bytes], fields: dict[str, str]
) -> int:
    """How many bytes of the file the server has then."""
    headers = {"Content-Type": "application/octet-stream"} | fields
    async with client.put(address, data=data, headers=headers) as answer:
        if answer.status >= BROKEN:
            answer.raise_for_status()
        return _received(await answer.read())


async def _read(file: Path, start: int, end: int, report: Callable[[int], None]) -> AsyncIterator[bytes]:
    loop = asyncio.get_running_loop()
    reported_at, have = loop.time(), start
    with file.open("rb") as opened:
        opened.seek(start)
        while part := opened.read(min(CHUNK, end - have)):
            yield part
            have += len(part)
            if loop.time() - reported_at >= REPORT_EACH_S:
                reported_at = loop.time()
                report(have)


def _received(body: bytes) -> int:
    """How many bytes the server has. Raises NotTaken unless the answer is that of success."""
    try:
        answer: Any = json.loads(body)
        if answer["message"]["code"] == 0:
            return int((answer.get("data") or {}).get("received", 0))
        field = (answer["data"] or {}).get("field")
    except (ValueError, KeyError, TypeError, AttributeError):
        field = None
    raise NotTaken(field if isinstance(field, str) else "")
