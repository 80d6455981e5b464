"""The console and its calls below a path of their host, as the public URL says: `https://example.com/lustra`.

The proxy in front passes paths on as they come. Who asks at the server's own port without that path is answered too:
health checks, scrapers, a proxy that takes the path away.
"""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


class BasePath:
    def __init__(self, app: ASGIApp, base: str) -> None:
        self.app, self.base = app, base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope.get("path", "")
        if not self.base or not f"{path}/".startswith(f"{self.base}/"):
            await self.app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            """A page of ours that a browser is led to lies below the path as well."""
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                location = headers.get("location", "")
                if location.startswith("/"):
                    headers["location"] = self.base + location
            await send(message)

        inside = path.removeprefix(self.base) or "/"
        raw = (scope.get("raw_path") or b"").removeprefix(self.base.encode()) or b"/"
        await self.app({**scope, "path": inside, "raw_path": raw}, receive, sent)
