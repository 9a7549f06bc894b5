#!/bin/sh
# Installs both packages from a folder into empty environments, next to an unrelated folder `pipeline`, and solves a puzzle
# with each: packages/try.sh DIST FOLDER. Needs Python with pip, and Node; it downloads nothing.
set -eu
python=${PYTHON:-python3}
dist=$(cd "$1" && pwd)
mkdir -p "$2/pipeline"
echo 'raise SystemExit("this is the pipeline of another project")' >"$2/pipeline/__init__.py"

"$python" -m venv --without-pip "$2/venv"
"$python" -m pip --python "$2/venv/bin/python" install --quiet --no-index --no-deps "$dist"/bee_wordlist-2*.whl
cd "$2"
venv/bin/python -m bee_wordlist vctaoen
venv/bin/python -m bee_wordlist --why luff

mkdir -p node_modules/bee-wordlist
tar -xzf "$dist"/bee-wordlist-2*.tgz -C node_modules/bee-wordlist --strip-components=1
node --input-type=module -e '
import { solve, version } from "bee-wordlist";
import { why } from "bee-wordlist/why";
console.log(`luff: ${why("luff").tier}`);
console.log(`bee-wordlist ${version}`, ...solve("vctaoen"));'
