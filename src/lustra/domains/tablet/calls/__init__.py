"""The calls of tablets."""
