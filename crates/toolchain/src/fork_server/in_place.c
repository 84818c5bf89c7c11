/* Runs in place: a copy of the server runs the program on one input after the other in the same process, and puts its
 * memory back as it was before each of them.
 *
 * The runs begin where the program first touches its standard input, reads a clock or asks for random bytes: what it does
 * before that is the same in each run. There the registers are kept, and what writable memory holds is saved in a file and
 * mapped again as private pages of that file. From then on a page that the program has written to is an anonymous one,
 * which the kernel tells apart (PAGEMAP_SCAN). Such pages are *hot*: after each run they are compared with what was saved,
 * and copied back where they differ. A fault costs 40 times as much as that, so nothing is protected, dropped or mapped
 * again in the steady state, and new hot pages are looked for only if there were faults. See docs/decisions/0027-runs-in-place.md.
 *
 * Input and output are in memory that is shared with the spawner: the functions of the C library that make those system
 * calls are replaced when the program is linked. All others but a few are trapped by a filter, and end the run as *not
 * clean*: its input is run by a forked copy instead. So is one that crashes, or takes too long or too much.
 *
 * None of this is a protection: the program shares its memory with this code. It can spoil its own results only. The
 * inputs are mapped read-only, the results are checked by the spawner, and the filter of the server stays beneath. */

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>

#ifdef LIBRARY
/* In a library that is loaded before others, they have their own names. */
#include <dlfcn.h>
#define REPLACED(name) name
#define REAL(name, type) ((type)dlsym(RTLD_NEXT, #name))
#else
#define REPLACED(name) __wrap_##name
#define REAL(name, type) __real_##name
#endif

/* Where the spawner's descriptors are: in the place of the standard streams. */
enum { INPUTS_FD = 0, RESULTS_FD = 1, CONTROL_FD = 2, HIGH_RESULTS_FD = 200, HIGH_CONTROL_FD, HIGH_PAGEMAP_FD };

/* The layout of the shared memory, known to the sandbox's `in_place.rs` as well. */
enum {
    PAGE_BYTES = 4096,
    MAX_RUNS = 256,
    MAX_INPUT_BYTES = 512 << 10,
    OUTPUT_AREA_BYTES = 1 << 20,
};

struct input_area {
    uint64_t count;
    uint64_t ends[MAX_RUNS]; /* Where each input ends in `bytes`. */
    char bytes[MAX_INPUT_BYTES];
};

/* How a run ended. Only one that exits counts. */
enum { EXITED = 1, SIGNALLED, TRAPPED, TOO_LARGE };

struct run_result {
    uint32_t kind;
    int32_t detail; /* Of one that exits, the status. */
    uint64_t output_end, error_end; /* Its output, then its messages, in the order of the runs. */
    uint64_t cpu_time_us;
    uint64_t pages; /* Pages that it has written to, or that are kept ready for that. */
};

struct result_area {
    uint64_t done;
    uint64_t is_refused; /* Set if the program cannot be run in place. */
    uint64_t is_ready;   /* Set when the runs begin. */
    uint64_t prepared_us; /* Processor time until then, which each new process needs as well. */
    struct run_result runs[MAX_RUNS];
    char bytes[OUTPUT_AREA_BYTES];
    /* The saved pages follow, from the next page on. */
};

enum {
    SAVED_AT = (sizeof(struct result_area) + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES,
    MAX_SAVED_BYTES = 64 << 20,
    MAX_REGIONS = 256,
    MAX_RANGES = 2048,
    MAX_HOT = 8192,
    HASH_SLOTS = 4 * MAX_HOT,
    MAX_MAPPINGS = 64,
    MAX_ERROR_BYTES = 16 << 10,
    MAX_EARLY_BYTES = 16 << 10,
    /* Above this number of hot pages, one that was clean for this many runs is dropped. */
#ifdef LIBRARY
    FEW_HOT = 256, /* An interpreter uses 200 again and again. */
#else
    FEW_HOT = 64,
#endif
    MAX_IDLE_RUNS = 16,
    HEAP_RESERVE_BYTES = 64 << 20,
    LOOP_STACK_BYTES = 64 << 10,
    SIGNAL_STACK_BYTES = 64 << 10,
};

enum { NOT_STARTED, SAVING, RUNNING };

struct registers {
    uint64_t rbx, rbp, r12, r13, r14, r15, rsp, rip;
    uint32_t mxcsr;
    uint16_t control_word;
};

struct range {
    char *start, *end;
    const char *saved; /* What was there, or NULL for zeros. */
};

struct hot_page {
    char *page;
    const char *saved;
    uint32_t idle_runs;
};

/* The state of the loop, outside of the memory that is put back. */
struct loop {
    struct registers start;
    int has_started; /* `NOT_STARTED`, `SAVING` or `RUNNING`. */
    const struct input_area *inputs;
    struct result_area *results;
    int pagemap_fd;
    const char *input;
    uint64_t input_bytes, position;
    uint64_t run, output_start, output_bytes, error_bytes, early_bytes, saved_pages;
    int is_full; /* No output of another run fits. */
    int64_t cpu_before_us, faults_before;
    int64_t start_cpu_ns; /* The processor time when the runs began. */
    struct range regions[MAX_REGIONS], ranges[MAX_RANGES];
    size_t region_count, range_count, hot_count, mapping_count;
    char *initial_break, *current_break;
    struct {
        char *start;
        size_t bytes;
    } mappings[MAX_MAPPINGS];
    struct hot_page hot[MAX_HOT];
    uint32_t slots[HASH_SLOTS]; /* A hash table of hot pages: indexes plus one. */
    char error[MAX_ERROR_BYTES], early[MAX_EARLY_BYTES];
    char maps[64 << 10];
    char signal_stack[SIGNAL_STACK_BYTES];
    char stack[LOOP_STACK_BYTES] __attribute__((aligned(16)));
};

/* Set in a process that runs in place. */
static struct loop *loop;

/* Makes a system call, and returns what the kernel does. After its preparation this file makes no other ones: the filter
 * recognizes them by the address of the next instruction. */
long rebut_call(long number, long a, long b, long c, long d, long e, long f) __attribute__((visibility("hidden")));
extern char rebut_own_call[] __attribute__((visibility("hidden")));
__asm__(".text\n.globl rebut_call\n.hidden rebut_call\n.globl rebut_own_call\n.hidden rebut_own_call\n"
        ".type rebut_call, @function\n"
        "rebut_call:\n"
        "movq %rdi, %rax; movq %rsi, %rdi; movq %rdx, %rsi; movq %rcx, %rdx\n"
        "movq %r8, %r10; movq %r9, %r8; movq 8(%rsp), %r9; syscall\n"
        "rebut_own_call: ret\n"
        ".size rebut_call, .-rebut_call");

#define OWN_CALL(number, a, b, c) rebut_call(number, (long)(a), (long)(b), (long)(c), 0, 0, 0)

/* Makes a system call as the C library does. */
static long plain_call(long number, long a, long b, long c) {
    const long result = rebut_call(number, a, b, c, 0, 0, 0);
    if (result >= 0 || result < -4095) return result;
    errno = (int)-result;
    return -1;
}

static void copy_bytes(void *to, const void *from, size_t count) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(count) : : "memory");
}

