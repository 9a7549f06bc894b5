#!/bin/sh
# Commit what the first job made, or open a pull request when a day is held: daily-commit.sh FOLDER
set -eu
made=$1
(cd "$made/custom" && sha256sum --check --strict --quiet SHA256SUMS)
# A puzzle of the day that was published never changes: the file may only grow.
days=data/custom/daily.csv
if test -f "$days" && ! head -c "$(wc -c <"$days")" "$made/custom/daily.csv" | cmp -s - "$days"; then
    echo "daily.csv changes or lacks puzzles that were published." >&2
    exit 1
fi
# Only the files of a release, by name; other files in the folder are ignored.
for name in CHANGES.md LICENSES.txt SHA256SUMS daily.csv datapackage.json diffs.csv evidence.csv flags.csv \
    since-approved.csv track.csv violations.csv wordlist-in-play.txt wordlist.txt words.csv; do
    test -f "$made/custom/$name" && test ! -L "$made/custom/$name"
    cp "$made/custom/$name" "data/custom/$name"
done
git add data/custom
code=$(cat "$made/code.txt")
if ! git diff --cached --quiet; then
    git config user.name "daily update"
    git config user.email "actions@users.noreply.github.com"
    last=$(sed -n '1s/.*\.\.\([0-9-]\{10\}\)$/\1/p' data/custom/evidence.csv)
    git commit --quiet -m "Fold in the days up to $last"
    if test -s "$made/held.txt"; then
        branch="held-$last"
        git push --quiet --force origin "HEAD:refs/heads/$branch"
        gh pr create --head "$branch" --title "A day is held: look before it counts" --body-file "$made/held.txt" ||
            gh pr edit "$branch" --body-file "$made/held.txt"
    else
        git push --quiet
    fi
fi
if test "$code" = 3; then
    echo "A source is in trouble; see the talk of the first job." >&2
    exit 3
fi
