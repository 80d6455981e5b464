"""Headers that keep a browser on the safe side, on every answer."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lustra.core.settings import Settings


def policy(settings: Settings) -> str:
    """The console runs its own scripts only and speaks to this server and the known relays only.

    Styles may stand inline: the component library makes them as it draws.
    """
    relays = [url for relay in settings.relays for url in (relay, relay.replace("http", "ws", 1))]
    return "; ".join(
        (
            "default-src 'self'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data: blob:",
            "font-src 'self' data:", "media-src 'self' blob:", "worker-src 'self' blob:",
            " ".join(["connect-src 'self'", *relays]), "object-src 'none'", "base-uri 'none'", "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )  # fmt: skip


class Headers:
    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.headers = {
            "content-security-policy": policy(settings),
            "x-content-type-options": "nosniff",
            "x-frame-options": "DENY",
            "referrer-policy": "same-origin",
            "cross-origin-opener-policy": "same-origin",
            "permissions-policy": "camera=(), geolocation=(), microphone=()",
        }
        if settings.public_url.startswith("https:"):
            self.headers["strict-transport-security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, sent if scope["type"] == "http" else send)
