"""What the feed of changes tells higher domains."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChangesNumbered:
    """Changes from `first` to `last` are in the feed with this transaction."""

    first: int
    last: int
