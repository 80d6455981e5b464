"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.device.commands import store_commands
from lustra.domains.device.edit import (
    load_device,
    load_owned,
    load_owner,
    refuse_if_changed,
    write_assignment,
)
from lustra.domains.device.events import (
    CommonMaps,
    DeviceDeleted,
    GroupMembers,
    OwnerChanged,
    Things,
    TypesInUse,
    WorkReported,
)
from lustra.domains.device.import_sheet import check_file as check_sheet
from lustra.domains.device.import_sheet import read_serials
from lustra.domains.device.ports import announce as announce_device
from lustra.domains.device.ports import take as take_port
from lustra.domains.device.registry import sync as sync_devices
from lustra.domains.device.requests import AccountFilter, DeviceRef, where_in_scope
from lustra.domains.device.rules import MOST_COMMANDS, Ability, Blank, CommandName, Serial, Text
from lustra.domains.device.scope import Where
from lustra.domains.device.sites import country_name, enter_place
from lustra.domains.device.tables import (
    Device,
    DeviceAccount,
    DeviceCredential,
    DeviceType,
    bound_to_its_robot,
    of_a_robot,
    stamped,
)
from lustra.domains.device.types import list_types

__all__ = [
    "MOST_COMMANDS",
    "Ability",
    "AccountFilter",
    "Blank",
    "CommandName",
    "CommonMaps",
    "Device",
    "DeviceAccount",
    "DeviceCredential",
    "DeviceDeleted",
    "DeviceRef",
    "DeviceType",
    "GroupMembers",
    "OwnerChanged",
    "Serial",
    "Text",
    "Things",
    "TypesInUse",
    "Where",
    "WorkReported",
    "announce_device",
    "bound_to_its_robot",
    "check_sheet",
    "country_name",
    "enter_place",
    "list_types",
    "load_device",
    "load_owned",
    "load_owner",
    "of_a_robot",
    "read_serials",
    "refuse_if_changed",
    "stamped",
    "store_commands",
    "sync_devices",
    "take_port",
    "where_in_scope",
    "write_assignment",
]
