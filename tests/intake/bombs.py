"""Files that are made to cost their reader much more than their sender: generated, each small."""

import struct
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
from PIL import Image

from lustra.core.files import pictures
from lustra.domains.device import sheet_rows
from lustra.domains.map import reading
from lustra.domains.map.formats.keepout import Frame
from lustra.domains.map.formats.marks import Marks
from lustra.protocol.bus import Eraser, Flag
from tests.intake.crafted_files import (
    SHEET,
    SMALL_PGM,
    Files,
    checkerboard,
    event,
    image_file,
    level,
    packed,
    pgm,
    picture_map,
    picture_of,
    png,
    png_chunk,
    rmf,
    runs,
    sheet,
    valetudo,
    xlsx,
    yaml_map,
)

Bomb = tuple[Callable[..., Any], Callable[[], Files], tuple[Any, ...]]
FRAME = Frame(100, 100, 0.05, (0.0, 0.0, 0.0))
BOMBS: dict[str, Bomb] = {}


def map_bomb(name: str, make: Callable[[], Files]) -> None:
    BOMBS[name] = (reading.read_maps, make, ())


# YAML
NESTED = "levels: \nvertices: "
map_bomb("yaml: 50,000 brackets", lambda: yaml_map(NESTED + "[" * 50_000))
map_bomb("yaml: 50,000 brackets in a zip", lambda: {"a.zip": packed({"a.yaml": (NESTED + "[" * 50_000).encode()})})
map_bomb("yaml: a million brackets", lambda: yaml_map(NESTED + "[" * 1_000_000))
map_bomb("yaml: 50,000 braces", lambda: yaml_map(NESTED + "{a: " * 50_000))
map_bomb("yaml: 50,000 dashes", lambda: yaml_map(NESTED + "\n" + "- " * 50_000))
map_bomb("yaml: 1,300 levels by indentation", lambda: yaml_map("\n".join(" " * i + "a:" for i in range(1300)) + NESTED))
map_bomb("yaml: brackets in the sheet of a map", lambda: yaml_map("[" * 60_000))
map_bomb(
    "yaml: merge keys 9^9",
    lambda: yaml_map(
        "a0: &a0 {k0: 1, k1: 1, k2: 1}\n"
        + "".join(f"a{i}: &a{i}\n  <<: [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 10))
        + NESTED
    ),
)
map_bomb(
    "yaml: aliases 10^10",
    lambda: yaml_map(
        "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 11)) + NESTED
    ),
)
map_bomb("yaml: merge keys without aliases", lambda: yaml_map("a: " + "{<<: {b: 1, " * 30 + "}}" * 30 + "\n" + NESTED))
map_bomb("yaml: an anchor on itself", lambda: yaml_map("levels: &a {b: *a}\nvertices: 1"))
map_bomb("yaml: one word of 1.9 MB", lambda: yaml_map(NESTED + "x" * 1_900_000))
map_bomb("yaml: 1.9 MB of nodes", lambda: yaml_map(NESTED + "[" + "1," * 950_000 + "]"))
map_bomb("yaml: 8 MB", lambda: yaml_map(NESTED + "[" + "1," * 4_000_000 + "]"))
map_bomb("yaml: a tag of Python", lambda: yaml_map("!!python/object/apply:os.system ['true']\n" + NESTED))
map_bomb("yaml: a number of base 60", lambda: yaml_map(SHEET.replace("0.05", "1" + ":59" * 20_000)))
map_bomb("yaml: a number of 5,000 digits", lambda: yaml_map(SHEET.replace("0.05", "9" * 5000)))
for value in ("1e300", "1e-300", "1.0e-320", "1.0e+308", ".inf", ".nan"):
    map_bomb(
        f"yaml: resolution {value}", lambda value=value: yaml_map(SHEET.replace("0.05", value).replace("1e", "1.0e"))
    )
    map_bomb(f"yaml: origin {value}", lambda value=value: yaml_map(SHEET.replace("[0, 0, 0]", f"[{value}, 0, 0]")))
map_bomb("yaml: NUL in a name", lambda: rmf(level('"a\\0b"', "[[0, 0, 0, a], [9, 9, 0, b], [9, 0, 0, c]]")))

# PGM
map_bomb("pgm: a header of 10 MB of spaces", lambda: pgm(b"P5" + b" " * 10_000_000 + b"2 1 255\n\xfe\xfe"))
map_bomb("pgm: a header of 10 MB of comments", lambda: pgm(b"P5\n" + b"#\n" * 5_000_000 + b"2 1 255\n\xfe\xfe"))
map_bomb("pgm: 10^9 wide", lambda: pgm(b"P5 1000000000 1000000000 255\n\xfe"))
map_bomb("pgm: 5,000 digits", lambda: pgm(b"P5 " + b"9" * 5000 + b" 1 255\n\xfe"))
map_bomb("pgm: text of 30 M cells", lambda: pgm(b"P2 5500 5500 9\n" + b"9 " * 30_250_000))
map_bomb("pgm: a body of 60 MB of comments", lambda: pgm(b"P2 2 1 9\n" + b"#\n" * 30_000_000 + b"9 9\n"))
map_bomb("pgm: two bytes, 10,000 x 6,000", lambda: pgm(b"P5 10000 6000 65535\n" + bytes(120_000_000)))
map_bomb("pgm: 10,000 x 10,000 of nothing", lambda: pgm(b"P5 10000 10000 255\n" + bytes(100_000_000)))
map_bomb("pgm: 10,000 x 10,000 free", lambda: pgm(b"P5 10000 10000 255\n" + b"\xfe" * 100_000_000))

# PNG
map_bomb("png: 10,000 x 10,000 with colours and transparency", lambda: picture_map(png(10_000, 10_000, 8, 6)))
map_bomb("png: 5,000 x 5,000 with colours and transparency", lambda: picture_map(png(5000, 5000, 8, 6)))
map_bomb("png: 10,000 x 10,000 of two bytes", lambda: picture_map(png(10_000, 10_000, 16, 0)))
map_bomb(
    "png: 10,000 x 10,000 of a palette with transparency",
    lambda: picture_map(png(10_000, 10_000, 8, 3, png_chunk(b"PLTE", bytes(9)), png_chunk(b"tRNS", b"\0"))),
)
map_bomb("png: 10,000 x 10,000 grey", lambda: picture_map(png(10_000, 10_000, 8, 0)))
map_bomb("png: 50,000 x 50,000", lambda: picture_map(png(50_000, 50, 8, 0).replace(b"\0\0\0\x32", b"\0\0\xc3\x50", 1)))
map_bomb(
    "png: a second header that is larger",
    lambda: picture_map(png(50, 50, 8, 0, png_chunk(b"IHDR", struct.pack(">IIBBBBB", 60_000, 60_000, 8, 6, 0, 0, 0)))),
)
map_bomb(
    "png: 3 texts of 60 MB",
    lambda: picture_map(
        png(50, 50, 8, 0, *[png_chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(60 << 20), 9)) for _ in range(3)])
    ),
)

