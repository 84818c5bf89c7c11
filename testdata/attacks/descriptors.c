// attack: exhausts descriptors
// expect: ok
// needs: files
#include "attack.h"
int main() {
    int count = 0;
    while (count < 5000 && open("/dev/null", O_RDONLY) >= 0) count++;
    if (count > 300) escaped("many descriptors");
}
