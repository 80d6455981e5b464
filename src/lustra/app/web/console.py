"""The built console's files: precompressed, cached for ever where the name carries a hash, one page for all routes.

The page says from its first byte which language it will speak: the one chosen in this browser (a cookie), else the
first of the browser's own that we have; the console decides by the same rule (`console/src/shared/i18n/i18n.ts`).
The folder is looked for with each request: a build beside a running server empties it for a while, and is then served.
"""

import re
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response

from lustra.core import texts
from lustra.core.settings import Settings

PACKED = (("br", ".br"), ("gzip", ".gz"))
LONGEST_PATH = 200  # bytes: a file system refuses names of more than 255 by an error
HASHED = "assets/"  # Vite names these by their content
IMMUTABLE = "public, max-age=31536000, immutable"
FRESH = "no-cache"
UNBUILT = {"retry-after": "2", "cache-control": "no-store"}
ROOT = re.compile(r"<html\b[^>]*>")
BESIDE = '"./'  # how the page names its files; it is shown at any depth
LANGUAGE = "language"  # the cookie
HERE = Path(__file__).resolve()
PLACES = (HERE.parents[2] / "console", HERE.parents[4] / "console" / "dist")  # in the wheel; in a clone
KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".png": "image/png",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".ico": "image/x-icon",
    ".mp3": "audio/mpeg",
    ".pbf": "application/x-protobuf",
    ".webmanifest": "application/json",
}


class Console:
    def __init__(self, settings: Settings) -> None:
        self.base = settings.base_path
        self.places = (Path(settings.console),) if settings.console else PLACES

    async def answer(self, request: Request) -> Response:
        folder = next((place.resolve() for place in self.places if (place / "index.html").exists()), None)
        if folder is None:
            return PlainTextResponse("The console is not built: run `make setup`, or wait for it.", 503, UNBUILT)
        path = request.path_params["path"]
        if "\0" in path or len(path.encode(errors="replace")) > LONGEST_PATH:
            raise HTTPException(404)
        file = (folder / path).resolve()
        if not file.is_relative_to(folder):
            raise HTTPException(404)
        if path and file.is_file():
            return _file(request, file, IMMUTABLE if path.startswith(HASHED) else FRESH)
        if path.startswith(HASHED) or file.suffix in KINDS:
            raise HTTPException(404)  # a page in the place of a missing script would be run, or cached, as one
        return _page(request, folder / "index.html", self.base)


def _page(request: Request, path: Path, base: str) -> Response:
    language = request.cookies.get(LANGUAGE, "")
    if language not in texts.LANGUAGES:
        language = texts.preferred(request.headers.get("accept-language", ""))
    below = f' data-base="{base}"' if base else ""
    root = f'<html lang="{language}" dir="{texts.direction(language)}"{below}>'
    page = ROOT.sub(root, path.read_text(encoding="utf-8"), count=1).replace(BESIDE, f'"{base}/')
    return HTMLResponse(page, headers={"cache-control": FRESH, "vary": "accept-language, cookie"})


def _file(request: Request, path: Path, cache: str) -> Response:
    headers = {"cache-control": cache, "vary": "accept-encoding"}
    accepted = {part.split(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
    kind = KINDS.get(path.suffix, "application/octet-stream")
    for coding, suffix in PACKED:
        packed = path.with_name(path.name + suffix)
        if coding in accepted and packed.is_file():
            return FileResponse(packed, headers=headers | {"content-encoding": coding}, media_type=kind)
    return FileResponse(path, headers=headers, media_type=kind)
