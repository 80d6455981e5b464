"""What the PDF of a record says, in the reader's language, from the record alone; its picture, and its letterhead."""

import base64
import io
import json
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import numpy as np
from cryptography import x509
from PIL import Image

from lustra.core import texts
from lustra.core.context import Ctx
from lustra.domains.alarm.api import name_alarm
from lustra.domains.proof import envelope, letterhead, pdf
from lustra.domains.proof.months import SealedMonth
from lustra.domains.proof.records import Sealed
from lustra.domains.proof.tables import ProofKey, ProofRecord
from lustra.domains.report.api import load_not_cleaned, load_report, load_report_floor
from lustra.protocol.bus import Mask
from lustra.protocol.masks import unpack_mask

AUTHOR = "Lustra"
REGIONS = {"zh-CN": "CN"}
FREE = 254  # of a map's picture
UNKNOWN = 205
FLOOR = (255, 255, 255)
WALL = (32, 48, 44)
OUTSIDE = (232, 238, 236)
PAINT = {"cleaned": (150, 211, 196), "missed": (237, 181, 80), "blocked": (190, 40, 40), "unreachable": (190, 196, 194)}
LARGEST_SIDE = 1600  # px of the picture in the file
TALL = 88  # mm that the picture may have
KM2_ABOVE = 1_000_000  # m²


async def write(ctx: Ctx, sealed: Sealed) -> bytes:
    """Of a run."""
    picture = await draw(ctx, sealed.record.report_id or 0)
    pages = describe(sealed.record, sealed.key, ctx.language)
    look = await letterhead.load_look(ctx, sealed.record.owner_id)
    return await lay_out(ctx, pages, sealed, picture, look)


async def lay_out(
    ctx: Ctx, pages: dict[str, Any], sealed: Sealed | SealedMonth, picture: bytes, look: letterhead.Look
) -> bytes:
    """Laid out and signed in a process of its own, which has the libraries."""
    files = {
        "picture": picture,
        "logo": embed(look.logo) if look.logo else b"",
        "envelope": sealed.file,
        "certificate": sealed.key.certificate.encode(),
        "private": sealed.private.encode(),
    }
    pages = pages | {"colour": look.colour}
    return await ctx.app.intake.read(ctx.actor.real_id, pdf.write, files, pages, ctx.language, field="form")


def describe(record: ProofRecord, key: ProofKey, language: str) -> dict[str, Any]:
    values = json.loads(record.record)
    report, left, zone = values["report"], values["notCleaned"], values["zone"]

    def say(name: str, **parts: object) -> str:
        return texts.say(language, f"proof.{name}", **parts)

    def time(at: str) -> str:
        return datetime.fromisoformat(at).astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")

    place = [report["building"], report["floor"], report["deviceCode"], report["deviceSerialNumber"]]
    figures = [
        ("start", time(report["startTime"])),
        ("end_time", time(report["endTime"])),
        ("customer", report["customerName"]),
        ("result", texts.say(language, f"end.{report['end']}")),
        ("coverage", f"{report['coverage'] / 10:.1f} %"),
        ("planned", area(report["plannedArea"])),
        ("cleaned", area(report["cleanedArea"])),
        ("efficiency", f"{report['efficiency'] / 100:.0f} m²/h"),
        ("duration", duration(report["seconds"])),
        ("liquid", "–" if report["liquidMl"] is None else f"{report['liquidMl']:.0f}"),
        ("alarms", str(report["warnCount"])),
        ("zone", zone),
    ]
    places = [describe_place(place, language) for place in (left or {"places": []})["places"]]
    head = [say("kind"), say("room"), say("why"), say("area")]
    return frame(language, say("title")) | {
        "title": report["taskName"] or report["mapName"] or say("title"),
        "subtitle": " · ".join(filter(None, place)),
        "foot": say("foot", position=record.position),
        "alt": say("picture"),
        "caption": "",
        "tall": TALL,
        "figures": [(texts.say(language, f"export.{title}"), value) for title, value in figures],
        "tables": [{"title": say("left"), "head": head, "numbers": 1, "rows": places}] if places else [],
        "seal": say("seal_hand", editTime=time(report["editTime"])) if report["byHand"] else say("seal"),
        "digests": [(say("record_hash"), record.hash), (say("key"), fingerprint_of(key))],
        "sealed": values["sealed"],
    }


def frame(language: str, kind: str) -> dict[str, Any]:
    """What all documents have in common; `kind`: what such a document is called."""
    return {
        "author": f"{AUTHOR} · {kind}",
        "lang": language.partition("-")[0],
        "region": REGIONS.get(language),
        "rtl": language == "ar",
        "sealTitle": texts.say(language, "proof.seal_title"),
    }


def fingerprint_of(key: ProofKey) -> str:
    return envelope.fingerprint(x509.load_pem_x509_certificate(key.certificate.encode()))


def describe_place(place: dict[str, Any], language: str) -> list[str]:
    kind = texts.say(language, f"proof.{place['kind']}")
    why = name_alarm(place["code"], language) if place["code"] else ""
    return [kind, place["room"] or "–", why or "–", area(place["area"])]


def area(m2: float) -> str:
    return f"{m2 / KM2_ABOVE:,.2f} km²" if m2 > KM2_ABOVE else f"{m2:,.1f} m²"


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


async def draw(ctx: Ctx, report_id: int) -> bytes:
    """The floor with what was cleaned and what was not; nothing where the map is gone."""
    report = await load_report(ctx, report_id)
    if report["map"] is None or report["cells"] is None:
        return b""
    left = await load_not_cleaned(ctx, report_id)
    floor = await load_report_floor(ctx, report_id)
    masks = {"cleaned": report["cells"], **{kind: left[kind] for kind in PAINT if kind != "cleaned"}}
    return paint(floor, {kind: msgspec.convert(mask, Mask) for kind, mask in masks.items() if mask})


def paint(floor: bytes, masks: dict[str, Mask]) -> bytes:
    grid = np.asarray(Image.open(io.BytesIO(floor)).convert("L"))
    picture = np.empty((*grid.shape, 3), np.uint8)
    picture[:] = WALL
    picture[grid == UNKNOWN] = OUTSIDE
    picture[grid >= FREE] = FLOOR
    for kind, mask in masks.items():
        cells = unpack_mask(mask, grid.shape)[::-1]
        picture[cells & (grid >= FREE)] = PAINT[kind]
    rows, columns = np.nonzero(grid != UNKNOWN)
    if len(rows):
        picture = picture[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    image = Image.fromarray(picture)
    image.thumbnail((LARGEST_SIDE, LARGEST_SIDE), Image.Resampling.NEAREST)
    out = io.BytesIO()
    image.save(out, "PNG")
    return embed(out.getvalue())


def embed(png: bytes) -> bytes:
    """As a drawing: the form that documents take pictures in."""
    width, height = Image.open(io.BytesIO(png)).size
    data = base64.b64encode(png).decode()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<image width="{width}" height="{height}" href="data:image/png;base64,{data}"/></svg>'
    ).encode()
