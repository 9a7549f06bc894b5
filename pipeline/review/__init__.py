"""Review: the words that a person should look at, and the decisions of people."""

__all__ = "effect named_days queue sheets verdicts".split()
"""The modules that other folders may use; all others are internal."""
