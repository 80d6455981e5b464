"""The calls of adverts."""
