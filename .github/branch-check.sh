#!/usr/bin/env bash
# Checks that a branch does not change the release, which only the main branch makes: branch-check.sh BASE
#
# BASE is the branch into which it will be merged, such as origin/main. A branch of decisions may change the five files of
# decisions. A branch that changes the program may need its own release, so for such a branch the message is only a warning.
set -euo pipefail
base=$1
decisions='^data/custom/(days|glosses|offensive|verdicts)\.csv$'
of_release='^(data/custom|docs/changes)/'
there_before=()
new=()
program_changes=false
# Without renames, every file is either on BASE, so that it can be restored, or new.
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
# `%q` quotes the names for the shell, because a stranger can choose them.
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
sentence="Only the main branch makes releases. Please undo what this branch changes in the release, and commit: \`$command\`"
if $program_changes; then
    echo "::warning::$sentence"
else
    echo "::error::$sentence"
    exit 1
fi
