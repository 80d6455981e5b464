"""What is told of a robot when it is added or changed, one by one or by a spreadsheet."""

from typing import Annotated, Any

from pydantic import Field

from lustra.core.wire import Id, Moment, Wire
from lustra.domains.account.rules import Name, Zone
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

EMPTY = {"sim_support", "boot_time", "latitude", "longitude", "frp_port", "ssh_port", "web_port"}


class Fields(Wire):
    """What may be told when a robot is added and changed alike. What is not told stays; null takes away."""

    protocol: Annotated[int, Field(ge=2, le=3)] | None = Field(None, alias="protocolVersion")
    rack_number: Rack | None = None
    sim_no: SimCard | None = None
    sim_support: Annotated[SimSupport | None, Blank] = None
    boot_time: Annotated[Moment | None, Blank] = None
    address: Text | None = None
    address1: Text | None = None
    area: Country | None = None
    province: Text | None = None
    zone: Zone | None = None
    latitude: Annotated[Latitude | None, Blank] = None
    longitude: Annotated[Longitude | None, Blank] = None
    frp_host: Host | None = None
    frp_port: Annotated[Port | None, Blank] = None
    ssh_port: Annotated[Port | None, Blank] = None
    web_port: Annotated[Port | None, Blank] = None
    test_device: bool | None = None
    customer_name: Text | None = None
    customer_address: Text | None = None

    def column_values(self) -> dict[str, Any]:
        """The fields that the payload names, by the table's attributes; without a null that a column cannot take."""
        names = self.model_fields_set & (Fields.model_fields.keys() | {"serial_number", "name", "type_id"})
        values = {name: getattr(self, name) for name in names}
        return {name: value for name, value in values.items() if value is not None or name in EMPTY}


class NewDevice(Fields):
    """`ownerUserId`: without it the acting account."""

    serial_number: Serial = Field(alias="deviceSerialNumber")
    name: Name = Field(alias="deviceCode")
    type_id: Id = Field(alias="deviceType")
    owner_user_id: Id | None = None
    user_id: Id | None = None
