// attack: memory that belongs to no process
// expect: ok
// needs: system calls
#include "attack.h"
#include <sys/ipc.h>
#include <sys/shm.h>
int main() {
    int id = shmget(IPC_PRIVATE, 1 << 20, IPC_CREAT | 0600);
    if (id >= 0) { escaped("shmget"); shmctl(id, IPC_RMID, 0); }
    if (syscall(SYS_memfd_create, "x", 0) >= 0) escaped("memfd_create");
    if (open("/dev/shm/rebut-attack", O_CREAT | O_RDWR, 0600) >= 0) { escaped("/dev/shm"); unlink("/dev/shm/rebut-attack"); }
}
