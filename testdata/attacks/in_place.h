// What attacks on runs in place share: they look for the memory that their process shares with the harness.
#include "server.h"

// Returns the start of shared memory with this name that the process can write to, or NULL; and its length.
static char *shared_memory(const char *name, size_t *length) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[1000], *found = NULL;
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long start, end;
        char rights[5];
        if (sscanf(line, "%lx-%lx %4s", &start, &end, rights) == 3 && !strcmp(rights, "rw-s") && strstr(line, name)) {
            found = (char *)start;
            *length = end - start;
        }
    }
    if (maps) fclose(maps);
    return found;
}
