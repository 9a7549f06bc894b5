#!/bin/sh
# Fetch, make the release, and put it into a folder, with the messages for people: daily-fetch.sh FOLDER
set -eu
made=$1
data=${BEE_DATA:-data}
mkdir -p "$made/custom" "$made/held"
code=0
bee run --fetch 2>"$made/talk.txt" || code=$?
cat "$made/talk.txt" >&2
# Exit code 3 means that a source failed. After any other error a person must look, and nothing is committed.
test "$code" = 0 -o "$code" = 3
echo "$code" >"$made/code.txt"
bee check >"$made/check.txt" 2>>"$made/talk.txt"
bee check --only day-held --only word-waits >"$made/findings.txt" 2>>"$made/talk.txt"
sed -nE 's/^[a-z]+ +word-waits +([0-9-]{10} [a-z]+):.*/- \1/p' "$made/findings.txt" >"$made/waits.txt"
# For each held day, the text of its pull request: what `bee check` prints about this day, and how to answer.
sed -nE 's/^[a-z]+ +day-held +([0-9-]{10}):.*/\1/p' "$made/findings.txt" | while read -r day; do
    {
        echo "The day $day is held: its answers do not count yet, and all other days do. This is what is known:"
        echo
        awk -v day="$day" '/^[a-z]+ +(day-held|word-waits) / { on = index($3, day) == 1 } on { print "    " $0 }' \
            "$made/findings.txt"
        echo
        echo "To answer, work in a checkout: run \`bee run --fetch\`, then \`bee check --only day-held\`, and one of the"
        echo "commands that it prints. Commit the change to the main branch, or to the branch of this pull request and"
        echo "merge it. Merging it as it is changes nothing. The run that counts the day closes the pull request."
    } >"$made/held/$day.md"
    # TODO with `bee admit`: if all versions of the day have the same letters, put custom/admitted.csv with the line of
    # `bee admit "$day" --by "merged pull request" --reason "..."` into "$made/held/$day.csv", for daily-commit.sh.
done
bee verify "$data/custom" 2>>"$made/talk.txt"
cut -c67- "$data/custom/SHA256SUMS" | while read -r name; do cp "$data/custom/$name" "$made/custom/"; done
cp "$data/custom/SHA256SUMS" "$data/custom/evidence.csv" "$data/custom/track.csv" "$made/custom/"
