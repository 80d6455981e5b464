"""docs/samples: configurations of the bus for production, as `lustra up` writes it for itself, and of a leaf of it."""

from house import ROOT

from lustra.stack import accounts, leaf

SAMPLES = ROOT / "docs" / "samples"
PAGES = {SAMPLES / "nats.conf": accounts.sample, SAMPLES / "leaf.conf": leaf.sample}

if __name__ == "__main__":
    for page, sample in PAGES.items():
        page.write_text(sample(), "utf-8")
