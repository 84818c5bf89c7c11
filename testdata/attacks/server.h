// What attacks on fork servers share. Constructors with a reserved priority run before a fork server begins, once for all of
// its copies; a global of theirs tells `main`, in each copy, how far they got. What runs in a server alone is guarded by `serves`.
#include "attack.h"
#include <sys/syscall.h>
#include <time.h>

#define BEFORE_MAIN __attribute__((constructor(100))) static void

// Whether this process is a fork server that has not begun to serve.
static int serves(void) { return getenv("REBUT_FORK_SERVER") != NULL; }

// The flags with which a server may make a copy, when it is let.
#define COPY (CLONE_PARENT | SIGCHLD)
static long clone_raw(unsigned long flags) { return syscall(SYS_clone, flags, 0, 0, 0, 0); }

static void burn(double seconds) {
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while (now.tv_sec - start.tv_sec + (now.tv_nsec - start.tv_nsec) / 1e9 < seconds);
}

// Has a function called again and again, as often as every few milliseconds.
static void every(int milliseconds, void (*act)(int)) {
    struct sigaction action = {0};
    action.sa_handler = act;
    sigaction(SIGALRM, &action, NULL);
    struct itimerval timer = {{0, milliseconds * 1000}, {0, milliseconds * 1000}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void *forever(void *act) {
    for (;;) ((void (*)(void))act)();
    return NULL;
}

// Starts a thread that calls a function for ever.
static void thread_of(void (*act)(void)) {
    pthread_t thread;
    pthread_create(&thread, NULL, forever, (void *)act);
}

// Files in the working folder, until there is no room.
static void litter(void) {
    static char text[1 << 16];
    static int number;
    char name[32];
    snprintf(name, sizeof name, "litter-%d", number++ % 64);
    int file = open(name, O_CREAT | O_WRONLY | O_APPEND, 0600);
    if (file >= 0) {
        if (write(file, text, sizeof text) < 0) unlink(name);
        close(file);
    }
}