typedef long long vector __attribute__((vector_size(16)));

/* Vectors of a page, and how many are compared between two branches: a branch costs as much as four comparisons. */
enum { PAGE_VECTORS = PAGE_BYTES / sizeof(vector), PART_VECTORS = 16 };

static int is_zero(const vector *page) {
    for (const vector *end = page + PAGE_VECTORS; page < end; page += PART_VECTORS) {
        vector any = {0, 0};
#pragma GCC unroll 16
        for (int i = 0; i < PART_VECTORS; i++) any |= page[i];
        if ((any[0] | any[1]) != 0) return 0;
    }
    return 1;
}

static int is_same(const vector *page, const vector *other) {
    for (const vector *end = page + PAGE_VECTORS; page < end; page += PART_VECTORS, other += PART_VECTORS) {
        vector any = {0, 0};
#pragma GCC unroll 16
        for (int i = 0; i < PART_VECTORS; i++) any |= page[i] ^ other[i];
        if ((any[0] | any[1]) != 0) return 0;
    }
    return 1;
}

/* Copies a page, or fills it with zeros. */
static void copy_page(vector *page, const vector *from) {
    if (from) {
        copy_bytes(page, from, PAGE_BYTES);
        return;
    }
    for (int i = 0; i < PAGE_VECTORS; i++) page[i] = (vector){0, 0};
}

/* Tells the spawner that this program cannot be run in place, and ends. */
__attribute__((noreturn)) static void refuse(void) {
    loop->results->is_refused = 1;
    OWN_CALL(SYS_write, HIGH_CONTROL_FD, "", 1);
    for (;;) OWN_CALL(SYS_exit_group, 0, 0, 0);
}

/* Registers. */

__attribute__((naked, noinline, returns_twice)) static void keep_registers_and_call(struct registers *kept, char *stack,
                                                                                     void (*next)(void)) {
    __asm__("movq %rbx, 0(%rdi); movq %rbp, 8(%rdi); movq %r12, 16(%rdi); movq %r13, 24(%rdi)\n"
            "movq %r14, 32(%rdi); movq %r15, 40(%rdi); leaq 8(%rsp), %rax; movq %rax, 48(%rdi)\n"
            "movq (%rsp), %rax; movq %rax, 56(%rdi); stmxcsr 64(%rdi); fnstcw 68(%rdi)\n"
            "movq %rsi, %rsp; xorl %ebp, %ebp; call *%rdx; ud2");
}

/* Continues where the registers were kept. All others are cleared, so that a run cannot see anything of the one before. */
__attribute__((naked, noreturn)) static void restore_registers(const struct registers *kept) {
    __asm__("movq 0(%rdi), %rbx; movq 8(%rdi), %rbp; movq 16(%rdi), %r12; movq 24(%rdi), %r13\n"
            "movq 32(%rdi), %r14; movq 40(%rdi), %r15; movq 48(%rdi), %rsp; movq 56(%rdi), %rcx\n"
            "fninit; fldcw 68(%rdi); ldmxcsr 64(%rdi); cld\n"
            "pxor %xmm0, %xmm0; pxor %xmm1, %xmm1; pxor %xmm2, %xmm2; pxor %xmm3, %xmm3\n"
            "pxor %xmm4, %xmm4; pxor %xmm5, %xmm5; pxor %xmm6, %xmm6; pxor %xmm7, %xmm7\n"
            "pxor %xmm8, %xmm8; pxor %xmm9, %xmm9; pxor %xmm10, %xmm10; pxor %xmm11, %xmm11\n"
            "pxor %xmm12, %xmm12; pxor %xmm13, %xmm13; pxor %xmm14, %xmm14; pxor %xmm15, %xmm15\n"
            "xorl %eax, %eax; xorl %edx, %edx; xorl %esi, %esi; xorl %edi, %edi\n"
            "xorl %r8d, %r8d; xorl %r9d, %r9d; xorl %r10d, %r10d; xorl %r11d, %r11d\n"
            "jmp *%rcx");
}

