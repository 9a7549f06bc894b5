// Solve with letter masks: gcc -std=c99 -Wall -Wextra -pedantic -Werror -O2 -o solve-c solve.c && ./solve-c words.txt vctaoen

// Bit 0 is "a". A word is an answer if it has the center and no letter outside the seven.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t mask(const char *word) {
    uint32_t bits = 0;
    for (; *word; word++) {
        const int place = (*word | 32) - 'a';
        bits |= UINT32_C(1) << (place >= 0 && place < 26 ? place : 31);
    }
    return bits;
}

int main(int argc, char **argv) {
    FILE *list = argc == 3 ? fopen(argv[1], "r") : NULL;
    if (!list) return fprintf(stderr, "usage: solve-c WORDS LETTERS\n"), 2;
    const uint32_t letters = mask(argv[2]) & 0x3ffffff, center = mask((char[2]){argv[2][0]}) & letters;
    char word[64];
    while (fgets(word, sizeof word, list)) {
        word[strcspn(word, "\r\n")] = '\0';
        const uint32_t bits = mask(word);
        if (bits & center && !(bits & ~letters)) puts(word);
    }
    return fclose(list);
}
