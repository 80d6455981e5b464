"""Reading a request: JSON, form and multipart make the same payload. Size and depth are bounded.

A list field may stand repeated in a form. Fields of the path and the query come first; the body's own win.
"""

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from python_multipart.multipart import parse_options_header
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from lustra.core.calls.registry import Upload
from lustra.core.errors import Code, Refusal

LARGEST = 1 << 20  # bytes of an ordinary body
LARGEST_UNKNOWN = 16 << 10  # of one that is read before it is known who sends it
DEEPEST = 24  # levels of JSON
MOST_FIELDS = 1000


class Body:
    """A payload as it came: its fields, and what was uploaded."""

    __slots__ = ("fields", "files", "stream")

    def __init__(
        self, fields: dict[str, Any], files: list[UploadFile] | None = None, stream: AsyncIterator[bytes] | None = None
    ) -> None:
        self.fields, self.files, self.stream = fields, files or [], stream

    async def close(self) -> None:
        for file in self.files:
            await file.close()


async def read(request: Request, upload: Upload | None, most: int = LARGEST) -> Body:
    fields: dict[str, Any] = {**request.query_params, **request.path_params}
    if request.method == "GET":
        return Body(fields)
    largest = upload.largest if upload else most
    if length_of(request) > largest:
        raise Refusal(Code.BODY_TOO_LARGE)
    if upload and upload.stream:
        return Body(fields, stream=_bounded(request, largest))
    kind = parse_options_header(request.headers.get("content-type"))[0]
    if kind == b"multipart/form-data":
        return await _multipart(request, fields, upload, largest)
    data = b"".join([part async for part in _bounded(request, most)])
    if kind == b"application/x-www-form-urlencoded":
        return Body(fields | _form(data))
    return Body(fields | _json(data))


def length_of(request: Request) -> int:
    length = request.headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() else 0


async def _bounded(request: Request, largest: int) -> AsyncGenerator[bytes, None]:
    size = 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > largest:
                raise Refusal(Code.BODY_TOO_LARGE)
            yield part
    except ClientDisconnect:
        raise Refusal(Code.BROKEN_OFF) from None


def _json(data: bytes) -> dict[str, Any]:
    if not data.strip():
        return {}
    try:
        payload = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        raise Refusal(Code.BAD_INPUT, reason="json") from None
    if not isinstance(payload, dict) or too_deep(payload):
        raise Refusal(Code.BAD_INPUT, reason="json")
    return payload


def too_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return False
    return True


def _form(data: bytes) -> dict[str, Any]:
    try:
        pairs = parse_qsl(data.decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:  # also text that is no UTF-8
        raise Refusal(Code.BAD_INPUT, reason="form") from None
    return _gathered(pairs)


def _gathered(pairs: list[tuple[str, str]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in pairs:
        if name in fields:
            before = fields[name]
            fields[name] = [*before, value] if isinstance(before, list) else [before, value]
        else:
            fields[name] = value
    return fields


async def _multipart(request: Request, fields: dict[str, Any], upload: Upload | None, largest: int) -> Body:
    parser = MultiPartParser(
        request.headers,
        _bounded(request, largest),
        max_files=upload.files if upload else 0,
        max_fields=MOST_FIELDS,
        max_part_size=LARGEST,
    )
    try:
        form = await parser.parse()
    except MultiPartException as why:
        if "Too many files" not in why.message:
            raise Refusal(Code.BAD_INPUT, "file", reason="form") from None
        if upload and upload.files > 1:
            raise Refusal(Code.BAD_INPUT, "file", reason="many_files", most=upload.files) from None
        raise Refusal(Code.BAD_INPUT, "file", reason="one_file") from None
    except KeyError:  # no boundary
        raise Refusal(Code.BAD_INPUT, reason="form") from None
    files = [value for _, value in form.multi_items() if isinstance(value, UploadFile)]
    texts = [(name, value) for name, value in form.multi_items() if isinstance(value, str)]
    return Body(fields | _gathered(texts), files)
