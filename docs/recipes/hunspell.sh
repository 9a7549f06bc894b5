# Filter another list with our dictionary: sh hunspell.sh tried.txt vctaoen

# It keeps the words of a list that are on ours; here, of all words that were ever tried.
grep -x "[$2]*" "$1" | grep "$(printf %.1s "$2")" | hunspell -d ./bee -G
