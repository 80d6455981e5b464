"""Roll-outs of a published version: previewed, started, paused, gone on with, cancelled, and taken back.

Rules: robots that it is for and that the actor may change, test devices first; not those that run it already, in all
of its parts. A robot is in one open roll-out at a time. What has not begun to install is taken back by a pause or a
cancellation, everything else goes on to its end. A roll-back starts the former version of each robot that was
confirmed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate
from typing import Any

from sqlalchemy import Result, Select

from lustra.core import jobs, query
from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of, shared
from lustra.core.wire import PageOf
from lustra.domains.device.api import Device, DeviceType
from lustra.domains.group.api import DeviceGroup, GroupMember
from lustra.domains.rollout import orders, queries, rules, trust
from lustra.domains.rollout.delegation import find_unsigned
from lustra.domains.rollout.tables import Rollout, RolloutRobot
from lustra.domains.version.api import (
    ENABLE,
    PARTS,
    PUBLISH_APP,
    PUBLISH_WHOLE,
    SOFT,
    Offer,
    Package,
    VersionKind,
    list_robots,
    load_offer,
)
from lustra.protocol.updates import Part

# Who may bring robots to a version of that kind, beside the key of the calls.
KEYS: Mapping[VersionKind, str] = {"soft": SOFT, "firmware": ENABLE, "app": PUBLISH_APP, "whole": PUBLISH_WHOLE}
ROLLED_BACK = "rolled_back"  # why what it brought is not there any more


@dataclass(frozen=True, slots=True)
class Plan:
    """How a build shall come to robots: `steps` in %, ascending to 100, or `groups` of robots one after the other, at
    most so many robots `per_minute` (0: all at once), and minutes of the site's day."""

    kind: VersionKind
    row_id: int
    steps: Sequence[int]
    groups: Sequence[int]
    per_minute: int
    failure_share: int
    pause_minutes: int
    charging: bool
    from_minute: int | None
    to_minute: int | None
    health_runs: int
    health_days: int
    health_limits: dict[str, int]


@dataclass(frozen=True, slots=True)
class Candidate:
    """`versions`: what it runs, by part; `busy`: in another roll-out; `size`: bytes that it downloads."""

    robot: Device
    step: int
    versions: dict[Part, str]
    online: bool
    busy: bool
    size: int

    @property
    def version(self) -> str:
        return " · ".join(filter(None, self.versions.values()))


@dataclass(frozen=True, slots=True)
class Steps:
    """`shares`: % of the robots that have come to it after each; `names`: of the groups that they are, "" for whoever
    is in none; empty where they are shares."""

    shares: Sequence[int]
    names: Sequence[str]


async def preview(
    ctx: Ctx, kind: VersionKind, row_id: int, shares: Sequence[int], groups: Sequence[int], *, lock: bool = False
) -> tuple[Offer, list[Candidate], Steps]:
    """Whom a roll-out would bring to it, by step. `lock`: the version stays as it is meanwhile."""
    if KEYS[kind] not in ctx.actor.keys:
        raise Refusal(Code.FORBIDDEN)
    offer = await load_offer(ctx, kind, row_id, lock=lock)
    robots = await list_robots(ctx, offer)
    states: dict[int, Mapping[Any, Any]] = {row["id"]: row for row in (await _states(ctx, robots)).mappings()}
    missing = {robot.id: _list_missing(offer, robot, states[robot.id]) for robot in robots}
    outdated = [robot for robot in robots if missing[robot.id]]
    busy = set(await ctx.db.scalars(_open_rows(outdated)))
    by_step, steps = (
        _split_by_group(outdated, await load_groups(ctx, groups))
        if groups
        else (_split_by_share(offer.target, outdated, shares), Steps(shares, ()))
    )
    candidates = [
        Candidate(
            robot,
            step,
            {part: states[robot.id][part] for part in PARTS[kind]},
            states[robot.id]["online"],
            robot.id in busy,
            sum(package.file.size for package in missing[robot.id]),
        )
        for robot, step in by_step
    ]
    return offer, candidates, steps


def _list_missing(offer: Offer, robot: Device, state: Mapping[Any, Any]) -> list[Package]:
    """Packages of parts that run another version."""
    return [package for package in offer.packages[robot.type_id] if state[package.part] != package.version]


async def _states(ctx: Ctx, robots: Sequence[Device]) -> Result[Any]:
    return await ctx.db.execute(rows_of(*robots).text(queries.STATES), {"robots": [robot.id for robot in robots]})


def _open_rows(robots: Sequence[Device]) -> Select[int]:
    return rows_of(*robots).select(RolloutRobot.device_id).where(RolloutRobot.state.in_(rules.OPEN))


