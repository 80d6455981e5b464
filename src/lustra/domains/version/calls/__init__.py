"""The calls of versions."""
