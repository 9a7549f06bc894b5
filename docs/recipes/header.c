// Solve with the exported header: gcc -std=c99 -Wall -Wextra -pedantic -Werror -O2 -o header-c header.c && ./header-c vctaoen

#include <stdio.h>
#include "bee.h"

int main(int argc, char **argv) {
    if (argc != 2) return fprintf(stderr, "usage: header-c LETTERS\n"), 2;
    uint32_t letters = 0;
    for (const char *letter = argv[1]; *letter; letter++) letters |= UINT32_C(1) << (*letter & 31) >> 1;
    const uint32_t center = UINT32_C(1) << (argv[1][0] & 31) >> 1;
    for (int i = 0; i < BEE_COUNT; i++)
        if (bee_masks[i] & center && !(bee_masks[i] & ~letters)) puts(bee_words[i]);
    return 0;
}
