"""Two packages for those who use the list: `bee_wordlist` for Python and `bee-wordlist` for npm, made from a release.

Only the two folders `bee_wordlist/` and `npm/` are written for the packages. The solver, the glossary, the reader and
the replies are copied from `pipeline/`, and the JavaScript from the page. Nobody installs this folder.
"""
