"""Publishing: checks, diffs, the release, and files made from a release."""

__all__ = """
    changes check datapackage diff export formats publish release
""".split()
"""The modules that other folders may use; all others are internal."""
