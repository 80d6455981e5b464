"""The first question of authorization: does the account hold the key? Every call asks it; the second, whether a
row lies in its scope, is core/scope's."""

from enum import Enum
from typing import Final

from lustra.core.context import Actor


class Need(Enum):
    SESSION = "session"  # any log-in
    FIRST = "first"  # any log-in, also one that must change its first password before it may do more
    PUBLIC = "public"  # nobody needs to be logged in


SESSION: Final = Need.SESSION  # of a person: an API key opens calls that want a key, and no others
FIRST: Final = Need.FIRST
PUBLIC: Final = Need.PUBLIC
Needs = str | tuple[str, ...] | Need  # one key, several of which any suffices, SESSION, FIRST or PUBLIC


def keys_of(needs: Needs) -> tuple[str, ...]:
    if isinstance(needs, Need):
        return ()
    return (needs,) if isinstance(needs, str) else needs


def allowed(actor: Actor, needs: Needs) -> bool:
    keys = keys_of(needs)
    return not keys or any(key in actor.keys for key in keys)
