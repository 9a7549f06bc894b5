"""Fetching: the network, captures with receipts, and the days to fetch."""

__all__ = "backfill captures receipts schedule web".split()
"""The modules that other folders may use; all others are internal."""
