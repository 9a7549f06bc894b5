"""Review: the words that a person should look at, and the decisions of people."""

__all__ = "days effect families queue sheets verdicts why".split()
"""The modules that other folders may use; all others are internal."""
