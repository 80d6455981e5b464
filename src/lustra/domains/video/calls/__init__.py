"""The calls of the video domain."""
