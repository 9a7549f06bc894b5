"""Facts: tables made from official days and word lists. The functions are pure: bytes or frames in, frames out."""

__all__ = """by_hand coverage day_state grades lexicon lists new_record own_lists record settle track
trials""".split()
"""The modules that other folders may use; all others are internal."""
