"""Whether a process answers over HTTP: asked at start, without a client library."""

import asyncio
import contextlib
import ssl

from lustra.stack.liveness import NotYet


async def http_ok(host: str, port: int, path: str, tls: ssl.SSLContext | None = None) -> None:
    try:
        read, write = await asyncio.open_connection(host, port, ssl=tls)
    except OSError as why:
        raise NotYet from why
    try:
        write.write(f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: close\r\n\r\n".encode())
        status = await read.readline()
    except ConnectionError as why:
        raise NotYet from why
    finally:
        write.close()
        with contextlib.suppress(OSError):
            await write.wait_closed()
    if status.split()[1:2] != [b"200"]:
        raise NotYet(status.decode())
