"""Solve with the masks file: python3 masks.py bee.masks vctaoen"""

# Answers use the center and some of the six outer letters: 64 sets of letters, each found by binary search.
import struct
import sys
from bisect import bisect_left
from pathlib import Path

try:
    path, letters = sys.argv[1], sys.argv[2].lower()
    data = Path(path).read_bytes()
    magic, n, count = struct.unpack_from("<8sII", data)
except IndexError:
    sys.exit("usage: python3 masks.py MASKS LETTERS")
except (OSError, struct.error) as error:
    sys.exit(f"Cannot read {path}: {error}")
masks = struct.unpack_from(f"<{n}I", data, 16)
offsets = struct.unpack_from(f"<{n + 1}I", data, 16 + 4 * n)
text = 20 + 8 * n
center, *outer = [1 << ord(letter) - ord("a") for letter in letters]
for subset in range(64):
    wanted = center | sum(bit for i, bit in enumerate(outer) if subset >> i & 1)
    at = bisect_left(masks, wanted)
    if at < n and masks[at] == wanted:
        print(data[text + offsets[at] : text + offsets[at + 1]].decode(), end="")
