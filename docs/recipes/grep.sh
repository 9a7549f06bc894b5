# Solve: sh grep.sh words.txt vctaoen

grep -x "[$2]*" "$1" | grep "$(printf %.1s "$2")"
