// What all attacks share. A program is given a folder with an answer in it, the number of the harness, and a port on
// this machine that is listened to. It prints ESCAPED if it gets anywhere, and is harmless even then.
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

// A path in the folder.
static const char *in(const char *folder, const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}
