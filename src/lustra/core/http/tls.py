"""Serving HTTP, over TLS where the settings name a certificate. A renewed one is shown without a new start."""

import asyncio
import contextlib
import ssl
from pathlib import Path
from socket import socket

import structlog
import uvicorn

from lustra.core.process.tasks import cancel_all
from lustra.core.settings import Settings

LOOK_EACH_S = 30.0

log = structlog.get_logger(__name__)


async def serve(config: uvicorn.Config, settings: Settings, listening: socket | None = None) -> None:
    """Until asked to end. `listening`: a socket that somebody else has opened."""
    sockets = [listening] if listening else None
    if not settings.tls_certificate:
        await uvicorn.Server(config).serve(sockets)
        return
    config.load()
    config.ssl = load_certificate(settings)
    following = asyncio.create_task(follow(config.ssl, settings), name="certificate")
    try:
        await uvicorn.Server(config).serve(sockets)
    finally:
        await cancel_all(following)


def load_certificate(settings: Settings) -> ssl.SSLContext:
    """TLS 1.2 and later. Raises OSError where the files cannot be used."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(settings.tls_certificate, settings.tls_key)
    return context


async def follow(context: ssl.SSLContext, settings: Settings) -> None:
    """Connections from now on see what the files say; half a pair, in the moment of its renewal, is left alone."""
    seen = changed_at(settings)
    while True:
        await asyncio.sleep(LOOK_EACH_S)
        with contextlib.suppress(FileNotFoundError):
            if (now := changed_at(settings)) == seen:
                continue
            try:
                load_certificate(settings)
            except OSError as why:
                log.warning("certificate.unusable", certificate=settings.tls_certificate, why=str(why))
            else:
                context.load_cert_chain(settings.tls_certificate, settings.tls_key)
                seen = now


def changed_at(settings: Settings) -> tuple[int, int]:
    return Path(settings.tls_certificate).stat().st_mtime_ns, Path(settings.tls_key).stat().st_mtime_ns
