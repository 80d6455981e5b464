"""Apps of the pad: a release file, and one for finding faults.

Rules: an app is published once its lists stand: with a white list for its robots alone, never for those of the black
list. While it is published its lists may change, its name and files may not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from lustra.core import query
from lustra.core.context import Ctx
from lustra.core.database import edits
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import shared
from lustra.core.wire import PageOf
from lustra.domains.version import files, ranges
from lustra.domains.version.events import refuse_if_rolled_out
from lustra.domains.version.packages import name_target
from lustra.domains.version.service import load_row, lock_row, refuse_if_published, refuse_taken, same_name
from lustra.domains.version.tables import AppVersion, VersionFile

NAMES = {"release_id": "releaseFile", "debug_id": "debugFile"}


@dataclass(frozen=True, slots=True)
class AppView:
    app: AppVersion
    release: VersionFile
    debug: VersionFile | None
    black: Sequence[str]
    white: Sequence[str]


@dataclass(frozen=True, slots=True)
class AppContent:
    """Paths of uploads (empty: none) and serial numbers of robots. None: what there is stays."""

    release: str | None
    debug: str | None
    black: Sequence[str] | None
    white: Sequence[str] | None


async def _views(ctx: Ctx, apps: Sequence[AppVersion]) -> list[AppView]:
    of_apps = await files.load_files(ctx, [file_id for app in apps for file_id in (app.release_id, app.debug_id)])
    ids = [app.id for app in apps]
    black, white = [await ranges.list_serials(ctx, "app_id", ids, name) for name in ("black", "white")]
    return [
        AppView(
            app,
            of_apps[app.release_id],
            of_apps.get(app.debug_id) if app.debug_id else None,
            black.get(app.id, []),
            white.get(app.id, []),
        )
        for app in apps
    ]


async def list_all(ctx: Ctx) -> list[AppView]:
    """All versions of the app, the newest first."""
    return await _views(ctx, (await ctx.db.scalars(shared.select(AppVersion).order_by(AppVersion.id.desc()))).all())


async def load_published(ctx: Ctx, paging: PageOf) -> tuple[Sequence[AppView], int]:
    """Those that are published, the latest first."""
    rows = shared.select(AppVersion).where(AppVersion.published_at.is_not(None))
    apps, total = await query.paginate(ctx.db, rows.order_by(AppVersion.published_at.desc()), paging)
    return await _views(ctx, apps), total


async def _refuse_taken_name(ctx: Ctx, name: str, own: int | None) -> None:
    taken = shared.select(AppVersion.id).where(same_name(AppVersion.name, name))
    await refuse_taken(ctx, taken, own, "name", "app_name_exists")


async def _set_lists(ctx: Ctx, app_id: int, content: AppContent) -> None:
    if content.black and content.white and set(content.black) & set(content.white):
        raise Refusal(Code.BAD_INPUT, "whiteList", reason="robot_in_both_lists")
    if content.black is not None:
        await ranges.set_range(ctx, ranges.RobotList("app_id", app_id, "black"), content.black)
    if content.white is not None:
        await ranges.set_range(ctx, ranges.RobotList("app_id", app_id, "white"), content.white)


async def add(ctx: Ctx, name: str, log: str, content: AppContent) -> AppVersion:
    await _refuse_taken_name(ctx, name, None)
    release = await files.take_file(ctx, content.release or "", "releaseFile")
    debug = await files.take_file(ctx, content.debug, "debugFile") if content.debug else None
    app = AppVersion(name=name, log=log, release_id=release.id, debug_id=debug and debug.id)
    ctx.db.add(app)
    await ctx.db.flush()
    await _set_lists(ctx, app.id, content)
    ctx.note(id=app.id)
    return app


async def change(ctx: Ctx, app_id: int, values: dict[str, Any], content: AppContent, seen: datetime | None) -> None:
    app = await lock_row(ctx, AppVersion, app_id)
    if "name" in values:
        await _refuse_taken_name(ctx, values["name"], app.id)
    values = values | await _replace_files(ctx, app, content)
    fresh = {name for name, value in values.items() if getattr(app, name) != value}
    refuse_if_published(app.published_at and fresh - {"log"})
    former = [app.release_id, app.debug_id]
    ctx.note(name=app.name, before=edits.apply(app, values, seen, NAMES))
    await _set_lists(ctx, app.id, content)
    await files.drop_files(ctx, [file_id for file_id in former if file_id not in (app.release_id, app.debug_id)])


async def _replace_files(ctx: Ctx, app: AppVersion, content: AppContent) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if content.release is not None:
        values["release_id"] = await files.replace_file(ctx, app.release_id, content.release, "releaseFile")
    if content.debug == "":
        values["debug_id"] = None
    elif content.debug is not None and app.debug_id is not None:
        values["debug_id"] = await files.replace_file(ctx, app.debug_id, content.debug, "debugFile")
    elif content.debug is not None:
        values["debug_id"] = (await files.take_file(ctx, content.debug, "debugFile")).id
    return values


async def publish(ctx: Ctx, app_id: int, *, published: bool) -> None:
    app = await lock_row(ctx, AppVersion, app_id)
    ctx.note(name=app.name)
    if app.published_at and not published:
        await refuse_if_rolled_out(ctx.db, name_target("app", app.id))
    if published is (app.published_at is None):
        app.published_at = now() if published else None
        edits.stamp(app, "published")


async def list_robots(ctx: Ctx, app_id: int, name: ranges.Name) -> list[ranges.RangeRow]:
    app = await load_row(ctx, AppVersion, app_id)
    return await ranges.list_range(ctx, ranges.RobotList("app_id", app.id, name))


async def delete(ctx: Ctx, app_id: int) -> None:
    app = await lock_row(ctx, AppVersion, app_id)
    refuse_if_published(app.published_at)
    ctx.note(name=app.name)
    await ctx.db.delete(app)
    await files.drop_files(ctx, [app.release_id, app.debug_id])
