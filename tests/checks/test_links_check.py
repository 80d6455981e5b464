from collections.abc import Callable
from pathlib import Path

import check_links


def test_link_to_nothing_is_found(project: Callable[..., Path]):
    root = project(
        {
            "README.md": "[a](docs/a.md) [b](docs/b.md) ![p](p.png) [c](docs/a.md#one-thing) [d](docs/a.md#two)",
            "docs/a.md": "# One thing\n[back](../README.md)\n```\n[x](gone.md)\n```\n",
        }
    )
    assert check_links.problems(root) == [
        "README.md: docs/b.md is not there",
        "README.md: p.png is not there",
        "README.md: docs/a.md#two: no such heading",
    ]
