"""What an error of the database means for whoever called: try again, wait, or a fault of ours.

Rule: what passes by itself (a start, a restart, a take-over, no connection or no room left) is never reported as
a fault of ours; two transactions that stood in each other's way are no fault either.
"""

import asyncpg
from sqlalchemy.exc import DBAPIError, InterfaceError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

# Classes of SQLSTATE, by their beginning: connection lost, resources exhausted, shut down or starting, read-only.
PASSING = ("08", "53", "57P", "25006")
CLASHED = ("40001", "40P01")  # could not be serialized, deadlock
UNREACHABLE = (OSError, InterfaceError, TimeoutError, PoolTimeoutError, asyncpg.InterfaceError)


def sqlstate(error: BaseException) -> str:
    """PostgreSQL's five characters for the error; empty where it came from elsewhere."""
    origin = error.orig if isinstance(error, DBAPIError) else error
    return str(getattr(origin, "sqlstate", None) or "")


def clashed(error: BaseException) -> bool:
    """The same transaction may well succeed when it is tried once more."""
    return sqlstate(error) in CLASHED


def unavailable(error: BaseException) -> bool:
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    return isinstance(error, UNREACHABLE) or sqlstate(error).startswith((*PASSING, *CLASHED))
