"""What may be entered of a webhook. The same rules hold in the console."""

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError

SCHEMES = ("http", "https")


def _check_address(text: str) -> str:
    try:
        url = urlsplit(text)
        port = url.port
    except ValueError:
        raise PydanticCustomError("address", "No address of a server") from None
    if url.scheme not in SCHEMES or not url.hostname or "@" in url.netloc or url.fragment or port == 0:
        raise PydanticCustomError("address", "No address of a server")
    if not text.isascii() or not text.isprintable() or " " in text or "\\" in text:
        raise PydanticCustomError("address", "No address of a server")
    return text


Address = Annotated[str, StringConstraints(strip_whitespace=True, max_length=500), AfterValidator(_check_address)]
Description = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]
