"""Types of messages, made ready before a thread reads one.

msgspec works out how a type is read when it is first read, and other threads see the half-made result: two that read
one type for the first time at once end the process by SIGSEGV (msgspec 0.22).
"""

from collections.abc import Iterator

import msgspec

OURS = "lustra."  # modules


def prepare_message_types() -> None:
    """All that are loaded, in a few ms: where a process has loaded its modules, before it starts a thread."""
    for kind in subclasses(msgspec.Struct):
        if kind.__module__.startswith(OURS):
            msgspec.json.Decoder(kind)


def subclasses(kind: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for below in kind.__subclasses__():
        yield below
        yield from subclasses(below)