__attribute__((naked, noreturn)) static void call_on_stack(char *stack, void (*next)(void)) {
    __asm__("movq %rdi, %rsp; xorl %ebp, %ebp; call *%rsi; ud2");
}

static char *loop_stack(void) { return loop->stack + LOOP_STACK_BYTES; }

/* Hot pages. */

static size_t slot_of(const char *page) {
    size_t slot = ((uintptr_t)page >> 12) * 0x9e3779b97f4a7c15 >> 40;
    for (;; slot++) {
        slot %= HASH_SLOTS;
        const uint32_t entry = loop->slots[slot];
        if (entry == 0 || loop->hot[entry - 1].page == page) return slot;
    }
}

/* Returns what was saved of a page, or NULL for zeros. */
static const char *saved_of(const char *page) {
    size_t low = 0, high = loop->range_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (page < loop->ranges[middle].start) {
            high = middle;
        } else if (page >= loop->ranges[middle].end) {
            low = middle + 1;
        } else {
            return loop->ranges[middle].saved + (page - loop->ranges[middle].start);
        }
    }
    return NULL;
}

static void drop_pages(char *start, char *end) { OWN_CALL(SYS_madvise, start, end - start, MADV_DONTNEED); }

static void add_hot_page(char *page) {
    const size_t slot = slot_of(page);
    if (loop->slots[slot] != 0) return;
    loop->hot[loop->hot_count] = (struct hot_page){page, saved_of(page), 0};
    loop->slots[slot] = (uint32_t)++loop->hot_count;
}

/* Puts the hot pages back as they were saved, and drops idle ones. */
static void clean_hot_pages(void) {
    int is_dropped = 0;
    for (size_t i = 0; i < loop->hot_count; i++) {
        struct hot_page *hot = &loop->hot[i];
        vector *page = (vector *)hot->page;
        const vector *saved = (const vector *)hot->saved;
        if (saved ? is_same(page, saved) : is_zero(page)) {
            if (++hot->idle_runs < MAX_IDLE_RUNS || loop->hot_count <= FEW_HOT) continue;
            drop_pages(hot->page, hot->page + PAGE_BYTES);
            *hot = loop->hot[--loop->hot_count];
            is_dropped = 1;
            i--;
        } else {
            copy_page(page, saved);
            hot->idle_runs = 0;
        }
    }
    if (!is_dropped) return;
    for (size_t i = 0; i < HASH_SLOTS; i++) loop->slots[i] = 0;
    for (size_t i = 0; i < loop->hot_count; i++) loop->slots[slot_of(loop->hot[i].page)] = (uint32_t)i + 1;
}

/* The kernel's interface to look for pages by kind, which C libraries do not yet have. */
struct scan_argument {
    uint64_t size, flags, start, end, walk_end, vector, vector_length, max_pages;
    uint64_t inverted, all_of, any_of, returned;
};

struct scanned_pages {
    uint64_t start, end, kinds;
};

enum { SCAN_REQUEST = 0xc0606610, IS_FILE = 4, IS_PRESENT = 8, IS_SWAPPED = 16, IS_ZERO_PAGE = 32 };

/* Calls `found` for the pages between two addresses that hold something of their own: neither a page of a file nor the
 * page of zeros that reading maps. Returns 0 if the kernel cannot tell. */
static int find_own_pages(char *start, char *end, void (*found)(char *, char *)) {
    struct scanned_pages pages[64];
    while (start < end) {
        struct scan_argument scan = {.size = sizeof scan, .start = (uintptr_t)start, .end = (uintptr_t)end};
        scan.vector = (uintptr_t)pages;
        scan.vector_length = sizeof pages / sizeof *pages;
        scan.inverted = scan.all_of = IS_FILE | IS_ZERO_PAGE;
        scan.any_of = IS_PRESENT | IS_SWAPPED;
        scan.returned = IS_PRESENT;
        const long count = OWN_CALL(SYS_ioctl, loop->pagemap_fd, SCAN_REQUEST, &scan);
        if (count < 0) return 0;
        for (long i = 0; i < count; i++) found((char *)pages[i].start, (char *)pages[i].end);
        start = (char *)scan.walk_end;
    }
    return 1;
}

static void add_hot_pages(char *start, char *end) {
    for (char *page = start; page < end; page += PAGE_BYTES) {
        if (loop->hot_count < MAX_HOT) {
            add_hot_page(page);
        } else if (loop->slots[slot_of(page)] == 0) {
            /* What does not fit is dropped: the next access finds the saved page, or zeros. */
            char *rest = page + PAGE_BYTES;
            while (rest < end && loop->slots[slot_of(rest)] == 0) rest += PAGE_BYTES;
            drop_pages(page, rest);
            page = rest - PAGE_BYTES;
        }
    }
}

static void find_hot_pages(void) {
    for (size_t i = 0; i < loop->region_count; i++) {
        if (!find_own_pages(loop->regions[i].start, loop->regions[i].end, add_hot_pages)) {
            refuse(/* the kernel does not tell which pages were written to */);
        }
    }
}

/* Saving. */

