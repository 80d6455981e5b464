"""Where stored files are fetched and brought: one path of the API, opened by a signed link or by a ticket."""

from typing import Any
from urllib.parse import quote

from lustra.core.files.objects import URL_LIFE_S, Objects
from lustra.core.settings import Settings

FILES = "/api/oss/object"


def fetch_path(objects: Objects, place: str, *, life_s: float = URL_LIFE_S) -> str:
    """Opens a stored file to a browser that is at this server already."""
    return f"{FILES}{objects.signed(place, life_s=life_s)}"


def fetch_url(settings: Settings, objects: Objects, place: str, life_s: float) -> str:
    """Opens a stored file to a robot."""
    return f"{settings.public_url.rstrip('/')}{fetch_path(objects, place, life_s=life_s)}"


def upload_url(settings: Settings, objects: Objects, claims: dict[str, Any], life_ms: int) -> str:
    """Takes from a robot the file that the claims allow."""
    ticket = quote(objects.ticket(claims, life_ms), safe="")
    return f"{settings.public_url.rstrip('/')}{FILES}?token={ticket}"
