"""Play: answers, hints and descriptions of puzzles, for players."""

__all__ = "about daily difficulty glosses hints puzzles reply".split()
"""The modules that other folders may use; all others are internal."""
