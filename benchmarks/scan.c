/* The scans of compiled solvers, timed by `make bench`: a list, then puzzles, center first.
 *
 *   cc -O2 -o scan scan.c && ./scan letters|masks LIST VCTAOEN ...
 *
 * For each puzzle, it prints the number of words found and the median time of a scan in nanoseconds.
 * `letters` looks at each letter of each word; `masks` packs each word into 26 bits once and tests the bits.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LENGTH = 32, ROUNDS = 31 };

static char (*words)[LENGTH];
static uint32_t *masks;
static size_t count, room;

static uint32_t mask(const char *word) {
    uint32_t bits = 0;
    for (; *word; word++) bits |= 1u << (*word - 'a');
    return bits;
}

static size_t by_letters(const char *letters, const char **found) {
    size_t hits = 0;
    for (size_t i = 0; i < count; i++)
        if (strchr(words[i], letters[0]) && words[i][strspn(words[i], letters)] == '\0') found[hits++] = words[i];
    return hits;
}

static size_t by_masks(const char *letters, const char **found) {
    const uint32_t center = 1u << (letters[0] - 'a'), others = ~mask(letters);
    size_t hits = 0;
    for (size_t i = 0; i < count; i++)
        if ((masks[i] & center) && !(masks[i] & others)) found[hits++] = words[i];
    return hits;
}

static int earlier(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    FILE *list = argc > 3 ? fopen(argv[2], "r") : NULL;
    if (!list) return 2;
    char line[LENGTH];
    while (fscanf(list, "%31s", line) == 1) {
        if (count == room) {
            room = room ? 2 * room : 1024;
            words = realloc(words, room * sizeof *words);
            masks = realloc(masks, room * sizeof *masks);
            if (!words || !masks) return 3;
        }
        strcpy(words[count], line);
        masks[count++] = mask(line);
    }
    fclose(list);
    const char **found = malloc((count + 1) * sizeof *found);
    if (!found) return 3;
    size_t (*scan)(const char *, const char **) = strcmp(argv[1], "masks") ? by_letters : by_masks;
    for (int i = 3; i < argc; i++) {
        double took[ROUNDS];
        size_t hits = 0;
        for (int round = 0; round < ROUNDS; round++) {
            struct timespec from, to;
            clock_gettime(CLOCK_MONOTONIC, &from);
            hits = scan(argv[i], found);
            clock_gettime(CLOCK_MONOTONIC, &to);
            took[round] = (to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec);
        }
        qsort(took, ROUNDS, sizeof *took, earlier);
        printf("%zu %.0f\n", hits, took[ROUNDS / 2]);
    }
    return 0;
}
