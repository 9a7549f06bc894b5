"""Check the files of a release: python3 verify.py data/custom"""

import hashlib
import json
import sys
from pathlib import Path

try:
    folder = Path(sys.argv[1])
    for file in json.loads((folder / "datapackage.json").read_text())["resources"]:
        digest = hashlib.sha256((folder / file["path"]).read_bytes()).hexdigest()
        if file["hash"] != f"sha256:{digest}":
            sys.exit(f"{file['path']} is damaged")
        print(file["path"], "ok")
except IndexError:
    sys.exit("usage: python3 verify.py FOLDER")
except OSError as error:
    sys.exit(f"Cannot read {error.filename}: {error.strerror}")
except (ValueError, KeyError, TypeError):
    sys.exit(f"{folder / 'datapackage.json'} does not describe a release")
