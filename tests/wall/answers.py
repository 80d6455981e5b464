"""What an answer tells in words, also when it is a file."""

import io
import zipfile

import openpyxl
from httpx import Response

SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ZIP = "application/zip"
FILES = {SHEET, ZIP, "text/csv"}


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
