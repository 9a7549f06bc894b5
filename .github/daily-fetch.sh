#!/bin/sh
# Fetch, make the release, and put it into a folder, with the messages for people: daily-fetch.sh FOLDER
set -eu
made=$1
data=${BEE_DATA:-data}
mkdir -p "$made/custom"
code=0
bee run --fetch 2>"$made/talk.txt" || code=$?
cat "$made/talk.txt" >&2
# Exit code 3 means that a source failed. After any other error a person must look, and nothing is committed.
test "$code" = 0 -o "$code" = 3
echo "$code" >"$made/code.txt"
bee check >"$made/check.txt" 2>>"$made/talk.txt"
grep ' day-held ' "$made/check.txt" >"$made/held.txt" || true
bee verify "$data/custom" 2>>"$made/talk.txt"
cut -c67- "$data/custom/SHA256SUMS" | while read -r name; do cp "$data/custom/$name" "$made/custom/"; done
cp "$data/custom/SHA256SUMS" "$data/custom/evidence.csv" "$data/custom/track.csv" "$made/custom/"
