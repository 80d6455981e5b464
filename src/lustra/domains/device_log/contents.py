"""What a recording of sensors holds, as its conversion tells it and its row keeps it; and a part of one."""

import msgspec


class Topic(msgspec.Struct, rename="camel"):
    name: str
    type: str
    encoding: str
    schema_encoding: str
    readable: bool  # whether it says what is in its messages
    count: int
    outside: int


class Contents(msgspec.Struct, rename="camel"):
    """Of a recording; times in ms since 1970."""

    start: int
    end: int
    count: int
    outside: int
    topics: list[Topic]


class Outcome(msgspec.Struct):
    contents: Contents | None = None
    reason: str = ""


class Cut(msgspec.Struct):
    """From `start` to `end`, both included, in ms since 1970; `channels` by their numbers, none: all."""

    start: int
    end: int
    channels: list[int]
