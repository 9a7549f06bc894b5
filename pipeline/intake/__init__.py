"""Intake: which days and words enter the record. Pure: frames in, frames out."""

__all__ = "checkpoint counting forecast new_days track".split()
"""The modules that other folders may use; all others are internal."""
