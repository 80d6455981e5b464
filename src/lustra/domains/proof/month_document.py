"""What the PDF of a month says: its sums, m² by day as a picture, by robot, and each run while these fit on paper."""

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from lustra.core import texts
from lustra.core.context import Ctx
from lustra.domains.proof import document, envelope, letterhead
from lustra.domains.proof.document import area, duration
from lustra.domains.proof.months import CHECK_COLUMNS, COLUMNS, SealedMonth, read_month, sum_runs

MOST_ON_PAPER = 300  # runs, or robots
WIDTH = 720  # of the picture of days
HEIGHT = 150
GAP = 4
TALL = 36  # mm on paper
LITRE_ML = 1000
LINE = "#c8d2cf"

Run = dict[str, Any]


async def write(ctx: Ctx, month: SealedMonth) -> bytes:
    look = await letterhead.load_look(ctx, month.owner_id)
    runs = list_runs(month.values)
    picture = draw_days(month.values["month"], runs, look.colour) if runs else b""
    pages = describe(month, runs, ctx.language)
    return await document.lay_out(ctx, pages, month, picture, look)


def list_runs(values: dict[str, Any]) -> list[Run]:
    return [dict(zip(COLUMNS, run, strict=True)) for run in values["runs"]]


def list_checks(values: dict[str, Any]) -> list[dict[str, Any]]:
    return [dict(zip(CHECK_COLUMNS, check, strict=True)) for check in values["checks"]]


def describe(month: SealedMonth, runs: list[Run], language: str) -> dict[str, Any]:
    values = month.values
    checks = list_checks(values)

    def say(name: str, **parts: object) -> str:
        return texts.say(language, f"proof.{name}", **parts)

    def title(name: str) -> str:
        return texts.say(language, f"export.{name}")

    figures = [
        (title("customer"), values["customer"]),
        (say("month"), values["month"]),
        *_figures(values["sums"], say, title),
        *_reached(values["target"], say),
        *_sum_checks(checks, say),
    ]
    robots = _by(runs, lambda run: (run["deviceCode"], run["deviceSerialNumber"]))
    rows = [[*name, *_amounts(sum_runs(part))] for name, part in robots.items()]
    by_robot = _table(say("by_robot"), [title("device"), title("serial"), *_heads(say, title)], rows, 4)
    each = [_describe_run(run, language) for run in runs]
    heads = [title("start"), title("device"), title("task"), title("result"), title("coverage"), say("area")]
    all_runs = _table(say("all_runs"), [*heads, title("duration")], each, 3)
    graded = _table(say("spot_checks"), _check_heads(say, title), [_describe_check(row, say) for row in checks], 2)
    tables = [part for part in (by_robot, graded, all_runs) if 0 < len(part["rows"]) <= MOST_ON_PAPER]
    days = say("days", **_describe_days(runs))
    return document.frame(language, say("month_title")) | {
        "title": f"{values['customer']} · {values['month']}",
        "subtitle": say("month_count", runs=len(runs), robots=len(robots)),
        "foot": say("month_foot"),
        "alt": days,
        "caption": days,
        "tall": TALL,
        "figures": figures,
        "tables": tables,
        "seal": say("month_seal"),
        "digests": [
            (say("record_hash"), envelope.digest(month.text)),
            (say("key"), document.fingerprint_of(month.key)),
        ],
        "sealed": values["sealed"],
    }


def _figures(sums: dict[str, Any], say: Callable[..., str], title: Callable[[str], str]) -> list[tuple[str, str]]:
    return [
        (say("runs"), str(sums["runs"])),
        (title("duration"), duration(sums["seconds"])),
        (title("planned"), area(sums["plannedArea"])),
        (title("cleaned"), area(sums["cleanedArea"])),
        (title("coverage"), _percent(sums["coverage"])),
        (title("efficiency"), f"{sums['efficiency'] / 100:.0f} m²/h"),
        (title("liquid"), f"{sums['liquidMl']:.0f}"),
        (title("alarms"), str(sums["warnCount"])),
    ]


