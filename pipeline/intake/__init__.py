"""Intake: which days and words enter the record. Pure: frames in, frames out."""

__all__ = "new_record track".split()
"""The modules that other folders may use; all others are internal."""
