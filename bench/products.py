"""The product that a bench measures: started for it alone, or the one that short forms share.

BENCH_PRODUCT names the data folder of a product that runs already; it is neither started nor stopped here.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.product.running import Product, product


@contextmanager
def started(*words: str) -> Iterator[Product]:
    """Ready, over a fresh folder and without history."""
    if folder := os.environ.get("BENCH_PRODUCT"):
        shared = Product(Path(folder))
        shared.port = urlsplit(shared.run["http"]).port or shared.port
        yield shared
        return
    # As an installation has it: the demo reads each ready answer again beside its declaration.
    with product("--no-history", *words, LUSTRA_CHECK_ANSWERS="off") as running:
        running.start()
        running.wait()
        yield running
