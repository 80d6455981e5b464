"""Live pictures of robots: begun, prolonged, stopped, recorded; and who watches.

Rules: a camera sends pictures for 300 s from when somebody asked last, then it stops, here and on the robot; to stop
stops all cameras of the robot, for everybody. Support asks only while the customer's access is open.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import msgspec

from lustra.core import query
from lustra.core.bus import Silent
from lustra.core.context import Ctx, Services
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of
from lustra.core.wire import PageOf
from lustra.domains.account.api import Account, support
from lustra.domains.device.api import Device
from lustra.domains.device_log.api import ANSWERS_IN_S, demand_connection, find_robot
from lustra.domains.video import ice, passes, space
from lustra.domains.video.tables import LiveVideo, VideoView
from lustra.protocol.video import LONGEST_S, CameraList, Cameras, SendVideo

REMAINING = timedelta(seconds=LONGEST_S)


@dataclass(frozen=True, slots=True)
class View:
    view: VideoView
    name: str  # of who watched; empty: whoever had the link


async def load_robot(ctx: Ctx, serial_number: str, subject: str = "") -> Device:
    """A robot that the actor sees, and whose pictures it may see."""
    robot = await find_robot(ctx, serial_number)
    await support.demand_access(ctx, support.Look("video", robot.id, subject, robot.id), robot.owner_path)
    return robot


async def _ask(ctx: Ctx, robot: Device, name: str, order: Cameras | SendVideo) -> dict[str, object]:
    try:
        answer = await ctx.app.bus.ask(robot.serial_number, name, order, ANSWERS_IN_S)
    except Silent:
        raise Refusal(Code.ROBOT_SILENT) from None
    if answer.get("code"):
        raise Refusal(Code.ROBOT_REFUSED, reason=str(answer.get("reason") or "robot_failed"))
    return answer


async def list_cameras(ctx: Ctx, serial_number: str) -> list[str]:
    """As the robot says now."""
    robot = await load_robot(ctx, serial_number)
    await demand_connection(ctx, robot)
    answer = await _ask(ctx, robot, "cameras", Cameras())
    try:
        return msgspec.convert(answer, CameraList).cameras
    except msgspec.ValidationError:
        raise Refusal(Code.ROBOT_REFUSED, reason="robot_failed") from None


@dataclass(frozen=True, slots=True)
class Opening:
    """URLs that open a camera for a minute, by HTTP and by WebRTC; `servers` that WebRTC may need on the way."""

    url: str
    whep_url: str
    servers: list[ice.IceServer]


async def start(ctx: Ctx, serial_number: str, camera: str) -> Opening:
    """Begins it, or prolongs it."""
    robot = await load_robot(ctx, serial_number, camera)
    await demand_connection(ctx, robot)
    await _ask(ctx, robot, "sendvideo", passes.sign_order(ctx.app.settings, robot.id, camera))
    until = now() + REMAINING
    owner = {"owner_id": robot.owner_id, "owner_path": robot.owner_path}
    row = rows_of(robot).insert(LiveVideo).values(device_id=robot.id, camera=camera, until_at=until, **owner)
    prolonged = row.on_conflict_do_update(index_elements=["device_id", "camera"], set_={"until_at": until})
    live = await ctx.db.scalar(prolonged.returning(LiveVideo.id))
    ctx.note(deviceId=robot.id)
    url, whep_url = (passes.sign_view(ctx, path, "live", live or 0) for path in ("live", "whep"))
    return Opening(url, whep_url, ice.list_servers(ctx.app.settings, str(ctx.actor.real_id)))


async def stop(ctx: Ctx, serial_number: str) -> None:
    """All cameras of the robot."""
    robot = await load_robot(ctx, serial_number)
    await ctx.db.execute(rows_of(robot).delete(LiveVideo))
    ctx.note(deviceId=robot.id)
    ctx.after_commit(partial(_end_cameras, ctx.app, robot.serial_number))


async def _end_cameras(app: Services, serial_number: str) -> None:
    """A robot that does not hear it sends what nobody takes, and ends it by itself."""
    try:
        await app.bus.ask(serial_number, "sendvideo", SendVideo(), ANSWERS_IN_S)
    except Silent:
        return


async def record(ctx: Ctx, serial_number: str, camera: str, *, on: bool) -> None:
    """Have what a camera sees stored from now on, or no longer."""
    robot = await load_robot(ctx, serial_number, camera)
    rows = rows_of(robot).select(LiveVideo).where(LiveVideo.camera == camera, LiveVideo.until_at > now())
    row = await ctx.db.scalar(rows.with_for_update())
    if row is None:
        raise Refusal(Code.BAD_INPUT, "camera", reason="video_stopped")
    if not on and row.reason != "person":
        raise Refusal(Code.BAD_INPUT, "on", reason="video_by_rule")
    if on and not row.recording:
        await space.demand_space(ctx, robot.owner_id, "on")
    row.recording, row.reason = on, "person"
    ctx.note(deviceId=robot.id)


async def list_live(ctx: Ctx, serial_number: str) -> tuple[Sequence[LiveVideo], list[View]]:
    """Cameras of a robot that send, and who watches them."""
    robot = await load_robot(ctx, serial_number)
    rows = ctx.scope.select(LiveVideo).where(LiveVideo.device_id == robot.id, LiveVideo.until_at > now())
    cameras = (await ctx.db.scalars(rows.order_by(LiveVideo.camera))).all()
    views = ctx.scope.select(VideoView).where(
        VideoView.device_id == robot.id, VideoView.kind == "live", VideoView.ended_at.is_(None)
    )
    return cameras, await _with_names(ctx, (await ctx.db.scalars(views.order_by(VideoView.id))).all())


async def list_views(ctx: Ctx, serial_number: str, paging: PageOf) -> tuple[list[View], int]:
    """Who watched what of a robot, the newest first."""
    robot = await find_robot(ctx, serial_number)
    rows = ctx.scope.select(VideoView).where(VideoView.device_id == robot.id)
    views, total = await query.paginate(ctx.db, rows.order_by(VideoView.id.desc()), paging)
    return await _with_names(ctx, views), total


async def _with_names(ctx: Ctx, views: Sequence[VideoView]) -> list[View]:
    """Those whose robot it is learn who watched, whoever that is."""
    known = [view for view in views if view.account_id is not None]
    accounts = await ctx.db.scalars(rows_of(*known, through="account_id").select(Account))
    names = {account.id: account.name for account in accounts}
    return [View(view, names[view.account_id] if view.account_id is not None else "") for view in views]


def remaining_s(until: datetime) -> int:
    return max(0, round((until - now()).total_seconds()))
