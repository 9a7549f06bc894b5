"""Benchmarks: the solver, the generator and the page beside what others have described. Not part of the package."""
