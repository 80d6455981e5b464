"""What a look at an installation says: of each part whether it is right, and what to do where it is not.

Rule: a fault keeps the product, or a part of it that was set up, from working; a warning says what will, or might. Each
says what to do.
"""

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from lustra.core.settings import Settings

Level = Literal["ok", "warning", "fault"]


@dataclass(frozen=True, slots=True)
class Finding:
    part: str
    level: Level
    text: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Installation:
    """`folder`, `saved` and `run`: of `lustra up`: its data folder, settings.json, and run.json while it runs.
    Elsewhere the settings name everything."""

    settings: Settings
    folder: Path | None
    saved: dict[str, Any]
    run: dict[str, str]

    @property
    def stopped(self) -> bool:
        """Whether it is an installation of `lustra up` that does not run now: nobody answers, and nobody should."""
        return self.folder is not None and not self.run

    @property
    def database_url(self) -> str:
        return self.run.get("postgres", self.settings.database_url)

    @property
    def nats_url(self) -> str:
        return self.run.get("nats", self.settings.nats_url)

    @property
    def objects_url(self) -> str:
        return self.settings.objects_url or (f"file://{self.folder}/objects" if self.folder else "")


Look = Callable[[Installation], AsyncIterator[Finding]]
