"""Robots: what an account may do with one it sees, beyond looking."""

import time
from typing import Any

from lustra.core.bus import Silent
from lustra.core.context import Ctx
from lustra.core.db import commit_alone
from lustra.core.errors import Code, Refusal
from lustra.core.scope import rows_of
from lustra.core.security import grants
from lustra.domains.account.api import support
from lustra.domains.control import queries
from lustra.domains.control.lock import read_state
from lustra.domains.device.api import Device, load_device
from lustra.domains.enrolment.api import refuse_while_erasing
from lustra.domains.node import api as nodes
from lustra.domains.node.api import FRP
from lustra.protocol import bus
from lustra.protocol.commands import COMMANDS

KEYS = frozenset(command.needs for command in COMMANDS.values())
FACTORS = (1, 5, 20)


async def issue_grant(ctx: Ctx, device_id: int) -> dict[str, Any]:
    """A ticket for the relay that holds the robot's tunnel now, with the actor's keys that commands ask for.

    Support that gets one may look through the robot's eyes while the customer lets it: that is recorded as a look."""
    await commit_alone(ctx.db)  # an emergency stop waits for no standby
    robot = await load_device(ctx, device_id)
    await refuse_while_erasing(ctx.db, robot)
    lock = await read_state(ctx, device_id)
    url = await _find_relay(ctx, robot)
    if robot.frp_port is None or not url:
        raise Refusal(Code.NO_TUNNEL, "deviceId")
    ticket = grants.Grant(
        sid=ctx.actor.session_id,
        account=ctx.actor.real_id,
        acting=ctx.actor.acting_id,
        name=ctx.actor.name,
        device=robot.id,
        sn=robot.serial_number,
        port=robot.frp_port,
        protocol=robot.protocol,
        keys=sorted(KEYS & ctx.actor.keys),
        number=lock.number if lock.own else 0,
        exp=int(time.time() * 1000) + grants.LIFE_MS,
        commands=robot.commands or [],
        customer=support.customer_of(robot.owner_path) or 0 if ctx.actor.support else 0,
    )
    await support.may_look(ctx, support.Look("robot", robot.id, robot.name, robot.id), robot.owner_path)
    signed = grants.sign(ticket, grants.private(ctx.app.settings.grant_key))
    return {
        "url": url,
        "port": robot.frp_port,
        "protocol": robot.protocol,
        "grant": signed,
        "expires_at": ticket.exp,
        "number": lock.number,
    }


async def _find_relay(ctx: Ctx, robot: Device) -> str:
    """Who holds its tunnel now; an frp node itself, whose tunnels nobody announces. Where no tunnel is up, the first
    relay: it answers that it cannot reach the robot."""
    tunnel = await ctx.app.bus.get("tunnels", robot.serial_number)
    if tunnel and tunnel.get("up"):
        return str(tunnel["relay"])
    node = await nodes.find_node_at(ctx.db, robot.frp_host)
    if node and node.flag == FRP:
        return node.url
    return ctx.app.settings.relays[0] if ctx.app.settings.relays else ""


async def send_to_virtual(ctx: Ctx, device_id: int, name: str, command: bus.Simulate | bus.Fault) -> None:
    """A command that only a virtual robot has: one that says of itself that it is none is never asked."""
    robot = await load_device(ctx, device_id)
    query = rows_of(robot).text(queries.SIMULATED)
    state = (await ctx.db.execute(query, {"robot": robot.id})).one_or_none()
    if state is None or not state.online:
        raise Refusal(Code.OFFLINE, "deviceId")
    if not state.simulated:
        raise Refusal(Code.NOT_SIMULATED, "deviceId")
    try:
        answer = await ctx.app.bus.ask(robot.serial_number, name, command)
    except Silent:
        raise Refusal(Code.ROBOT_SILENT, "deviceId") from None
    if answer.get("code"):
        raise Refusal(Code.ROBOT_REFUSED, "deviceId", reason=str(answer.get("reason", "robot_failed")))
