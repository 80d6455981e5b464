"""Pictures that people upload: what they are by their bytes, never by their name, and never more than they look.

The functions that decode one run in a process of their own (core/files/intake): they take the file, and answer new
files.
"""

import io

from PIL import Image, ImageOps, UnidentifiedImageError

from lustra.core.errors import Code, Refusal
from lustra.core.files.objects import HEAD, kind_of

LARGEST = 2 << 20  # bytes
MOST_PIXELS = 40_000_000  # a small file may unpack to a huge picture
MOST_COSTLY_PIXELS = 20_000_000  # of a kind whose every pixel is computed
KINDS = {"image/png": "PNG", "image/jpeg": "JPEG", "image/gif": "GIF", "image/webp": "WEBP"}
PHOTO_QUALITY = 82
COSTLY = {"GIF", "WEBP"}
BOMBS = (Image.DecompressionBombError, Image.DecompressionBombWarning)


def open_picture(data: bytes) -> Image.Image:
    """The picture turned upright by its EXIF data, with its transparency."""
    if len(data) > LARGEST:
        raise Refusal(Code.TOO_LARGE, "file", limit="2 MB")
    format_ = KINDS.get(kind_of(data[:HEAD]))
    if format_ is None:
        raise Refusal(Code.BAD_INPUT, "file", reason="file_format")
    try:
        with Image.open(io.BytesIO(data), formats=(format_,)) as picture:  # reads the header alone
            most = MOST_COSTLY_PIXELS if format_ in COSTLY else MOST_PIXELS
            if picture.width * picture.height > most:
                raise Refusal(Code.BAD_INPUT, "file", reason="many_pixels", most=most)
            ImageOps.exif_transpose(picture, in_place=True)
            return picture.convert("RGBA")
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, *BOMBS):
        raise Refusal(Code.BAD_INPUT, "file", reason="file_format") from None


def crop_square(files: dict[str, bytes], edges: list[int]) -> dict[int, bytes]:
    """The picture's middle as squares, as PNGs by their edge in pixels."""
    (data,) = files.values()
    whole = open_picture(data)
    return {edge: encode_png(ImageOps.fit(whole, (edge, edge), Image.Resampling.LANCZOS)) for edge in edges}


def shrink(files: dict[str, bytes], edge: int) -> bytes:
    """The picture as a PNG of at most `edge` by `edge` pixels; metadata is lost."""
    (data,) = files.values()
    picture = open_picture(data)
    picture.thumbnail((edge, edge), Image.Resampling.LANCZOS)
    return encode_png(picture)


def fit_on_white(files: dict[str, bytes], size: tuple[int, int]) -> bytes:
    """Drawn anew without what is transparent, at most so many pixels wide and high."""
    (data,) = files.values()
    return encode_png(_draw_on_white(data, size))


def _draw_on_white(data: bytes, size: tuple[int, int]) -> Image.Image:
    picture = open_picture(data)
    picture.thumbnail(size, Image.Resampling.LANCZOS)
    paper = Image.new("RGB", picture.size, "white")
    paper.paste(picture, mask=picture)
    return paper


def redraw_photo(files: dict[str, bytes], edge: int) -> bytes:
    """A JPEG of at most `edge` by `edge` pixels, on white; metadata is lost."""
    (data,) = files.values()
    out = io.BytesIO()
    _draw_on_white(data, (edge, edge)).save(out, "JPEG", quality=PHOTO_QUALITY, optimize=True)
    return out.getvalue()


def judge_picture(files: dict[str, bytes]) -> None:
    """Refuses a file that is no picture."""
    (data,) = files.values()
    open_picture(data)


def measure(files: dict[str, bytes]) -> tuple[int, int]:
    """Width and height in pixels, as it is seen; refused if it is no picture."""
    (data,) = files.values()
    return open_picture(data).size


def encode_png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()
