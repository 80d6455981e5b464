"""Nine languages, all complete, in the glossary's words.

Console (console/locales/<language>/<feature>.json) and server (src/lustra/texts/<language>.json) by the same rules: the
same keys and places to fill in, the plural forms that each language has, no key that nobody uses and none that is
missing. A label that stands in the glossary uses its word, and no text uses a word that the glossary avoids for a term
that stands in the English text.
"""

import ast
import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml
from house import LANGUAGES, files, tell

SOURCE = "en"
FORM = re.compile(r"_(zero|one|two|few|many|other)$")
HOLE = re.compile(r"\{\{\s*(\w+)[^}]*\}\}|(?<!\{)\{(\w+)[^{}]*\}(?!\})")
LITERAL = re.compile(r"""(['"`])((?:\\.|(?!\1)[^\\\n])*)\1""")
STATIC_CALL = re.compile(r"\bt\(\s*'([^'$]+)'")
SPACES = re.compile(r"useTranslation\(([^)]*)\)")
COMMON = "common"  # the space in which i18next looks when a key is in no other
HIDDEN = re.compile("[\u200b-\u200d\u202a-\u202e\ufeff]")
HOMONYMS = {"floor": "a storey in the glossary; what is cleaned is another word in most languages"}
SPACED = {"zh-CN", "ja", "ko", "ar"}  # words are not told apart by a boundary in these

Pack = dict[str, str]


def packs(root: Path, language: str) -> dict[str, Pack]:
    """Every text of one language: place -> key -> text."""
    namespaces = {p.stem: p for p in sorted((root / "console" / "locales" / language).glob("*.json"))}
    places = {f"console/locales/*/{name}.json": path for name, path in namespaces.items()}
    server = root / "src" / "lustra" / "texts" / f"{language}.json"
    places |= {"src/lustra/texts": server} if server.exists() else {}
    return {place: json.loads(path.read_text("utf-8")) for place, path in places.items()}


def stem(key: str) -> str:
    return FORM.sub("", key)


def holes(text: str) -> set[str]:
    return {a or b for a, b in HOLE.findall(text)}


def counted(text: str) -> set[str]:
    """What decides the form of a plural; "one" and "two" may say it as a word."""
    return holes(text) & {"count"} or holes(text) & {"limit"}


@dataclass(frozen=True)
class Glossary:
    entries: list[dict[str, Any]]
    forms: dict[str, list[str]]

    @classmethod
    def read(cls, root: Path) -> "Glossary":
        content = yaml.load((root / "docs" / "glossary.yaml").read_text("utf-8"), yaml.CSafeLoader)
        return cls(content["entries"], content["meta"]["plural_categories"])

    @cached_property
    def labels(self) -> dict[str, list[dict[str, Any]]]:
        """English label -> entries that say it."""
        by_label: dict[str, list[dict[str, Any]]] = {}
        for entry in self.entries:
            if isinstance(entry["t"][SOURCE], str):
                by_label.setdefault(entry["t"][SOURCE].casefold(), []).append(entry)
        return by_label

    @cached_property
    def terms(self) -> list[tuple[re.Pattern[str], dict[str, Any]]]:
        """Entries that avoid words, by a pattern of their English label, also in the plural."""
        strict = [e for e in self.entries if e.get("avoid") and e["id"] not in HOMONYMS]
        named = [(e["t"][SOURCE], e) for e in strict if isinstance(e["t"][SOURCE], str)]
        return [(re.compile(rf"(?i)\b{re.escape(label)}s?\b"), entry) for label, entry in named]

    @cached_property
    def present_by_text(self) -> dict[str, list[dict[str, Any]]]:
        """What `present` found: nine languages ask about the same English text."""
        return {}

    def present(self, english: str) -> list[dict[str, Any]]:
        """The entries with words to avoid that an English text speaks of."""
        if english not in self.present_by_text:
            bare = HOLE.sub(" ", english)
            self.present_by_text[english] = [entry for pattern, entry in self.terms if pattern.search(bare)]
        return self.present_by_text[english]


def same_shape(place: str, source: Pack, pack: Pack, language: str, forms: list[str]) -> Iterator[str]:
    """The keys of English, with the forms of this language, filling the same places."""
    plural = {stem(k) for k in source if FORM.search(k) and f"{stem(k)}_other" in source}
    expected = {k for k in source if stem(k) not in plural} | {f"{p}_{form}" for p in plural for form in forms}
    yield from (f"{language} {place}: {key} is missing" for key in sorted(expected - pack.keys()))
    yield from (f"{language} {place}: {key} is too much" for key in sorted(pack.keys() - expected))
    for key in sorted(expected & pack.keys()):
        text = pack[key]
        model = source.get(key) or source[f"{stem(key)}_other"]
        optional = counted(model) if stem(key) in plural else set()
        if holes(text) - optional != holes(model) - optional:
            yield f"{language} {place}: {key} fills in {sorted(holes(text))}, English {sorted(holes(model))}"
        if not text.strip() or text != text.strip():
            yield f"{language} {place}: {key} is empty or has blanks at its ends"
        if unicodedata.normalize("NFC", text) != text or HIDDEN.search(text):
            yield f"{language} {place}: {key} has hidden or decomposed characters"
        if "..." in text or '"' in text:
            yield f"{language} {place}: {key} has straight quotes or three dots"