static void add_range(char *start, char *end) {
    struct range *last = loop->range_count > 0 ? &loop->ranges[loop->range_count - 1] : NULL;
    if (last != NULL && last->end == start) {
        last->end = end;
        return;
    }
    if (loop->range_count == MAX_RANGES) refuse(/* its memory has too many parts */);
    loop->ranges[loop->range_count++] = (struct range){start, end, NULL};
}

static uint64_t parse_hex(const char **text) {
    uint64_t number = 0;
    for (;; (*text)++) {
        const char c = **text;
        if (c >= '0' && c <= '9') {
            number = number << 4 | (uint64_t)(c - '0');
        } else if (c >= 'a' && c <= 'f') {
            number = number << 4 | (uint64_t)(c - 'a' + 10);
        } else {
            return number;
        }
    }
}

static int starts_with(const char *text, const char *start) {
    while (*start != 0 && *text == *start) text++, start++;
    return *start == 0;
}

static void read_whole_file(const char *path, char *buffer, size_t capacity) {
    const long file = OWN_CALL(SYS_open, path, O_RDONLY | O_CLOEXEC, 0);
    size_t length = 0;
    long count = file < 0 ? 0 : 1;
    while (count > 0 && length + 1 < capacity) {
        count = OWN_CALL(SYS_read, file, buffer + length, capacity - 1 - length);
        if (count > 0) length += (size_t)count;
    }
    if (file < 0 || count != 0) refuse(/* its memory cannot be listed */);
    buffer[length] = 0;
    OWN_CALL(SYS_close, file, 0, 0);
}

/* Lists writable memory: what is looked through for hot pages, and the ranges to be saved. */
static void list_memory(void) {
    read_whole_file("/proc/self/maps", loop->maps, sizeof loop->maps);
    char *previous_end = NULL;
    for (const char *line = loop->maps; *line != 0;) {
        char *start = (char *)parse_hex(&line);
        line++;
        char *end = (char *)parse_hex(&line);
        const char *rights = line + 1;
        const char *name = rights;
        for (int words = 0; words < 4 && *name != '\n'; name++) words += *name == ' ';
        while (*name == ' ') name++;
        for (line = name; *line != '\n'; line++) {}
        line++;
        const int is_own = start == (char *)loop || start == (char *)loop->results;
        const int is_shared = rights[3] == 's', is_writable = rights[1] == 'w';
        char *first = previous_end;
        previous_end = end;
        if (!is_writable || is_own) continue;
        if (is_shared || rights[2] == 'x') refuse(/* it has memory that it shares or executes */);
        if (loop->region_count == MAX_REGIONS) refuse(/* its memory has too many parts */);
        const int is_stack = starts_with(name, "[stack]");
        /* Leaves a part that can grow, since the rest is mapped again. */
        if (is_stack) (void)*(volatile char *)(start - PAGE_BYTES);
        loop->regions[loop->region_count++] = (struct range){is_stack ? first : start, end, NULL};
        if (*name == '/') {
            add_range(start, end);
        } else if (!find_own_pages(start, end, add_range)) {
            refuse(/* the kernel does not tell which pages were written to */);
        }
    }
}

/* Copies the listed ranges into the file of results, and maps them from there. */
static void save_memory(void) {
    size_t total = 0;
    for (size_t i = 0; i < loop->range_count; i++) total += (size_t)(loop->ranges[i].end - loop->ranges[i].start);
    loop->saved_pages = total / PAGE_BYTES;
    if (total > MAX_SAVED_BYTES) refuse(/* it holds too much memory before it reads its input */);
    char *copy = (char *)rebut_call(SYS_mmap, 0, (long)total, PROT_READ | PROT_WRITE, MAP_SHARED, HIGH_RESULTS_FD, SAVED_AT);
    if ((unsigned long)copy >= -4095UL) refuse(/* there is too little memory to save its own */);
    size_t at = 0;
    for (size_t i = 0; i < loop->range_count; i++) {
        struct range *range = &loop->ranges[i];
        const size_t bytes = (size_t)(range->end - range->start);
        range->saved = copy + at;
        copy_bytes(copy + at, range->start, bytes);
        const long mapped = rebut_call(SYS_mmap, (long)range->start, (long)bytes, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_FIXED, HIGH_RESULTS_FD, SAVED_AT + (long)at);
        if (mapped != (long)range->start) refuse(/* its memory cannot be mapped again */);
        at += bytes;
    }
    OWN_CALL(SYS_mprotect, copy, total, PROT_READ);
}

/* The filter and the signals. */

static const uint16_t ALLOWED_CALLS[] = {SYS_getrandom, SYS_clock_gettime, SYS_gettimeofday, SYS_time,         SYS_futex,
                                         SYS_getpid,    SYS_gettid,        SYS_uname,        SYS_rt_sigreturn};

static void install_filter(void) {
    enum { ALLOWED = sizeof ALLOWED_CALLS / sizeof *ALLOWED_CALLS, LENGTH = 8 + ALLOWED };
    const uint64_t own = (uintptr_t)rebut_own_call;
    struct sock_filter filter[LENGTH];
    int at = 0;
#define PUT(...) filter[at++] = (struct sock_filter)__VA_ARGS__
#define LOAD(offset) PUT(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset))
    LOAD(offsetof(struct seccomp_data, instruction_pointer));
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)own, 0, 3));
    LOAD(offsetof(struct seccomp_data, instruction_pointer) + 4);
    PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(own >> 32), 0, 1));
    PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    LOAD(offsetof(struct seccomp_data, nr));
    for (int i = 0; i < ALLOWED; i++) {
        PUT(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ALLOWED_CALLS[i], (uint8_t)(ALLOWED - i), 0));
    }
    PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP));
    PUT(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    struct sock_fprog program = {(unsigned short)at, filter};
    if (OWN_CALL(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) != 0) {
        refuse(/* its system calls cannot be filtered */);
    }
}

