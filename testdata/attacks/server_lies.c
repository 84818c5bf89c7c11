// attack: a constructor tells the spawner that its copy is the process of another program
// expect: any
// note: any
#include "server.h"
#include <dirent.h>
#include <sys/socket.h>
BEFORE_MAIN start(void) {
    if (!serves()) return;
    DIR *all = opendir("/proc");
    for (struct dirent *one; all && (one = readdir(all));) {
        char path[300], text[512] = "";
        snprintf(path, sizeof path, "/proc/%s/stat", one->d_name);
        FILE *file = fopen(path, "r");
        if (file == NULL) continue;
        if (fgets(text, sizeof text, file)) {}
        fclose(file);
        char *end = strrchr(text, ')');
        long parent = 0, pid = atoi(one->d_name);
        if (end == NULL || sscanf(end, ") %*c %ld", &parent) != 1) continue;
        if (parent == getppid() && pid != getpid()) send(3, &pid, sizeof pid, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
}
int main() {}
