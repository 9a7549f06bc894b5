"""`python -m pipeline` does what `bee` does."""

from pipeline.cli import main

main()
