"""docs/samples/nats.conf: the bus's configuration for production, as `lustra up` writes it for itself."""

from house import ROOT

from lustra.stack.accounts import sample

PAGE = ROOT / "docs" / "samples" / "nats.conf"

if __name__ == "__main__":
    PAGE.write_text(sample(), "utf-8")
