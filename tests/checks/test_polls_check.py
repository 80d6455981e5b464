"""The check of polls finds what asks the server again and again."""

from collections.abc import Callable
from pathlib import Path

import check_polls

POLL = "const maps = useQuery({ queryKey: ['map'], refetchInterval: 3000 })\n"


def test_a_page_that_polls_is_refused_with_its_place(project: Callable[..., Path]):
    root = project({"console/src/features/map/list.tsx": f"// maps\n{POLL}"})
    assert [line.split(" ")[0] for line in check_polls.check(root)] == ["console/src/features/map/list.tsx:2:"]


def test_the_two_places_that_may_ask_again_pass(project: Callable[..., Path]):
    assert check_polls.check(project(dict.fromkeys(check_polls.ALLOWED, POLL))) == []
