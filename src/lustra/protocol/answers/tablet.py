"""Answers about what the robot's tablet shows and says."""

from typing import Annotated, Literal

from lustra.protocol.answers.base import Done, RobotTime, Row
from lustra.protocol.doc import doc
from lustra.protocol.telemetry import Mode

TabletPage = Literal["home", "task", "map", "report", "alarms", "about"]
TabletContent = Literal[TabletPage, "boot", "rest", "advert", "speech", "notification"]
PictureName = Annotated[str, doc("Name of the picture, for tablet_picture; empty: none.")]


class SpeechOutcome(Done):
    spoken: Annotated[bool, doc("It says the text; false: its voice is off, so it only shows it.")]
    volume: Annotated[int, doc("How loud it says it, 0 to 10.")]


class TabletText(Row):
    """A speech, or a notification of the server."""

    title: Annotated[str, doc("What it is about; empty: a speech.")]
    text: Annotated[str, doc("What stands there.")]
    language: Annotated[str, doc("Language that it is in.")]
    since: RobotTime


class TabletAlarm(Row):
    code: Annotated[str, doc("Code of the alarm.")]
    since: RobotTime


class TabletReport(Row):
    """The newest run since the robot was switched on."""

    task: Annotated[str, doc("Name of the task.")]
    end: Annotated[str, doc("How it ended: finished, cancelled, interrupted or failed.")]
    ended: RobotTime
    cleaned: Annotated[float, doc("Cleaned, m².")]


class TabletAdvert(Row):
    id: Annotated[int, doc("Number of the advert.")]
    name: Annotated[str, doc("Its name.")]
    kind: Annotated[str, doc("MIME type of its file, as image/png or video/mp4.")]
    file: Annotated[str, doc("SHA-256 of its file; of a picture also the name for tablet_picture.")]
    since: RobotTime
    seconds: Annotated[float, doc("How long it stands, s.")]


class TabletScreen(Done):
    """What its tablet shows now, as a person before it sees it."""

    at: RobotTime
    shows: Annotated[
        TabletContent,
        doc("A page of its own, or over that: `boot` and `rest` (animations), `advert`, `speech`, `notification`."),
    ]
    language: Annotated[str, doc("Language that somebody chose on the tablet; empty: nobody has.")]
    mode: Annotated[Mode, doc("As in its state.")]
    battery: Annotated[float, doc("%.")]
    task: Annotated[str, doc("Name of the task that runs; empty: none.")]
    progress: Annotated[float, doc("Of the task that runs, 0 to 1.")]
    text: Annotated[TabletText | None, doc("What there is to be read; null: nothing.")] = None
    advert: Annotated[TabletAdvert | None, doc("The advert that it has on; null: none.")] = None
    alarms: Annotated[list[TabletAlarm], doc("Alarms that are open, the oldest first.")]
    report: Annotated[TabletReport | None, doc("The newest run; null: none since it was switched on.")] = None
    revision: Annotated[int, doc("Of the look that it shows; 0: no dealer gave it one.")]
    theme_color: Annotated[str, doc("#RRGGBB; empty: as it comes.")]
    about_us: Annotated[str, doc("Text about the dealer; empty: none.")]
    main_logo: PictureName
    boot_animation: PictureName
    idle_animation: PictureName
    home_tiles: Annotated[list[PictureName], doc("Of its entries: task, map, task report, alarm, charge, about us.")]


class TabletImage(Done):
    url: Annotated[str, doc("Data URL of the picture: PNG, JPEG, GIF or WebP.")]
