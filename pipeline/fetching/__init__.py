"""Fetching: the network, the database of captures, and the days to fetch."""

__all__ = "backfill captures imports schedule web word_lists".split()
"""The modules that other folders may use; all others are internal."""
