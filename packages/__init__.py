"""Two packages for users of the list: `bee_wordlist` for Python and `bee-wordlist` for npm.

Their sources are in `python/` and `npm/`. `python -m packages` copies each, adds the data of a release, and packs it.
"""
