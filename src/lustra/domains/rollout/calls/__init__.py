"""The calls of roll-outs."""
