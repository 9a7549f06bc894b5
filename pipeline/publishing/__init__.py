"""Publishing: checks, diffs, the release, and files made from a release."""

__all__ = """
    changes check diff export formats lemmas publish release verify
""".split()
"""The modules that other folders may use; all others are internal."""
