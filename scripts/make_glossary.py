"""docs/glossary.md, from docs/glossary.yaml: one thing, one word, in nine languages."""

from itertools import groupby
from pathlib import Path
from typing import Any

import yaml
from house import GLOSSARY, LANGUAGES, ROOT

PAGE = ROOT / "docs" / "glossary.md"
HEAD = """# Glossary: one thing, one word, in nine languages

Made from `glossary.yaml` by `scripts/make_glossary.py`; change the yaml. `id` is the key in locale files where a label
stands alone; English is the label on the screen, which may differ from the word of the field. Names on
the wire stay as they are.
`scripts/checks/check_locales.py` holds every text to these words, and to none of those that an entry avoids.
How each language is written: [style of the nine languages](languages.md).
"""


def cell(text: Any) -> str:
    content = " / ".join(f"{form}: {word}" for form, word in text.items()) if isinstance(text, dict) else str(text)
    return content.replace("|", "\\|")


def page(glossary: Path = GLOSSARY) -> str:
    entries = yaml.load(glossary.read_text("utf-8"), yaml.CSafeLoader)["entries"]
    parts = [HEAD]
    for kind, rows in groupby(sorted(entries, key=lambda e: e["kind"]), key=lambda e: e["kind"]):
        parts.append(
            f"\n## {kind.capitalize()}\n\n| id | {' | '.join(LANGUAGES)} | meaning | avoid |\n|{'---|' * 12}\n"
        )
        for entry in rows:
            avoid = "; ".join(f"{lang}: {', '.join(words)}" for lang, words in (entry.get("avoid") or {}).items())
            labels = " | ".join(cell(entry["t"][lang]) for lang in LANGUAGES)
            parts.append(f"| `{entry['id']}` | {labels} | {cell(entry['definition'])} | {cell(avoid)} |\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
