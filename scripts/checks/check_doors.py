"""A domain has one door: who is outside of it imports `domains/<name>/api.py` and nothing else of it.

The app puts the product together (wiring) and makes the demo's world: these two may reach inside. The domains are read
from the folders, so that a new one is inside the rule.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from house import tell

DOMAINS = "lustra.domains"
DOOR = "api"
INSIDERS = ("lustra/app/wiring.py", "lustra/app/opening.py", "lustra/app/demo/")


def imported_modules(path: Path, source: Path) -> Iterator[tuple[int, str]]:
    """Line and module of each import; for `from package import name` the module `package.name` where it is one."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                place = source.joinpath(*node.module.split("."), alias.name)
                is_module = place.is_dir() or place.with_suffix(".py").exists()
                yield node.lineno, f"{node.module}.{alias.name}" if is_module else node.module


def problems(root: Path) -> list[str]:
    source = root / "src"
    domains = {path.name for path in source.joinpath(*DOMAINS.split(".")).iterdir() if (path / "__init__.py").exists()}
    reports: list[str] = []
    for path in sorted((source / "lustra").rglob("*.py")):
        name = path.relative_to(source).as_posix()
        if name.startswith(INSIDERS):
            continue
        for line, module in imported_modules(path, source):
            package, _, rest = module.removeprefix(f"{DOMAINS}.").partition(".")
            outside = module.startswith(f"{DOMAINS}.") and not name.startswith(f"lustra/domains/{package}/")
            if outside and package in domains and rest != DOOR:
                reports.append(f"src/{name}:{line}: imports {module}; from outside use {DOMAINS}.{package}.{DOOR}")
    return reports


if __name__ == "__main__":
    tell(problems)
