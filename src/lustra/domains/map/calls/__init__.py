"""The calls of the map domain."""
