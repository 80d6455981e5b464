"""The calls of the device domain."""
