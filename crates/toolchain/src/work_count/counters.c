/* Keeps the counters of an instrumented program in a file, so that they can be read however the program ends.
 *
 * The program was compiled so that each branch increments a counter of 64 bits. Before `main`, the pages with these
 * counters are replaced by shared pages of the file REBUT_WORK_FILE in the working directory: a header (offset and
 * length of the counters in the file), then the pages. There is nothing to write at the end, so `_exit`, a crash and a
 * kill leave the counts up to there, apart from those of a running loop that the compiler keeps in registers.
 *
 * Copies of a fork server would all share that file. Their counters stay their own instead, and a copy writes the sum
 * and the largest of them to its error stream, behind everything else: at its end by `exit`, and from time to time
 * before. A copy that ends in another way, except by its time limit, is run again as a process of its own.
 *
 * Library functions are not instrumented. Those whose work grows with their arguments are wrapped, and count as well.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#define PAGE 4096u
/* Bytes that a library function handles in about the time of one branch. */
#define BYTES_PER_STEP 16u
/* A system call takes about the time of this many branches. */
#define STEPS_PER_CALL 200u

/* Counters of GCC, put together by the linker script. */
extern char rebut_counters_start[] __attribute__((weak));
extern char rebut_counters_end[] __attribute__((weak));
/* Counters of LLVM, whose section the linker delimits. */
extern char __start___llvm_prf_cnts[] __attribute__((weak));
extern char __stop___llvm_prf_cnts[] __attribute__((weak));

/* Work of library functions: a counter among those of GCC or of LLVM. */
#ifdef COUNTERS_OF_LLVM
static uint64_t library_work __attribute__((used, section("__llvm_prf_cnts")));
#else
static uint64_t library_work __attribute__((used, section(".bss.__gcov0.rebut")));

/* What GCC's instrumentation refers to; nothing is written to files of its own. */
void __gcov_init(void *info) { (void)info; }
void __gcov_exit(void) {}
void __gcov_merge_add(void *counters, unsigned count) { (void)counters; (void)count; }
#endif

#ifdef COUNTERS_OF_LLVM
#define COUNTERS_START __start___llvm_prf_cnts
#define COUNTERS_END __stop___llvm_prf_cnts
#else
#define COUNTERS_START rebut_counters_start
#define COUNTERS_END rebut_counters_end
#endif

/* Whether this is a fork server, or a copy of one. */
static int is_forked;

__attribute__((constructor(101))) static void share_counters(void) {
    char *start = COUNTERS_START, *end = COUNTERS_END;
    is_forked = getenv("REBUT_FORK_SERVER") != NULL;
    if (is_forked) {
        return;
    }
    uintptr_t first_page = (uintptr_t)start & ~(uintptr_t)(PAGE - 1);
    size_t length = ((uintptr_t)end + PAGE - 1 - first_page) & ~(size_t)(PAGE - 1);
    uint64_t header[2] = {PAGE + ((uintptr_t)start - first_page), (uint64_t)(end - start)};
    int file = open(REBUT_WORK_FILE, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) {
        return;
    }
    /* Other variables can share the outer pages, so their contents are kept. */
    if (pwrite(file, (void *)first_page, length, PAGE) == (ssize_t)length &&
        mmap((void *)first_page, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, PAGE) != MAP_FAILED) {
        (void)!pwrite(file, header, sizeof header, 0);
    }
    close(file);
}

void *__real_memcpy(void *, const void *, size_t);
void *__real_memset(void *, int, size_t);

/* Writes a mark, the sum of the counters and the largest of them where the next output to the error stream goes, which
 * replaces it. */
static void report_counters(int is_final) {
    uint64_t report[3] = {REBUT_WORK_MARK + (is_final != 0), 0, 0};
    for (const char *at = COUNTERS_START; at < COUNTERS_END; at += sizeof(uint64_t)) {
        uint64_t counter;
        __real_memcpy(&counter, at, sizeof counter);
        report[1] = report[1] + counter < counter ? UINT64_MAX : report[1] + counter;
        report[2] = report[2] < counter ? counter : report[2];
    }
    off_t end = lseek(2, 0, SEEK_CUR);
    if (end >= 0) {
        (void)!pwrite(2, report, sizeof report, end);
    }
}

