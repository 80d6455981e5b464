"""Calls that only read, and what an answer tells in words, also when it is a file."""

import io
import zipfile

import openpyxl
from httpx import Response

from lustra.core.calls.registry import Call, types_of
from lustra.core.security.permission import PUBLIC

SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ZIP = "application/zip"
FILES = {SHEET, ZIP, "text/csv"}
ANYWAY = {"confirm": False}  # what a call wants before it reads


def text(answer: Response) -> str:
    """Also of what is packed in a file."""
    kind = answer.headers["content-type"].split(";")[0]
    if kind == SHEET:
        book = openpyxl.load_workbook(io.BytesIO(answer.content))
        return "\n".join(f'"{cell}"' for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row)
    if kind == ZIP:
        with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
            return "\n".join(packed.read(name).decode(errors="replace") for name in packed.namelist())
    return answer.text


def reads(entry: Call) -> bool:
    """Whether a call only reads, and wants no thing named."""
    payload, _ = types_of(entry)
    needed = {name for name, field in payload.model_fields.items() if field.is_required()} if payload else set[str]()
    exports = entry.raw in FILES
    return entry.needs is not PUBLIC and entry.upload is None and (exports or not entry.audit) and needed <= set(ANYWAY)
