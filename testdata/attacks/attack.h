// Shared by all attacks. A program reads the path of a folder that contains an answer, the PID of the harness, and a
// port on this machine that is open. It prints ESCAPED if an attack succeeds, and is harmless even then.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void escaped(const char *how) {
    printf("ESCAPED: %s\n", how);
    fflush(stdout);
}

// Returns the arguments: the folder, the PID and the port are the words 1, 2 and 3.
static char **given(void) {
    static char space[4][1000], *words[4];
    for (int i = 1; i < 4; i++) {
        if (scanf("%999s", space[i]) != 1) _exit(9);
        words[i] = space[i];
    }
    return words;
}

// Returns a path in the folder.
static const char *in(const char *folder, const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}
