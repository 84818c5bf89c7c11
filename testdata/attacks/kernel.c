// attack: dangerous kernel interfaces
// expect: ok
// needs: system calls
#include "attack.h"
int main() {
    char zeros[200] = {0};
    if (syscall(425, 1, zeros) >= 0) escaped("io_uring_setup");
    if (syscall(SYS_bpf, 0, zeros, sizeof zeros) >= 0 || errno != ENOSYS) escaped("bpf");
    if (syscall(SYS_perf_event_open, zeros, 0, -1, -1, 0) >= 0 || errno != ENOSYS) escaped("perf_event_open");
    if (syscall(SYS_keyctl, 0, -3, 1) >= 0) escaped("keyctl");
    if (syscall(323, 0) >= 0) escaped("userfaultfd");
    if (syscall(SYS_init_module, zeros, 1, "") >= 0 || errno != ENOSYS) escaped("init_module");
    if (syscall(SYS_reboot, 0, 0, 0, 0) >= 0 || errno != ENOSYS) escaped("reboot");
}
