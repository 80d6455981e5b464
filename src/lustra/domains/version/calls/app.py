"""/version/…App: apps of the pad."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from lustra.core.calls.rpc import Ctx, Nothing, Wire, call
from lustra.core.query import pages
from lustra.core.wire import (
    ById,
    Change,
    CreateTime,
    Id,
    Page,
    PageOf,
    SeenUpdateTime,
    Title,
    UpdateTime,
    doc,
    optional_from,
)
from lustra.domains.version import app
from lustra.domains.version.calls.rows import FileOfVersion, RobotsInRange, file_view, robots_view
from lustra.domains.version.rules import APP, MOST_ROBOTS, PUBLISH_APP, WHOLE, Log, OptionalPath, Path, Robots

LISTS = ("black_list", "white_list")


class NewApp(Wire):
    name: Annotated[Title, doc("Name of the app version, 1 to 100 characters; once in the installation.")]
    release_file: Annotated[Path, doc("Path of the caller's own file, as /oss/upload stored it.")]
    log: Annotated[Log, doc("What is new, at most 10,000 characters.")] = ""
    debug_file: Annotated[
        OptionalPath, doc("Path of the build for finding faults, at most 1024 characters; empty: none.")
    ] = ""
    black_list: Annotated[Robots, doc(f"Serial numbers of robots that never get it, at most {MOST_ROBOTS:,}.")] = Field(
        default_factory=list, max_length=MOST_ROBOTS
    )
    white_list: Annotated[
        Robots, doc(f"Serial numbers of the robots that alone get it, at most {MOST_ROBOTS:,}; empty: all.")
    ] = Field(default_factory=list, max_length=MOST_ROBOTS)


@optional_from(NewApp)
class AppChange(NewApp, Change):
    identity = Change.identity | {"id"}

    id: Annotated[Id, doc("The app version.")]
    update_time: SeenUpdateTime = None


class AppPublication(Wire):
    id: Annotated[Id, doc("The app version.")]
    published: Annotated[bool, doc("True publishes it, false unpublishes it.")]


class AppRow(Wire):
    id: Annotated[int, doc("The app version.")]
    name: Annotated[str, doc("Its name.")]
    log: Annotated[str, doc("What is new.")]
    release_file: Annotated[str, doc("Path by which its file was uploaded.")]
    debug_file: Annotated[str, doc("Path by which the build for finding faults was uploaded; empty: none.")]
    release: Annotated[FileOfVersion, doc("Its file.")]
    debug: Annotated[FileOfVersion | None, doc("The build for finding faults; null: none.")]
    black_list: Annotated[list[str], doc("Robots in scope that never get it, by serial number.")]
    white_list: Annotated[list[str], doc("Robots in scope that alone get it, by serial number.")]
    published: Annotated[bool, doc("Whether it is published.")]
    publish_time: Annotated[datetime | None, doc("When it was published; null: it is not.")]
    create_time: CreateTime
    update_time: UpdateTime


class Apps(Wire):
    list: Annotated[list[AppRow], doc("The app versions, the newest first.")]


def _row(view: app.AppView) -> AppRow:
    return AppRow(
        id=view.app.id,
        name=view.app.name,
        log=view.app.log,
        release_file=view.release.path,
        debug_file=view.debug.path if view.debug else "",
        release=file_view(view.release),
        debug=view.debug and file_view(view.debug),
        black_list=list(view.black),
        white_list=list(view.white),
        published=view.app.published_at is not None,
        publish_time=view.app.published_at,
        create_time=view.app.created_at,
        update_time=view.app.updated_at,
    )


@call("/version/selectVersionApp", needs=APP, reads=("version", "device"))
async def list_apps(ctx: Ctx, _: Nothing) -> Apps:
    """List the app versions."""
    return Apps(list=[_row(view) for view in await app.list_all(ctx)])


@call("/version/insertVersionApp", needs=APP, changes=("version", "oss"), audit="app_version.insert")
async def add_app(ctx: Ctx, payload: NewApp) -> ById:
    """Add an app version; its files become the installation's own."""
    content = app.AppContent(payload.release_file, payload.debug_file, payload.black_list, payload.white_list)
    return ById(id=(await app.add(ctx, payload.name, payload.log, content)).id)


@call("/version/updateVersionApp", needs=APP, changes=("version", "oss"), audit="app_version.update")
async def change_app(ctx: Ctx, payload: AppChange) -> Nothing:
    """Change an app version. Of a published one name and files stay."""
    sent = payload.sent()
    content = app.AppContent(*(sent.pop(name, None) for name in ("release_file", "debug_file", *LISTS)))
    await app.change(ctx, payload.id, sent, content, payload.update_time)
    return Nothing()


@call("/version/publishVersionApp", needs=PUBLISH_APP, changes=("version",), audit="app_version.publish")
async def publish_app(ctx: Ctx, payload: AppPublication) -> Nothing:
    """Make an app version available, or take it back."""
    await app.publish(ctx, payload.id, published=payload.published)
    return Nothing()


@call("/version/selectAppBlackRange", needs=APP, reads=("version", "device"))
async def list_black_robots_of_app(ctx: Ctx, payload: ById) -> RobotsInRange:
    """List the robots in scope; selected are those that never get the app version."""
    return robots_view(await app.list_robots(ctx, payload.id, "black"))


@call("/version/selectAppWhiteRange", needs=APP, reads=("version", "device"))
async def list_white_robots_of_app(ctx: Ctx, payload: ById) -> RobotsInRange:
    """List the robots in scope; selected are those that alone get the app version."""
    return robots_view(await app.list_robots(ctx, payload.id, "white"))


@call("/version/deleteVersionApp", needs=APP, changes=("version",), audit="app_version.delete")
async def delete_app(ctx: Ctx, payload: ById) -> Nothing:
    """Delete an app version. Refused while it is published."""
    await app.delete(ctx, payload.id)
    return Nothing()


@call("/wmWholeVersion/selectWholeVersionAppByPadPgyerHistory", needs=WHOLE, reads=("version", "device"))
async def list_published_apps(ctx: Ctx, payload: PageOf) -> Page[AppRow]:
    """List the published app versions of the pad, the latest first."""
    views, total = await app.load_published(ctx, payload)
    return Page(list=[_row(view) for view in views], page_num=pages(total, payload), total=total)
