"""The one question of authorization that every call asks: does the account hold the key?"""

from enum import Enum
from typing import Final

from lustra.core.context import Actor


class Need(Enum):
    SESSION = "session"  # any log-in
    PUBLIC = "public"  # nobody needs to be logged in


SESSION: Final = Need.SESSION
PUBLIC: Final = Need.PUBLIC
Needs = str | tuple[str, ...] | Need  # one key, several of which any suffices, SESSION or PUBLIC


def keys_of(needs: Needs) -> tuple[str, ...]:
    if isinstance(needs, Need):
        return ()
    return (needs,) if isinstance(needs, str) else needs


def allowed(actor: Actor, needs: Needs) -> bool:
    wanted = keys_of(needs)
    return not wanted or any(key in actor.keys for key in wanted)
