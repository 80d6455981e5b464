from lustra.live.ingest.main import run

__all__ = ["run"]
