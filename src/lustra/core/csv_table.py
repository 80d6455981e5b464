"""export.csv: RFC 4180 in UTF-8, for programs. The cells are those of the spreadsheet: times are wall-clock times,
durations h:mm:ss, shares between 0 and 1. What a spreadsheet would take for a formula begins with an apostrophe.
"""

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

CSV = "text/csv"
DIVISORS = {"share": 1000, "hundredths": 100, "percent": 100}
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def _text(value: Any) -> str:
    text = str(value)
    return f"'{text}" if text.startswith(FORMULA) else text


def _duration(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def _writer(kind: str) -> Callable[[Any], str]:
    divisor = DIVISORS.get(kind, 1)
    special: dict[str, Callable[[Any], str]] = {
        "text": _text,
        "time": lambda moment: moment.isoformat(" ", "seconds"),
        "second": lambda moment: moment.isoformat(" ", "seconds"),
        "duration": _duration,
    }
    return special.get(kind) or (lambda value: f"{float(value) / divisor:.15g}")


class CsvTable:
    """Columns are title, kind and width, as core/sheet has them."""

    def __init__(self, path: Path, columns: Sequence[tuple[str, str, int]]) -> None:
        self.file = path.open("w", encoding="utf-8", newline="")
        self.rows = csv.writer(self.file)
        self.writers = [_writer(kind) for _, kind, _ in columns]
        self.rows.writerow([title for title, _, _ in columns])

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        for row in rows:
            cells = zip(self.writers, row, strict=True)
            self.rows.writerow(["" if value is None or value == "" else write(value) for write, value in cells])

    def close(self) -> None:
        self.file.close()
