"""What is entered of a robot when it is added or changed, one by one or by a spreadsheet."""

from typing import Annotated, Any

from pydantic import Field

from lustra.core.wire import Id, Moment, Wire, doc
from lustra.domains.account.api import Name, Zone
from lustra.domains.device.rules import (
    Blank,
    Country,
    Host,
    Latitude,
    Longitude,
    Port,
    Rack,
    Serial,
    SimCard,
    SimSupport,
    Text,
)

EMPTY = frozenset({"sim_support", "boot_time", "latitude", "longitude", "frp_port", "ssh_port", "web_port", "traffic"})


class Fields(Wire):
    """What may be entered of a robot, new or known. A field that is absent stays; null takes the value away."""

    protocol: Annotated[
        Annotated[int, Field(ge=2, le=3)] | None, doc("Version of the robot's local interface, 2 or 3.")
    ] = Field(None, alias="protocolVersion")
    rack_number: Annotated[Rack | None, doc("Frame number, letters and then digits, as SC0001, at most 32.")] = None
    sim_no: Annotated[SimCard | None, doc("Number of its SIM card, 10 to 20 digits.")] = None
    sim_support: Annotated[
        SimSupport | None, Blank, doc("Provider of the SIM card, 0 to 3 in the sequence of the specification.")
    ] = None
    boot_time: Annotated[Moment | None, Blank, doc("When it was put into service.")] = None
    address: Annotated[Text | None, doc("Building, at most 200 characters.")] = None
    address1: Annotated[Text | None, doc("Floor, at most 200 characters.")] = None
    area: Annotated[Country | None, doc("Country by ISO 3166-1, two capital letters; empty: not known.")] = None
    province: Annotated[Text | None, doc("Province, at most 200 characters.")] = None
    zone: Annotated[Zone | None, doc("IANA time zone of the robot's place, as Europe/Berlin.")] = None
    latitude: Annotated[Latitude | None, Blank, doc("Latitude in degrees, WGS 84, -90 to 90.")] = None
    longitude: Annotated[Longitude | None, Blank, doc("Longitude in degrees, WGS 84, -180 to 180.")] = None
    frp_host: Annotated[Host | None, doc("Address of its transfer node, as the list of nodes has it; empty: none.")] = (
        None
    )
    frp_port: Annotated[Port | None, Blank, doc("Port of its tunnel, 20000 to 30000.")] = None
    ssh_port: Annotated[Port | None, Blank, doc("Port for SSH at its node, 20000 to 30000.")] = None
    web_port: Annotated[Port | None, Blank, doc("Port for its web page at its node, 20000 to 30000.")] = None
    traffic: Annotated[Port | None, Blank, doc("Port for its data at its node, 20000 to 30000; after `frpPort`.")] = (
        None
    )
    url: Annotated[Host | None, doc("Its address on the web, http or https, at most 200 characters; empty: none.")] = (
        Field(None, alias="deviceUrl")
    )
    test_device: Annotated[bool | None, doc("Whether it is a test device.")] = None
    customer_name: Annotated[Text | None, doc("Customer that it works for, at most 200 characters.")] = None
    customer_address: Annotated[Text | None, doc("Address of the customer, at most 200 characters.")] = None

    def column_values(self) -> dict[str, Any]:
        """The fields that the payload names, by the table's attributes; without a null that a column cannot take."""
        names = self.model_fields_set & (Fields.model_fields.keys() | {"serial_number", "name", "type_id"})
        values = {name: getattr(self, name) for name in names}
        return {name: value for name, value in values.items() if value is not None or name in EMPTY}


class NewDevice(Fields):
    serial_number: Annotated[Serial, doc("Serial number, 1 to 32 letters, digits and - _ .; had once.")] = Field(
        alias="deviceSerialNumber"
    )
    name: Annotated[Name, doc("Name of the robot, 1 to 100 characters.")] = Field(alias="deviceCode")
    type_id: Annotated[Id, doc("Number of its device type.")] = Field(alias="deviceType")
    owner_user_id: Annotated[Id | None, doc("Account that owns it; null: the acting account.")] = None
    user_id: Annotated[Id | None, doc("Ignored: the session says who acts. Sent by the specification's console.")] = (
        None
    )
