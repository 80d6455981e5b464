"""What other domains and processes may use of this one; all else is its own."""

from lustra.domains.account import keys, seed
from lustra.domains.account.access import support
from lustra.domains.account.credentials.attempts import count_use
from lustra.domains.account.credentials.sessions import find_actor
from lustra.domains.account.data_protection.erasure import erase_restored
from lustra.domains.account.events import (
    BranchMoved,
    FirstPasswordSet,
    OldData,
    PermissionsChanged,
    PersonalDataRequested,
    PersonErased,
    SupportRequested,
)
from lustra.domains.account.granting import demand_key
from lustra.domains.account.keys import STAFF
from lustra.domains.account.log import FOLLOW, action_title, load_commands
from lustra.domains.account.rules import Name, Phone, SheetZone, Zone
from lustra.domains.account.seed import DEMO, DEMO_PASSWORD
from lustra.domains.account.service import brands_tablets, narrow_scope, own
from lustra.domains.account.tables import Account, ApiKey, of_an_account
from lustra.domains.account.users import refresh_sessions

__all__ = [
    "DEMO",
    "DEMO_PASSWORD",
    "FOLLOW",
    "STAFF",
    "Account",
    "ApiKey",
    "BranchMoved",
    "FirstPasswordSet",
    "Name",
    "OldData",
    "PermissionsChanged",
    "PersonErased",
    "PersonalDataRequested",
    "Phone",
    "SheetZone",
    "SupportRequested",
    "Zone",
    "action_title",
    "brands_tablets",
    "count_use",
    "demand_key",
    "erase_restored",
    "find_actor",
    "keys",
    "load_commands",
    "narrow_scope",
    "of_an_account",
    "own",
    "refresh_sessions",
    "seed",
    "support",
]