def _split_by_share(target: str, robots: Sequence[Device], percents: Sequence[int]) -> list[tuple[Device, int]]:
    """Test devices are step 0. The others follow in an order that is another for each version, so that it is not always
    the same robots that come first."""
    tests = [(robot, 0) for robot in robots if robot.test_device]
    others = sorted(
        (robot for robot in robots if not robot.test_device),
        key=lambda robot: sha256(f"{target} {robot.serial_number}".encode()).digest(),
    )
    ends = rules.split_steps(len(others), percents)
    by_step = [
        (robot, next(step for step, end in enumerate(ends, 1) if place < end)) for place, robot in enumerate(others)
    ]
    return [*tests, *by_step]


def _split_by_group(
    robots: Sequence[Device], groups: Sequence[tuple[str, set[int]]]
) -> tuple[list[tuple[Device, int]], Steps]:
    """Test devices are step 0; each robot comes with the first of the groups that it is in, one of none after all of
    these. A group without robots of the build is no step."""
    others = [robot for robot in robots if not robot.test_device]
    parts: list[tuple[str, list[Device]]] = []
    for name, members in [*groups, ("", {robot.id for robot in others})]:
        part = [robot for robot in others if robot.id in members]
        others = [robot for robot in others if robot.id not in members]
        if part:
            parts.append((name, part))
    by_step = [(robot, 0) for robot in robots if robot.test_device]
    by_step += [(robot, step) for step, (_, part) in enumerate(parts, 1) for robot in part]
    ends = accumulate(len(part) for _, part in parts)
    total = sum(len(part) for _, part in parts)
    return by_step, Steps([100 * end // total for end in ends], [name for name, _ in parts])


async def load_groups(ctx: Ctx, ids: Sequence[int]) -> list[tuple[str, set[int]]]:
    """Names and robots of groups in sight, in the order asked for. Raises a refusal of one that is not."""
    rows = ctx.scope.select(DeviceGroup).where(DeviceGroup.id.in_(ids))
    groups = {group.id: group for group in await ctx.db.scalars(rows)}
    if len(groups) != len(set(ids)):
        raise Refusal(Code.NOT_FOUND, "groups", reason="device_group_unknown")
    members: dict[int, set[int]] = {group_id: set() for group_id in ids}
    pairs = ctx.scope.select(GroupMember.group_id, GroupMember.device_id).where(GroupMember.group_id.in_(ids))
    for group_id, device_id in await ctx.db.execute(pairs):
        members[group_id].add(device_id)
    return [(groups[group_id].name, members[group_id]) for group_id in ids]


async def start(ctx: Ctx, plan: Plan) -> Rollout:
    if await trust.load_root(ctx.db) is None:
        raise Refusal(Code.BAD_INPUT, reason="update_no_keys")
    offer, candidates, steps = await preview(ctx, plan.kind, plan.row_id, plan.steps, plan.groups, lock=True)
    if not candidates:
        raise Refusal(Code.BAD_INPUT, "publicId", reason="rollout_no_robots")
    _refuse_busy([each.robot for each in candidates if each.busy])
    await _refuse_unsigned(ctx, offer, {each.robot.type_id for each in candidates})
    rollout = Rollout(
        owner_id=ctx.actor.acting_id,
        owner_path=ctx.actor.path,
        version_kind=offer.kind,
        targets=sorted({offer.target, *(each.name for packages in offer.packages.values() for each in packages)}),
        packages={str(type_id): list(map(_describe, packages)) for type_id, packages in offer.packages.items()},
        build_id=offer.row.id if offer.kind == "soft" else None,
        name=offer.name,
        version=offer.version,
        size=max(each.size for each in candidates),
        step=min(each.step for each in candidates),
        steps=list(steps.shares),
        step_groups=list(steps.names),
        per_minute=plan.per_minute,
        failure_share=plan.failure_share,
        pause_minutes=plan.pause_minutes,
        charging=plan.charging,
        from_minute=plan.from_minute,
        to_minute=plan.to_minute,
        health_runs=plan.health_runs,
        health_days=plan.health_days,
        health_limits=plan.health_limits,
    )
    await _add(
        ctx,
        rollout,
        [
            RolloutRobot(
                rollout_id=0,
                device_id=each.robot.id,
                step=each.step,
                target=offer.version,
                former=each.version,
                versions={part: version for part, version in each.versions.items() if version},
            )
            for each in candidates
        ],
    )
    return rollout


async def _refuse_unsigned(ctx: Ctx, offer: Offer, type_ids: set[int]) -> None:
    """Robots would take nothing that the role of their maker has not signed."""
    kinds = shared.select(DeviceType).where(DeviceType.id.in_(type_ids))
    types = {row.id: row.name for row in await ctx.db.scalars(kinds)}
    names: dict[str, list[str]] = {}
    for type_id, type_name in types.items():
        for package in offer.packages[type_id]:
            names.setdefault(package.name, []).append(type_name)
    if role := await find_unsigned(ctx.db, names):
        raise Refusal(Code.BAD_INPUT, "publicId", reason="update_unsigned", name=role)


def _describe(package: Package) -> dict[str, Any]:
    return {"part": package.part, "name": package.name, "version": package.version, "fileId": package.file.id}


def _refuse_busy(robots: Sequence[Device]) -> None:
    if robots:
        name = min(robot.serial_number for robot in robots)
        raise Refusal(Code.BAD_INPUT, "publicId", reason="rollout_robot_busy", name=name)


async def _add(ctx: Ctx, rollout: Rollout, robots: Sequence[RolloutRobot]) -> None:
    ctx.db.add(rollout)
    await ctx.db.flush()
    for robot in robots:
        robot.rollout_id = rollout.id
    ctx.db.add_all(robots)
    await ctx.db.flush()
    ctx.note(id=rollout.id, name=rollout.name, version=rollout.version, robots=len(robots))
    await jobs.later(ctx.db, orders.ADVANCE, rollout=rollout.id)


async def load_page(ctx: Ctx, paging: PageOf) -> tuple[Sequence[Rollout], int]:
    """The newest first."""
    return await query.paginate(ctx.db, ctx.scope.select(Rollout).order_by(Rollout.id.desc()), paging)


async def load_robots(ctx: Ctx, rollouts: Sequence[Rollout]) -> dict[int, list[RolloutRobot]]:
    robots: dict[int, list[RolloutRobot]] = {rollout.id: [] for rollout in rollouts}
    rows = rows_of(*rollouts).select(RolloutRobot).order_by(RolloutRobot.step, RolloutRobot.id)
    for robot in await ctx.db.scalars(rows):
        robots[robot.rollout_id].append(robot)
    return robots


async def load_one(ctx: Ctx, rollout_id: int) -> Rollout:
    return await query.fetch_one(ctx.db, ctx.scope.select(Rollout).where(Rollout.id == rollout_id))


async def load_devices(ctx: Ctx, robots: Sequence[RolloutRobot]) -> dict[int, Device]:
    return {robot.id: robot for robot in await ctx.db.scalars(rows_of(*robots).select(Device))}


async def _lock(ctx: Ctx, rollout_id: int) -> Rollout:
    rows = ctx.scope.changeable.select(Rollout).where(Rollout.id == rollout_id)
    return await query.fetch_one(ctx.db, rows.with_for_update())


def _demand_key(ctx: Ctx, rollout: Rollout) -> None:
    if KEYS[orders.read_kind(rollout.version_kind)] not in ctx.actor.keys:
        raise Refusal(Code.FORBIDDEN)


async def change(ctx: Ctx, rollout_id: int, action: rules.Action) -> None:
    rollout = await _lock(ctx, rollout_id)
    _demand_key(ctx, rollout)
    await _change(ctx, rollout, action)
    ctx.note(id=rollout.id, name=rollout.name, action=action)


async def _change(ctx: Ctx, rollout: Rollout, action: rules.Action) -> None:
    if action == "resume" and rollout.reason in rules.ILL:
        rollout.health_step = rollout.step
    rollout.state, rollout.reason = rules.next_state(rollout.state, action), ""
    robots = (await load_robots(ctx, [rollout]))[rollout.id]
    if action == "resume":
        rollout.forgiven = rules.count_bad(robots)
        await jobs.later(ctx.db, orders.ADVANCE, rollout=rollout.id)
        return
    await orders.take_back(ctx.db, robots, "cancelled" if action == "cancel" else "waiting")
    if action == "cancel":
        rollout.ended_at = now()


async def roll_back(ctx: Ctx, rollout_id: int) -> Rollout:
    """In one press: what is open of it is cancelled, and whoever runs its version goes back, all at once."""
    rollout = await _lock(ctx, rollout_id)
    _demand_key(ctx, rollout)
    if rollout.kind == "back" or rollout.reason == ROLLED_BACK:
        raise Refusal(Code.BAD_INPUT, "id", reason="rollout_step")
    if rollout.state in {"running", "paused"}:
        await _change(ctx, rollout, "cancel")
        await ctx.db.flush()
    robots = [
        robot
        for robot in (await load_robots(ctx, [rollout]))[rollout.id]
        if robot.state == "confirmed" and robot.former
    ]
    devices = [device for device in (await load_devices(ctx, robots)).values() if device.deleted_at is None]
    if not devices:
        raise Refusal(Code.BAD_INPUT, "id", reason="rollout_no_robots")
    busy = set(await ctx.db.scalars(_open_rows(devices)))
    _refuse_busy([device for device in devices if device.id in busy])
    back = Rollout(
        owner_id=ctx.actor.acting_id,
        owner_path=ctx.actor.path,
        kind="back",
        version_kind=rollout.version_kind,
        build_id=rollout.build_id,
        packages=rollout.packages,
        name=rollout.name,
        version=rollout.version,
        size=0,
        steps=[],
        failure_share=100,
    )
    present = {device.id for device in devices}
    rows = [
        RolloutRobot(
            rollout_id=0,
            device_id=robot.device_id,
            step=0,
            target=robot.former,
            former=robot.target,
            versions=robot.versions,
        )
        for robot in robots
        if robot.device_id in present
    ]
    rollout.reason = ROLLED_BACK
    await _add(ctx, back, rows)
    return back
