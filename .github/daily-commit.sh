#!/bin/sh
# Commits what the first job made, and keeps one pull request for each day that waits: daily-commit.sh FOLDER
#
# If the main branch changed in the meantime, the release would lack its newest decisions. Then nothing is committed,
# `moved` is written to the output of the step, and daily-again.sh starts the workflow again.
set -eu
made=$1
base=$(git rev-parse HEAD)
moved() {
    echo "The main branch changed while this run worked. Nothing was committed, and the run starts again from the new state."
    echo "moved=true" >>"${GITHUB_OUTPUT:-/dev/null}"
    exit 0
}
if test "$(cat "$made/commit.txt")" != "$base"; then moved; fi
(cd "$made/custom" && sha256sum --check --strict --quiet SHA256SUMS)
# A puzzle of the day that was published never changes, so the file can only grow.
days=data/custom/daily.csv
if test -f "$days" && ! head -c "$(wc -c <"$days")" "$made/custom/daily.csv" | cmp -s - "$days"; then
    echo "The new daily.csv changes puzzles that were published, or lacks them." >&2
    exit 1
fi

git config user.name "daily update"
git config user.email "actions@users.noreply.github.com"
# Only the files of a release, by name; other files in the folder are ignored.
for name in CHANGES.md LICENSES.txt SHA256SUMS daily.csv datapackage.json diffs.csv flags.csv record.csv \
    track.csv violations.csv wordlist-in-play.txt wordlist.txt words.csv; do
    test -f "$made/custom/$name" && test ! -L "$made/custom/$name"
    cp "$made/custom/$name" "data/custom/$name"
    git add "data/custom/$name"
done

# Print the covered days, one range per line, such as 2018-05-09..2026-07-24.
covered() {
    sed -n 's/^ *"dates": "\(.*\)",*$/\1/p' data/custom/datapackage.json | tr ' ' '\n'
}

# Print the message of the commit. If the record did not change, the release has new decisions of people.
message() {
    if git diff --cached --quiet -- data/custom/record.csv; then
        echo "Release $version$counts"
        return
    fi
    echo "Fold in the days up to $(covered | sed -n '$s/.*[.]//;$p')"
    sed '1,/^## In doubt$/d' data/custom/CHANGES.md
}

code=$(cat "$made/code.txt")
if ! git diff --cached --quiet; then
    # The words that the release adds and removes, under its version.
    version=$(sed -n 's/^  "version": "\([0-9]\{4\}[0-9.]*\)",*$/\1/p' data/custom/datapackage.json)
    counts=
    changes=$made/changes.csv
    if test -f "$changes" && test ! -L "$changes" && test -n "$version" &&
        test "$(head -n 1 "$changes")" = word,change,before,after,because; then
        mkdir -p docs/changes
        cp "$changes" "docs/changes/$version.csv"
        git add docs/changes
        added=$(grep -cE '^[a-z]+,added,' "$changes" || true)
        removed=$(grep -cE '^[a-z]+,removed,' "$changes" || true)
        counts=": words added $added, removed $removed"
    fi
    message | git commit --quiet -F -
    if ! git push --quiet origin HEAD:main; then
        if test "$(git ls-remote origin refs/heads/main | cut -f 1)" != "$base"; then moved; fi
        exit 1
    fi
    echo "pushed=true" >>"${GITHUB_OUTPUT:-/dev/null}"
fi
day_like='20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
days_file=data/custom/days.csv
# Print the tree of a commit that accepts the list of a day: the tree of main with one more line in days.csv. The file comes
# from the job that reads untrusted data. It is used only if it has exactly one line that accepts this day, and is the same
# as the file of main without that line.
accepting() {
    handed_over=$1
    line_like="$2,,[a-z]{7},[0-9]{1,3},accept,,,[a-z ]+,merged pull request"
    test -z "$(tail -c 1 "$handed_over")" && test "$(grep -cxE "$line_like" "$handed_over")" = 1 &&
        grep -vxE "$line_like" "$handed_over" | cmp -s - "$days_file" &&
        export GIT_INDEX_FILE="$made/index" && git read-tree HEAD && blob=$(git hash-object -w "$handed_over") &&
        git update-index --cacheinfo "100644,$blob,$days_file" && git write-tree
}

# A pull request needs a commit. If sources differ, the commit is empty, so that merging it does not choose one of
# the lists.
for text in "$made"/waits/$day_like.md; do
    test -f "$text" && test ! -L "$text" || continue
    day=$(basename "$text" .md)
    branch=waits-$day
    title="Day $day waits: look before it counts"
    tree=$(git rev-parse 'HEAD^{tree}')
    line=$made/waits/$day.csv
    if test -f "$line" && test ! -L "$line" && ! tree=$(accepting "$line" "$day"); then
        echo "The line for $day does not match $days_file; the next run will make it again." >&2
        continue
    fi
    commit=$(git commit-tree -p HEAD -m "$title" "$tree")
    if git ls-remote --exit-code --heads origin "$branch" >/dev/null; then
        git fetch --quiet --depth=1 origin "$branch"
        # Our commit is replaced if its line has changed. A commit that a person pushed stays.
        if test "$(git log -1 --format=%an FETCH_HEAD)" = "daily update" &&
            ! git diff --quiet FETCH_HEAD "$tree" -- "$days_file"; then
            git push --quiet --force origin "$commit:refs/heads/$branch"
        fi
        gh pr edit "$branch" --body-file "$text"
    else
        git push --quiet origin "$commit:refs/heads/$branch"
        gh pr create --head "$branch" --title "$title" --body-file "$text"
    fi
done
git ls-remote --heads origin "waits-$day_like" | sed 's,.*/waits-,,' | while read -r day; do
    if covered | awk -F '[.][.]' -v day="$day" '$1 <= day && day <= $NF { found = 1 } END { exit !found }'; then
        # A merged pull request cannot be closed; then only its branch is deleted.
        gh pr close "waits-$day" --delete-branch --comment "The day $day counts now." ||
            git push --quiet --delete origin "waits-$day"
    fi
done
if test "$code" = 3; then
    echo "A source failed; see the messages of the first job." >&2
    exit 3
fi
