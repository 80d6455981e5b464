"""The calls of proofs of clean, of a month's, and of their letterhead."""
