"""Whether a relay forwards a call. Pure: a request, a grant and what is known go in; a command or a refusal comes out.

Rules: `m` is a whole entry of the command table for the robot's protocol, never a part of an address, and a command
that the robot has; `p` is given once and is the port of the grant and of the device; the grant carries the command's
key; who moves a robot holds its newest lock; what shows the floor, and what moves the robot, is for support only while
the customer's support access is open; while the bus is lost there is neither. Stop, pause, emergency stop and cancel
need no lock, ever; what lets go again (Payload.releases) does, which is seen when the body is there.
"""

from dataclasses import dataclass

from lustra.core.security.grants import Checker, Grant, Refused
from lustra.protocol.commands import Command, routes
from lustra.protocol.refusals import RelayCode, RobotRefusal
from lustra.relay.known import Known

TABLES = {protocol: routes(protocol) for protocol in (1, 2, 3)}


@dataclass(frozen=True)
class RelayCall:
    """What came in: method, the values of m and p, the header `grant`."""

    method: str
    m: list[str]
    p: list[str]
    grant: str


def verify_grant(call: RelayCall, checker: Checker, known: Known) -> Grant:
    try:
        grant = checker.check(call.grant)
    except Refused as why:
        raise RobotRefusal(RelayCode.NO_GRANT, "grant_invalid", str(why)) from None
    if grant.sid in known.revoked:
        raise RobotRefusal(RelayCode.NO_GRANT, "grant_revoked", "the session has ended")
    return grant


def authorize(call: RelayCall, grant: Grant, known: Known) -> Command:
    device = known.devices.get(grant.sn)
    if device is None or (device.device_id, device.port) != (grant.device, grant.port):
        raise RobotRefusal(RelayCode.FORBIDDEN, "device_unknown", "the grant's device is not known here")
    if call.p != [str(device.port)]:
        raise RobotRefusal(RelayCode.FORBIDDEN, "port_foreign", "the grant is for another robot", "p")
    if known.owner_of(device.port) != grant.sn:
        raise RobotRefusal(RelayCode.UNREACHABLE, "robot_unreachable", "this port is another robot's here")
    table = TABLES[min(max(device.protocol, 1), max(TABLES))]
    command = table.get(call.m[0]) if len(call.m) == 1 else None
    if command is None or (grant.commands and command.name not in grant.commands):
        raise RobotRefusal(RelayCode.UNKNOWN, "command_unknown", "this robot has no such command", "m")
    if call.method not in ("POST", command.method):
        raise RobotRefusal(RelayCode.BAD_INPUT, "method_wrong", f"{call.m[0]} wants {command.method}")
    if command.needs not in grant.keys:
        raise RobotRefusal(RelayCode.FORBIDDEN, "permission_missing", "you may not do this")
    if (command.plan or command.locked) and grant.customer and not known.open(grant.customer):
        raise RobotRefusal(RelayCode.FORBIDDEN, "support_closed", "the customer's support access is closed")
    if command.locked:
        check_fencing_token(grant, known)
    return command


def check_fencing_token(grant: Grant, known: Known) -> None:
    """A number above the known one is of a server that was quicker than the bus: it was signed, so it holds."""
    if known.lost:
        raise RobotRefusal(RelayCode.UNREACHABLE, "bus_lost", "this node does not hear the server: it moves nothing")
    newest = known.control.get(grant.sn)
    number = newest.number if newest else 0
    if grant.number <= 0 or grant.number < number or (newest and grant.number == number and not newest.held()):
        raise RobotRefusal(RelayCode.FENCED, "control_lost", "you do not control this robot")
