"""Headers that keep a browser on the safe side, on every answer that it may show; and by which names we answer at all.

A page of somebody else's may have its name point to this machine (DNS rebinding) and then speaks to us as its own
server: it is known by the name that it calls us by. A browser lets any page open a socket to us, and says whose page it
is.
"""

from urllib.parse import urlsplit

from starlette.datastructures import Headers as HttpHeaders
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lustra.core import texts
from lustra.core.calls import rpc
from lustra.core.errors import Code, Refusal
from lustra.core.settings import Settings


def policy(settings: Settings) -> str:
    """The console runs its own scripts only and speaks to this server and the known relays only.

    Styles may stand inline: the component library makes them as it draws.
    """
    video = [settings.video_url] if settings.video_url else []
    relays = [url for relay in settings.relays for url in (relay, relay.replace("http", "ws", 1))]
    return "; ".join(
        (
            "default-src 'self'",
            "script-src 'self'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            " ".join(["media-src 'self' blob:", *video]),
            "worker-src 'self' blob:",
            " ".join(["connect-src 'self'", *relays, *video]),
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


# Scripts, styles and pictures of the console: what a page may do, the page's own headers say.
ASSETS = "/assets/"
ASSET_HEADERS = ("x-content-type-options",)
FIRST_ERROR = 400  # status
LOCAL = ("localhost", "127.0.0.1", "::1")


def allowed_hosts(settings: Settings) -> frozenset[str]:
    """Names without ports; empty: any. In the demo, whose passwords are known to all, this machine's are given."""
    given = [name.strip().casefold() for name in settings.hosts.split(",") if name.strip()]
    if not given and not settings.demo:
        return frozenset()
    return frozenset({*given, *LOCAL, host_in(settings.public_url)})


def values_of(scope: Scope, header: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in scope["headers"] if name == header]


def host_in(url: str) -> str:
    """Empty where there is none that can be read."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def host_of(scope: Scope) -> str:
    """The name in the Host header; empty where there is none that can be read."""
    values = values_of(scope, b"host")
    return host_in(f"//{values[0]}") if len(values) == 1 else ""


def language_of(scope: Scope) -> str:
    return texts.preferred(HttpHeaders(scope=scope).get("accept-language", ""))


def is_asset(scope: Scope, message: Message) -> bool:
    """A file of the built console; an error in its place is a document."""
    return scope["path"].startswith(ASSETS) and message["status"] < FIRST_ERROR


class Headers:
    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.hosts = allowed_hosts(settings)
        self.pages = {*self.hosts, host_in(settings.public_url)}  # whose pages may open a socket
        self.headers = {
            "content-security-policy": policy(settings),
            "x-content-type-options": "nosniff",
            "x-frame-options": "DENY",
            "referrer-policy": "same-origin",
            "cross-origin-opener-policy": "same-origin",
            "permissions-policy": "camera=(), geolocation=(), microphone=()",
        }
        if settings.public_url.startswith("https:") and not settings.tls_authority:  # else nobody could look past it
            self.headers["strict-transport-security"] = "max-age=31536000"

    def is_foreign(self, scope: Scope) -> bool:
        """Called by a name that is not ours, or a socket that another's page opens. Programs name no page."""
        if self.hosts and host_of(scope) not in self.hosts:
            return True
        origins = values_of(scope, b"origin") if scope["type"] == "websocket" else []
        return any(host_in(origin) not in (self.pages | {host_of(scope)}) - {""} for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name in ASSET_HEADERS if is_asset(scope, message) else self.headers:
                    headers.setdefault(name, self.headers[name])
            await send(message)

        if scope["type"] != "lifespan" and self.is_foreign(scope):
            foreign = rpc.envelope(Refusal(Code.WRONG_HOST), language_of(scope))
            await foreign(scope, receive, sent if scope["type"] == "http" else send)
            return
        await self.app(scope, receive, sent if scope["type"] == "http" else send)
