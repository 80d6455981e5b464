"""One whole product a module. A module that wants other words or settings names them: WORDS, ENVIRON."""

from collections.abc import Iterator

import pytest

from tests.product.running import Product
from tests.product.running import product as fresh


@pytest.fixture(scope="module")
def product(request: pytest.FixtureRequest) -> Iterator[Product]:
    words: tuple[str, ...] = getattr(request.module, "WORDS", ())
    environ: dict[str, str] = getattr(request.module, "ENVIRON", {})
    with fresh("--no-history", *words, **environ) as running:
        running.start()
        running.wait()
        yield running
        denied = [line for line in running.log("postgres").splitlines() if "permission denied" in line]
        assert not denied, "a process lacks a right of its role"