/* Runs after the other destructors. */
__attribute__((destructor(101))) static void report_at_end(void) {
    if (is_forked) {
        report_counters(1);
    }
}

static void report_progress(int signal) {
    int error = errno;
    (void)signal;
    report_counters(0);
    errno = error;
}

/* Called in each copy: a copy that is killed leaves the report of its last tenth of a second of processor time. */
void rebut_copy_started(void) {
    const struct itimerval tenth = {{0, 100000}, {0, 100000}};
    struct sigaction action;
    __real_memset(&action, 0, sizeof action);
    action.sa_handler = report_progress;
    action.sa_flags = SA_RESTART;
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &tenth, NULL);
}

static inline void count_bytes(size_t bytes) { library_work += bytes / BYTES_PER_STEP + 1; }

void *__wrap_memset(void *to, int byte, size_t length) {
    count_bytes(length);
    return __real_memset(to, byte, length);
}

void *__wrap_memcpy(void *to, const void *from, size_t length) {
    count_bytes(length);
    return __real_memcpy(to, from, length);
}

void *__real_memmove(void *, const void *, size_t);
void *__wrap_memmove(void *to, const void *from, size_t length) {
    count_bytes(length);
    return __real_memmove(to, from, length);
}

void *__real_calloc(size_t, size_t);
void *__wrap_calloc(size_t count, size_t size) {
    count_bytes(count * size);
    return __real_calloc(count, size);
}

/* Compares block by block, since the work is that up to the first difference. */
int __real_memcmp(const void *, const void *, size_t);
int __wrap_memcmp(const void *one, const void *other, size_t length) {
    const size_t block = 16 * BYTES_PER_STEP;
    const char *a = one, *b = other;
    for (; length > block; a += block, b += block, length -= block) {
        int order = __real_memcmp(a, b, block);
        count_bytes(block);
        if (order != 0) {
            return order;
        }
    }
    count_bytes(length);
    return __real_memcmp(a, b, length);
}

void *__real_memchr(const void *, int, size_t);
void *__wrap_memchr(const void *text, int byte, size_t length) {
    char *found = __real_memchr(text, byte, length);
    count_bytes(found ? (size_t)(found - (const char *)text) : length);
    return found;
}

size_t __real_strlen(const char *);
size_t __wrap_strlen(const char *text) {
    size_t length = __real_strlen(text);
    count_bytes(length);
    return length;
}

char *__real_strchr(const char *, int);
char *__wrap_strchr(const char *text, int byte) {
    char *found = __real_strchr(text, byte);
    count_bytes(found ? (size_t)(found - text) : __real_strlen(text));
    return found;
}

char *__real_strstr(const char *, const char *);
char *__wrap_strstr(const char *text, const char *part) {
    char *found = __real_strstr(text, part);
    count_bytes(found ? (size_t)(found - text) : __real_strlen(text));
    return found;
}

char *__real_strcpy(char *, const char *);
char *__wrap_strcpy(char *to, const char *from) {
    count_bytes(__real_strlen(from));
    return __real_strcpy(to, from);
}

char *__real_strcat(char *, const char *);
char *__wrap_strcat(char *to, const char *from) {
    count_bytes(__real_strlen(to) + __real_strlen(from));
    return __real_strcat(to, from);
}

int __wrap_strcmp(const char *one, const char *other) {
    size_t at = 0;
    while (one[at] != '\0' && one[at] == other[at]) {
        at++;
    }
    count_bytes(at);
    return (unsigned char)one[at] - (unsigned char)other[at];
}

/* Flushing after each line. */
int __real_fflush(FILE *);
int __wrap_fflush(FILE *stream) {
    library_work += STEPS_PER_CALL;
    return __real_fflush(stream);
}

ssize_t __real_write(int, const void *, size_t);
ssize_t __wrap_write(int file, const void *bytes, size_t length) {
    library_work += STEPS_PER_CALL;
    return __real_write(file, bytes, length);
}
