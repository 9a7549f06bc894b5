// Solve: go build -o solve-go solve.go && ./solve-go words.txt vctaoen

package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strings"
)

func main() {
	list, err := os.Open(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	defer list.Close()
	letters := strings.ToLower(os.Args[2])
	for lines := bufio.NewScanner(list); lines.Scan(); {
		word := lines.Text()
		if strings.Contains(word, letters[:1]) && strings.Trim(word, letters) == "" {
			fmt.Println(word)
		}
	}
}
