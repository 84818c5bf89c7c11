/* A fork server, linked into a program or preloaded into it: `main` is begun again and again, each time in a new
 * process, while loading, linking and initialising are done once.
 *
 * It serves only where it is told to, by a variable of the environment that holds the number of a socket; otherwise
 * `main` simply runs. A request is a number, the seconds of processor time of each run, and comes with the three standard
 * streams. From then on the server makes one process after the other that has these streams, and whose parent is *its own*
 * parent: that one limits it and kills it like any other. Each such call of `clone` is held by the server's filter until
 * its parent wants the next run; it fails when the next run is to have other streams. In between the server has no
 * standard streams: so those that come get the right numbers by themselves.
 *
 * Nothing here protects anything: the code of the program could have changed it before. What a server may do is decided by
 * its filter, which its copies inherit, and by its parent. What it does after `clone` is plain system calls. */
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

#define VARIABLE "REBUT_FORK_SERVER"

typedef int main_function(int, char **, char **);

/* Waits for a request, whose streams become our own; says whether there was one. Timers of a program's own constructors
 * interrupt what waits. */
static int next_request(int line, int64_t *cpu_time_s) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(3 * sizeof(int))];
    } control;
    struct iovec part = {cpu_time_s, sizeof *cpu_time_s};
    struct msghdr message = {0};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    ssize_t count;
    do count = recvmsg(line, &message, 0);
    while (count < 0 && errno == EINTR);
    if (count != sizeof *cpu_time_s) return 0;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header == NULL || header->cmsg_len != CMSG_LEN(3 * sizeof(int))) return 0;
    int came[3];
    memcpy(came, CMSG_DATA(header), sizeof came);
    return came[0] == 0 && came[1] == 1 && came[2] == 2;
}

/* Turns a copy of this process into a run of its own. */
static void become_a_run(int line, int64_t cpu_time_s) {
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(line);
    struct rlimit limit = {(rlim_t)cpu_time_s, (rlim_t)cpu_time_s + 1};
    setrlimit(RLIMIT_CPU, &limit);
}

/* A copy of this process; 0 in the copy, less than 0 if no more are wanted with these streams. */
static long copy(void) {
    long pid;
    do pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    while (pid < 0 && errno == EINTR);
    /* Should the machine refuse, our parent is to see that we do not serve. */
    if (pid < 0 && errno != ECANCELED) _exit(0);
    return pid;
}

static int serve(int line, main_function *real_main, int argc, char **argv, char **envp) {
    int64_t cpu_time_s;
    for (int i = 0; i < 3; i++) close(i);
    while (next_request(line, &cpu_time_s)) {
        long pid;
        do pid = copy();
        while (pid > 0);
        if (pid == 0) {
            errno = 0;
            become_a_run(line, cpu_time_s);
            return real_main(argc, argv, envp);
        }
        for (int i = 0; i < 3; i++) close(i);
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
