/* A fork server, linked into a program or preloaded into it: `main` is begun again and again, each time in a new
 * process, while loading, linking and initialising are done once.
 *
 * It serves only where it is told to, by a variable of the environment that holds the number of a socket; otherwise
 * `main` simply runs. For each request, which comes with the three standard streams, it makes a process whose parent
 * is *its own* parent: whoever sent the request waits for it, limits it and kills it like any other. Where a fourth
 * descriptor comes along, the end of a pipe, each byte in it asks for another such process, with the same streams; when
 * nobody can ask any more, the streams are let go. In between the server has no standard streams: so those that come
 * get the right numbers by themselves.
 *
 * What it does after `clone` is plain system calls. Requests and replies are numbers in the machine's own order:
 * request: seconds of processor time, instructions of a filter program (which follows); reply: the new process, or less
 * than 0. Bytes in the pipe are not replied to: who asks by them sees the processes of which it is the parent, or that
 * the server has ended. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
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

#define VARIABLE "REBUT_FORK_SERVER"
#define MOST_FILTERS 4096

/* Stands in a filter for the number of the process that it is for. */
#define OWN_PID 0x7ffffff1u

struct request {
    int64_t cpu_time_s;
    int64_t filters;
    struct sock_filter filter[MOST_FILTERS];
};

static struct request request;

typedef int main_function(int, char **, char **);

/* Timers of a program's own constructors interrupt what waits. */

/* Waits for a request, whose streams become our own, and for the end of a pipe, less than 0 if there is none; says
 * whether there was a request. */
static int next_request(int line, int *more) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(4 * sizeof(int))];
    } control;
    struct iovec part = {&request, sizeof request};
    struct msghdr message = {0};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    ssize_t count;
    do count = recvmsg(line, &message, 0);
    while (count < 0 && errno == EINTR);
    if (count < 16) return 0;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header == NULL || header->cmsg_len < CMSG_LEN(3 * sizeof(int))) return 0;
    int came[4] = {-1, -1, -1, -1};
    memcpy(came, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
    *more = came[3];
    return came[0] == 0 && came[1] == 1 && came[2] == 2;
}

/* Turns a copy of this process into a run of its own. */
static void become_a_run(int line, int more) {
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(line);
    if (more >= 0) close(more);
    struct rlimit limit = {(rlim_t)request.cpu_time_s, (rlim_t)request.cpu_time_s + 1};
    setrlimit(RLIMIT_CPU, &limit);
    if (request.filters > 0) {
        const uint32_t own = (uint32_t)getpid();
        for (int64_t i = 0; i < request.filters; i++)
            if (request.filter[i].k == OWN_PID) request.filter[i].k = own;
        struct sock_fprog program = {(unsigned short)request.filters, request.filter};
        if (prctl(PR_SET_SECCOMP, 2, &program) != 0) _exit(126);
    }
}

/* Whether one more is wanted. */
static int is_asked(int more) {
    char byte;
    ssize_t count;
    do count = read(more, &byte, 1);
    while (count < 0 && errno == EINTR);
    return count == 1;
}

static int serve(int line, main_function *real_main, int argc, char **argv, char **envp) {
    int more;
    for (int i = 0; i < 3; i++) close(i);
    while (next_request(line, &more)) {
        int is_first = 1;
        do {
            const int64_t pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
            if (pid == 0) {
                become_a_run(line, more);
                return real_main(argc, argv, envp);
            }
            if (is_first && send(line, &pid, sizeof pid, MSG_NOSIGNAL) != sizeof pid) _exit(0);
            if (pid < 0) _exit(0);
            is_first = 0;
        } while (more >= 0 && is_asked(more));
        for (int i = 0; i < 3; i++) close(i);
        if (more >= 0) close(more);
    }
    _exit(0);
}

static int begin(main_function *real_main, int argc, char **argv, char **envp) {
    const char *line = getenv(VARIABLE);
    if (line == NULL) return real_main(argc, argv, envp);
    const int number = atoi(line);
    unsetenv(VARIABLE);
    unsetenv("LD_PRELOAD");
    unsetenv("GLIBC_TUNABLES");
    return serve(number, real_main, argc, argv, envp);
}

#ifdef PRELOADED

#include <dlfcn.h>

typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static main_function *preloaded_main;

static int wrapped_main(int argc, char **argv, char **envp) { return begin(preloaded_main, argc, argv, envp); }

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*linker_fini)(void), void *stack_end) {
    start_function *start = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
    preloaded_main = main;
    return start(wrapped_main, argc, argv, init, fini, linker_fini, stack_end);
}

#else

int __real_main(int, char **, char **);

int __wrap_main(int argc, char **argv, char **envp) { return begin(__real_main, argc, argv, envp); }

#endif
