"""No form says by a number how long a text may be."""

from collections.abc import Callable
from pathlib import Path

import check_limits
import pytest
from house import ROOT

FORM = "console/src/features/form.tsx"


@pytest.mark.parametrize("line", ["<Input maxLength={64} />", '<input maxLength="64" />', "input({ maxLength: 20 })"])
def test_a_length_as_a_number_is_refused(project: Callable[..., Path], line: str):
    (problem,) = check_limits.problems(project({FORM: f"// a form\n{line}\n"}))
    assert problem.startswith("console/src/features/form.tsx:2: ")


@pytest.mark.parametrize("line", ["<Input maxLength={LIMIT.name.maxLength} />", "input({ maxLength: LONGEST_PHONE })"])
def test_a_length_of_the_contract_is_taken(project: Callable[..., Path], line: str):
    assert check_limits.problems(project({FORM: line})) == []


def test_the_console_has_no_length_as_a_number():
    assert check_limits.problems(ROOT) == []
