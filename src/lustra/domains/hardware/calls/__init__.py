"""The calls of the hardware domain."""
