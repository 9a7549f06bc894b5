"""Opinions: what is computed for every word, and the resulting tier. The functions are pure: frames in, frames out."""

__all__ = "catalog decide estimate_tried estimate_untried families flag model relatives".split()
"""The modules that other folders may use; all others are internal."""
