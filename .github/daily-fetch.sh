#!/bin/sh
# Fetch, make the release, and put it into a folder, with the messages for people: daily-fetch.sh FOLDER
set -eu
made=$1
data=${BEE_DATA:-data}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$made/custom" "$made/held"
if test -f "$data/custom/SHA256SUMS"; then cp -R "$data/custom" "$scratch/before"; fi
code=0
bee run --fetch 2>"$made/talk.txt" || code=$?
cat "$made/talk.txt" >&2
# Exit code 3 means that a source failed. After any other error a person must look, and nothing is committed.
test "$code" = 0 -o "$code" = 3
echo "$code" >"$made/code.txt"
bee check >"$made/check.txt" 2>>"$made/talk.txt"
bee check --only day-held --only word-waits >"$made/findings.txt" 2>"$made/versions.txt"
cat "$made/versions.txt" >>"$made/talk.txt"
sed -nE 's/^[a-z]+ +word-waits +([0-9-]{10} [a-z]+):.*/- \1/p' "$made/findings.txt" >"$made/waits.txt"

# Put the file of admissions, with one more line that admits a day, into held/DAY.csv. `bee check` names `bee admit` only
# if all sources that have the day agree. The line is made in a copy: it counts once a person has merged it.
admit() {
    grep -q "\`bee admit $1 " "$made/versions.txt" && test -f "$data/custom/admitted.csv" &&
        rm -rf "$scratch/custom" && cp -R "$data/custom" "$scratch/custom" &&
        bee admit "$1" --by "merged pull request" --reason "looked at before merging" --data "$scratch" \
            2>>"$made/talk.txt" && cp "$scratch/custom/admitted.csv" "$made/held/$1.csv"
}
for folder in build raw; do ln -s "$(cd "$data" && pwd)/$folder" "$scratch/$folder"; done

# For each held day, the text of its pull request: what `bee check` prints about this day, and how to answer.
sed -nE 's/^[a-z]+ +day-held +([0-9-]{10}):.*/\1/p' "$made/findings.txt" | while read -r day; do
    {
        echo "The day $day is held: its answers do not count yet, and all other days do. This is what is known:"
        echo
        awk -v day="$day" '/^[^ ]/ { on = $2 == day || $2 == day ":" } on { print "    " $0 }' "$made/versions.txt"
        echo
        if admit "$day"; then
            echo "If this list is right, merge this pull request: it adds the line that admits the day, with these letters"
            echo "and this number of answers, to data/custom/admitted.csv. If it is wrong, do not merge it, and answer as"
            echo "follows."
        else
            echo "Merging this pull request as it is changes nothing. Answer as follows."
        fi
        echo
        echo "Work in a checkout: run \`bee run --fetch\`, then \`bee check --only day-held\`, and one of the commands that"
        echo "it prints. Commit the change to the main branch. The run that counts the day closes this pull request."
    } >"$made/held/$day.md"
done
bee verify "$data/custom" 2>>"$made/talk.txt"
if test -d "$scratch/before" && ! cmp -s "$scratch/before/SHA256SUMS" "$data/custom/SHA256SUMS"; then
    bee changes "$scratch/before" "$data/custom" >"$made/changes.csv" 2>>"$made/talk.txt"
fi
cut -c67- "$data/custom/SHA256SUMS" | while read -r name; do cp "$data/custom/$name" "$made/custom/"; done
cp "$data/custom/SHA256SUMS" "$data/custom/evidence.csv" "$data/custom/track.csv" "$made/custom/"
