"""A domain's SQL names tables of its own domain and of lower ones; what a higher one knows it answers by an event.

Whose a table is says the folder of its class; the tiers are import-linter's ("tiers of domains" in pyproject.toml).
Names of one tier do not know each other either. Core and protocol stand below all domains.
Foreign keys may point anywhere: what holds in the database knows no tiers.

Usage: check_sql_tiers.py [FOLDER of the repository]
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from house import ROOT

LOWEST = ("core", "protocol")
CLAUSE = re.compile(r"\b(?:from|join|update|into|using|only)\s+(?P<tables>\w+(?:[\w \t]*,\s*\w+)*)", re.IGNORECASE)
Problems = list[str]


def read_tiers(root: Path) -> dict[str, int]:
    """By domain the place of its tier, the lowest 1."""
    contracts = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (layers,) = (contract["layers"] for contract in contracts if contract["name"] == "tiers of domains")
    return {name.strip(): place for place, tier in enumerate(reversed(layers), 1) for name in tier.split("|")}


def owners(folder: Path) -> dict[str, str]:
    """By table its domain."""
    by_table: dict[str, str] = {}
    for path in (folder / "domains").rglob("tables.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__tablename__":
                by_table[ast.literal_eval(node.value)] = path.relative_to(folder / "domains").parts[0]
    return by_table


def texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text, but for docstrings; of an f-string what stands between its values."""
    skipped = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr) and id(node) not in skipped:
            parts = [str(v.value) if isinstance(v, ast.Constant) else " x " for v in node.values]
            skipped |= {id(value) for value in node.values}
            yield node.lineno, "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.lineno, node.value


def tables_named(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Tables that SQL in there names."""
    for line, text in texts(tree):
        for clause in CLAUSE.finditer(text):
            for table in clause["tables"].split(","):
                yield line, table.split()[0].lower()


def climbs(tiers: dict[str, int], domain: str | None, other: str) -> bool:
    """Whether code of that domain (None: of core or protocol) may not know the other's tables."""
    if domain is None:
        return True
    return domain != other and tiers.get(other, 0) >= tiers.get(domain, 0)


def check(root: Path) -> Problems:
    folder, tiers = root / "src" / "lustra", read_tiers(root)
    by_table, problems = owners(folder), Problems()
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder).parts
        if parts[0] not in (*LOWEST, "domains") or "migrations" in parts:
            continue
        domain = parts[1] if parts[0] == "domains" else None
        for line, table in tables_named(ast.parse(path.read_text("utf-8"))):
            other = by_table.get(table)
            if other and climbs(tiers, domain, other):
                problems.append(
                    f"{path}:{line} {domain or parts[0]} names the table {table} of {other}, which stands above"
                )
    return sorted(set(problems))


def main() -> int:
    problems = check(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
    print("\n".join(problems) or "no domain's SQL names tables of a higher one")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
