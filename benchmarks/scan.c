/* A scan over masks, as compiled solvers do it. It writes the places of the answers and returns their number. */
#include <stddef.h>
#include <stdint.h>

size_t scan(const uint32_t *masks, size_t count, uint32_t center, uint32_t other_letters, uint32_t *places) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if ((masks[i] & center) && !(masks[i] & other_letters)) places[found++] = (uint32_t)i;
    return found;
}
