"""Which subjects a robot may use, as NATS matches them: generated, beside tests that try them on the bus."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lustra.gate.callout import rights
from lustra.protocol import subjects
from lustra.protocol.subjects import CORE_ACCOUNT, FROM_ROBOTS, ROBOTS_ACCOUNT, TO_ROBOTS
from lustra.stack.accounts import USERS, accounts


def fits(pattern: str, subject: str) -> bool:
    """As NATS matches a subject."""
    expected, given_ = pattern.split("."), subject.split(".")
    for place, token in enumerate(expected):
        if token == ">":
            return len(given_) > place
        if place >= len(given_) or token not in ("*", given_[place]):
            return False
    return len(expected) == len(given_)


def allowed(sn: str, verb: str, subject: str, *, mqtt: bool) -> bool:
    return any(fits(pattern, subject) for pattern in rights(sn, mqtt=mqtt)[verb]["allow"])


SN = st.sampled_from(("SC0001", "SC0002", "robots", "cmd"))
WORDS = ["robots", "SC0001", "SC0002", "cmd", "answer", "live", "lidar", "x", "$KV", "$JS", "devices", "_R_", "$MQTT"]
TOKEN = st.sampled_from([*WORDS, *subjects.SPOKEN, *subjects.COMMANDS])
SUBJECT = st.lists(TOKEN, min_size=1, max_size=5).map(".".join) | st.sampled_from(
    [
        f"robots.{sn}.{name}"
        for sn in ("SC0001", "SC0002", "cmd")
        for name in (
            *subjects.SPOKEN,
            "cmd",
            *(f"cmd.{c}" for c in subjects.COMMANDS),
            *(f"answer.{c}" for c in subjects.COMMANDS),
        )
    ]
)


@given(SN, SN, SUBJECT, st.booleans(), st.booleans())
def test_let_no_robot_subscribe_to_what_robots_publish(sn: Any, hearer: Any, subject: Any, mqtt: Any, other_mqtt: Any):
    assert not (allowed(sn, "pub", subject, mqtt=mqtt) and allowed(hearer, "sub", subject, mqtt=other_mqtt))


@given(SN, SUBJECT, st.booleans())
def test_let_a_robot_publish_only_its_own_subjects(sn: Any, subject: Any, mqtt: Any):
    if allowed(sn, "pub", subject, mqtt=mqtt):
        assert subject.startswith(f"robots.{sn}.")
        assert any(fits(pattern, subject) for pattern in FROM_ROBOTS)
        assert not fits(TO_ROBOTS, subject)


def test_publish_rights_have_no_wildcard_and_commands_alone_go_in():
    for mqtt in (True, False):
        assert not any(set(subject) & {"*", ">"} for subject in rights("SC0001", mqtt=mqtt)["pub"]["allow"])
    configuration = accounts(dict.fromkeys(USERS, ""))
    robots = configuration[ROBOTS_ACCOUNT]
    assert [next(iter(export.values())) for export in robots["exports"]] == [*FROM_ROBOTS, TO_ROBOTS]
    assert "users" not in robots
    assert all(export["accounts"] == [CORE_ACCOUNT] for export in robots["exports"])
    assert "exports" not in configuration[CORE_ACCOUNT]
    assert json.dumps(configuration[ROBOTS_ACCOUNT]["jetstream"]) != '"enabled"'
