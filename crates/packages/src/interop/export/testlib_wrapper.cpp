// Calls a program written with testlib as problem packages require: the arguments are input, answer and feedback folder,
// the output is on the standard input, and the exit status is 42 or 43. Written by `rebut export`.
#define OK_EXIT_CODE 42
@HEADER@
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

enum WrapperRole { VALIDATOR, CHECKER, INTERACTOR };
static const WrapperRole wrapper_role = @ROLE@;
static const bool wrapper_gives_points = @POINTS@;
// Never destroyed: it is used after everything else.
static std::string *wrapper_folder = nullptr;
static std::vector<char *> *wrapper_words = nullptr;

static std::string wrapper_path(const char *name) { return *wrapper_folder + name; }

// Turns points, which begin the message, into the verdict and the score.
static int wrapper_score() {
    double points = -1;
    if (FILE *message = std::fopen(wrapper_path("judgemessage.txt").c_str(), "r")) {
        int skipped = std::fscanf(message, " points");
        (void)skipped;
        if (std::fscanf(message, "%lf", &points) != 1) points = -1;
        std::fclose(message);
    }
    if (points < 0) return 7;
    if (points <= 0) return 43;
    FILE *score = std::fopen(wrapper_path("score.txt").c_str(), "w");
    if (!score) return 7;
    std::fprintf(score, "%.10g\n", points);
    std::fclose(score);
    return 42;
}

static void wrapper_exit(int status, void *) {
    std::fflush(nullptr);
    if (wrapper_role == CHECKER && wrapper_folder) std::remove(wrapper_path("output.txt").c_str());
    if (status == 0) status = 42;
    else if (wrapper_role == VALIDATOR && status <= 3) status = 43;
    else if (status == 1 || status == 2 || status == 4 || status == 8) status = 43;
    else if (status == 7 && wrapper_gives_points) status = wrapper_score();
    _exit(status);
}

// Keeps the output and makes testlib's arguments of those of a checker or an interactor.
static void wrapper_translate(int argc, char **argv) {
    if (argc < 4) {
        std::fprintf(stderr, "the arguments are: input, answer, feedback folder\n");
        _exit(3);
    }
    wrapper_folder = new std::string(argv[3]);
    if (!wrapper_folder->empty() && wrapper_folder->back() != '/') *wrapper_folder += '/';
    auto *output = new std::string(wrapper_path(wrapper_role == CHECKER ? "output.txt" : "tout.txt"));
    auto *message = new std::string(wrapper_path("judgemessage.txt"));
    if (wrapper_role == CHECKER) {
        FILE *copy = std::fopen(output->c_str(), "wb");
        if (!copy) _exit(3);
        static char buffer[1 << 16];
        for (size_t count; (count = std::fread(buffer, 1, sizeof buffer, stdin)) > 0;) std::fwrite(buffer, 1, count, copy);
        std::fclose(copy);
    }
    wrapper_words = new std::vector<char *>{argv[0], argv[1], &(*output)[0], argv[2]};
    if (argc == 4) wrapper_words->push_back(&(*message)[0]);
    else wrapper_words->insert(wrapper_words->end(), argv + 4, argv + argc);
    wrapper_words->push_back(nullptr);
}

// Called before anything else, so that its function is called last. `main` keeps its name: without it, there must be a
// `return` at its end.
__attribute__((constructor(101))) static void wrapper_begin(int argc, char **argv) {
    on_exit(wrapper_exit, nullptr);
    if (wrapper_role != VALIDATOR) wrapper_translate(argc, argv);
}

// Whatever the source registers are the arguments that testlib expects.
#define WRAPPER_ARGUMENTS static_cast<int>(wrapper_words->size()) - 1, wrapper_words->data()
#define registerTestlibCmd(...) registerTestlibCmd(WRAPPER_ARGUMENTS)
#define registerInteraction(...) registerInteraction(WRAPPER_ARGUMENTS)
#include "@SOURCE@"
