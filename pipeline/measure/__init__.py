"""Measures how good the list is."""
