"""What stands on the robot's tablet: the page that somebody opened, and what lies over it.

Rules: a message of or to the robot lies over all else until it was read, by time or by a touch; a page that nobody
touches gives way after a minute to adverts, else at rest to the dealer's animation, else to the home page.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from lustra.protocol.answers.tablet import TabletPage
from lustra.protocol.bus import Report
from lustra.robot.alarms import Alarms
from lustra.robot.simulation.machine import Machine
from lustra.robot.store import Store
from lustra.robot.tablet.adverts import Adverts
from lustra.robot.tablet.look import Look

# ms
BOOT = 5_000
TOUCHED = 60_000
SPEECH = 6_000
LETTER = 90  # of a speech, more
NOTIFICATION = 120_000
RESTING = {"idle", "charging"}


@dataclass
class Screen:
    """`page`: what is opened. Times of the robot's clock, ms: when it was switched on, touched, closed what there was
    to read, given a message."""

    since: int
    page: TabletPage = "home"
    touched: int = 0
    closed: int = 0
    notified: int = 0

    def open(self, page: TabletPage, now: int) -> None:
        self.page, self.touched, self.closed = page, now, now


class Tablet(Protocol):
    """The robot, as far as its screen shows it."""

    store: Store
    machine: Machine
    alarms: Alarms
    look: Look
    adverts: Adverts
    screen: Screen
    last: Report | None


def describe_text(robot: Tablet, now: int) -> tuple[str, dict[str, Any]] | None:
    """What is to be read, and whether it is a speech or a notification."""
    screen, facts = robot.screen, robot.store.facts
    spoken = facts.spoken
    if spoken and screen.closed < spoken.at <= now < spoken.at + SPEECH + LETTER * len(spoken.text):
        return "speech", {"title": "", "text": spoken.text, "language": spoken.language, "since": spoken.at}
    if facts.shown and screen.closed < screen.notified <= now < screen.notified + NOTIFICATION:
        newest = facts.shown[-1]
        return "notification", {
            "title": newest.title,
            "text": newest.text,
            "language": newest.language,
            "since": screen.notified,
        }
    return None


def is_free(robot: Tablet, now: int) -> bool:
    """For adverts."""
    starting = robot.look.shown.boot_animation and now < robot.screen.since + BOOT
    return not starting and now >= robot.screen.touched + TOUCHED and describe_text(robot, now) is None


def describe_advert(robot: Tablet) -> dict[str, Any] | None:
    adverts = robot.adverts
    if not (advert := adverts.playing):
        return None
    names = {"id": advert.id, "name": advert.name, "kind": advert.kind, "file": advert.sha256}
    return names | {"since": adverts.began, "seconds": adverts.length / 1000}


def describe_page(robot: Tablet, mode: str, now: int) -> str:
    screen, look = robot.screen, robot.look.shown
    if look.boot_animation and now < screen.since + BOOT:
        return "boot"
    if now < screen.touched + TOUCHED:
        return screen.page
    if robot.adverts.playing:
        return "advert"
    return "rest" if look.idle_animation and mode in RESTING else "home"


def describe(robot: Tablet, now: int) -> dict[str, Any]:
    """The answer of `tablet_screen`."""
    state, look, report = robot.machine.state(0), robot.look.shown, robot.last
    text = describe_text(robot, now)
    names = ("revision", "theme_color", "about_us", "main_logo", "boot_animation", "idle_animation", "home_tiles")
    return {
        "at": now,
        "shows": text[0] if text else describe_page(robot, state.mode, now),
        "language": robot.store.facts.language,
        "mode": state.mode,
        "battery": state.battery,
        "task": state.task,
        "progress": state.progress,
        "text": text[1] if text else None,
        "advert": describe_advert(robot),
        "alarms": [{"code": alarm.code, "since": alarm.since} for alarm in robot.alarms.open.values()],
        "report": report and {"task": report.task, "end": report.end, "ended": report.ended, "cleaned": report.cleaned},
        **{name: value for name, value in msgspec.structs.asdict(look).items() if name in names},
    }
