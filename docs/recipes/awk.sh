# Solve: sh awk.sh words.txt vctaoen

awk -v letters="$2" 'index($0, substr(letters, 1, 1)) && $0 !~ "[^" letters "]"' "$1"
