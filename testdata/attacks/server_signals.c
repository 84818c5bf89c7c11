// attack: a constructor signals its spawner, and every process that it sees
// expect: ok
#include "server.h"
#include <dirent.h>
static int count;
static void try(pid_t pid) {
    siginfo_t info = {0};
    info.si_code = -1;
    count += kill(pid, 0) == 0 || syscall(SYS_tkill, pid, 0) == 0 || syscall(SYS_tgkill, pid, pid, 0) == 0;
    count += syscall(SYS_rt_sigqueueinfo, pid, 0, &info) == 0 || syscall(SYS_rt_tgsigqueueinfo, pid, pid, 0, &info) == 0;
    count += kill(-pid, 0) == 0;
}
static void try_all(void) {
    DIR *all = opendir("/proc");
    for (struct dirent *one; all && (one = readdir(all));)
        if (atoi(one->d_name) > 0 && atoi(one->d_name) != getpid()) try(atoi(one->d_name));
    if (all) closedir(all);
    count += kill(-1, 0) == 0;
}
BEFORE_MAIN start(void) { if (serves()) try_all(); }
int main() {
    try_all();
    if (count > 0) escaped("a signal");
}
