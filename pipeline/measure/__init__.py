"""Measure: how good the list is and how fast the solver is."""