__attribute__((noreturn)) static void end_run(uint32_t kind, int32_t detail);

/* Makes a new mapping, which is removed after the run. */
static long map_for_run(greg_t *registers) {
    const long flags = registers[REG_R10];
    if (loop->mapping_count == MAX_MAPPINGS || (flags & ~MAP_NORESERVE) != (MAP_PRIVATE | MAP_ANONYMOUS)) {
        end_run(TRAPPED, SYS_mmap);
    }
    const long start = rebut_call(SYS_mmap, registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], flags, -1, 0);
    if ((unsigned long)start < -4095UL) {
        loop->mappings[loop->mapping_count].start = (char *)start;
        loop->mappings[loop->mapping_count++].bytes = (size_t)registers[REG_RSI];
    }
    return start;
}

/* Removes a mapping of this run, if it is one as a whole. Memory from before the runs stays. */
static long unmap_in_run(char *start, size_t bytes) {
    for (size_t i = 0; i < loop->mapping_count; i++) {
        if (loop->mappings[i].start == start && loop->mappings[i].bytes == bytes) {
            loop->mappings[i] = loop->mappings[--loop->mapping_count];
            return OWN_CALL(SYS_munmap, start, bytes, 0);
        }
    }
    return 0;
}

static void handle_signal(int signal, siginfo_t *info, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (signal != SIGSYS) end_run(SIGNALLED, signal);
    switch (info->si_syscall) {
        case SYS_brk: {
            /* Giving back memory from before the runs could not be undone. */
            if (registers[REG_RDI] != 0 && registers[REG_RDI] < (greg_t)loop->initial_break) end_run(TRAPPED, SYS_brk);
            const long moved = OWN_CALL(SYS_brk, registers[REG_RDI], 0, 0);
            if (moved >= (long)loop->initial_break) loop->current_break = (char *)moved;
            registers[REG_RAX] = moved;
            return;
        }
        case SYS_mmap: registers[REG_RAX] = map_for_run(registers); return;
        case SYS_munmap: registers[REG_RAX] = unmap_in_run((char *)registers[REG_RDI], (size_t)registers[REG_RSI]); return;
        case SYS_exit:
        case SYS_exit_group: end_run(EXITED, registers[REG_RDI] & 255);
        case SYS_tgkill: end_run(SIGNALLED, (int32_t)registers[REG_RDX]);
        default: end_run(TRAPPED, info->si_syscall);
    }
}

static void catch_signals(void) {
    static const int SIGNALS[] = {SIGSYS, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
    stack_t stack = {.ss_sp = loop->signal_stack, .ss_size = SIGNAL_STACK_BYTES};
    sigaltstack(&stack, NULL);
    struct sigaction action = {0};
    action.sa_sigaction = handle_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++) sigaction(SIGNALS[i], &action, NULL);
}

/* Processor time: a run continues with that at which the runs begin. So a limit that a program sets itself counts its own
 * time only. Other clocks are the true ones: waiting for a time needs those. */

/* The processor time of the server when it was ready. */
static int64_t server_cpu_ns;

