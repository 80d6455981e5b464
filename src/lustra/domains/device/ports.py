"""Nodes of robots and their ports, 20000 to 30000: each is had once on its node, by a robot, or reserved for an hour
by an account.

Rules: which port is free is decided by the database, so that a hundred who ask at the same time get a hundred ports;
a robot's other ports come after its tunnel's.
"""

from collections.abc import Collection
from datetime import timedelta
from typing import Any

from sqlalchemy import func

from lustra.core.context import Ctx
from lustra.core.db import now
from lustra.core.errors import Code, Refusal
from lustra.core.scope import system
from lustra.domains.device import queries, registry
from lustra.domains.device.rules import FIRST_PORT, LAST_PORT
from lustra.domains.device.tables import Device, NodePort
from lustra.domains.node import api as nodes
from lustra.domains.node.api import Node

RESERVED = timedelta(hours=1)
WIRE = {"frp_port": "frpPort", "ssh_port": "sshPort", "web_port": "webPort"}
TRIES = 50
EVERY_PORT = system("a port is had once, whoever has it")


async def reserve(ctx: Ctx, host: str) -> int:
    """A free port of that node, of those that it gives to robots; the caller's for an hour."""
    return await take(ctx, host, await _known_node(ctx, host) if host else None)


async def take(ctx: Ctx, host: str, node: Node | None) -> int:
    await ctx.db.execute(EVERY_PORT.delete(NodePort).where(NodePort.host == host, NodePort.until < now()))
    values: dict[str, Any] = {
        "host": host,
        "account": ctx.actor.real_id or None,
        "until": now() + RESERVED,
        "first": node.frp_port if node else FIRST_PORT,
        "last": node.frp_port_end if node else LAST_PORT,
    }
    for _ in range(TRIES):
        if port := await ctx.db.scalar(EVERY_PORT.text(queries.TAKE_FREE_PORT), values):
            return int(port)
        taken = EVERY_PORT.select(func.count(NodePort.port)).where(
            NodePort.host == host, NodePort.port.between(values["first"], values["last"])
        )
        if await ctx.db.scalar(taken) == values["last"] - values["first"] + 1:
            break
    raise Refusal(Code.BAD_INPUT, "frpHost", reason="ports_gone")


async def refuse_bad_ports(ctx: Ctx, robot: Device, changed: Collection[str]) -> None:
    """Whether node and ports of a robot may be those."""
    if "traffic" in changed and robot.traffic is not None and robot.frp_port is None:
        raise Refusal(Code.BAD_INPUT, "traffic", reason="port_first")
    if not {"frp_host", *WIRE} & set(changed):
        return
    if "frp_host" in changed and robot.frp_host:
        await _known_node(ctx, robot.frp_host)
    ports = {name: port for name in WIRE if (port := getattr(robot, name)) is not None}
    if ports and robot.frp_port is None:
        raise Refusal(Code.BAD_INPUT, WIRE[next(iter(ports))], reason="port_first")
    if len(set(ports.values())) < len(ports):
        raise Refusal(Code.BAD_INPUT, WIRE[list(ports)[-1]], reason="port_twice")
    rows = EVERY_PORT.select(NodePort)
    rows = rows.where(NodePort.host == robot.frp_host, NodePort.port.in_(ports.values()))
    with ctx.db.no_autoflush:
        taken = {row.port for row in await ctx.db.scalars(rows) if _is_taken(ctx, row, robot)}
    for name, port in ports.items():
        if port in taken:
            raise Refusal(Code.EXISTS, WIRE[name], reason="port_taken")


async def _known_node(ctx: Ctx, host: str) -> Node:
    """Programs send a robot's grants to its node: it is one of the list, not whatever somebody typed."""
    with ctx.db.no_autoflush:  # the robot's ports are not judged yet
        node = await nodes.find_node_at(ctx.db, host)
    if node is None:
        raise Refusal(Code.BAD_INPUT, "frpHost", reason="node_unknown")
    return node


def _is_taken(ctx: Ctx, row: NodePort, robot: Device) -> bool:
    if row.device_id is not None:
        return row.device_id != robot.id
    return row.account_id != ctx.actor.real_id and row.until is not None and row.until > now()


def announce(ctx: Ctx, robot: Device) -> None:
    """Notes for the commit that the gate and the relays learn of the robot's changes."""

    async def publish() -> None:
        await registry.publish_device(ctx.app, robot.serial_number)

    ctx.after_commit(publish)
