"""Every command of the relay's table, with the grants that accounts really get: the answer follows from the rules.

Rules: a grant for robots within scope only, and only with the key of the control pages; a relay passes on what its
table has for that robot, to that robot's port, to who holds the command's key; what moves or destroys wants the
robot's newest lock besides, but stop, pause and cancel never do; what shows the floor or moves the robot wants
the customer's support access of administrators, dealers and staff. A new command joins by standing in the table.
"""

import math
import time
from collections.abc import Callable
from itertools import chain

import msgspec
import pytest

from lustra.core.security.grants import Checker, private
from lustra.domains.account import keys
from lustra.protocol.commands import VIEW, Command, routes
from lustra.protocol.refusals import RobotRefusal
from lustra.relay.authorization import RelayCall, authorize, verify_grant
from lustra.relay.known import Control, Device, Known, Support
from tests.wall import tenants
from tests.wall.tenants import ABOVE, OWNERS, Things, sees_robot
from tests.world import World

PROTOCOLS = (1, 2, 3)
EVERY = sorted(set(chain.from_iterable(routes(p) for p in PROTOCOLS)) | {"api1/no_such", "task_start", "../api1/x"})


async def known(world: World) -> Known:
    known = Known()
    known.synced_at = math.inf  # the test may be slow, the bus is not what it is about
    for row in await world.pool.fetch("select serial_number, id, frp_port, protocol from device"):
        device = Device(row["id"], row["frp_port"], row["protocol"], "")
        known.on_device(row["serial_number"], msgspec.json.encode(device))
    for name, customer in world.accounts.items():
        if name in tenants.CUSTOMERS - tenants.CLOSED:
            known.support[str(customer)] = Support(round(time.time() * 1000) + 60_000)
    return known


async def fleet(world: World) -> dict[str, Things]:
    """Robots of all generations."""
    things = await tenants.furnished(world)
    for place, owner in enumerate(OWNERS):
        protocol = PROTOCOLS[place % len(PROTOCOLS)]
        await world.pool.execute("update device set protocol = $1 where id = $2", protocol, things[owner].device)
    return things


async def grants(world: World, things: dict[str, Things], held: dict[str, set[str]]) -> dict[tuple[str, str], str]:
    """By account and owner of the robot; none where the rules say so."""
    grants = {}
    for actor in ABOVE:
        for owner in OWNERS:
            code, answer = await world.raw(actor, "/device/relayGrant", deviceId=things[owner].device)
            assert (code == 0) == (VIEW in held[actor] and sees_robot(actor, owner)), (actor, owner, code)
            if code == 0:
                grants[actor, owner] = answer["grant"]
    return grants


def passes(grant: str, checker: Checker, relay: Known, m: str, port: int) -> bool:
    call = RelayCall("POST", [m], [str(port)], grant)
    try:
        authorize(call, verify_grant(call, checker, relay), relay)
    except RobotRefusal:
        return False
    return True


def may(command: Command | None, held: set[str], *, own_port: bool, steers: bool, refused_support: bool) -> bool:
    if command is None or not own_port or ((command.plan or command.locked) and refused_support):
        return False
    return command.needs in held and (steers or not command.locked)


@pytest.mark.spec("prule.server_enforce", "q.relay_base_and_auth")
async def test_pass_at_a_relay_exactly_what_the_rules_allow(
    world: World, record_property: Callable[[str, object], None]
):
    things = await fleet(world)
    roles = await tenants.roles(world)
    held = {actor: tenants.held(roles, actor) for actor in ABOVE}
    relay, checker = await known(world), Checker(private(world.services.settings.grant_key).public_key())
    tried, wrong, steering = 0, [], 0
    for steered in (False, True):
        if steered:  # each robot by the account that owns it
            for owner in OWNERS:
                lock = await world.call(owner, "/device/takeControl", deviceId=things[owner].device, minutes=30)
                relay.control[f"T{owner}"] = Control(lock["number"], lock["owner"], lock["ownerId"], lock["until"])
        for (actor, owner), grant in (await grants(world, things, held)).items():
            device = relay.devices[f"T{owner}"]
            foreign = relay.devices["Trival" if owner != "rival" else "Tuser"].port
            for m in EVERY:
                command = routes(device.protocol).get(m)
                steers = steered and actor == owner
                steering += steers and command is not None and command.locked
                for port in (device.port, foreign):
                    tried += 1
                    if passes(grant, checker, relay, m, port) != may(
                        command,
                        held[actor],
                        own_port=port == device.port,
                        steers=steers,
                        refused_support=tenants.shut_out(actor, owner),
                    ):
                        wrong.append((actor, owner, m, port))
    record_property("tried", f"{tried} combinations of {len(EVERY)} commands, grants and ports")
    assert wrong == [], wrong[:20]
    assert steering > 0


async def test_a_grant_ends_with_its_session_its_robots_sale_and_its_minute(
    world: World, monkeypatch: pytest.MonkeyPatch
):
    things = await fleet(world)
    relay, checker = await known(world), Checker(private(world.services.settings.grant_key).public_key())
    device = relay.devices["Tuser"]
    m = next(m for m, command in routes(device.protocol).items() if command.needs == VIEW and not command.locked)
    session = await world.pool.fetchval(
        "select l.id from login l join account a on a.id = l.account_id where a.account = 'user'"
    )
    grant = (await world.call("user", "/device/relayGrant", deviceId=things["user"].device))["grant"]
    assert passes(grant, checker, relay, m, device.port)
    relay.revoked.add(session)
    assert not passes(grant, checker, relay, m, device.port)
    relay.revoked.clear()
    relay.devices["Tuser"] = Device(device.device_id + 1, device.port, device.protocol, "")  # another robot's port now
    assert not passes(grant, checker, relay, m, device.port)
    relay.devices["Tuser"] = device
    later = time.time() + 61
    monkeypatch.setattr(time, "time", lambda: later)
    assert not passes(grant, checker, relay, m, device.port)


def test_every_key_that_a_command_wants_can_be_held():
    needed = {command.needs for protocol in PROTOCOLS for command in routes(protocol).values()}
    assert needed <= set(keys.catalogue())
