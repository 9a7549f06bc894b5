"""Tables: the contract of every table, and whole-column work."""

__all__ = "columns frames".split()
"""The modules that other folders may use; all others are internal."""
