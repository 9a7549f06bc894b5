"""Intake: which days and words enter the record. Pure: frames in, frames out."""

__all__ = "checkpoint forecast new_days record record_state track".split()
"""The modules that other folders may use; all others are internal."""
