// Judges as Polygon does: the interactor talks to the submission (registerInteraction), and if it accepts, the checker
// judges what the interactor wrote to `tout`. Written by `rebut import`.
#include <bits/stdc++.h>
#include <unistd.h>
#include "testlib.h"

namespace interactor_part { int main(int, char **); }
namespace checker_part { int main(int, char **); }
static FILE *own_stderr = stderr;
static char *message = nullptr;
static size_t message_size = 0;
static int word_count;
static char **words;

// Called at the end of the interactor with its exit status, and then at that of the checker.
static void check_interaction(int status, void *) {
    static bool is_checked = false;
    if (is_checked) return;
    is_checked = true;
    fflush(stderr);
    std::swap(own_stderr, stderr);
    if (status == 0 || status == 42) {
        tout.close();
        std::cout.flush();
        fflush(stdout);
        // The submission gets the end of its input.
        close(0);
        close(1);
        checker_part::main(word_count, words);
    }
    fputs(message, stderr);
}

int main(int argc, char **argv) {
    word_count = argc;
    words = argv;
    on_exit(check_interaction, nullptr);
    stderr = open_memstream(&message, &message_size);
    return interactor_part::main(argc, argv);
}

namespace interactor_part {
#include "@INTERACTOR@"
}
namespace checker_part {
#include "@CHECKER@"
}
