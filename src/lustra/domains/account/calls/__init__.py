"""The calls of the account domain."""
