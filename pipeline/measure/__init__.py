"""Measures how good the list is."""

__all__ = "backtest score".split()
"""The modules that other folders may use; all others are internal."""