# Zip
map_bomb("zip: 270 MB of zeros", lambda: {"a.zip": packed({"a.yaml": b"", "a.pgm": bytes(270 << 20)})})
map_bomb(
    "zip: 100 times 60 MB",
    lambda: {
        "a.zip": packed(
            {f"{n}.pgm": bytes(60 << 20) for n in range(1)} | {f"{n}.pgm": bytes(2 << 20) for n in range(1, 100)}
        )
    },
)
map_bomb("zip: 60,000 files", lambda: {"a.zip": packed({f"{n}": b"" for n in range(60_000)})})
map_bomb("zip: a zip in a zip", lambda: {"a.zip": packed({"b.zip": packed({"a.pgm": bytes(100 << 20)})})})
map_bomb("zip: cut", lambda: {"a.zip": packed({"a.yaml": SHEET.encode(), "a.pgm": SMALL_PGM})[:-40]})


def lying_zip() -> Files:
    """Says one byte and unpacks to 100 MB."""
    data = packed({"a.yaml": SHEET.encode(), "a.pgm": bytes(100 << 20)})
    return {"a.zip": data.replace(struct.pack("<I", 100 << 20), struct.pack("<I", 1))}


map_bomb("zip: a lie about the size", lying_zip)

# Valetudo
map_bomb("valetudo: 30 M cells", lambda: valetudo(layers=[runs(*((0, row, 9000) for row in range(3400)))]))
map_bomb(
    "valetudo: 60 layers of 9 M cells",
    lambda: valetudo(layers=[runs(*((0, row, 3000) for row in range(3000))) for _ in range(60)]),
)
map_bomb("valetudo: two cells 10^6 apart", lambda: valetudo(layers=[runs((0, 0, 1), (10**6, 10**6, 1))]))
map_bomb("valetudo: a cell at 10^20", lambda: valetudo(layers=[{"type": "floor", "pixels": [10**20, 0]}]))
map_bomb("valetudo: a run of 10^12", lambda: valetudo(layers=[runs((0, 0, 10**12))]))
map_bomb("valetudo: a negative cell at 2^63", lambda: valetudo(layers=[{"type": "floor", "pixels": [-(2**63), 0]}]))
map_bomb(
    "valetudo: 2 M runs", lambda: valetudo(layers=[runs(*((n % 3000, n // 3000, 1) for n in range(0, 4_000_000, 2)))])
)
map_bomb(
    "valetudo: rooms of single cells",
    lambda: valetudo(layers=[runs(*((n % 1000, n // 1000, 1) for n in range(0, 999_999, 2)), kind="segment")]),
)
for size in (1e308, 1e-300, 5e-320):
    map_bomb(f"valetudo: cells of {size} cm", lambda size=size: valetudo(pixelSize=size, layers=[runs((0, 0, 9))]))
map_bomb("valetudo: NUL in a name", lambda: valetudo(layers=[runs((0, 0, 9), (0, 1, 9), kind="segment", name="a\0b")]))
map_bomb(
    "valetudo: an edge at 10^308",
    lambda: valetudo(
        layers=[runs((0, 0, 9))], entities=[{"type": "virtual_wall", "points": [1e308, 1e308, -1e308, 0]}]
    ),
)
map_bomb("valetudo: 100,000 brackets", lambda: {"m.json": b'{"__class":"ValetudoMap","a":' + b"[" * 100_000})
map_bomb("valetudo: 10 M numbers", lambda: valetudo(layers=[{"type": "floor", "pixels": [1] * 10_000_000}]))

# Open-RMF
BIG = "[[0, 0, 0, a], [990, 0, 0, b], [990, 990, 0, c], [0, 990, 0, d]]"
METRES = "    measurements: [[0, 1, {distance: [3, 495]}]]\n"
map_bomb(
    "rmf: 10 floors of 9,900 cells", lambda: rmf("".join(f"  L{n}:\n    vertices: {BIG}\n{METRES}" for n in range(10)))
)
map_bomb("rmf: 20,000 floors", lambda: rmf("".join(f"  L{n}: {{vertices: [[0, 0, 0, a]]}}\n" for n in range(20_000))))
map_bomb(
    "rmf: 20,000 points of one name",
    lambda: rmf(level("L1", "[" + ", ".join(f"[{n % 99}, {n % 97}, 0, n]" for n in range(20_000)) + "]")),
)
map_bomb(
    "rmf: walls without ground, 4,900 cells",
    lambda: rmf(
        f"  L1:\n    vertices: {BIG}\n    measurements: [[0, 1, {{distance: [3, 245]}}]]\n    walls: [[0, 1], [1, 2]]\n"
    ),
)
map_bomb(
    "rmf: 30,000 grounds over all",
    lambda: rmf(
        f"  L1:\n    vertices: {BIG}\n    measurements: [[0, 1, {{distance: [3, 245]}}]]\n    floors:\n"
        + "    - vertices: [0, 1, 2, 3]\n" * 30_000
    ),
)
map_bomb(
    "rmf: 3,000 lifts at 90 floors",
    lambda: rmf(
        "".join(level(f"L{n}", "[[0, 0, 0, a], [9, 9, 0, b]]") for n in range(90)),
        "lifts: {"
        + ", ".join(f"l{n}: {{x: 1, y: 1, width: 1, depth: 1, level_doors: {{L1: [a]}}}}" for n in range(3000))
        + "}\n",
    ),
)
map_bomb("rmf: a corner at 10^300", lambda: rmf(level("L1", "[[0, 0, 0, a], [1.0e+300, 9, 0, b]]")))
map_bomb("rmf: a corner that is no number", lambda: rmf(level("L1", "[[0, 0, 0, a], [.nan, 9, 0, b], [1, 1, 0, c]]")))

# Keep-out masks, drawings
BOMBS["mask: a checkerboard of 3,000"] = (
    reading.read_mask,
    lambda: {"a.yaml": SHEET.encode(), "a.pgm": checkerboard(3000)},
    (FRAME,),
)
BOMBS["mask: a checkerboard of 600"] = (
    reading.read_mask,
    lambda: {"a.yaml": SHEET.encode(), "a.pgm": checkerboard(600)},
    (FRAME,),
)
BOMBS["drawing: 1,000 points and 500 strokes of 500 corners"] = (
    reading.judge_drawing,
    lambda: {reading.GRID: picture_of(np.zeros((100, 100), np.uint8))},
    (
        reading.About(name="a", building="", floor="", resolution=0.05, origin=(0, 0, 0), marks=Marks()),
        Marks(
            flags=[Flag(name=str(n), type="stop", x=1.0, y=1.0) for n in range(1000)],
            erasers=[Eraser(points=[(3.0, 3.0)] * 500, width=0.1) for _ in range(500)],
        ),
    ),
)


# Spreadsheets
FULL = '<c r="A1" t="s"><v>0</v></c>'
SHEETS: dict[str, Callable[[], Files]] = {
    "a million styles": lambda: xlsx(
        styles='<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/'
        'main"><cellXfs>' + "<xf/>" * 1_000_000 + "</cellXfs></styleSheet>"
    ),
    "300,000 styles": lambda: xlsx(
        styles='<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/'
        'main"><cellXfs>' + "<xf/>" * 300_000 + "</cellXfs></styleSheet>"
    ),
    "a million texts": lambda: xlsx(sharedStrings="<sst>" + "<si><t>a</t></si>" * 1_000_000 + "</sst>"),
    "a million cells in a row": lambda: xlsx(sheet=sheet(f'<row r="1">{FULL * 1_000_000}</row>')),
    "a number of 5,000 digits": lambda: xlsx(sheet=sheet(f'<row r="1"><c r="A1"><v>{"9" * 5000}</v></c></row>')),
    "a text of 20 MB": lambda: xlsx(
        sheet=sheet(f'<row r="1"><c r="A1" t="inlineStr"><is><t>{"a" * 20_000_000}</t></is></c></row>')
    ),
    "100 MB of blanks": lambda: xlsx(bomb=" " * (100 << 20)),
    "entities of entities": lambda: xlsx(
        workbook='<!DOCTYPE a [<!ENTITY a0 "aaaa">'
        + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
        + "]><workbook>&a9;</workbook>"
    ),
    "100,000 elements deep": lambda: xlsx(workbook="<a>" * 100_000 + "</a>" * 100_000),
    "50,000 parts": lambda: {"file": packed({f"xl/{n}.xml": b"" for n in range(50_000)})},
    "100,000 sheets": lambda: xlsx(
        workbook='<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main'
        '"><sheets>' + '<sheet name="a" sheetId="1"/>' * 100_000 + "</sheets></workbook>"
    ),
}
for name, make in SHEETS.items():
    BOMBS[f"xlsx: {name}"] = (sheet_rows.read_rows, make, ())


def turned_jpeg() -> Files:
    exif = Image.Exif()
    exif[0x0112] = 6
    return image_file("JPEG", (6000, 6000), "RGB", exif=exif.tobytes())


# Pictures of people, types and adverts
PICTURES: dict[str, Callable[[], Files]] = {
    "png of 10,000 x 10,000": lambda: {"file": png(10_000, 10_000, 8, 0)},
    "png of 6,000 x 6,000 with transparency": lambda: {"file": png(6000, 6000, 8, 6)},
    "gif of 6,000 x 6,000": lambda: image_file("GIF", (6000, 6000)),
    "gif of 4,000 x 4,000": lambda: image_file("GIF", (4000, 4000)),
    "webp of 16,000 x 16,000": lambda: image_file("WEBP", (16_000, 1200), "RGB"),
    "jpeg of 6,000 x 6,000": lambda: image_file("JPEG", (6000, 6000), "RGB"),
    "progressive jpeg of 6,000 x 6,000": lambda: image_file("JPEG", (6000, 6000), "RGB", progressive=True),
    "jpeg that is turned": turned_jpeg,
}


for name, make in PICTURES.items():
    BOMBS[f"picture: {name}"] = (pictures.crop_square, make, ([60, 120],))
BOMBS["picture: an advert of 6,000 x 6,000"] = (
    pictures.judge_picture,
    PICTURES["png of 6,000 x 6,000 with transparency"],
    (),
)

# What robots tell
EVENTS: dict[str, Callable[[], Files]] = {
    "png of 10,000 x 10,000 in 156 kB": lambda: event(png(10_000, 10_000, 8, 0)),
    "png of 10,000 x 10,000 with colours": lambda: event(png(10_000, 10_000, 8, 6)),
    "another size than it says": lambda: event(png(50, 50, 8, 0)),
    "resolution 1e300": lambda: event(png(50, 50, 8, 0), width=50, height=50, resolution=1e300),
    "NUL in a name": lambda: event(png(50, 50, 8, 0), width=50, height=50, building="\0"),
    "100,000 brackets": lambda: {"content": b'{"name":' + b"[" * 100_000},
    "a million points": lambda: event(
        png(50, 50, 8, 0), width=50, height=50, virtual_walls=[{"points": [[0, 0]] * 1_000_000}]
    ),
}
for name, make in EVENTS.items():
    BOMBS[f"event: {name}"] = (reading.read_content, make, ())
