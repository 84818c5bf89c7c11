/* A fork server, linked into a program or preloaded into it. It makes many copies of the process, each of which goes on to
 * the constructors and `main`, so that loading and linking happen only once.
 *
 * It serves only if an environment variable contains the number of a socket; otherwise the program runs as usual. A request
 * is the limit of each run, in seconds of processor time, and the number of a variant of the program, or 0; it comes
 * with the three standard streams. The server then
 * forks one process after the other with these streams. Each is a child of the server's *own parent*, which limits
 * and kills it like any other. The server's seccomp filter holds each of these `clone` calls until the parent wants
 * another run; the call fails if the next run has other streams. Between requests the server has no standard streams,
 * so those that it receives get the right numbers.
 *
 * Nothing here is a protection, because code of the program could have changed it. A server is confined by its filter,
 * which its copies inherit, and by its parent. After `clone` it makes only plain system calls. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef IN_PLACE
#include "in_place.c"
#endif

#ifdef LIBRARY

/* For a server that is not written in C: called when it is ready, and in each copy. */

void rebut_server_is_ready(void) { server_cpu_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID); }

void rebut_copy_is_made(int runs_in_place) {
    if (runs_in_place) prepare_in_place();
}

#else

#define VARIABLE "REBUT_FORK_SERVER"

struct request {
    int64_t cpu_time_s;
    int64_t variant;
    int64_t in_place; /* Not 0 if the copy is to run in place, see `in_place.c`. */
};

/* Waits for a request and takes over its streams. Returns 0 if there are no more requests. */
static int receive_request(int socket_fd, struct request *request) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(3 * sizeof(int))];
    } control;
    struct iovec part = {request, sizeof *request};
    struct msghdr message = {0};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    ssize_t count;
    do count = recvmsg(socket_fd, &message, 0);
    while (count < 0 && errno == EINTR);
    if (count != sizeof *request) return 0;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header == NULL || header->cmsg_len != CMSG_LEN(3 * sizeof(int))) return 0;
    int streams[3];
    memcpy(streams, CMSG_DATA(header), sizeof streams);
    return streams[0] == 0 && streams[1] == 1 && streams[2] == 2;
}

/* Gives a forked copy its session, death signal and limit. */
static void set_up_copy(int socket_fd, int64_t cpu_time_s) {
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(socket_fd);
    struct rlimit limit = {(rlim_t)cpu_time_s, (rlim_t)cpu_time_s + 1};
    setrlimit(RLIMIT_CPU, &limit);
}

/* Forks a copy of this process. Returns 0 in the copy, and a negative number if no more copies with these streams are
 * wanted. */
static long fork_copy(void) {
    long pid;
    do pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    while (pid < 0 && errno == EINTR);
    /* If the system refuses, exit, so that the parent notices. */
    if (pid < 0 && errno != ECANCELED) _exit(0);
    return pid;
}

/* What a program with counters does in each copy. */
__attribute__((weak)) void rebut_copy_started(void);

/* Chooses a variant, in a program that has several. */
__attribute__((weak)) void rebut_choose_variant(int64_t number);

/* The first exception of a static program sorts tables for the whole program, which takes a millisecond: they are sorted
 * before the copies are made. */
__attribute__((weak)) const void *_Unwind_Find_FDE(void *, void *);

/* Serves, and returns in each copy. */
static void serve(int socket_fd) {
    struct request request;
    void *bases[3];
    if (_Unwind_Find_FDE) _Unwind_Find_FDE((void *)(uintptr_t)serve, bases);
#ifdef IN_PLACE
    server_cpu_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID);
#endif
    for (int i = 0; i < 3; i++) close(i);
    while (receive_request(socket_fd, &request)) {
        /* A program that cannot choose exits, so that the parent notices and starts it with an argument instead. */
        if (request.variant != 0 && !rebut_choose_variant) break;
        long pid;
        do pid = fork_copy();
        while (pid > 0);
        if (pid == 0) {
            errno = 0;
            set_up_copy(socket_fd, request.cpu_time_s);
            if (rebut_copy_started) rebut_copy_started();
            if (request.variant != 0) rebut_choose_variant(request.variant);
#ifdef IN_PLACE
            if (request.in_place != 0) prepare_in_place();
#endif
            return;
        }
        for (int i = 0; i < 3; i++) close(i);
    }
    _exit(0);
}

/* Serves if requested, before the constructors of the program: a seed or a clock that they read belongs to one run. */
__attribute__((constructor(101))) static void serve_if_requested(void) {
    const char *number = getenv(VARIABLE);
    if (number == NULL) return;
    const int socket_fd = atoi(number);
    unsetenv(VARIABLE);
    unsetenv("LD_PRELOAD");
    unsetenv("GLIBC_TUNABLES");
    serve(socket_fd);
}

#endif
