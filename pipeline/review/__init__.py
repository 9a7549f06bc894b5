"""Review: the words that a person should look at, and the decisions of people."""

__all__ = "days effect queue sheets verdicts".split()
"""The modules that other folders may use; all others are internal."""
