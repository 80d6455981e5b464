"""The files of the tablet's page: no script, letter or picture of it comes from elsewhere."""

from functools import cache
from importlib.resources import files

KINDS = {
    "page.html": "text/html",
    "page.css": "text/css",
    "page.js": "text/javascript",
    "texts.json": "application/json",
}


@cache
def read(name: str) -> bytes:
    return files(__name__).joinpath(name).read_bytes()