static int64_t read_clock(clockid_t clock) {
    struct timespec time = {0, 0};
    OWN_CALL(SYS_clock_gettime, clock, &time, 0);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void start_if_first(void);

/* Lets the runs begin before the program asks for something that differs between them. */
static void begin_before_chance(void) {
    if (loop) start_if_first();
}

typedef int clock_function(clockid_t, struct timespec *);

#ifndef LIBRARY
clock_function __real_clock_gettime;
#endif

static int read_real_clock(clockid_t clock, struct timespec *time) {
    static clock_function *real;
    if (!real) real = REAL(clock_gettime, clock_function *);
    return real(clock, time);
}

int REPLACED(clock_gettime)(clockid_t clock, struct timespec *time) {
    begin_before_chance();
    const int result = read_real_clock(clock, time);
    const int is_used = clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
    if (!loop || !is_used || result != 0) return result;
    const int64_t earlier_ns = loop->cpu_before_us * 1000 - loop->start_cpu_ns;
    const int64_t own_ns = time->tv_sec * 1000000000LL + time->tv_nsec - earlier_ns;
    time->tv_sec = own_ns / 1000000000;
    time->tv_nsec = own_ns % 1000000000;
    return 0;
}

int REPLACED(gettimeofday)(struct timeval *time, void *zone) {
    (void)zone;
    struct timespec now = {0, 0};
    const int result = REPLACED(clock_gettime)(CLOCK_REALTIME, &now);
    *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return result;
}

time_t REPLACED(time)(time_t *time) {
    struct timespec now = {0, 0};
    REPLACED(clock_gettime)(CLOCK_REALTIME, &now);
    if (time != NULL) *time = now.tv_sec;
    return now.tv_sec;
}

/* Random bytes. */

ssize_t REPLACED(getrandom)(void *to, size_t count, unsigned flags) {
    begin_before_chance();
    return plain_call(SYS_getrandom, (long)to, (long)count, flags);
}

void REPLACED(arc4random_buf)(void *to, size_t count) {
    for (size_t done = 0; done < count;) {
        const ssize_t more = REPLACED(getrandom)((char *)to + done, count - done, 0);
        if (more > 0) done += (size_t)more;
    }
}

int REPLACED(getentropy)(void *to, size_t count) {
    REPLACED(arc4random_buf)(to, count);
    return 0;
}

uint32_t REPLACED(arc4random)(void) {
    uint32_t word;
    REPLACED(arc4random_buf)(&word, sizeof word);
    return word;
}

uint32_t REPLACED(arc4random_uniform)(uint32_t count) { return (uint32_t)((uint64_t)REPLACED(arc4random)() * count >> 32); }

#ifndef LIBRARY
/* `std::random_device`, which can use an instruction of the processor. */
#define RANDOM_DEVICE(prefix) prefix##_ZNSt13random_device9_M_getvalEv
__attribute__((weak)) unsigned RANDOM_DEVICE(__real_)(void *);

unsigned RANDOM_DEVICE(__wrap_)(void *device) {
    begin_before_chance();
    return RANDOM_DEVICE(__real_)(device);
}
#endif

/* The loop. */

/* The processor time and the page faults of this process so far. */
static void read_usage(int64_t *cpu_us, int64_t *faults) {
    struct rusage usage;
    OWN_CALL(SYS_getrusage, RUSAGE_SELF, &usage, 0);
    *cpu_us = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
    *faults = usage.ru_minflt + usage.ru_majflt;
}

static void begin_run(void) {
    struct result_area *results = loop->results;
    const struct input_area *inputs = loop->inputs;
    while (loop->run >= inputs->count || loop->is_full) {
        char word = 0;
        if (loop->has_started == RUNNING) OWN_CALL(SYS_write, HIGH_CONTROL_FD, &word, 1);
        loop->has_started = RUNNING;
        long count;
        do count = OWN_CALL(SYS_read, HIGH_CONTROL_FD, &word, 1);
        while (count == -EINTR);
        if (count != 1) OWN_CALL(SYS_exit_group, 0, 0, 0);
        loop->run = 0;
        loop->is_full = 0;
        results->done = 0;
    }
    const uint64_t run = loop->run, start = run == 0 ? 0 : inputs->ends[run - 1];
    loop->input = inputs->bytes + start;
    loop->input_bytes = inputs->ends[run] - start;
    loop->position = 0;
    loop->output_start = run == 0 ? 0 : results->runs[run - 1].error_end;
    loop->output_bytes = loop->early_bytes;
    loop->error_bytes = 0;
    if (loop->output_start + loop->early_bytes <= OUTPUT_AREA_BYTES) {
        copy_bytes(results->bytes + loop->output_start, loop->early, loop->early_bytes);
    }
    read_usage(&loop->cpu_before_us, &loop->faults_before);
    restore_registers(&loop->start);
}

/* Ends a run on the stack of the loop, puts everything back and begins the next one. */
static uint32_t ended_kind;
static int32_t ended_detail;

static void finish_run(void) {
    int64_t cpu_us, faults;
    read_usage(&cpu_us, &faults);
    struct result_area *results = loop->results;
    struct run_result result = {ended_kind, ended_detail, 0, 0, 0, 0};
    for (; loop->mapping_count > 0; loop->mapping_count--) {
        OWN_CALL(SYS_munmap, loop->mappings[loop->mapping_count - 1].start, loop->mappings[loop->mapping_count - 1].bytes, 0);
    }
    if (loop->current_break != loop->initial_break) {
        OWN_CALL(SYS_brk, loop->initial_break, 0, 0);
        loop->current_break = loop->initial_break;
    }
    faults -= loop->faults_before;
    if (faults != 0) find_hot_pages();
    if (loop->output_start + loop->output_bytes + loop->error_bytes > OUTPUT_AREA_BYTES) result.kind = TOO_LARGE;
    result.output_end = result.error_end = loop->output_start;
    if (result.kind == EXITED) {
        result.output_end += loop->output_bytes;
        result.error_end = result.output_end + loop->error_bytes;
        copy_bytes(results->bytes + result.output_end, loop->error, loop->error_bytes);
    }
    result.cpu_time_us = (uint64_t)(cpu_us - loop->cpu_before_us);
    result.pages = loop->saved_pages + loop->hot_count + (uint64_t)faults;
    clean_hot_pages();
    /* The first run of a batch has all the room that there is. */
    loop->is_full = result.kind == TOO_LARGE && loop->output_start > 0;
    if (!loop->is_full) {
        results->runs[loop->run] = result;
        results->done = ++loop->run;
    }
    begin_run();
}

static void end_run(uint32_t kind, int32_t detail) {
    if (loop->has_started != RUNNING) refuse(/* it ends before it reads its input */);
    ended_kind = kind;
    ended_detail = detail;
    call_on_stack(loop_stack(), finish_run);
}

/* Lets the heap grow in advance: growing it in a run costs system calls. */
__attribute__((weak)) int mallopt(int, int);

static void reserve_heap(void) {
#ifdef M_MMAP_MAX
    if (!mallopt) return;
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    for (size_t bytes = HEAP_RESERVE_BYTES; bytes >= 1 << 20; bytes /= 4) {
        void *volatile reserve = malloc(bytes);
        if (reserve == NULL) continue;
        free(reserve);
        return;
    }
#endif
}

/* Refuses timers and limits that would end or interrupt a later run. */
static void check_timers(void) {
    struct itimerval timer;
    for (int which = ITIMER_REAL; which <= ITIMER_PROF; which++) {
        OWN_CALL(SYS_getitimer, which, &timer, 0);
        if (timer.it_value.tv_sec != 0 || timer.it_value.tv_usec != 0) refuse(/* it starts a timer before it reads its input */);
    }
    struct rlimit limit;
    OWN_CALL(SYS_getrlimit, RLIMIT_CPU, &limit, 0);
    if (limit.rlim_cur < 1 << 30) refuse(/* it limits its time before it reads its input */);
    const long timers = OWN_CALL(SYS_open, "/proc/self/timers", O_RDONLY | O_CLOEXEC, 0);
    if (timers < 0) return;
    if (OWN_CALL(SYS_read, timers, loop->maps, 1) > 0) refuse(/* it starts a timer before it reads its input */);
    OWN_CALL(SYS_close, timers, 0, 0);
}

static void start_runs(void) {
    if (loop->pagemap_fd < 0) refuse(/* its memory cannot be examined */);
    read_whole_file("/proc/self/status", loop->maps, sizeof loop->maps);
    const char *threads = loop->maps;
    while (*threads != 0 && !starts_with(threads, "\nThreads:\t1\n")) threads++;
    if (*threads == 0) refuse(/* it starts threads before it reads its input */);
    check_timers();
    catch_signals();
    list_memory();
    save_memory();
    install_filter();
    loop->initial_break = loop->current_break = (char *)OWN_CALL(SYS_brk, 0, 0, 0);
    loop->run = loop->inputs->count;
    loop->results->prepared_us = (uint64_t)((server_cpu_ns + loop->start_cpu_ns) / 1000);
    loop->results->is_ready = 1;
    begin_run();
}

/* Called when the program first touches its input, or asks for chance. Returns once for each run. */
static void start_if_first(void) {
    if (loop->has_started != NOT_STARTED) return;
    loop->has_started = SAVING;
    reserve_heap();
    loop->start_cpu_ns = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    keep_registers_and_call(&loop->start, loop_stack(), start_runs);
}

/* Turns a fresh copy into one that runs in place. The streams are the spawner's descriptors; what the program could do
 * with them before its runs begin, without the functions below, fails. */
static void prepare_in_place(void) {
    OWN_CALL(SYS_prctl, PR_SET_THP_DISABLE, 1, 0);
    OWN_CALL(SYS_dup3, RESULTS_FD, HIGH_RESULTS_FD, O_CLOEXEC);
    OWN_CALL(SYS_dup3, CONTROL_FD, HIGH_CONTROL_FD, O_CLOEXEC);
    /* Shared, so that the kernel does not join it with another part of the memory. */
    const long own = rebut_call(SYS_mmap, 0, sizeof(struct loop), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const long inputs = rebut_call(SYS_mmap, 0, sizeof(struct input_area), PROT_READ, MAP_SHARED, INPUTS_FD, 0);
    const long results =
        rebut_call(SYS_mmap, 0, SAVED_AT, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, HIGH_RESULTS_FD, 0);
    const long nothing = OWN_CALL(SYS_open, "/", O_PATH | O_CLOEXEC, 0);
    for (int fd = 0; fd < 3; fd++) OWN_CALL(SYS_dup3, nothing, fd, 0);
    OWN_CALL(SYS_close, nothing, 0, 0);
    if (own < 0 || inputs < 0 || results < 0 || nothing < 0) OWN_CALL(SYS_exit_group, 0, 0, 0);
    loop = (struct loop *)own;
    loop->inputs = (const struct input_area *)inputs;
    loop->results = (struct result_area *)results;
    const long pagemap = OWN_CALL(SYS_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
    loop->pagemap_fd = (int)OWN_CALL(SYS_dup3, pagemap, HIGH_PAGEMAP_FD, O_CLOEXEC);
    OWN_CALL(SYS_close, pagemap, 0, 0);
}

/* The functions of the C library that read and write. */

static ssize_t read_input(void *to, size_t count) {
    start_if_first();
    const uint64_t left = loop->position < loop->input_bytes ? loop->input_bytes - loop->position : 0;
    if (count > left) count = left;
    copy_bytes(to, loop->input + loop->position, count);
    loop->position += count;
    return (ssize_t)count;
}

static ssize_t write_output(int fd, const void *from, size_t count) {
    char *to = loop->has_started == RUNNING ? loop->results->bytes + loop->output_start + loop->output_bytes : loop->early + loop->early_bytes;
    uint64_t *used = loop->has_started == RUNNING ? &loop->output_bytes : &loop->early_bytes;
    uint64_t limit = loop->has_started == RUNNING ? OUTPUT_AREA_BYTES - loop->output_start : MAX_EARLY_BYTES;
    if (fd == STDERR_FILENO) {
        to = loop->error + loop->error_bytes;
        used = &loop->error_bytes;
        limit = MAX_ERROR_BYTES;
        if (loop->has_started != RUNNING) refuse(/* it writes messages before it reads its input */);
    }
    if (limit < *used || count > limit - *used) end_run(TOO_LARGE, 0);
    copy_bytes(to, from, count);
    *used += count;
    return (ssize_t)count;
}

/* Returns true if this call is one on a standard stream of a run in place. On other descriptors the program makes it
 * itself, but not in a run. */
static int is_in_memory(int fd, long number) {
    if (!loop) return 0;
    if (fd >= 0 && fd <= 2) return 1;
    if (loop->has_started == RUNNING) end_run(TRAPPED, (int32_t)number);
    return 0;
}

/* A file of random bytes that is read before the runs begin would be the same for all of them. */
static int is_device(int fd) {
    struct stat about;
    return plain_call(SYS_fstat, fd, (long)&about, 0) == 0 && S_ISCHR(about.st_mode);
}

ssize_t REPLACED(read)(int fd, void *to, size_t count) {
    if (loop && loop->has_started == NOT_STARTED && fd > 2 && is_device(fd)) start_if_first();
    if (!is_in_memory(fd, SYS_read)) return plain_call(SYS_read, fd, (long)to, (long)count);
    if (fd != STDIN_FILENO) end_run(TRAPPED, SYS_read);
    return read_input(to, count);
}

ssize_t REPLACED(write)(int fd, const void *from, size_t count) {
    if (!is_in_memory(fd, SYS_write)) return plain_call(SYS_write, fd, (long)from, (long)count);
    if (fd == STDIN_FILENO) end_run(TRAPPED, SYS_write);
    return write_output(fd, from, count);
}

ssize_t REPLACED(writev)(int fd, const struct iovec *parts, int count) {
    if (!is_in_memory(fd, SYS_writev)) return plain_call(SYS_writev, fd, (long)parts, count);
    if (fd == STDIN_FILENO) end_run(TRAPPED, SYS_writev);
    ssize_t total = 0;
    for (int i = 0; i < count; i++) total += write_output(fd, parts[i].iov_base, parts[i].iov_len);
    return total;
}

off_t REPLACED(lseek)(int fd, off_t offset, int whence) {
    if (!is_in_memory(fd, SYS_lseek)) return plain_call(SYS_lseek, fd, offset, whence);
    if (fd != STDIN_FILENO) end_run(TRAPPED, SYS_lseek);
    start_if_first();
    const int64_t from = whence == SEEK_SET ? 0 : (int64_t)(whence == SEEK_CUR ? loop->position : loop->input_bytes);
    if (whence > SEEK_END || from + offset < 0) {
        errno = EINVAL;
        return -1;
    }
    loop->position = (uint64_t)(from + offset);
    return (off_t)loop->position;
}

off_t REPLACED(lseek64)(int fd, off_t offset, int whence) { return REPLACED(lseek)(fd, offset, whence); }

/* All streams are regular files, as those of other runs. */
int REPLACED(fstat)(int fd, struct stat *about) {
    if (!is_in_memory(fd, SYS_fstat)) return (int)plain_call(SYS_fstat, fd, (long)about, 0);
    if (fd == STDIN_FILENO) start_if_first();
    *about = (struct stat){.st_mode = S_IFREG | 0600, .st_nlink = 1, .st_blksize = PAGE_BYTES};
    about->st_ino = (ino_t)fd + 1;
    about->st_size = (off_t)(fd == STDIN_FILENO ? loop->input_bytes : 0);
    return 0;
}

/* On this architecture both have the same layout. */
int REPLACED(fstat64)(int fd, struct stat64 *about) { return REPLACED(fstat)(fd, (struct stat *)about); }

__attribute__((noreturn)) void REPLACED(_exit)(int status) {
    if (loop) end_run(EXITED, status & 255);
    for (;;) OWN_CALL(SYS_exit_group, status, 0, 0);
}

__attribute__((noreturn)) void REPLACED(_Exit)(int status) { REPLACED(_exit)(status); }

int REPLACED(isatty)(int fd) {
    if (!is_in_memory(fd, SYS_ioctl)) {
        char about[64];
        return plain_call(SYS_ioctl, fd, 0x5401, (long)about) == 0;
    }
    errno = ENOTTY;
    return 0;
}

/* What Rust's runtime does at the end of `main`: it takes down its own signal stack. */

int REPLACED(sigaltstack)(const stack_t *stack, stack_t *before) {
    if (loop && loop->has_started == RUNNING) return 0;
    return (int)plain_call(SYS_sigaltstack, (long)stack, (long)before, 0);
}

int REPLACED(munmap)(void *start, size_t bytes) {
    if (loop && loop->has_started == RUNNING) return (int)unmap_in_run(start, bytes);
    return (int)plain_call(SYS_munmap, (long)start, (long)bytes, 0);
}

#ifndef LIBRARY
/* The names under which the C library itself calls them. */
int __wrap___clock_gettime(clockid_t clock, struct timespec *time) { return __wrap_clock_gettime(clock, time); }
ssize_t __wrap___read(int fd, void *to, size_t count) { return __wrap_read(fd, to, count); }
ssize_t __wrap___write(int fd, const void *from, size_t count) { return __wrap_write(fd, from, count); }
ssize_t __wrap___writev(int fd, const struct iovec *parts, int count) { return __wrap_writev(fd, parts, count); }
off_t __wrap___lseek(int fd, off_t offset, int whence) { return __wrap_lseek(fd, offset, whence); }
off_t __wrap___lseek64(int fd, off_t offset, int whence) { return __wrap_lseek(fd, offset, whence); }
int __wrap___fstat64(int fd, struct stat *about) { return __wrap_fstat(fd, about); }
int __wrap___fxstat(int version, int fd, struct stat *about) { return (void)version, __wrap_fstat(fd, about); }
int __wrap___fxstat64(int version, int fd, struct stat *about) { return (void)version, __wrap_fstat(fd, about); }
#endif
