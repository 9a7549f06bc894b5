"""Solve without our package: python3 solve.py words.txt vctaoen"""

import sys
from pathlib import Path

path, letters = sys.argv[1:]
with Path(path).open() as words:
    for word in map(str.strip, words):
        if letters[0] in word and set(word) <= set(letters):
            print(word)
