#!/bin/sh
# Makes the release of the main branch, and writes it into a folder with the messages for people: daily-fetch.sh FOLDER
#
# The missing days are fetched first. With FETCH=false, the network is not used, and the release only has what people
# decided on the main branch since the last release. The last two days, whose lists may still grow, do not count yet.
set -eu
made=$1
data=${BEE_DATA:-data}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$made/custom" "$made/waits"
git rev-parse HEAD >"$made/commit.txt"
if test -f "$data/custom/SHA256SUMS"; then cp -R "$data/custom" "$scratch/before"; fi
if test "${FETCH:-true}" = true; then set -- --fetch; else set --; fi
code=0
bee run "$@" 2>"$made/talk.txt" || code=$?
cat "$made/talk.txt" >&2
# Exit code 3 means that a person is needed. After any other error, nothing is committed, and a person must look at it.
test "$code" = 0 -o "$code" = 3
echo "$code" >"$made/code.txt"
bee check >"$made/check.txt" 2>"$made/waits.txt"

# Write days.csv, with one more line that accepts a day, to waits/DAY.csv. `bee check` names the command without a source
# only if there is one list of the day. The line is made in a copy, because it counts only after a person has merged it.
accept() {
    grep -q "\`bee day $1 --accept --reason" "$made/waits.txt" && test -f "$data/custom/days.csv" &&
        rm -rf "$scratch/custom" && cp -R "$data/custom" "$scratch/custom" &&
        bee day "$1" --accept --by "merged pull request" --reason "looked at before merging" --data "$scratch" \
            2>>"$made/talk.txt" && cp "$scratch/custom/days.csv" "$made/waits/$1.csv"
}
for folder in build raw; do ln -s "$(cd "$data" && pwd)/$folder" "$scratch/$folder"; done

# For each day that waits, write the text of its pull request: what `bee check` prints about the day, and how to answer.
sed -nE 's/^([0-9-]{10}) waits: .*/\1/p' "$made/waits.txt" | while read -r day; do
    {
        echo "The day $day waits: its answers do not count yet. It does not delay other days. This is what is known:"
        echo
        awk -v day="$day" '/^[^ ]/ { on = $1 == day } on { print "    " $0 }' "$made/waits.txt"
        echo
        if accept "$day"; then
            echo "If this list is right, merge this pull request. It adds a line to data/custom/days.csv that accepts the list"
            echo "with these letters and this number of answers. If the list is wrong, do not merge the pull request; answer"
            echo "as follows instead."
        else
            echo "This pull request is empty, so merging it changes nothing. Answer as follows."
        fi
        echo
        echo "In a checkout, run \`bee run --fetch --no-publish\`, then \`bee check --only day-waits\`, and then one of the"
        echo "commands that it prints. Commit only the file that this command changed, to the main branch. The run that"
        echo "counts the day closes this pull request."
    } >"$made/waits/$day.md"
done

bee verify "$data/custom" 2>>"$made/talk.txt"
if test -d "$scratch/before" && ! cmp -s "$scratch/before/SHA256SUMS" "$data/custom/SHA256SUMS"; then
    bee changes "$scratch/before" "$data/custom" >"$made/changes.csv" 2>>"$made/talk.txt"
fi
cut -c67- "$data/custom/SHA256SUMS" | while read -r name; do cp "$data/custom/$name" "$made/custom/"; done
cp "$data/custom/SHA256SUMS" "$made/custom/"
