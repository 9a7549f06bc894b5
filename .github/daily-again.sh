#!/bin/sh
# Starts the daily workflow again, because the main branch changed while it worked: daily-again.sh ATTEMPT FETCH
#
# ATTEMPT is the number of the run that has just ended, and FETCH is whether it fetched (true or false).
set -eu
case $1 in
1) next=2 ;;
2) next=3 ;;
*)
    echo "::error::The main branch changed during each of three runs, so no release was made. Nothing is lost. Start the" \
        "workflow \"daily\" again when nobody pushes to the main branch, or wait for its next run."
    exit 1
    ;;
esac
case $2 in
true | false) ;;
*)
    echo "\"$2\" is neither true nor false." >&2
    exit 1
    ;;
esac
gh workflow run daily.yml --repo "$GITHUB_REPOSITORY" --ref main -f "attempt=$next" -f "fetch=$2"
