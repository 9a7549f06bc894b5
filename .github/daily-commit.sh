#!/bin/sh
# Commit what the first job made, and keep one pull request for each day that is held: daily-commit.sh FOLDER
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
git config user.name "daily update"
git config user.email "actions@users.noreply.github.com"
if ! git diff --cached --quiet; then
    last=$(sed -n '1s/.*[. ]\([0-9-]\{10\}\)$/\1/p' data/custom/evidence.csv)
    {
        echo "Fold in the days up to $last"
        if test -s "$made/waits.txt"; then
            printf '\nThese words wait for a second source or a verdict:\n\n'
            cat "$made/waits.txt"
        fi
    } | git commit --quiet -F -
    git push --quiet origin HEAD:main
fi
day_like='20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
# A pull request needs a commit. This one is empty, so that merging it never chooses a version of the day.
for text in "$made"/held/$day_like.md; do
    test -f "$text" && test ! -L "$text" || continue
    day=$(basename "$text" .md)
    branch=held-$day
    title="Day $day is held: look before it counts"
    if git ls-remote --exit-code --heads origin "$branch" >/dev/null; then
        gh pr edit "$branch" --body-file "$text"
    else
        git push --quiet origin "$(git commit-tree -p HEAD -m "$title" 'HEAD^{tree}'):refs/heads/$branch"
        gh pr create --head "$branch" --title "$title" --body-file "$text"
    fi
done
# The first line of evidence.csv ends with the covered days, as in "covers 2018-05-09..2026-07-24 2026-07-26".
git ls-remote --heads origin "held-$day_like" | sed 's,.*/held-,,' | while read -r day; do
    if sed -n '1s/.* covers //p' data/custom/evidence.csv | tr ' ' '\n' |
        awk -F '[.][.]' -v day="$day" '$1 <= day && day <= $NF { found = 1 } END { exit !found }'; then
        gh pr close "held-$day" --delete-branch --comment "The day $day counts now."
    fi
done
if test "$code" = 3; then
    echo "A source is in trouble; see the talk of the first job." >&2
    exit 3
fi
