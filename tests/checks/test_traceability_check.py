from collections.abc import Callable
from pathlib import Path
from typing import Any

import check_traceability as trace
import pytest

RULES = "- {id: rule.a, summary: a}\n- {id: rule.b, summary: b}\n"
SPEC = {"docs/spec/rules.yaml": RULES, "docs/spec/readings.yaml": "- {id: q.a, summary: a}\n"}
MARKED = "import pytest\n\n@pytest.mark.spec('{}')\ndef test_it(): ...\n"


def reports_of(root: Any) -> str:
    return "\n".join(trace.problems(root))


def test_id_that_nobody_cites_and_nobody_lists_is_found(project: Callable[..., Path]):
    reports = reports_of(project(SPEC | {"docs/spec/open.txt": "rule.b\n"}))
    assert "rule.a: no test cites it" in reports
    assert "rule.b" not in reports


def test_citation_in_a_test_proves_an_id(project: Callable[..., Path]):
    root = project(SPEC | {"docs/spec/open.txt": "rule.b\n", "tests/test_a.py": MARKED.format("rule.a")})
    assert trace.problems(root) == []


@pytest.mark.parametrize(
    "title", ["test('[rule.a] holds', f)", 'it.each(rows)("is [rule.a]", f)', "describe(`[rule.a rule.b]`, f)"]
)
def test_citation_in_a_title_proves_an_id(project: Callable[..., Path], title: str):
    root = project(SPEC | {"docs/spec/open.txt": "", "console/src/a.test.ts": title})
    assert "rule.a:" not in reports_of(root)


def test_list_of_literals_may_be_cited(project: Callable[..., Path]):
    test = "import pytest\nBOTH = [f'rule.{n}' for n in ('a', 'b')]\n\n@pytest.mark.spec(*BOTH)\ndef test_it(): ...\n"
    assert trace.problems(project(SPEC | {"docs/spec/open.txt": "", "tests/test_a.py": test})) == []


def test_skipped_title_proves_nothing(project: Callable[..., Path]):
    root = project(SPEC | {"docs/spec/open.txt": "rule.b\n", "console/src/a.test.ts": "test.sk" + "ip('[rule.a]', f)"})
    assert "rule.a: no test cites it" in reports_of(root)


def test_unknown_id_is_found(project: Callable[..., Path]):
    root = project(SPEC | {"docs/spec/open.txt": "rule.a\nrule.b\n", "tests/test_a.py": MARKED.format("rule.c")})
    assert "tests/test_a.py:3: cites rule.c" in reports_of(root)


def test_reading_may_be_cited_but_is_not_owed(project: Callable[..., Path]):
    root = project(SPEC | {"docs/spec/open.txt": "rule.a\nrule.b\n", "tests/test_a.py": MARKED.format("q.a")})
    assert trace.problems(root) == []


def test_cited_id_must_leave_the_list(project: Callable[..., Path]):
    root = project(SPEC | {"docs/spec/open.txt": "rule.a\nrule.b\n", "tests/test_a.py": MARKED.format("rule.a")})
    assert "rule.a is cited by a test now" in reports_of(root)
    trace.update(root)
    assert trace.problems(root) == []


def test_list_may_only_shrink(project: Callable[..., Path], commit: Callable[[Path], None]):
    root = project(SPEC | {"docs/spec/open.txt": "rule.b\n", "tests/test_a.py": MARKED.format("rule.a")})
    commit(root)
    project({"docs/spec/open.txt": "rule.a\nrule.b\n", "tests/test_a.py": ""})
    assert "rule.a was closed before" in reports_of(root)


def test_rule_of_both_sides_is_cited_on_each(project: Callable[..., Path]):
    rules = {"docs/spec/rules.yaml": "- {id: rule.a, summary: a, sides: [client, server]}\n"}
    tests = {"tests/test_a.py": MARKED.format("rule.a")}
    root = project(rules | tests | {"docs/spec/open.txt": ""})
    assert trace.problems(root) == ["rule.a:client: no test cites it, and it is not in docs/spec/open.txt"]
    project({"docs/spec/open.txt": "rule.a:client\n"})
    assert trace.problems(root) == []
    project({"console/src/a.test.ts": "test('[rule.a] holds', f)"})
    assert "rule.a:client is cited by a test now" in reports_of(root)


def test_each_field_of_an_entity_is_cited_once_the_entity_is(project: Callable[..., Path]):
    entity = {"docs/spec/entities.yaml": "- {id: ent.a, summary: a, fields: [id, name]}\n"}
    root = project(entity | {"docs/spec/open.txt": "ent.a\n"})
    assert trace.problems(root) == []
    project({"docs/spec/open.txt": "", "tests/test_a.py": MARKED.format("ent.a") + MARKED.format("ent.a.id")})
    assert trace.problems(root) == ["ent.a.name: no test cites it, and it is not in docs/spec/open.txt"]


def test_remark_is_not_owed(project: Callable[..., Path]):
    feature = {"docs/spec/features.yaml": "- {id: feat.a, summary: a, remark: true}\n"}
    assert trace.problems(project(feature | {"docs/spec/open.txt": ""})) == []


def test_list_may_grow_by_a_kind_that_it_did_not_have(project: Callable[..., Path], commit: Callable[[Path], None]):
    root = project(SPEC | {"docs/spec/open.txt": "rule.a\nrule.b\n"})
    commit(root)
    project({"docs/spec/entities.yaml": "- {id: ent.a, summary: a}\n", "docs/spec/open.txt": "rule.a\nrule.b\nent.a\n"})
    assert trace.problems(root) == []


def test_update_never_adds(project: Callable[..., Path]):
    root = project(SPEC | {"docs/spec/open.txt": "rule.b\n"})
    trace.update(root)
    assert trace.listed_open(root) == ["rule.b"]
