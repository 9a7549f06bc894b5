"""Two packages for users of the list, made from a release: `bee_wordlist` for Python and `bee-wordlist` for npm.

Only the code in `bee_wordlist/` and `npm/` is written for the packages. The solver, the glossary, the reader and the
replies are copied from `pipeline/`, and the JavaScript is copied from the page. This folder itself is not installed.
"""
