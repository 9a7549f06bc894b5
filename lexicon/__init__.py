"""Builds `data/raw/lexicon/` from packages with word lists. This is rarely needed; see `python -m lexicon --help`."""
