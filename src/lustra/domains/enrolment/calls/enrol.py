"""/device/deviceGenerateAuthCode and /device/enrol: how a robot gets in."""

from typing import Annotated

from pydantic import Field, StringConstraints

from lustra.core.calls.rpc import PUBLIC, Ctx, Wire, call
from lustra.core.wire import Commas, DeviceId, Id, SerialNumber, doc
from lustra.domains.device.api import MOST_COMMANDS, Ability, Blank, CommandName, Serial, Text
from lustra.domains.enrolment import enrol


class AuthCodeRequest(Wire):
    user_id: Annotated[Id | None, Blank, doc("Account that will own the robot; null: the acting account.")] = None
    device_serial_number: Annotated[
        Serial | None, Blank, doc("The code is for the robot of this serial number alone; null: for a new robot.")
    ] = None
    device_type: Annotated[
        Id | None, Blank, doc("Device type of a new robot that does not name its own; null: it must.")
    ] = None


class EnrolmentRequest(Wire):
    """What a robot says of itself when it logs in for the first time."""

    code: Annotated[str, doc("Auth code that somebody of its owner's made, good for 2 minutes and once.")] = Field(
        min_length=1, max_length=64
    )
    device_serial_number: Annotated[Serial, doc("Serial number of the robot, 1 to 32 letters, digits and - _ .")]
    ssh_key: Annotated[
        str, doc("Public key of its tunnel, one OpenSSH line: Ed25519, ECDSA P-256 or RSA from 2048 bits on.")
    ] = Field(min_length=1, max_length=4096)
    type_name: Annotated[Text, doc("Name of its device type; empty: that of the code.")] = ""
    device_code: Annotated[Text, doc("Name for a new robot; empty: its serial number.")] = ""
    protocol_version: Annotated[
        Annotated[int, Field(ge=2, le=3)] | None, doc("Version of its local interface, 2 or 3; null: 3.")
    ] = None
    abilities: Annotated[Commas[Ability], doc("What it can do beside driving, at most 20.")] = Field(
        default_factory=list[Ability], max_length=20
    )
    commands: Annotated[
        Commas[CommandName] | None,
        doc("Commands that its local API has, by their names, at most 300; null: all of its protocol."),
    ] = Field(None, max_length=MOST_COMMANDS)
    firmware_version: Annotated[
        str, StringConstraints(max_length=64), doc("Version of its firmware, at most 64 characters.")
    ] = ""
    soft_version: Annotated[
        str, StringConstraints(max_length=64), doc("Version of its software, at most 64 characters.")
    ] = ""
    pad_version: Annotated[
        str, StringConstraints(max_length=64), doc("Version of the software of its screen, at most 64 characters.")
    ] = ""


class RelayAddress(Wire):
    host: Annotated[str, doc("Host name of the relay.")]
    port: Annotated[int, doc("Port of its SSH server.")]


class Enrolment(Wire):
    """Credentials of a robot; shown this once."""

    device_id: DeviceId
    device_serial_number: SerialNumber
    bus_password: Annotated[str, doc("Its password at the bus; its name there is the serial number.")]
    device_password: Annotated[str, doc("Password of the robot's own system.")]
    port: Annotated[int, doc("Port that its tunnel asks the relays for.")]
    protocol: Annotated[int, doc("Version of its local interface as it is entered, 2 or 3.")]
    nats: Annotated[str, doc("Addresses of the bus for NATS, by comma: nats://host:port; tls:// for TLS.")]
    mqtt: Annotated[str, doc("Addresses of the bus for MQTT, by comma: host:port; mqtts:// for TLS; empty: none.")]
    relays: Annotated[list[RelayAddress], doc("SSH servers that its tunnel connects to; empty: there are none.")]
    host_key: Annotated[str, doc("Public key of the relays, one OpenSSH line.")]


@call("/device/deviceGenerateAuthCode", needs="device/index/authCode", person=True, audit="device.auth_code")
async def device_generate_auth_code(ctx: Ctx, payload: AuthCodeRequest) -> str:
    """Create a code that lets one robot in, within two minutes."""
    return await enrol.create_code(ctx, payload.user_id, payload.device_serial_number or "", payload.device_type)


@call("/device/enrol", needs=PUBLIC, changes=("device",), audit="device.enrol")
async def enrol_robot(ctx: Ctx, payload: EnrolmentRequest) -> Enrolment:
    """Exchange an auth code for the robot's credentials; bus and relays know them from then on."""
    fields = {
        "name": payload.device_code,
        "protocol": payload.protocol_version,
        "abilities": sorted(set(payload.abilities)),
        "commands": sorted(set(payload.commands or ())),
        "firmware_version": payload.firmware_version,
        "soft_version": payload.soft_version,
        "pad_version": payload.pad_version,
    }
    robot = enrol.RobotData(payload.device_serial_number, payload.ssh_key, payload.type_name, fields)
    return Enrolment.model_validate(await enrol.enrol(ctx, payload.code, robot))
