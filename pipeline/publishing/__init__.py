"""Publishing: checks, diffs, the release, and files made from a release."""

__all__ = """
    changes check diff export formats lemmas plain_pages publish release sheets
    site site_content verify
""".split()
"""The modules that other folders may use; all others are internal."""
