"""Opinions: what is computed for every word, and the resulting tier. Pure: frames in, frames out."""

__all__ = "catalog constancy decide estimate flag relatives why".split()
"""The modules that other folders may use; all others are internal."""
