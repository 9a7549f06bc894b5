"""Tables: the contract of every table, whole-column work, and cells of CSV files."""

__all__ = "cells columns frames".split()
"""The modules that other folders may use; all others are internal."""
