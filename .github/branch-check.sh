#!/usr/bin/env bash
# Check that a branch leaves the release to the main branch: branch-check.sh BASE
#
# BASE is where the branch is to be merged, such as origin/main. A branch of decisions may change the five files of
# decisions. A branch that changes the program may need its release, so there the sentence is only a warning.
set -euo pipefail
base=$1
decisions='^data/custom/(admitted|corrections|glosses|offensive|verdicts)\.csv$'
of_release='^(data/custom|docs/changes)/'
there_before=()
new=()
program_changes=false
# Without renames, every file is either there on BASE, and can be put back, or new.
while IFS= read -r -d '' status && IFS= read -r -d '' path; do
    if [[ $path =~ $decisions ]]; then
        continue
    elif [[ ! $path =~ $of_release ]]; then
        program_changes=true
    elif [[ $status == A ]]; then
        new+=("$path")
    else
        there_before+=("$path")
    fi
done < <(git diff --no-renames --name-status -z "$base...HEAD")

if ((${#there_before[@]} + ${#new[@]} == 0)); then
    exit 0
fi
# `%q` quotes the names for the shell, since a stranger chooses them.
commands=()
if ((${#there_before[@]})); then
    commands+=("git checkout origin/main -- $(printf '%q ' "${there_before[@]}")")
fi
if ((${#new[@]})); then
    commands+=("git rm --quiet -- $(printf '%q ' "${new[@]}")")
fi
command=${commands[0]% }
if ((${#commands[@]} == 2)); then
    command="$command && ${commands[1]% }"
fi
sentence="Only the main branch makes releases, so please put back what this branch changes of one, and commit: \`$command\`"
if $program_changes; then
    echo "::warning::$sentence"
else
    echo "::error::$sentence"
    exit 1
fi
