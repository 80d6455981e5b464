"""The glossary is whole: ids once, nine languages and their plural forms, no word that its own entry avoids.

docs/glossary.md is what scripts/make_glossary.py makes of it.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import make_glossary
import yaml
from house import LANGUAGES, tell


def texts(label: Any) -> list[str]:
    return list(label.values()) if isinstance(label, dict) else [label]


def of_entry(entry: dict[str, Any], meta: dict[str, Any]) -> Iterator[str]:
    if list(entry["t"]) != list(LANGUAGES):
        yield f"{entry['id']}: languages {list(entry['t'])}"
        return
    for language, label in entry["t"].items():
        if isinstance(label, dict) and list(label) != meta["plural_categories"][language]:
            yield f"{entry['id']}: {language} has the forms {list(label)}"
        for text in texts(label):
            if not text.strip() or text != text.strip() or unicodedata.normalize("NFC", text) != text:
                yield f"{entry['id']}: {language} is empty, has blanks at its ends or is not NFC"
        avoided = {re.sub(r" \(.*", "", w).casefold() for w in (entry.get("avoid") or {}).get(language, [])}
        if avoided & {text.casefold() for text in texts(label)}:
            yield f"{entry['id']}: {language} says a word that it avoids"


def problems(root: Path) -> list[str]:
    glossary = root / "docs" / "glossary.yaml"
    content = yaml.load(glossary.read_text("utf-8"), yaml.CSafeLoader)
    twice = [i for i, n in Counter(e["id"] for e in content["entries"]).items() if n > 1]
    reports = [f"{i}: stands twice" for i in twice]
    for entry in content["entries"]:
        reports += of_entry(entry, content["meta"])
    if (root / "docs" / "glossary.md").read_text("utf-8") != make_glossary.page(glossary):
        reports.append("docs/glossary.md differs from glossary.yaml: scripts/make_glossary.py")
    return reports


if __name__ == "__main__":
    tell(problems)
