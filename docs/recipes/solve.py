"""Solve without our package: python3 solve.py words.txt vctaoen"""

import sys
from pathlib import Path

try:
    path, letters = sys.argv[1], sys.argv[2].lower()
    # With pandas, read text: pd.read_csv(path, names=["word"], dtype="str", keep_default_na=False, na_filter=False).
    # A reader that guesses types loses the word "null".
    words = Path(path).read_text().lower().splitlines()
except IndexError:
    sys.exit("usage: python3 solve.py WORDS LETTERS")
except (OSError, ValueError) as error:
    sys.exit(f"Cannot read {path}: {error}")
for word in words:
    if letters[0] in word and set(word) <= set(letters):
        print(word)
