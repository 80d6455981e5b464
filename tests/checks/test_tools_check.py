"""The tools that others wrote, each with a violation planted in a copy of the project: they are set up to find it."""

import re
import shutil
from pathlib import Path
from typing import Any

import check
import pytest
from house import ROOT

CONSOLE = ROOT / "console"
CHECKS = {each.name: each for each in check.CHECKS}
needs_node = pytest.mark.skipif(not (CONSOLE / "node_modules").exists(), reason="console/node_modules is not installed")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(CONSOLE, root / "console", ignore=shutil.ignore_patterns("node_modules", "dist", "coverage"))
    shutil.copytree(ROOT / "src", root / "src", ignore=shutil.ignore_patterns("console", "__pycache__"))
    shutil.copytree(ROOT / "docs", root / "docs", ignore=shutil.ignore_patterns("pictures", "samples"))
    shutil.copytree(ROOT / "scripts", root / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", root)
    (root / "console" / "node_modules").symlink_to(CONSOLE / "node_modules")
    (root / ".venv").symlink_to(ROOT / ".venv")
    return root


def run_check(copy: Path, name: str, planted: dict[str, str]) -> str:
    """What the check says of the copy with these files added or, for a leading +, lengthened."""
    former = {path: (copy / path).read_text("utf-8") if (copy / path).exists() else None for path in planted}
    try:
        for path, text in planted.items():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            (copy / path).write_text((former[path] or "") + text, "utf-8")
        known = CHECKS[name]
        _, code, output, _ = check.run(check.Check(name, known.command, copy / known.folder.relative_to(ROOT)))
    finally:
        for path, text in former.items():
            (copy / path).unlink() if text is None else (copy / path).write_text(text, "utf-8")
    assert code, output
    return output


@pytest.mark.parametrize(("name", "text", "why"), [("ruff", "import os\n", "F401"), ("format", "x  =  1\n", "planted")])
def test_ruff_finds_it(copy: Path, name: str, text: str, why: str):
    assert why in run_check(copy, name, {"src/lustra/core/planted.py": text})


@needs_node
def test_pyright_finds_it(tmp_path: Path):
    """In a project of one file: the whole would take its time twice."""
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    (tmp_path / "console").mkdir()
    (tmp_path / "console" / "node_modules").symlink_to(CONSOLE / "node_modules")
    assert "reportMissingParameterType" in run_check(
        tmp_path, "pyright", {"src/planted.py": "def f(x) -> int:\n    return x\n"}
    )


@needs_node
def test_tsc_finds_it(tmp_path: Path):
    """In a project of one file, like pyright."""
    (tmp_path / "console").mkdir()
    shutil.copy(CONSOLE / "tsconfig.json", tmp_path / "console")
    (tmp_path / "console" / "node_modules").symlink_to(CONSOLE / "node_modules")
    planted = {"console/src/planted.ts": "export const x: number = 'a'\nexport const y: string = [''][0]\n"}
    output = run_check(tmp_path, "tsc", planted)
    assert "planted.ts(1," in output
    assert "planted.ts(2," in output


@needs_node
@pytest.mark.parametrize(
    ("name", "planted", "why"),
    [
        ("biome", {"console/src/shared/planted.ts": "export const x: any = 1\n"}, "planted.ts"),
        ("depcruise", {"console/src/shared/planted.ts": "import './absent'\n"}, "could not follow"),
        ("knip", {"console/src/shared/planted.ts": "export const x = 1\n"}, "planted.ts"),
        ("words", {"console/locales/ko/common.json": " "}, "glossary"),
        ("contract", {"console/src/shared/rpc/schema.d.ts": "export {}\n"}, "schema.d.ts"),
    ],
)
def test_console_tool_finds_it(copy: Path, name: str, planted: dict[str, Any], why: str):
    assert why in run_check(copy, name, planted)


@needs_node
def test_every_value_of_the_look_outside_of_the_tokens_is_found(copy: Path):
    """A colour, a distance, a radius, a size of letters, a layer, a width of screens; a class without use or rules."""
    planted = {
        "console/src/shared/planted.module.css": (
            ".a {\n  color: #123456;\n  gap: 7px;\n  border-radius: 3px;\n  font-size: 15px;\n  z-index: 4;\n"
            "  padding: var(--space-m);\n}\n@media (max-width: 701px) {\n  .b {\n    margin: 0;\n  }\n}\n"
        ),
        "console/src/shared/planted.tsx": (
            "import styles from './planted.module.css'\n"
            'export const A = () => <i className={styles.a + styles.c} color="#abc" />\n'
        ),
        "console/src/shared/theme/theme.css": ":root {\n}\n",
    }
    output = run_check(copy, "styles", planted)
    sheet = "src/shared/planted.module.css"
    for line, fault in enumerate(("colour", "distance", "radius", "size of letters", "layer"), 2):
        assert re.search(rf"{sheet}:{line}: .* is a {fault}", output)
    assert f"{sheet}:9: 701px is no breakpoint" in output
    assert f"{sheet}: .b is used nowhere" in output
    assert f"planted.tsx: {sheet} has no class .c" in output
    assert "planted.tsx:2: #abc is a colour" in output
    assert "theme.css is not what tokens.ts says" in output
    assert f"{sheet}:7" not in output


@needs_node
def test_every_layer_that_is_broken_is_found(copy: Path):
    """In one look: it takes seconds."""
    planted = {
        "console/src/canvas/planted.ts": "import 'react'\n",
        "console/src/shared/planted.ts": "import '../app/main'\n",
    }
    output = run_check(copy, "depcruise", planted)
    assert "canvas-is-plain: src/canvas/planted.ts" in output
    assert "shared-is-the-ground: src/shared/planted.ts" in output
