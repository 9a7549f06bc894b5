#!/bin/sh
# Makes the release of the main branch, and writes it into a folder with the messages for people: daily-fetch.sh FOLDER
#
# The missing days are fetched first. With FETCH=false, the network is not used, and the release only has what people
# decided on the main branch since the last release. In both cases, it is made only from files of the repository, so that
# every clone makes the same release. It does not have the last two days, whose lists may still grow.
set -eu
made=$1
data=${BEE_DATA:-data}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$made/custom" "$made/held"
git rev-parse HEAD >"$made/commit.txt"
if test -f "$data/custom/SHA256SUMS"; then cp -R "$data/custom" "$scratch/before"; fi
code=0
if test "${FETCH:-true}" = true; then
    bee run --fetch --no-publish 2>"$made/talk.txt" || code=$?
else
    bee run --no-publish 2>"$made/talk.txt" || code=$?
fi
cat "$made/talk.txt" >&2
# Exit code 3 means that a source failed. After any other error, nothing is committed, and a person must look at it.
test "$code" = 0 -o "$code" = 3
echo "$code" >"$made/code.txt"
bee check >"$made/check.txt" 2>>"$made/talk.txt"
bee check --only day-held --only word-waits >"$made/findings.txt" 2>"$made/versions.txt"
cat "$made/versions.txt" >>"$made/talk.txt"
sed -nE 's/^[a-z]+ +word-waits +([0-9-]{10} [a-z]+):.*/- \1/p' "$made/findings.txt" >"$made/waits.txt"

# Write the file of admissions, with one more line that admits a day, to held/DAY.csv. `bee check` names `bee admit` only
# if all sources that have the day agree. The line is made in a copy, because it counts only after a person has merged it.
admit() {
    grep -q "\`bee admit $1 " "$made/versions.txt" && test -f "$data/custom/admitted.csv" &&
        rm -rf "$scratch/custom" && cp -R "$data/custom" "$scratch/custom" &&
        bee admit "$1" --by "merged pull request" --reason "looked at before merging" --data "$scratch" \
            2>>"$made/talk.txt" && cp "$scratch/custom/admitted.csv" "$made/held/$1.csv"
}
for folder in build raw; do ln -s "$(cd "$data" && pwd)/$folder" "$scratch/$folder"; done

# For each held day, write the text of its pull request: what `bee check` prints about the day, and how to answer.
sed -nE 's/^[a-z]+ +day-held +([0-9-]{10}):.*/\1/p' "$made/findings.txt" | while read -r day; do
    {
        echo "The day $day is held: its answers do not count yet. All other days count. This is what is known:"
        echo
        awk -v day="$day" '/^[^ ]/ { on = $2 == day || $2 == day ":" } on { print "    " $0 }' "$made/versions.txt"
        echo
        if admit "$day"; then
            echo "If this list is right, merge this pull request. It adds a line to data/custom/admitted.csv that admits the"
            echo "day with these letters and this number of answers. If the list is wrong, do not merge the pull request;"
            echo "answer as follows instead."
        else
            echo "This pull request is empty, so merging it changes nothing. Answer as follows."
        fi
        echo
        echo "In a checkout, run \`bee run --fetch --no-publish\`, then \`bee check --only day-held\`, and then one of the"
        echo "commands that it prints. Commit only the file that this command changed, to the main branch. The run that"
        echo "counts the day closes this pull request."
    } >"$made/held/$day.md"
done

# The release is made in a workspace that is like a fresh clone of the main branch with the new record. The only table in
# it is the state, which says that the track record was not changed after the last merge.
clone=$scratch/clone
mkdir -p "$clone/raw" "$clone/build"
cp -R "$data/custom" "$clone/custom"
for folder in lexicon sample; do
    if test -d "$data/raw/$folder"; then cp -R "$data/raw/$folder" "$clone/raw/$folder"; fi
done
cp "$data/build/state.json" "$clone/build/state.json"
bee run --data "$clone" 2>>"$made/talk.txt"
bee verify "$clone/custom" 2>>"$made/talk.txt"
if test -d "$scratch/before" && ! cmp -s "$scratch/before/SHA256SUMS" "$clone/custom/SHA256SUMS"; then
    bee changes "$scratch/before" "$clone/custom" >"$made/changes.csv" 2>>"$made/talk.txt"
fi
cut -c67- "$clone/custom/SHA256SUMS" | while read -r name; do cp "$clone/custom/$name" "$made/custom/"; done
cp "$clone/custom/SHA256SUMS" "$clone/custom/evidence.csv" "$clone/custom/track.csv" "$made/custom/"
