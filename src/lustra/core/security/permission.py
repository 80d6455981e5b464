"""The two questions of authorization: does the account hold the key (every call), does the row lie in its scope?"""

from enum import Enum
from typing import Any, Final

from sqlalchemy import func

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


def within(actor: Actor, path: Any) -> Any:
    """The condition of scope, on a column that holds an owner's path: at or below the actor's place in the tree."""
    return path.op("<@", is_comparison=True)(func.text2ltree(actor.path))
