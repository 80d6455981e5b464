"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.device.edit import (
    load_device,
    load_owned,
    load_owner,
    readable_devices,
    refuse_if_changed,
    write_assignment,
)
from lustra.domains.device.events import DeviceDeleted, OwnerChanged, Things, TypesInUse
from lustra.domains.device.ports import announce as announce_device
from lustra.domains.device.ports import take as take_port
from lustra.domains.device.registry import sync as sync_devices
from lustra.domains.device.requests import AccountFilter, DeviceRef, where_visible
from lustra.domains.device.rules import Ability, Blank, Serial, Text
from lustra.domains.device.scope import Where
from lustra.domains.device.scope import visible as visible_devices
from lustra.domains.device.sites import country_name
from lustra.domains.device.tables import Device, DeviceAccount, DeviceCredential, DeviceType
from lustra.domains.device.types import list_types

__all__ = [
    "Ability",
    "AccountFilter",
    "Blank",
    "Device",
    "DeviceAccount",
    "DeviceCredential",
    "DeviceDeleted",
    "DeviceRef",
    "DeviceType",
    "OwnerChanged",
    "Serial",
    "Text",
    "Things",
    "TypesInUse",
    "Where",
    "announce_device",
    "country_name",
    "list_types",
    "load_device",
    "load_owned",
    "load_owner",
    "readable_devices",
    "refuse_if_changed",
    "sync_devices",
    "take_port",
    "visible_devices",
    "where_visible",
    "write_assignment",
]
