"""/device/deviceGenerateAuthCode and /device/enrol: how a robot gets in."""

from typing import Annotated

from pydantic import Field, StringConstraints

from lustra.core.rpc import PUBLIC, Ctx, Wire, call
from lustra.core.wire import Commas, Id
from lustra.domains.device import enrol
from lustra.domains.device.calls.types import Ability
from lustra.domains.device.rules import Blank, Serial, Text


class AuthCodeRequest(Wire):
    """`userId`: who will own the robot; without it the acting account. `deviceSerialNumber`: for that robot alone."""

    user_id: Annotated[Id | None, Blank] = None
    device_serial_number: Annotated[Serial | None, Blank] = None
    device_type: Annotated[Id | None, Blank] = None


class EnrolmentRequest(Wire):
    """What a robot tells of itself. `sshKey`: the public line of the key that its tunnel logs in with."""

    code: str = Field(min_length=1, max_length=64)
    device_serial_number: Serial
    ssh_key: str = Field(min_length=1, max_length=4096)
    type_name: Text = ""
    device_code: Text = ""
    protocol_version: Annotated[int, Field(ge=2, le=3)] | None = None
    abilities: Commas[Ability] = Field(default_factory=list[Ability], max_length=20)
    firmware_version: Annotated[str, StringConstraints(max_length=64)] = ""
    soft_version: Annotated[str, StringConstraints(max_length=64)] = ""
    pad_version: Annotated[str, StringConstraints(max_length=64)] = ""


class RelayAddress(Wire):
    host: str
    port: int


class Enrolment(Wire):
    """Told this once. `busPassword`: of the bus, with the serial number; `devicePassword`: for the robot's own system;
    `port`: what its tunnel asks the relays for."""

    device_id: int
    device_serial_number: str
    bus_password: str
    device_password: str
    port: int
    protocol: int
    nats: str
    mqtt: str
    relays: list[RelayAddress]
    host_key: str


@call("/device/deviceGenerateAuthCode", needs="device/index/authCode", person=True, audit="device.auth_code")
async def device_generate_auth_code(ctx: Ctx, payload: AuthCodeRequest) -> str:
    """Lets one robot in, within two minutes."""
    return await enrol.create_code(ctx, payload.user_id, payload.device_serial_number or "", payload.device_type)


@call("/device/enrol", needs=PUBLIC, changes=("device",), audit="device.enrol")
async def enrol_robot(ctx: Ctx, payload: EnrolmentRequest) -> Enrolment:
    """A robot with a code gets its credentials and is known to bus and relays from then on."""
    fields = {
        "name": payload.device_code,
        "protocol": payload.protocol_version,
        "abilities": sorted(set(payload.abilities)),
        "firmware_version": payload.firmware_version,
        "soft_version": payload.soft_version,
        "pad_version": payload.pad_version,
    }
    robot = enrol.RobotData(payload.device_serial_number, payload.ssh_key, payload.type_name, fields)
    return Enrolment.model_validate(await enrol.enrol(ctx, payload.code, robot))
