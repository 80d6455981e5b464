"""Pictures that people upload: what they are by their bytes, never by their name, and never more than they look."""

import io

from PIL import Image, ImageOps, UnidentifiedImageError

from lustra.core.errors import Code, Refusal
from lustra.core.objects import HEAD, kind_of

LARGEST = 2 << 20  # bytes
MOST_PIXELS = 40_000_000  # a small file may unpack to a huge picture
KINDS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WEBP"}
BOMBS = (Image.DecompressionBombError, Image.DecompressionBombWarning)


def opened(data: bytes) -> Image.Image:
    """Upright, with its transparency."""
    if len(data) > LARGEST:
        raise Refusal(Code.TOO_LARGE, "file", limit="2 MB")
    format_ = KINDS.get(kind_of(data[:HEAD]))
    if format_ is None:
        raise Refusal(Code.BAD_INPUT, "file", reason="file_format")
    try:
        with Image.open(io.BytesIO(data), formats=(format_,)) as picture:
            if picture.width * picture.height > MOST_PIXELS:
                raise Refusal(Code.BAD_INPUT, "file", reason="file_format")
            return ImageOps.exif_transpose(picture).convert("RGBA")
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, *BOMBS):
        raise Refusal(Code.BAD_INPUT, "file", reason="file_format") from None