def _reached(target: dict[str, Any], say: Callable[..., str]) -> list[tuple[str, str]]:
    """What was set alone; what is below zero by its own name."""
    area_due, share, seconds, water = (
        target[name] for name in ("targetArea", "targetShare", "savedTime", "savedWaterMl")
    )
    lines: list[tuple[str, str]] = []
    if share is not None:
        lines.append((say("target_reached"), say("target_of", share=_percent(share), area=area(area_due))))
    if seconds is not None:
        lines.append((say("hours_extra" if seconds < 0 else "hours_saved"), duration(abs(seconds))))
    if water is not None:
        lines.append((say("water_extra" if water < 0 else "water_saved"), f"{abs(water) / LITRE_ML:.1f} l"))
    return lines


def _sum_checks(checks: list[dict[str, Any]], say: Callable[..., str]) -> list[tuple[str, str]]:
    if not checks:
        return []
    mean = Decimal(sum(check["score"] for check in checks)) / len(checks)
    return [(say("spot_checks"), say("spot_sums", count=len(checks), score=_grade(mean)))]


def _grade(hundredths: Decimal) -> str:
    return f"{(hundredths / 100).quantize(Decimal('0.1'), ROUND_HALF_UP)}"


def _check_heads(say: Callable[..., str], title: Callable[[str], str]) -> list[str]:
    return [title("time"), title("building"), say("room"), say("note"), say("grade"), say("machine")]


def _describe_check(check: dict[str, Any], say: Callable[..., str]) -> list[str]:
    place = " · ".join(filter(None, (check["building"], check["floor"])))
    zone = check["zone"] or say("whole_floor")
    coverage = "–" if check["coverage"] is None else _percent(check["coverage"])
    return [check["day"], place or "–", zone, check["note"] or "–", _grade(Decimal(check["score"])), coverage]


def _percent(thousandths: int) -> str:
    return f"{thousandths / 10:.1f} %"


def _heads(say: Callable[..., str], title: Callable[[str], str]) -> list[str]:
    return [say("runs"), title("coverage"), say("area"), title("duration")]


def _amounts(sums: dict[str, Any]) -> list[str]:
    return [str(sums["runs"]), _percent(sums["coverage"]), area(sums["cleanedArea"]), duration(sums["seconds"])]


def _table(title: str, head: list[str], rows: list[list[str]], numbers: int) -> dict[str, Any]:
    return {"title": title, "head": head, "numbers": numbers, "rows": rows}


def _describe_run(run: Run, language: str) -> list[str]:
    began = datetime.fromisoformat(run["startTime"]).strftime("%Y-%m-%d %H:%M")
    return [
        began,
        run["deviceCode"],
        run["taskName"] or "–",
        texts.say(language, f"end.{run['end']}"),
        _percent(run["coverage"]),
        area(run["cleanedArea"]),
        duration(run["seconds"]),
    ]


def _by(runs: list[Run], key: Callable[[Run], Any]) -> dict[Any, list[Run]]:
    groups: defaultdict[Any, list[Run]] = defaultdict(list)
    for run in runs:
        groups[key(run)].append(run)
    return dict(sorted(groups.items()))


def _cleaned_by_day(runs: list[Run]) -> dict[str, float]:
    return {day: sum_runs(part)["cleanedArea"] for day, part in _by(runs, lambda run: run["day"]).items()}


def _describe_days(runs: list[Run]) -> dict[str, str]:
    """For who does not see the picture."""
    cleaned = _cleaned_by_day(runs)
    best = max(cleaned, key=lambda day: cleaned[day], default="–")
    return {"day": best, "area": area(cleaned.get(best, 0.0)), "days": str(len(cleaned))}


def draw_days(month: str, runs: list[Run], colour: str) -> bytes:
    """A bar for each day of the month, as high as its m² beside the day with the most."""
    first, last = read_month(month)
    cleaned = _cleaned_by_day(runs)
    days = [first + timedelta(days=place) for place in range((last - first).days + 1)]
    step, most = WIDTH / len(days), max(cleaned.values()) or 1.0
    shares = [cleaned.get(day.isoformat(), 0.0) / most for day in days]
    bars = "".join(_draw_bar(place * step, step - GAP, share, colour) for place, share in enumerate(shares))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'{bars}<rect x="0" y="{HEIGHT - 1}" width="{WIDTH}" height="1" fill="{LINE}"/></svg>'
    ).encode()


def _draw_bar(left: float, width: float, share: float, colour: str) -> str:
    height = share * (HEIGHT - 1)
    top = HEIGHT - 1 - height
    return f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>'
