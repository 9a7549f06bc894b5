"""Benchmarks of the solver, the generator and the page, compared with what others have described. They are not part of
the package."""
