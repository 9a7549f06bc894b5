"""Solve with pandas: python3 frame.py list.csv vctaoen"""

import sys

import pandas as pd

try:
    path, letters = sys.argv[1], sys.argv[2].lower()
    # Without dtype=str and keep_default_na=False, pandas reads the word "null" as a missing value.
    words = pd.read_csv(path, dtype=str, keep_default_na=False)
except IndexError:
    sys.exit("usage: python3 frame.py CSV LETTERS")
except (OSError, ValueError) as error:
    sys.exit(f"Cannot read {path}: {error}")
# words.csv of a release also has words that are not on the list.
words = words[words["tier"].isin(["core", "likely"])]
fits = words["word"].str.contains(letters[0]) & words["word"].str.fullmatch(f"[{letters}]+")
print(*words["word"][fits], sep="\n")
