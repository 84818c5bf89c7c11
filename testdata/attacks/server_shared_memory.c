// attack: uses memory, queues and semaphores of other programs of the user
// expect: ok
#include "server.h"
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
static int count;
// What is not there could be; what is refused is not implemented.
static void tell(long result) { count += result >= 0 || errno != ENOSYS; }
static void try(void) {
    struct msqid_ds queue;
    struct shmid_ds memory;
    tell((long)shmat(1 << 20, NULL, 0));
    tell(shmctl(1 << 20, IPC_STAT, &memory));
    tell(msgctl(1 << 20, IPC_STAT, &queue));
    tell(msgrcv(1 << 20, &queue, 1, 0, IPC_NOWAIT));
    tell(semctl(1 << 20, 0, GETVAL));
    tell(syscall(SYS_mq_unlink, "rebut-attack"));
}
BEFORE_MAIN start(void) { if (serves()) try(); }
int main() {
    try();
    if (count > 0) escaped("memory of others");
}
