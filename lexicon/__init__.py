"""Lexicon: builds `data/raw/lexicon/` from packages with word lists. Rarely needed; `python -m lexicon --help`."""