def in_words(place: str, source: Pack, pack: Pack, language: str, glossary: Glossary) -> Iterator[str]:
    """The glossary's words. A label may be said in the words of any entry that has its English label."""
    by_id = {e["id"]: e for e in glossary.entries}
    for key, text in pack.items():
        english = source.get(key, "")
        entries = glossary.labels.get(english.casefold(), [])
        own = by_id.get(key)
        if own and isinstance(own["t"][language], str) and english.casefold() == str(own["t"][SOURCE]).casefold():
            entries = [own]
        if entries:
            if text not in (allowed := {e["t"][language] for e in entries}):
                yield f"{language} {place}: {key} says {text!r}, the glossary {' or '.join(sorted(allowed))!r}"
            continue
        yield from avoided(f"{language} {place}: {key}", english, text, language, glossary)


def avoided(where: str, english: str, text: str, language: str, glossary: Glossary) -> Iterator[str]:
    present = [entry for entry in glossary.present(english) if entry["avoid"].get(language)]
    if not present:
        return
    allowed = [e["t"][language] for e in glossary.entries if str(e["t"][SOURCE]).casefold() in english.casefold()]
    rest = HOLE.sub(" ", text)
    for label in sorted((a for a in allowed if isinstance(a, str)), key=len, reverse=True):
        rest = re.sub(re.escape(label), " ", rest, flags=re.IGNORECASE)
    for entry in present:
        for noted in entry["avoid"][language]:
            word = re.sub(r" \(.*", "", noted).strip()
            edge = "" if language in SPACED else r"\b"
            if re.search(rf"(?i){edge}{re.escape(word)}{edge}", rest):
                yield f"{where} says {word!r}, which the glossary avoids for {entry['id']}"


def console_use(root: Path) -> tuple[set[str], list[str], dict[tuple[str, str], set[str]]]:
    """What the console's sources say: whole literals, beginnings of composed keys, and keys of plain t('…') by file,
    with the spaces in which that file looks (none: it does not say)."""
    literals: set[str] = set()
    beginnings: list[str] = []
    lookups: dict[tuple[str, str], set[str]] = {}
    for path in files(root, ".ts", ".tsx"):
        name = path.relative_to(root).as_posix()
        if not name.startswith("console/src/") or ".test." in name or name.endswith(".d.ts"):
            continue
        text = path.read_text("utf-8")
        literals |= {match[2] for match in LITERAL.finditer(text)}
        beginnings += re.findall(r"`([a-z][\w:./-]*[-._/])\$\{", text)
        looks = {space for names in SPACES.findall(text) for space in re.findall(r"'([\w-]+)'", names)}
        lookups |= {
            (name, key): looks | {COMMON} if SPACES.search(text) else set() for key in STATIC_CALL.findall(text)
        }
    return literals, beginnings, lookups


def of_console(root: Path, source: dict[str, Pack]) -> Iterator[str]:
    spaces = {Path(place).stem: pack for place, pack in source.items() if place.startswith("console/")}
    literals, beginnings, lookups = console_use(root)
    literals |= {text.split(":", 1)[1] for text in literals if ":" in text}
    beginnings += [text.split(":", 1)[1] for text in beginnings if ":" in text]
    for space, pack in spaces.items():
        for key in sorted({stem(k) for k in pack} | (pack.keys() & literals)):
            if key not in literals and not any(b and key.startswith(b) for b in beginnings):
                yield f"console/locales/*/{space}.json: nobody uses {key}"
    for (name, key), looks in sorted(lookups.items()):
        space, _, bare = key.rpartition(":")
        packs = [spaces.get(namespace, {}) for namespace in ({space} if space else looks or spaces)]
        if not any(bare in pack or bare in {stem(k) for k in pack} for pack in packs):
            yield f"{name}: t('{key}') has no text"


def of_server(root: Path, source: dict[str, Pack]) -> Iterator[str]:
    """Each code of the answers has a text; each text is said whole, or is composed of a known beginning and a word."""
    pack = source.get("src/lustra/texts", {})
    keys = {stem(key) if f"{stem(key)}_other" in pack else key for key in pack}
    ours = root / "src" / "lustra"
    sources = [p for p in files(root, ".py", ".json") if p.is_relative_to(ours) and p.parent != ours / "texts"]
    text = "\n".join(p.read_text("utf-8") for p in sources)
    errors = root / "src" / "lustra" / "core" / "errors.py"
    for node in ast.walk(ast.parse(errors.read_text("utf-8") if errors.exists() else "")):
        if isinstance(node, ast.ClassDef) and node.name == "Code":
            names = [
                t.id
                for line in node.body
                if isinstance(line, ast.Assign)
                for t in line.targets
                if isinstance(t, ast.Name)
            ]
            yield from (
                f"src/lustra/texts: code.{n} is missing" for n in names if n != "OK" and f"code.{n}" not in keys
            )
    for key in sorted(keys):
        first, _, rest = key.partition(".")
        if f'"{key}"' in text:
            continue
        word = re.escape(rest)  # first in the pattern: so its place is found fast
        if f'f"{first}.{{' not in text or not re.search(rf"{word}(?<![\w/]{word})(?![\w/])", text):
            yield f"src/lustra/texts: nobody uses {key}"


def problems(root: Path) -> list[str]:
    glossary = Glossary.read(root)
    source = packs(root, SOURCE)
    reports = [*of_console(root, source), *of_server(root, source)]
    for language in LANGUAGES:
        translated = packs(root, language)
        reports += (f"{language} {place}: the file is missing" for place in source.keys() - translated.keys())
        reports += (f"{language} {place}: English has no such file" for place in translated.keys() - source.keys())
        for place in sorted(source.keys() & translated.keys()):
            reports += same_shape(place, source[place], translated[place], language, glossary.forms[language])
            reports += in_words(place, source[place], translated[place], language, glossary)
    return reports


if __name__ == "__main__":
    tell(problems)
