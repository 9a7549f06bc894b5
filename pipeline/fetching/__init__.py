"""Fetching: the network, the database of captures, and the days to fetch."""

__all__ = "backfill captures imports schedule web".split()
"""The modules that other folders may use; all others are internal."""
