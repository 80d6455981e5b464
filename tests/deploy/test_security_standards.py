"""docs/security-standards.md judges every provision of its two standards, each once."""

import re
from collections import Counter
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "security-standards.md"
STATES = {"met", "partly", "no", "n/a"}
# How many provisions each section has: of ETSI EN 303 645 V2.1.1, and of OWASP ASVS 5.0.0 at levels 1 and 2, which come
# first in each section.
ETSI = "5.1:5 5.2:3 5.3:16 5.4:4 5.5:8 5.6:9 5.7:2 5.8:3 5.9:3 5.10:1 5.11:4 5.12:3 5.13:1 6:5"
ASVS = """
1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4
5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2
8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3
11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3
15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2
"""


def rows(heading: str) -> list[list[str]]:
    section = PAGE.read_text("utf-8").split(f"\n## {heading}")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if re.match(r"\| \d", line)]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def named(cell: str, mark: str) -> list[str]:
    """`1.2.1–1.2.3, 1.2.5`, each of them."""
    out: list[str] = []
    for part in cell.split(", "):
        first, _, last = part.partition("–")
        section, _, number = first.rpartition(mark)
        out += [f"{section}{mark}{n}" for n in range(int(number), int((last or first).rpartition(mark)[2]) + 1)]
    return out


def judged(heading: str, mark: str) -> Counter[str]:
    return Counter(name for cells in rows(heading) for name in named(cells[0], mark))


def all_of(sections: str, mark: str) -> Counter[str]:
    counts = (part.split(":") for part in sections.split())
    return Counter(f"{section}{mark}{n}" for section, most in counts for n in range(1, int(most) + 1))


def test_every_provision_of_etsi_en_303_645_is_judged_once():
    assert judged("ETSI EN 303 645", "-") == all_of(ETSI, "-")


def test_every_requirement_of_asvs_up_to_level_2_is_judged_once():
    assert judged("OWASP ASVS", ".") == all_of(ASVS, ".")


def test_a_judgement_has_one_of_four_states_and_says_why_it_is_not_met():
    for cells in rows("ETSI EN 303 645") + rows("OWASP ASVS"):
        assert len(cells) == 4, cells
        assert cells[1] in STATES, cells
        assert cells[2] or cells[1] == "met", cells
