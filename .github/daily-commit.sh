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
# The words that the release adds and removes, under its version.
version=$(sed -n 's/^  "version": "\([0-9]\{4\}[0-9.]*\)",*$/\1/p' data/custom/datapackage.json)
changes=$made/changes.csv
if test -f "$changes" && test ! -L "$changes" && test -n "$version" &&
    test "$(head -n 1 "$changes")" = word,change,before,after,because; then
    mkdir -p docs/changes
    cp "$changes" "docs/changes/$version.csv"
    git add docs/changes
fi

# The covered days, one range a line. The first line of evidence.csv has them, and then the words that wait, as in
# "covers 2018-05-09..2026-07-24 2026-07-26..2026-07-26 without 2026-07-10 loll".
covered() {
    sed -n '1{s/ without .*//;s/.* covers //p;}' data/custom/evidence.csv | tr ' ' '\n'
}

code=$(cat "$made/code.txt")
git config user.name "daily update"
git config user.email "actions@users.noreply.github.com"
if ! git diff --cached --quiet; then
    last=$(covered | sed -n '$s/.*[.]//;$p')
    {
        echo "Fold in the days up to $last"
        if test -s "$made/waits.txt"; then
            printf '\nThese words wait for a second source or a decision:\n\n'
            cat "$made/waits.txt"
        fi
    } | git commit --quiet -F -
    git push --quiet origin HEAD:main
    echo "pushed=true" >>"${GITHUB_OUTPUT:-/dev/null}"
fi
day_like='20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
admissions=data/custom/admitted.csv
# Print the tree of a commit that admits a day: that of main, with one more line in the file of admissions. The file comes
# from the job that reads untrusted data, so only such a line for this day is taken.
admitting() {
    size=$(wc -c <"$admissions")
    export GIT_INDEX_FILE="$made/index"
    head -c "$size" "$1" | cmp -s - "$admissions" && tail -c "+$((size + 1))" "$1" >"$made/line.txt" &&
        test "$(wc -l <"$made/line.txt")" -eq 1 &&
        grep -qxE "$2,[a-z]{7},[0-9]{1,3},merged pull request,[a-z ]+" "$made/line.txt" &&
        git read-tree HEAD && blob=$(git hash-object -w "$1") &&
        git update-index --cacheinfo "100644,$blob,$admissions" && git write-tree
}

# A pull request needs a commit. Where sources differ it is empty, so that merging it never chooses a version of the day.
for text in "$made"/held/$day_like.md; do
    test -f "$text" && test ! -L "$text" || continue
    day=$(basename "$text" .md)
    branch=held-$day
    title="Day $day is held: look before it counts"
    tree=$(git rev-parse 'HEAD^{tree}')
    line=$made/held/$day.csv
    if test -f "$line" && test ! -L "$line" && ! tree=$(admitting "$line" "$day"); then
        echo "$day: its line does not fit $admissions; the next run makes it again." >&2
        continue
    fi
    commit=$(git commit-tree -p HEAD -m "$title" "$tree")
    if git ls-remote --exit-code --heads origin "$branch" >/dev/null; then
        git fetch --quiet --depth=1 origin "$branch"
        # Our commit is replaced if it admits something else now. What a person pushed stays.
        if test "$(git log -1 --format=%an FETCH_HEAD)" = "daily update" &&
            ! git diff --quiet FETCH_HEAD "$tree" -- "$admissions"; then
            git push --quiet --force origin "$commit:refs/heads/$branch"
        fi
        gh pr edit "$branch" --body-file "$text"
    else
        git push --quiet origin "$commit:refs/heads/$branch"
        gh pr create --head "$branch" --title "$title" --body-file "$text"
    fi
done
git ls-remote --heads origin "held-$day_like" | sed 's,.*/held-,,' | while read -r day; do
    if covered | awk -F '[.][.]' -v day="$day" '$1 <= day && day <= $NF { found = 1 } END { exit !found }'; then
        # A pull request that was merged cannot be closed; only its branch is left.
        gh pr close "held-$day" --delete-branch --comment "The day $day counts now." ||
            git push --quiet --delete origin "held-$day"
    fi
done
if test "$code" = 3; then
    echo "A source is in trouble; see the talk of the first job." >&2
    exit 3
fi
