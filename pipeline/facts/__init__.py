"""Facts: tables made from official days and word lists. The functions are pure: bytes or frames in, frames out."""

__all__ = ("by_hand coverage day_decisions decision_files lexicon lists merge own_lists record").split()
"""The modules that other folders may use; all others are internal."""
