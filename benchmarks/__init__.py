"""Times of the solver, the commands and the pipeline, beside what others do. They are not part of the package."""
