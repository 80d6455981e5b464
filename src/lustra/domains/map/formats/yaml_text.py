"""YAML that people hand in, as plain data.

Rule: the text is counted before anything is built: so many nodes, so deep, no anchor and no merge key, since libyaml
builds what is nested by calling itself, and an alias of aliases is a bomb.
"""

from typing import Any

import yaml

from lustra.domains.map.formats.limits import refused

Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DEEPEST = 32
MOST_EVENTS = 300_000  # of the parser: about two for each node
LONGEST_WORD = 4096
BROKEN = (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError, OverflowError)


def load_yaml(text: bytes) -> Any:
    try:
        judge_events(text)
        return yaml.load(text, Loader)  # noqa: S506  a safe loader
    except BROKEN:
        raise refused("map_no_yaml") from None


def judge_events(text: bytes) -> None:
    depth = 0
    for count, event in enumerate(yaml.parse(text, Loader)):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise refused("map_yaml_alias")
        if isinstance(event, yaml.ScalarEvent) and (event.value == "<<" or len(event.value) > LONGEST_WORD):
            raise refused("map_yaml_alias" if event.value == "<<" else "map_no_yaml")
        if depth > DEEPEST or count > MOST_EVENTS:
            raise refused("map_yaml_vast")
