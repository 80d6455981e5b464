"""Files as an attacker makes them, byte by byte: bombs.py says which."""

import base64
import io
import json
import struct
import zipfile
import zlib
from typing import Any

import numpy as np
from PIL import Image

Files = dict[str, bytes]
SHEET = "image: a.pgm\nresolution: 0.05\norigin: [0, 0, 0]\n"
SMALL_PGM = b"P5 2 1 255\n\xfe\xfe"
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def packed(entries: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return out.getvalue()


def yaml_map(text: str | bytes) -> Files:
    return {"a.yaml": text.encode() if isinstance(text, str) else text, "a.pgm": SMALL_PGM}


def pgm(data: bytes) -> Files:
    return {"a.zip": packed({"a.yaml": SHEET.encode(), "a.pgm": data})}


def rmf(levels: str, more: str = "") -> Files:
    return {"b.building.yaml": f"levels:\n{levels}{more}# vertices:\n".encode()}


def level(name: str, vertices: str, more: str = "") -> str:
    return f"  {name}:\n    vertices: {vertices}\n    measurements: [[0, 1, {{distance: [3, 1]}}]]\n{more}"


def png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, depth: int, colour: int, *more: bytes, interlaced: int = 0) -> bytes:
    """All zeros: packs to a thousandth."""
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    row = bytes(1 + width * channels * depth // 8)
    press = zlib.compressobj(9)
    body = b"".join(press.compress(row * 50) for _ in range(height // 50)) + press.flush()
    head = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlaced))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(more) + png_chunk(b"IDAT", body) + png_chunk(b"IEND", b"")


def picture_map(data: bytes) -> Files:
    return {"a.yaml": SHEET.replace("a.pgm", "a.png").encode(), "a.png": data}


def valetudo(**more: Any) -> Files:
    content = {"__class": "ValetudoMap", "pixelSize": 5, "layers": [], "entities": []} | more
    return {"m.json": json.dumps(content).encode()}


def runs(*several: tuple[int, int, int], kind: str = "floor", **about: Any) -> dict[str, Any]:
    return {"type": kind, "compressedPixels": [v for run in several for v in run], "metaData": about}


def xlsx(**parts: str) -> Files:
    """`parts`: of xl/, by name, instead of the usual ones."""
    usual = {
        "workbook": f'<workbook xmlns="{MAIN}" xmlns:r="{LINKS}"><sheets><sheet name="a" sheetId="1" r:id="rId1"/>'
        "</sheets></workbook>",
        "styles": f'<styleSheet xmlns="{MAIN}"></styleSheet>',
        "sharedStrings": f'<sst xmlns="{MAIN}"></sst>',
        "sheet": sheet('<row r="1"><c r="A1" t="inlineStr"><is><t>deviceSerialNumber</t></is></c></row>'),
    } | parts
    kinds = "".join(
        f'<Override PartName="/xl/{name}.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        f'spreadsheetml.{kind}+xml"/>'
        for name, kind in (
            ("workbook", "sheet.main"),
            ("styles", "styles"),
            ("sharedStrings", "sharedStrings"),
            ("sheet", "worksheet"),
        )
    )
    links = "".join(
        f'<Relationship Id="rId{place}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
        f'{kind}" Target="{name}.xml"/>'
        for place, (name, kind) in enumerate(
            (("sheet", "worksheet"), ("styles", "styles"), ("sharedStrings", "sharedStrings")), 1
        )
    )
    package = "http://schemas.openxmlformats.org/package/2006"
    return {
        "file": packed(
            {
                "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" ContentType='
                f'"application/vnd.openxmlformats-package.relationships+xml"/>{kinds}</Types>'.encode(),
                "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" Type="http://'
                'schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target='
                '"xl/workbook.xml"/></Relationships>'.encode(),
                "xl/_rels/workbook.xml.rels": (
                    f'<Relationships xmlns="{package}/relationships">{links}</Relationships>'.encode()
                ),
                **{f"xl/{name}.xml": text.encode() for name, text in usual.items()},
            }
        )
    }


def sheet(rows: str) -> str:
    return f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>'


def event(png_data: bytes, **more: Any) -> Files:
    content = {
        "name": "Ground",
        "resolution": 0.05,
        "width": 10_000,
        "height": 10_000,
        "origin": [0, 0, 0],
        "grid": base64.b64encode(png_data).decode(),
    }
    return {"content": json.dumps(content | more).encode()}


def image_file(kind: str, size: tuple[int, int], mode: str = "L", **more: Any) -> Files:
    out = io.BytesIO()
    Image.new(mode, size).save(out, kind, **more)
    return {"file": out.getvalue()}


def checkerboard(side: int) -> bytes:
    grid = np.indices((side, side)).sum(0) % 2 * 254
    return b"P5 %d %d 255\n" % (side, side) + grid.astype(np.uint8).tobytes()


def picture_of(grid: Any) -> bytes:
    out = io.BytesIO()
    Image.fromarray(grid).save(out, "PNG")
    return out.getvalue()
